"""Concepts that may be one and the same, as encoders suggest them, and as rows of files."""

from collections.abc import Callable
from typing import TypeAlias

from termexplorer.services.curate.found import FinderRequest, FoundSuggestions, check_share, find
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.files.exports import Cell
from termexplorer.texts import tr
from termexplorer.workers.curate.duplicates import DuplicatePair, Duplicates, run_duplicates
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "HEADER",
    "DuplicatePair",
    "DuplicatePairs",
    "Duplicates",
    "duplicates_file",
    "pair_cells",
    "suggest_duplicates",
]

HEADER = (
    "concept", "name", "other concept", "other name", "likelihood", "similarity", "agree",
    "relation", "difference",
)  # fmt: skip
_MOST_SHARE = 1 / 6  # no concept is split in two of six copies


DuplicatePairs: TypeAlias = FoundSuggestions[Duplicates]


def suggest_duplicates(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> DuplicatePairs:
    """Finds pairs of concepts with the most similar names.

    How likely two are one is learned from copies of the ontology in which a share of the concepts
    with several names is split in two, and so means: if as many concepts are there twice, and their
    names are as much alike as those of halves. Real duplicates may be more alike, or less. An
    encoder that was trained on these synonyms has learned that they belong together, so that it
    finds halves too easily.

    Raises:
        UserError: something is not there, too few concepts have several names, or the share is not
            above 0 and at most a sixth.
        Cancelled: it was cancelled.
    """
    check_share(request.share, tr("split", sense="done"), _MOST_SHARE)
    return find(run_duplicates, workspace, ontology, request, control, on_message)


def duplicates_file(duplicates: DuplicatePairs) -> SuggestionSheet:
    """All pairs, to be written; each is a `skos:closeMatch` of its second concept."""
    pairs = duplicates.answer.pairs
    return SuggestionSheet(
        duplicates.ontology,
        duplicates.ontology,
        duplicates.encoder_ids,
        HEADER,
        [pair_cells(duplicates, pair) for pair in pairs],
        [_mapping_row(duplicates, pair) for pair in pairs],
    )


def pair_cells(duplicates: DuplicatePairs, pair: DuplicatePair) -> list[Cell]:
    """One pair under `HEADER`."""
    labels = duplicates.labels
    return [
        pair.first,
        labels[pair.first],
        pair.second,
        labels[pair.second],
        pair.likelihood,
        pair.similarity,
        pair.agree,
        pair.relation,
        pair.difference,
    ]


def _mapping_row(duplicates: DuplicatePairs, pair: DuplicatePair) -> SssomRow:
    relation = f"; the second is a {pair.relation} of the first" if pair.relation else ""
    difference = f"; they differ in {pair.difference}" if pair.difference else ""
    return SssomRow(
        pair.first,
        duplicates.labels[pair.first],
        "skos:closeMatch",
        pair.second,
        duplicates.labels[pair.second],
        SEMANTIC,
        confidence(pair.likelihood),
        f"may be one concept; {pair.agree} of {len(duplicates.encoder_ids)} encoders "
        f"agree{relation}{difference}",
    )
