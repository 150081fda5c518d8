"""Concepts that may be one and the same as rows of files."""

from termexplorer.services.curate.duplicates import DuplicatePair, DuplicatePairs
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.files.exports import Cell

HEADER = (
    "concept", "name", "other concept", "other name", "likelihood", "similarity", "agree",
    "relation", "difference",
)  # fmt: skip


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
