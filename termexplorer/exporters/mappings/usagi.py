"""Mappings as a file that Usagi saves and opens (https://github.com/OHDSI/Usagi).

What Usagi has no column for stands in further ones (`ADD_INFO:…`), which it keeps as they are.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write
from termexplorer.formulas import escape_formula
from termexplorer.mapping_terms import (
    EXTENSION,
    HEAD,
    NO_TERM,
    USAGI_EQUIVALENCES,
    USAGI_MAPPING,
    USAGI_MORE,
    USAGI_SOURCE,
)

_SLOT = f"{USAGI_MORE}sssom."
_FREQUENCY = f"{EXTENSION}cell_frequency"
_CHANGED = "changed"  # the answer that another mapping is right
_STATUS = {
    "correct": "APPROVED", _CHANGED: "APPROVED", "wrong": "FLAGGED", "unsure": "FLAGGED",
}  # fmt: skip
_USAGI = f"{EXTENSION}usagi_"
_JUDGED = ("mappingStatus", "statusSetBy", "statusSetOn")
_TARGET = ("matchScore", "equivalence", "conceptId", "conceptName", "domainId")
_READ_BACK = ("subject_label", "object_label", "comment")  # as they stand in columns of Usagi's


def write_usagi(
    path: Path,
    head: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]],
    concept_ids: Mapping[str, str],
) -> int:
    """Write a mapping set beside its final place, then move it there; return how many rows.

    Args:
        path: ends in `.usagi.csv`.
        head: slots of the whole set.
        rows: its mappings.
        concept_ids: OMOP's ids of objects; of what has none 0 is written.

    Raises:
        UserError: the place cannot be written to.
    """
    table = [_make_row(row, concept_ids) for row in rows]
    if any(f"{_SLOT}subject_id" in cells for cells in table):
        table[0][f"{_SLOT}{HEAD}"] = json.dumps(head, ensure_ascii=False)
    further = dict.fromkeys(title for row in table for title in row if title.startswith(USAGI_MORE))
    titles = [*USAGI_SOURCE, *further, *USAGI_MAPPING]
    noted = Noted()
    noted.see_mappings(rows)
    with atomic_write(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(titles)
        writer.writerows([escape_formula(row.get(title, "")) for title in titles] for row in table)
    noted.keep(path)
    return len(table)


def _make_row(row: Mapping[str, str], concept_ids: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of a mapping; one that came from Usagi has its own."""
    cells = {
        slot.removeprefix(_USAGI): text for slot, text in row.items() if slot.startswith(_USAGI)
    }
    answer = row.get(f"{EXTENSION}answer", "")
    if "mappingStatus" in cells and not answer:
        return cells | {"comment": row.get("comment", "")}
    is_none = row.get("object_id") == NO_TERM
    is_denied = row.get("predicate_modifier") == "Not"
    equivalence = USAGI_EQUIVALENCES.get(row.get("predicate_id", ""), "INEXACT")
    author = row.get("author_label") or row.get("reviewer_label") or ""
    usual = {
        "sourceCode": row.get("subject_id", "").partition(":")[2] or row.get("subject_id", ""),
        "sourceName": row.get("subject_label", ""),
        "sourceFrequency": row.get(_FREQUENCY, "") or "-1",
        "matchScore": row.get("confidence", "0"),
        "mappingStatus": _STATUS.get(answer, "FLAGGED" if is_denied else "UNCHECKED"),
        "equivalence": "UNMATCHED" if is_none else equivalence,
        "statusSetBy": author,
        "statusSetOn": "0",
        "conceptId": concept_ids.get(row.get("object_id", ""), "0"),
        "conceptName": row.get("object_label", ""),
        "mappingType": "MAPS_TO",
        "comment": row.get("comment", ""),
        "createdBy": "termexplorer",
        "createdOn": "0",
    }
    slots = {slot: text for slot, text in row.items() if slot not in _READ_BACK}
    if cells:
        left_out = (*_JUDGED, *(_TARGET if answer == _CHANGED else ()))
        usual |= {title: text for title, text in cells.items() if title not in left_out}
    return usual | {f"{_SLOT}{slot}": text for slot, text in slots.items()}
