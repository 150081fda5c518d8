"""What changed from one release of a terminology to another, and what it makes stale."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.curate.release_change import KIND_WORDS, KINDS, Change
from termexplorer.services.curate.stale import StaleRun, StaleVerdict, stale_runs, stale_verdicts
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.files.exports import Cell
from termexplorer.services.train.runs import list_runs
from termexplorer.store.judging.verdicts import iterate_judged
from termexplorer.store.releases.content import ContentConcept, ReleaseContent, release_content
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = [
    "DIFF_HEADER",
    "KINDS",
    "KIND_WORDS",
    "Change",
    "ReleaseDiff",
    "choose_releases",
    "compare_releases",
    "diff_rows",
    "list_renewed",
]

_DATED = re.compile(r"(19|20)\d\d")  # a version that begins with a year
DIFF_HEADER = ("change", "concept", "name", "before", "after")


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """Two releases of one terminology, compared by CURIE; changes of a kind stand together."""

    old: Ontology
    new: Ontology
    changes: tuple[Change, ...]
    stale: tuple[StaleRun, ...]
    stale_verdicts: tuple[StaleVerdict, ...]

    def of_kind(self, kind: str) -> tuple[Change, ...]:
        """The changes of one of `KINDS`, in the order of import."""
        return tuple(change for change in self.changes if change.kind == kind)


def compare_releases(workspace: Workspace, old: Ontology, new: Ontology) -> ReleaseDiff:
    """Compares live concepts, their preferred names and asserted parents.

    A concept is *added* if it is live in the newer release alone, *retired* if in the older alone;
    *moved* if it has other live parents, *renamed* if it has another preferred name.

    Raises:
        UserError: the releases are one and the same, or share no concept.
    """
    if old.id == new.id:
        raise UserError(
            tr(
                "{release} is one release; give two, `termexplorer ontology list` lists all",
                release=old.label,
            )
        )
    with workspace.store.reading() as connection:
        contents = release_content(connection, old.id), release_content(connection, new.id)
        if contents[0].concepts.keys().isdisjoint(contents[1].concepts):
            raise UserError(
                tr(
                    "{old} and {new} share no concept; give two releases of one terminology",
                    old=old.label,
                    new=new.label,
                )
            )
        changes = tuple(
            sorted(_list_changes(*contents), key=lambda change: KINDS.index(change.kind))
        )
        runs = [run for run in list_runs(workspace) if run.encoder_id is not None]
        stale = tuple(stale_runs(connection, runs, old, new, changes))
        verdicts = tuple(stale_verdicts(iterate_judged(connection), old, changes))
    return ReleaseDiff(old, new, changes, stale, verdicts)


def diff_rows(changes: Sequence[Change]) -> list[list[Cell]]:
    """Return changes as rows of a file, under `DIFF_HEADER`."""
    return [
        [
            change.kind,
            change.concept,
            change.name,
            "; ".join(change.before),
            "; ".join(change.after),
        ]
        for change in changes
    ]


def _list_changes(old: ReleaseContent, new: ReleaseContent) -> Iterator[Change]:
    for curie, concept in new.concepts.items():
        before = old.concepts.get(curie)
        if not concept.obsolete and (before is None or before.obsolete):
            parents = _name_concepts(concept.parents, new)
            yield _make_change("added", curie, before, concept, (), parents)
    for curie, before in old.concepts.items():
        if not before.obsolete:
            yield from _changes_of_concept(curie, before, old, new)


def _changes_of_concept(
    curie: str, before: ContentConcept, old: ReleaseContent, new: ReleaseContent
) -> Iterator[Change]:
    after = new.concepts.get(curie)
    if after is None or after.obsolete:
        stand_in = (new.merged[curie],) if curie in new.merged else ()
        instead = _name_concepts((after.replaced_by if after else ()) or stand_in, new)
        yield _make_change(
            "retired", curie, before, after, _name_concepts(before.parents, old), instead
        )
        return
    if before.parents != after.parents:
        lost = _name_concepts(before.parents - after.parents, old)
        gained = _name_concepts(after.parents - before.parents, new)
        yield _make_change("moved", curie, before, after, lost, gained)
    if before.label != after.label:
        yield _make_change("renamed", curie, before, after, (before.label,), (after.label,))


def _make_change(
    kind: str,
    curie: str,
    old: ContentConcept | None,
    new: ContentConcept | None,
    before: tuple[str, ...],
    after: tuple[str, ...],
) -> Change:
    named = new if new and not (new.obsolete and old) else old
    name = named.label if named else ""
    return Change(kind, curie, name, before, after, _id_of(old), _id_of(new))


def _id_of(concept: ContentConcept | None) -> int | None:
    return concept.id if concept else None


def _name_concepts(curies: Iterable[str], release: ReleaseContent) -> tuple[str, ...]:
    known = release.concepts
    return tuple(
        f"{curie} {known[curie].label}" if curie in known else curie for curie in sorted(curies)
    )


def list_renewed(ontologies: Sequence[Ontology]) -> list[Ontology]:
    """Return the releases of terminologies that there are several of."""
    releases = Counter(ontology.terminology for ontology in ontologies)
    return [ontology for ontology in ontologies if releases[ontology.terminology] > 1]


def choose_releases(
    ontologies: Sequence[Ontology], shown: int | None
) -> tuple[int | None, int | None]:
    """Return the last two releases of the terminology on show, or else of the last one imported.

    They are in the order of their dates; where one has another kind of version, in that of import.
    """
    renewed = list_renewed(ontologies)
    if not renewed:
        return None, None
    wanted = next((ontology for ontology in renewed if ontology.id == shown), renewed[-1])
    of_it = [ontology for ontology in renewed if ontology.terminology == wanted.terminology]
    if all(_DATED.match(release.version) for release in of_it):
        of_it.sort(key=lambda release: (release.version, release.id))
    return of_it[-2].id, of_it[-1].id
