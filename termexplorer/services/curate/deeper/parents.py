"""Concepts that stand a parent too high: found, as rows of files, and held against newer ones."""

from collections.abc import Callable
from typing import TypeAlias

from termexplorer.services.curate.found import FinderRequest, FoundSuggestions, check_share, find
from termexplorer.services.curate.newer_check import NewerCheck, check_followed, newer_check
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.files.exports import Cell
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases.corpus import release_graph, release_labels
from termexplorer.taxonomy.above import list_above
from termexplorer.texts import tr
from termexplorer.workers.curate.deeper_parents import DeeperDoubt, DeeperDoubts, run_deeper_parents
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "DEEPER_HEADER",
    "DeeperDoubt",
    "DeeperDoubts",
    "DeeperParents",
    "check_deeper_by_newer",
    "deeper_cells",
    "deeper_file",
    "suggest_deeper",
]

DEEPER_HEADER = (
    "concept", "name", "below", "other concept", "other name", "nearest name", "likelihood",
    "agree",
)  # fmt: skip

DeeperParents: TypeAlias = FoundSuggestions[DeeperDoubts]


def suggest_deeper(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> DeeperParents:
    """Find concepts that stand directly below a concept, but belong below one further down.

    How likely each does is learned from copies of the ontology in which a share of the concepts
    is lifted to a parent of their parent. An encoder that was trained on this hierarchy has
    learned where they were before, so that it finds them too easily.

    Raises:
        UserError: something is not there, or the share is not above 0 and at most a half.
        Cancelled: it was cancelled.
    """
    check_share(request.share, tr("lifted", sense="done"))
    return find(run_deeper_parents, workspace, ontology, request, control, on_message)


def check_deeper_by_newer(
    workspace: Workspace, deeper: DeeperParents, newer: Ontology
) -> NewerCheck:
    """Look where concepts stand in a newer release.

    A concept was moved if it is no longer directly below the concept that it seems too high
    below, but still somewhere below it; it is where it was suggested to be if it is below the
    suggested parent. Those are passed over of which it, or where it was, is not live there.

    Raises:
        UserError: none of the concepts is live in the newer release.
    """
    with workspace.store.reading() as connection:
        parents = _read_parents(connection, newer.id)
    stood = deeper.answer.all_concepts
    looked = {c for c, (parent, _) in stood.items() if c in parents and parent in parents}
    check_followed(looked, deeper.ontology, newer)
    above = {c: list_above(parents[c], parents.__getitem__) for c in looked}
    moved = {
        c for c in looked if stood[c][0] not in parents[c] and stood[c][0] in above[c]
    }  # fmt: skip
    carried_out = {c for c in looked if stood[c][1] in above[c]}
    doubts = [doubt.concept for doubt in deeper.answer.doubts]
    return newer_check(newer, doubts, looked, moved, carried_out)


def _read_parents(connection: Connection, release_id: int) -> dict[str, set[str]]:
    """Return the CURIEs of the live parents of each live concept."""
    graph = release_graph(connection, release_id)
    labels = release_labels(connection, release_id)
    curies = [labels[concept][0] for concept in graph.concept_ids.tolist()]
    parents: dict[str, set[str]] = {curie: set() for curie in curies}
    for child, parent in zip(graph.children.tolist(), graph.parents.tolist(), strict=True):
        parents[curies[child]].add(curies[parent])
    return parents


def deeper_file(deeper: DeeperParents) -> SuggestionSheet:
    """Return all doubts, to be written; the deeper parent is a `skos:broadMatch`."""
    doubts = deeper.answer.doubts
    return SuggestionSheet(
        deeper.ontology,
        deeper.ontology,
        deeper.encoder_ids,
        DEEPER_HEADER,
        [deeper_cells(deeper, doubt) for doubt in doubts],
        [_mapping_row(deeper, doubt) for doubt in doubts],
    )


def deeper_cells(deeper: DeeperParents, doubt: DeeperDoubt) -> list[Cell]:
    """Return one doubt under `DEEPER_HEADER`."""
    labels = deeper.labels
    return [
        doubt.concept,
        labels[doubt.concept],
        f"{doubt.parent} {labels[doubt.parent]}",
        doubt.better,
        labels[doubt.better],
        labels.get(doubt.nearest, ""),
        doubt.likelihood,
        doubt.agree,
    ]


def _mapping_row(deeper: DeeperParents, doubt: DeeperDoubt) -> SssomRow:
    labels = deeper.labels
    return SssomRow(
        doubt.concept,
        labels[doubt.concept],
        "skos:broadMatch",
        doubt.better,
        labels[doubt.better],
        SEMANTIC,
        confidence(doubt.likelihood),
        f"may stand too high, directly below {doubt.parent} {labels[doubt.parent]}; "
        f"{doubt.agree} of {len(deeper.encoder_ids)} encoders agree",
    )
