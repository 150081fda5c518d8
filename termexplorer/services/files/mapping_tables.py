"""Mappings as plain tables: what people read, and behind it the slots that come back as they were.

The titles of slots begin with `SLOT_TITLE`, as a list may have a column of the same name. Tables of
others have titles that are slots of SSSOM.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import list_slots
from termexplorer.exporters.tables import Cell, number_titles, write_table
from termexplorer.importers.mappings.file_text import parse_stored_head
from termexplorer.importers.sssom.sssom import check_mapping
from termexplorer.mapping_terms import HEAD, SLOT_TITLE, UNSPECIFIED
from termexplorer.services.files.written_tables import read_titles, read_written
from termexplorer.texts import tr

__all__ = ["read_mapping_table", "write_mapping_table"]

_JUSTIFICATION = "mapping_justification"
_NEEDED = ("subject_id", "predicate_id", "object_id")


def write_mapping_table(
    path: Path,
    header: Sequence[str],
    rows: Sequence[tuple[Sequence[Cell], Mapping[str, str]]],
    head: Mapping[str, Any],
) -> None:
    """Write a table beside its final place, then move it there.

    Args:
        path: ends in one of `ENDINGS`.
        header: the titles of the cells that people read.
        rows: these cells, and the slots of the mapping that they show; no slots of a row without.
        head: slots of the whole set.

    Raises:
        UserError: another ending, or a place that cannot be written to.
    """
    slots = list_slots(row for _, row in rows)
    head_text = json.dumps(dict(head), ensure_ascii=False)
    table = [
        [*cells, *(row.get(slot, "") for slot in slots), "" if number else head_text]
        for number, (cells, row) in enumerate(rows)
    ]
    titles = [f"{SLOT_TITLE}{slot}" for slot in (*slots, HEAD)]
    write_table(path, number_titles([*header, *titles]), table)


def read_mapping_table(path: Path) -> tuple[dict[str, Any], list[tuple[int, dict[str, str]]]]:
    """Return the head of a set in the words of SSSOM, and its mappings with their lines.

    Raises:
        UserError: it cannot be read, or is no table of mappings.
    """
    start = _find_start(read_titles(path))
    if start is None:
        raise UserError(
            tr(
                "{path}: no table of mappings; it needs the columns {needed}, as a table that was "
                "exported from a list has them",
                path=path,
                needed=", ".join(_NEEDED),
            )
        )
    head: dict[str, Any] = {"mapping_set_title": path.name}
    rows = []
    for line, slots in _read_slots(path, start):
        if HEAD in slots:
            head = _read_head(path, line, slots.pop(HEAD))
        if slots:
            check_mapping(path, line, slots, head)
            rows.append((line, slots))
    return head, rows


def _find_start(titles: Sequence[str]) -> str | None:
    """Return what titles of slots begin with; None where there are none."""
    return next(
        (
            start
            for start in (SLOT_TITLE, "")
            if {f"{start}{slot}" for slot in _NEEDED} <= {*titles}
        ),
        None,
    )


def _read_slots(path: Path, start: str) -> Iterator[tuple[int, dict[str, str]]]:
    for row in read_written(path, [f"{start}{slot}" for slot in _NEEDED], start):
        if row.unfit:
            raise UserError(
                tr(
                    "{path}, line {line}: {problem}; correct it",
                    path=path,
                    line=row.line,
                    problem=row.unfit,
                )
            )
        cells = row.cells.items()
        slots = {title.removeprefix(start): cell for title, cell in cells if cell}
        is_foreign = bool(slots) and not start
        yield row.line, ({_JUSTIFICATION: UNSPECIFIED} if is_foreign else {}) | slots


def _read_head(path: Path, line: int, stored: str) -> dict[str, Any]:
    head = parse_stored_head(stored)
    if head is None:
        raise UserError(
            tr(
                "{path}, line {line}: the column {column} is not as it was written; take it out",
                path=path,
                line=line,
                column=f"{SLOT_TITLE}{HEAD}",
            )
        )
    return head
