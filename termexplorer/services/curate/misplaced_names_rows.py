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
    "concept", "label", "name", "better", "its label", "nearest name", "likelihood", "margin",
    "agree",
)  # fmt: skip


def names_file(doubtful: DoubtfulNames) -> SuggestionSheet:
    """All doubts, to be written; the better concept is a `skos:relatedMatch`."""
    doubts = doubtful.found.doubts
    return SuggestionSheet(
        doubtful.ontology,
        doubtful.ontology,
        doubtful.encoder_ids,
        HEADER,
        [name_cells(doubtful, each) for each in doubts],
        [_mapping_row(doubtful, each) for each in doubts],
    )


def name_cells(doubtful: DoubtfulNames, each: NameDoubt) -> list[Cell]:
    """One doubt under `HEADER`."""
    return [
        each.concept,
        doubtful.labels[each.concept],
        each.name,
        each.better,
        doubtful.labels[each.better],
        each.nearest,
        each.likelihood,
        each.margin,
        each.agree,
    ]


def _mapping_row(doubtful: DoubtfulNames, each: NameDoubt) -> SssomRow:
    return SssomRow(
        each.concept,
        doubtful.labels[each.concept],
        "skos:relatedMatch",
        each.better,
        doubtful.labels[each.better],
        SEMANTIC,
        confidence(each.likelihood),
        f"the name '{each.name}' of the subject may be one of the object, for '{each.nearest}' "
        f"there; {each.agree} of {len(doubtful.encoder_ids)} encoders agree",
        term=each.name,
    )
