"""Mappings as OMOP's table SOURCE_TO_CONCEPT_MAP (CDM 5.4), in CSV."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write
from termexplorer.formulas import escape_formula
from termexplorer.mapping_terms import (
    BROAD,
    CLOSE,
    EXACT,
    EXTENSION,
    NO_TERM,
    OMOP,
    OMOP_COLUMNS,
    split_curie,
)
from termexplorer.texts import tr

_OMOP = f"{EXTENSION}omop_"
_TAKEN = (EXACT, CLOSE, BROAD)  # what "Maps to" may be: the same, or what is broader
_ALWAYS = {"valid_start_date": "1970-01-01", "valid_end_date": "2099-12-31"}
_NAME = "source_code_description"


def write_source_to_concept_map(
    path: Path,
    head: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]],
    concept_ids: Mapping[str, str],
) -> int:
    """Write mappings beside their final place, then move them there; return how many.

    The table has no column for predicates: exact, close and broad mappings are in it, and codes
    that nothing matches with the concept 0; narrow, related and denied ones are not.

    Args:
        path: ends in `.stcm.csv`.
        head: slots of the whole set.
        rows: its mappings.
        concept_ids: OMOP's ids of objects.

    Raises:
        UserError: an object has no id in OMOP, or the place cannot be written to.
    """
    table = [_make_row(path, row, head, concept_ids) for row in rows if _is_taken(row)]
    noted = Noted()
    noted.see_mappings(rows)
    with atomic_write(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(OMOP_COLUMNS)
        writer.writerows([row.get(column, "") for column in OMOP_COLUMNS] for row in table)
    noted.keep(path)
    return len(table)


def _is_taken(row: Mapping[str, str]) -> bool:
    return row.get("predicate_id") in _TAKEN and row.get("predicate_modifier") != "Not"


def _make_row(
    path: Path,
    row: Mapping[str, str],
    head: Mapping[str, Any],
    concept_ids: Mapping[str, str],
) -> dict[str, str]:
    """Return the cells of a mapping; one that came from such a table has its own.

    Where a curator chose another concept, its target is that one.
    """
    cells = {slot.removeprefix(_OMOP): text for slot, text in row.items() if slot.startswith(_OMOP)}
    name = escape_formula(row.get("subject_label", ""))
    object_id = row.get("object_id", "")
    came_from_table = "source_code" in cells
    former_id = cells.get("target_concept_id", "0")
    if came_from_table and object_id == (NO_TERM if former_id == "0" else f"{OMOP}:{former_id}"):
        return cells | {_NAME: name}
    concept_id = "0" if object_id == NO_TERM else concept_ids.get(object_id)
    if concept_id is None:
        raise UserError(
            tr(
                "{path}: {concept} has no concept_id of OMOP; map to vocabularies that were "
                "imported from Athena, or export another format",
                path=path,
                concept=object_id,
            )
        )
    subject = row.get("subject_id", "")
    prefix, code = split_curie(subject, {subject.partition(":")[0]: ""})
    target = "None" if object_id == NO_TERM else object_id.partition(":")[0]
    if came_from_table:
        chosen = {"target_concept_id": concept_id, "target_vocabulary_id": target}
        return cells | chosen | {_NAME: name}
    return _ALWAYS | {
        "source_code": code,
        "source_concept_id": "0",
        "source_vocabulary_id": prefix or "None",
        _NAME: name,
        "target_concept_id": concept_id,
        "target_vocabulary_id": target,
    }
