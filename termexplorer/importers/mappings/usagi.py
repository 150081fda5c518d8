"""Mappings from a file that Usagi saved (https://github.com/OHDSI/Usagi)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.formulas import unescape_formula
from termexplorer.importers.mappings.file_text import parse_stored_head, read_table_rows
from termexplorer.importers.text.prefixes import code_curie, prefix_of_file
from termexplorer.mapping_terms import (
    EXACT,
    EXTENSION,
    HEAD,
    MANUAL,
    NO_TERM,
    OMOP,
    RELATED,
    UNSPECIFIED,
    USAGI_MORE,
    USAGI_PREDICATES,
)
from termexplorer.texts import tr

Row = dict[str, str]
_SLOT = f"{USAGI_MORE}sssom."
_NEEDED = ("sourceCode", "sourceName", "conceptId", "equivalence", "mappingStatus")
_USAGI = f"{EXTENSION}usagi_"
_JUDGED = {"APPROVED": "", "INVALID_TARGET": "Not"}


def read_usagi(path: Path) -> tuple[dict[str, Any], list[tuple[int, Row]]]:
    """Return the head of a set in the words of SSSOM, and its mappings with their lines.

    What was approved there counts as judged by who set the status.

    Raises:
        UserError: it is no file that Usagi saved.
    """
    table = [
        (line, {title: unescape_formula(cell) for title, cell in cells.items()})
        for line, cells in read_table_rows(path, _NEEDED)
    ]
    head = _read_head(path, table[0][1] if table else {})
    prefix = prefix_of_file(path)
    return head, [(line, _read_row(row, prefix)) for line, row in table]


def _read_head(path: Path, first: Mapping[str, str]) -> dict[str, Any]:
    stored = first.get(f"{_SLOT}{HEAD}")
    if stored is None:
        return {"mapping_set_title": path.name}
    head = parse_stored_head(stored)
    if head is None:
        raise UserError(
            tr(
                "{path}, line 2: the column {column} is not as it was written; take it out",
                path=path,
                column=f"{_SLOT}{HEAD}",
            )
        )
    return head


def _read_row(cells: Mapping[str, str], prefix: str) -> Row:
    slots = {
        title.removeprefix(_SLOT): text for title, text in cells.items() if title.startswith(_SLOT)
    }
    names = {
        "subject_label": cells.get("sourceName", ""),
        "object_label": cells.get("conceptName", ""),
        "comment": cells.get("comment", ""),
    }
    slots.pop(HEAD, None)
    if slots:
        return {slot: text for slot, text in (slots | names).items() if text}
    concept_id = cells.get("conceptId", "0")
    is_none = concept_id in ("0", "") or cells.get("equivalence") == "UNMATCHED"
    status, curator = cells.get("mappingStatus", ""), cells.get("statusSetBy", "")
    is_judged = status in _JUDGED and bool(curator)
    row = names | {
        "subject_id": code_curie(prefix, cells.get("sourceCode", "")),
        "predicate_id": _read_predicate(cells.get("equivalence", ""), is_none),
        "predicate_modifier": _JUDGED.get(status, "") if is_judged else "",
        "object_id": NO_TERM if is_none else f"{OMOP}:{concept_id}",
        "mapping_justification": MANUAL if is_judged else UNSPECIFIED,
        "author_label": curator.replace("\\", "\\\\").replace("|", "\\|") if is_judged else "",
        "confidence": _read_score(cells.get("matchScore", "")),
    }
    return {slot: text for slot, text in row.items() if text} | {
        f"{_USAGI}{title}": text for title, text in cells.items() if title != "comment"
    }


def _read_predicate(equivalence: str, is_none: bool) -> str:
    return EXACT if is_none else USAGI_PREDICATES.get(equivalence, RELATED)


def _read_score(text: str) -> str:
    try:
        return text if 0 <= float(text) <= 1 else ""
    except ValueError:
        return ""
