"""Names that may be of another concept than the one that has them, and what became of them."""

from collections.abc import Callable
from typing import TypeAlias

from termexplorer.services.curate.found import FinderRequest, FoundSuggestions, check_share, find
from termexplorer.services.curate.newer_check import NewerCheck, check_followed, newer_check
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases.corpus import release_labels, release_names
from termexplorer.texts import tr
from termexplorer.workers.curate.misplaced_names import (
    MisplacedNames,
    NameDoubt,
    run_misplaced_names,
)
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "DoubtfulNames",
    "MisplacedNames",
    "NameDoubt",
    "check_names_by_newer",
    "suggest_names",
]


DoubtfulNames: TypeAlias = FoundSuggestions[MisplacedNames]


def suggest_names(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> DoubtfulNames:
    """Finds names that are nearer to another concept's names than to the others of their own.

    How likely each is misplaced is learned from copies of the ontology in which a share of the
    names is given to other concepts at random. Labels stay where they are and are not doubted: they
    tell which concept it is. An encoder that was trained on these synonyms has learned whose they
    are, so that it finds moved ones too easily, and wrong ones not at all.

    Raises:
        UserError: something is not there, or the share is not above 0 and at most a half.
        Cancelled: it was cancelled.
    """
    check_share(request.share, tr("moved", sense="done"))
    return find(run_misplaced_names, workspace, ontology, request, control, on_message)


def check_names_by_newer(
    workspace: Workspace, doubtful: DoubtfulNames, newer: Ontology
) -> NewerCheck:
    """Looks whose names they are in a newer release, whatever their case.

    A name was moved if its concept has it no longer, or if the concept that was suggested, or for
    chance the one with the nearest other name, has it and did not before. It is where it was
    suggested to be if that concept has it after such a change. Names of concepts that are not live
    there are not looked at.

    Raises:
        UserError: none of the concepts is live in the newer release.
    """
    with workspace.store.reading() as connection:
        before = _names_of(connection, doubtful.ontology.id)
        after = _names_of(connection, newer.id)
    better = doubtful.answer.all_names
    looked = {doubt for doubt in better if doubt[0] in after}
    check_followed(looked, doubtful.ontology, newer)

    def has(names: dict[str, set[str]], curie: str, name: str) -> bool:
        return _fold_case(name) in names.get(curie, ())

    left = {doubt for doubt in looked if not has(after, *doubt)}
    confirmed = {doubt for doubt in looked if has(after, better[doubt], doubt[1])}
    new = {doubt for doubt in confirmed if not has(before, better[doubt], doubt[1])}
    doubts = [(doubt.concept, doubt.name) for doubt in doubtful.answer.doubts]
    return newer_check(newer, doubts, looked, left | new, confirmed & (left | new))


def _names_of(connection: Connection, release_id: int) -> dict[str, set[str]]:
    known = release_labels(connection, release_id)
    names_by_concept: dict[str, set[str]] = {
        curie: set() for curie, _code, _label in known.values()
    }
    names = release_names(connection, release_id)
    for concept_id, text in zip(names.concept_ids.tolist(), names.texts, strict=True):
        names_by_concept[known[concept_id][0]].add(_fold_case(text))
    return names_by_concept


def _fold_case(text: str) -> str:
    return " ".join(text.casefold().split())
