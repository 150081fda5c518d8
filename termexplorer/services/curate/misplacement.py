"""Concepts that may be misplaced, and what a newer release made of them."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from termexplorer.errors import UserError
from termexplorer.services.curate.found import FinderRequest, FoundSuggestions, check_share, find
from termexplorer.services.curate.newer_check import NewerCheck, newer_check
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import release_labels
from termexplorer.texts import tr
from termexplorer.workers.curate.misplacement import (
    Doubt,
    Doubted,
    run_misplacement,
)
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "Doubt",
    "Doubted",
    "Misplaced",
    "check_by_newer",
    "suggest_misplaced",
]


Misplaced: TypeAlias = FoundSuggestions[Doubted]


def suggest_misplaced(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Misplaced:
    """Finds concepts that encoders would put below another class on a level.

    How likely each is misplaced is learned from copies of the ontology in which a share of the
    concepts is moved at random. An encoder that was trained on these classes has learned where
    they were before, so that it finds them too easily.

    Raises:
        UserError: something is not there, or the share is not above 0 and at most a half.
        Cancelled: it was cancelled.
    """
    check_share(request.share, tr("moved", sense="done"))
    return find(run_misplacement, workspace, ontology, request, control, on_message)


def check_by_newer(workspace: Workspace, misplaced: Misplaced, newer: Ontology) -> NewerCheck:
    """Looks where concepts are in a newer release, by the classes of the older one.

    Raises:
        UserError: no class of the level is in the newer release.
    """
    classes = misplaced.answer.all_classes
    with workspace.store.reading() as connection:
        before = _classes_of(connection, misplaced.ontology.id, classes)
        after = _classes_of(connection, newer.id, classes)
        live = {curie for curie, _code, _label in release_labels(connection, newer.id).values()}
    if not after:
        raise UserError(
            tr("{label} has no class of this level; give a newer release of it", label=newer.label)
        )
    looked = live.intersection(misplaced.answer.all_concepts)
    changed = {curie for curie in looked if before.get(curie) != after.get(curie)}
    best = misplaced.answer.all_concepts
    done = {curie for curie in looked if best[curie] in after.get(curie, ())}
    doubts = [doubt.concept for doubt in misplaced.answer.doubts]
    return newer_check(newer, doubts, looked, changed, done)


def _classes_of(
    connection: Connection, release_id: int, classes: Iterable[str]
) -> dict[str, set[str]]:
    """The classes that each concept below one is below; those that are there and live."""
    curies = {i: curie for i, (curie, _c, _l) in release_labels(connection, release_id).items()}
    classes_by_concept: dict[str, set[str]] = {}
    for class_curie in classes:
        top = concepts.find(connection, release_id, class_curie)
        if top is None or top.obsolete:
            continue
        for below in concepts.descendants(connection, top.id):
            if below in curies:
                classes_by_concept.setdefault(curies[below], set()).add(class_curie)
    return classes_by_concept
