"""Concepts that may be misplaced as rows of files."""

from termexplorer.services.curate.misplacement import Doubt, Misplaced
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.files.exports import Cell

HEADER = (
    "concept", "name", "below", "better", "its name", "likelihood", "margin", "agree",
)  # fmt: skip


def misplacement_file(misplaced: Misplaced) -> SuggestionSheet:
    """All doubts, to be written; the better class is a `skos:broadMatch`."""
    doubts = misplaced.found.doubts
    return SuggestionSheet(
        misplaced.ontology,
        misplaced.ontology,
        misplaced.encoder_ids,
        HEADER,
        [doubt_cells(misplaced, each) for each in doubts],
        [_mapping_row(misplaced, each) for each in doubts],
    )


def doubt_cells(misplaced: Misplaced, each: Doubt) -> list[Cell]:
    """One doubt under `HEADER`."""
    return [
        each.concept,
        misplaced.labels[each.concept],
        _class_list(misplaced, each),
        each.better,
        misplaced.labels[each.better],
        each.likelihood,
        each.margin,
        each.agree,
    ]


def _class_list(misplaced: Misplaced, each: Doubt) -> str:
    return "; ".join(f"{curie} {misplaced.labels[curie]}" for curie in each.classes)


def _mapping_row(misplaced: Misplaced, each: Doubt) -> SssomRow:
    return SssomRow(
        each.concept,
        misplaced.labels[each.concept],
        "skos:broadMatch",
        each.better,
        misplaced.labels[each.better],
        SEMANTIC,
        confidence(each.likelihood),
        f"may be misplaced below {_class_list(misplaced, each)}; "
        f"{each.agree} of {len(misplaced.encoder_ids)} encoders agree",
    )
