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
    "concept", "name", "below", "other concept", "other name", "better class", "likelihood",
    "margin", "agree",
)  # fmt: skip


def misplacement_file(misplaced: Misplaced) -> SuggestionSheet:
    """All doubts, to be written; the better parent is a `skos:broadMatch`."""
    doubts = misplaced.answer.doubts
    return SuggestionSheet(
        misplaced.ontology,
        misplaced.ontology,
        misplaced.encoder_ids,
        HEADER,
        [doubt_cells(misplaced, doubt) for doubt in doubts],
        [_mapping_row(misplaced, doubt) for doubt in doubts],
    )


def doubt_cells(misplaced: Misplaced, doubt: Doubt) -> list[Cell]:
    """One doubt under `HEADER`."""
    return [
        doubt.concept,
        misplaced.labels[doubt.concept],
        _class_list(misplaced, doubt),
        doubt.better,
        misplaced.labels[doubt.better],
        name_class(misplaced, doubt.better_class),
        doubt.likelihood,
        doubt.margin,
        doubt.agree,
    ]


def _class_list(misplaced: Misplaced, doubt: Doubt) -> str:
    return "; ".join(name_class(misplaced, curie) for curie in doubt.classes)


def name_class(misplaced: Misplaced, curie: str) -> str:
    """Return a class as tables and JSON have it."""
    return f"{curie} {misplaced.labels[curie]}"


def _mapping_row(misplaced: Misplaced, doubt: Doubt) -> SssomRow:
    return SssomRow(
        doubt.concept,
        misplaced.labels[doubt.concept],
        "skos:broadMatch",
        doubt.better,
        misplaced.labels[doubt.better],
        SEMANTIC,
        confidence(doubt.likelihood),
        f"may be misplaced below {_class_list(misplaced, doubt)}; "
        f"{doubt.agree} of {len(misplaced.encoder_ids)} encoders agree",
    )
