"""Concepts that may be one and the same as rows of files."""

from termexplorer.services.curate.duplicates import DuplicatePair, DuplicatePairs
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.files.exports import Cell

HEADER = ("concept", "name", "other", "its name", "likelihood", "similarity", "agree", "relation")


def duplicates_file(duplicates: DuplicatePairs) -> SuggestionSheet:
    """All pairs, to be written; each is a `skos:closeMatch` of its second concept."""
    pairs = duplicates.found.pairs
    return SuggestionSheet(
        duplicates.ontology,
        duplicates.ontology,
        duplicates.encoder_ids,
        HEADER,
        [pair_cells(duplicates, each) for each in pairs],
        [_mapping_row(duplicates, each) for each in pairs],
    )


def pair_cells(duplicates: DuplicatePairs, each: DuplicatePair) -> list[Cell]:
    """One pair under `HEADER`."""
    labels = duplicates.labels
    return [
        each.first,
        labels[each.first],
        each.second,
        labels[each.second],
        each.likelihood,
        each.similarity,
        each.agree,
        each.relation,
    ]


def _mapping_row(duplicates: DuplicatePairs, each: DuplicatePair) -> SssomRow:
    told = f"; the second is a {each.relation} of the first" if each.relation else ""
    return SssomRow(
        each.first,
        duplicates.labels[each.first],
        "skos:closeMatch",
        each.second,
        duplicates.labels[each.second],
        SEMANTIC,
        confidence(each.likelihood),
        f"may be one concept; {each.agree} of {len(duplicates.encoder_ids)} encoders agree{told}",
    )
