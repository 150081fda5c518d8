"""What was judged correct as changes to an ontology: a template of ROBOT, or lines of KGCL.

A template adds, and takes nothing away: what is to go (a present parent, a name where it stands
now) is in columns for people. Two concepts that mean nearly the same are linked by the predicate
that was judged: `oboInOwl:consider` belongs to obsolete concepts alone, and which of two is to go
nobody was asked.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from termexplorer.exporters.kgcl import FORMER_PARENTS, list_kgcl, write_kgcl
from termexplorer.exporters.robot import write_template
from termexplorer.mapping_terms import CHANGE_SUFFIXES, NO_TERM
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.verdicts.log import ALSO, CHANGED, LoggedVerdict
from termexplorer.services.verdicts.mapping_answers import ChosenMapping, find_chosen
from termexplorer.store.judging.suggestions import KeptList, ListHead, Suggestion
from termexplorer.store.releases import concepts
from termexplorer.store.releases.concepts import ConceptRef
from termexplorer.workspace import Workspace

TEMPLATES = {
    "concept": "ID",
    "name": "",
    "new parent": "SC %",
    "its name": "",
    "present parents": "",
    "exact synonym": "A oboInOwl:hasExactSynonym",
    "broad synonym": "A oboInOwl:hasBroadSynonym",
    "narrow synonym": "A oboInOwl:hasNarrowSynonym",
    "related synonym": "A oboInOwl:hasRelatedSynonym",
    "now a name of": "",
    "exact match": "AI skos:exactMatch",
    "close match": "AI skos:closeMatch",
    "related match": "AI skos:relatedMatch",
    "cross-reference": "A oboInOwl:hasDbXref",
    "the other": "",
    "curators": "",
    "notes": "",
}
_MATCHES = {
    "skos:exactMatch": "exact match",
    "skos:closeMatch": "close match",
    "skos:relatedMatch": "related match",
}
_SCOPES = ("broad", "narrow", "related")


def write_changes(
    workspace: Workspace,
    path: Path,
    suggestion_list: KeptList,
    pairs: Sequence[tuple[Suggestion, Sequence[LoggedVerdict]]],
) -> tuple[int, int]:
    """Writes what more curators called correct, or a further place, than wrong.

    Where more said a further place than a better one, no present parent is to go.

    Args:
        workspace: where the list is kept.
        path: ends in one of `CHANGE_SUFFIXES`.
        suggestion_list: the list.
        pairs: its suggestions, and what counts on each.

    Returns:
        How many changes there are, and how many suggestions as many called correct as wrong: these
        are left out.

    Raises:
        UserError: the place cannot be written to.
    """
    pairs = [pair for suggested, verdicts in pairs for pair in _split_chosen(suggested, verdicts)]
    votes = [
        (
            s,
            _names_of_curators(verdicts, "correct", ALSO),
            _names_of_curators(verdicts, "wrong", CHANGED),
        )
        for s, verdicts in pairs
    ]
    rows = [
        _change_row(workspace, suggestion_list.head, suggested) | _verdict_columns(verdicts)
        for (suggested, verdicts), (_, right, wrong) in zip(pairs, votes, strict=True)
        if len(right) > len(wrong)
    ]
    if path.name.lower().endswith(CHANGE_SUFFIXES[1]):
        rows = [row for row in rows if list_kgcl(row)]
        write_kgcl(path, rows)
    else:
        write_template(path, TEMPLATES, rows)
    return len(rows), sum(len(right) == len(wrong) > 0 for _, right, wrong in votes)


def _split_chosen(
    suggested: Suggestion, verdicts: Sequence[LoggedVerdict]
) -> list[tuple[Suggestion, Sequence[LoggedVerdict]]]:
    """Return a mapping with its verdicts, and each one that curators chose instead with theirs."""
    instead: dict[ChosenMapping, list[LoggedVerdict]] = {}
    for verdict in verdicts:
        chosen = find_chosen(suggested.about, verdict.answer)
        if verdict.answer.answer == CHANGED and chosen and chosen.object != NO_TERM:
            correct = replace(verdict, answer=replace(verdict.answer, answer="correct"))
            instead.setdefault(chosen, []).append(correct)
    pairs: list[tuple[Suggestion, Sequence[LoggedVerdict]]] = [(suggested, verdicts)]
    for chosen, of_chosen in instead.items():
        about = replace(suggested.about, question=chosen.predicate, object=chosen.object)
        slots = {**suggested.slots, "object_label": chosen.object_label}
        pairs.append((replace(suggested, about=about, slots=slots), of_chosen))
    return pairs


def _names_of_curators(verdicts: Sequence[LoggedVerdict], *answers: str) -> list[str]:
    return [verdict.judge.name for verdict in verdicts if verdict.answer.answer in answers]


def _verdict_columns(verdicts: Sequence[LoggedVerdict]) -> dict[str, str]:
    notes = [
        f"{verdict.judge.name}: {verdict.answer.note}"
        for verdict in verdicts
        if verdict.answer.note
    ]
    correct, also = _names_of_curators(verdicts, "correct"), _names_of_curators(verdicts, ALSO)
    stays = {"present parents": "", FORMER_PARENTS: ""} if len(also) > len(correct) else {}
    return stays | {
        "curators": "; ".join(_names_of_curators(verdicts, "correct", ALSO)),
        "notes": "; ".join(notes),
    }


def _change_row(workspace: Workspace, head: ListHead, suggestion: Suggestion) -> dict[str, str]:
    about, labels = (
        suggestion.about,
        (suggestion.slots.get("subject_label"), suggestion.slots.get("object_label")),
    )
    subject_cells, object_cells = (
        (c, label or "") for c, label in zip((about.subject, about.object), labels, strict=True)
    )
    if about.term:
        scope = _scope_of_name(
            workspace, _releases_to_read(workspace, head), about.subject, about.term
        )
        return _concept_columns(object_cells) | {
            f"{scope} synonym": about.term,
            "now a name of": " ".join(subject_cells),
        }
    if not _within_one(head, suggestion):
        return _concept_columns(subject_cells) | {
            "cross-reference": about.object,
            "the other": object_cells[1],
        }
    if about.question in _MATCHES:
        return _concept_columns(subject_cells) | {
            _MATCHES[about.question]: about.object,
            "the other": object_cells[1],
        }
    below, above = (
        (object_cells, subject_cells)
        if about.question == "skos:narrowMatch"
        else (subject_cells, object_cells)
    )
    releases = _releases_to_read(workspace, head)
    parents = _list_replaced_parents(workspace, releases, below[0], above[0])
    return _concept_columns(below) | {
        "new parent": above[0],
        "its name": above[1],
        "present parents": "; ".join(f"{parent.curie} {parent.label}" for parent in parents),
        FORMER_PARENTS: " ".join(parent.curie for parent in parents),
    }


def _concept_columns(concept: tuple[str, str]) -> dict[str, str]:
    return {"concept": concept[0], "name": concept[1]}


def _within_one(head: ListHead, suggestion: Suggestion) -> bool:
    """Whether both sides are of one ontology; where no release tells, by their prefixes."""
    if head.release_id is not None:
        return head.release_id == head.object_release_id
    about = suggestion.about
    return about.subject.partition(":")[0] == about.object.partition(":")[0]


def _releases_to_read(workspace: Workspace, head: ListHead) -> list[int]:
    """Where present parents and names are looked up: of a file's list in the newest release."""
    if head.release_id is not None:
        return [head.release_id]
    return [ontology.id for ontology in reversed(list_ontologies(workspace))]


def _list_replaced_parents(
    workspace: Workspace, releases: Sequence[int], curie: str, new_parent: str
) -> Sequence[ConceptRef]:
    """Return the present parents that a new one replaces: those above it, or else all."""
    with workspace.store.reading() as connection:
        ref = _find_concept(connection, releases, curie)
        parents = concepts.parents(connection, ref.id) if ref else []
        new_ref = _find_concept(connection, releases, new_parent)
        above = concepts.ancestors(connection, new_ref.id) if new_ref else set()
    return [parent for parent in parents if parent.id in above] or parents


def _scope_of_name(workspace: Workspace, releases: Sequence[int], curie: str, name: str) -> str:
    """The scope that a name has where it stands now; exact where nothing else is known."""
    with workspace.store.reading() as connection:
        ref = _find_concept(connection, releases, curie)
        concept = concepts.concept(connection, ref.id) if ref else None
    scopes = (
        [concept_name.scope.lower() for concept_name in concept.names if concept_name.text == name]
        if concept
        else []
    )
    return next((scope for scope in scopes if scope in _SCOPES), "exact")


def _find_concept(connection: Any, releases: Sequence[int], curie: str) -> ConceptRef | None:
    refs = (concepts.find(connection, release_id, curie) for release_id in releases)
    return next((ref for ref in refs if ref), None)
