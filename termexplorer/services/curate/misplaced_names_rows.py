"""Names that may be of another concept as rows of files."""

from termexplorer.services.curate.misplaced_names import DoubtfulNames, NameDoubt
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.files.exports import Cell

HEADER = (
    "concept", "concept name", "name", "other concept", "other name", "nearest name", "likelihood",
    "margin", "agree",
)  # fmt: skip


def names_file(doubtful: DoubtfulNames) -> SuggestionSheet:
    """All doubts, to be written; the better concept is a `skos:relatedMatch`."""
    doubts = doubtful.answer.doubts
    return SuggestionSheet(
        doubtful.ontology,
        doubtful.ontology,
        doubtful.encoder_ids,
        HEADER,
        [name_cells(doubtful, doubt) for doubt in doubts],
        [_mapping_row(doubtful, doubt) for doubt in doubts],
    )


def name_cells(doubtful: DoubtfulNames, doubt: NameDoubt) -> list[Cell]:
    """One doubt under `HEADER`."""
    return [
        doubt.concept,
        doubtful.labels[doubt.concept],
        doubt.name,
        doubt.better,
        doubtful.labels[doubt.better],
        doubt.nearest,
        doubt.likelihood,
        doubt.margin,
        doubt.agree,
    ]


def _mapping_row(doubtful: DoubtfulNames, doubt: NameDoubt) -> SssomRow:
    return SssomRow(
        doubt.concept,
        doubtful.labels[doubt.concept],
        "skos:relatedMatch",
        doubt.better,
        doubtful.labels[doubt.better],
        SEMANTIC,
        confidence(doubt.likelihood),
        f"the name '{doubt.name}' of the subject may be one of the object, for '{doubt.nearest}' "
        f"there; {doubt.agree} of {len(doubtful.encoder_ids)} encoders agree",
        term=doubt.name,
    )
