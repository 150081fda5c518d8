"""Mappings from OMOP's table SOURCE_TO_CONCEPT_MAP (CDM 5.4), in CSV.

The table does not tell whether a concept is the same or broader: they are close matches.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from termexplorer.formulas import unescape_formula
from termexplorer.importers.mappings.file_text import read_table_rows
from termexplorer.importers.text.prefixes import code_curie
from termexplorer.mapping_terms import (
    CLOSE,
    EXTENSION,
    NO_TERM,
    OMOP,
    OMOP_COLUMNS,
    UNSPECIFIED,
)

Row = dict[str, str]
_OMOP = f"{EXTENSION}omop_"
_NAME = "source_code_description"


def read_source_to_concept_map(path: Path) -> tuple[dict[str, Any], list[tuple[int, Row]]]:
    """Return the head of a set in the words of SSSOM, and its mappings with their lines.

    Raises:
        UserError: it is no such table.
    """
    table = read_table_rows(path, OMOP_COLUMNS[:6])
    return {"mapping_set_title": path.name}, [(line, _read_row(row)) for line, row in table]


def _read_row(cells: Mapping[str, str]) -> Row:
    concept_id = cells.get("target_concept_id", "0")
    row = {
        "subject_id": code_curie(
            cells.get("source_vocabulary_id", "list"), cells.get("source_code", "")
        ),
        "subject_label": unescape_formula(cells.get(_NAME, "")),
        "predicate_id": CLOSE,
        "object_id": NO_TERM if concept_id == "0" else f"{OMOP}:{concept_id}",
        "mapping_justification": UNSPECIFIED,
    }
    return {slot: text for slot, text in row.items() if text} | {
        f"{_OMOP}{column}": text for column, text in cells.items() if column != _NAME
    }
