"""Mapping sets in the SSSOM/TSV form (https://mapping-commons.github.io/sssom/), up to version 1.1.

A set is a head in YAML, in lines that begin with `#` or in a file of its own, and a table.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.formulas import ESCAPE_NOTE, unescape_formula
from termexplorer.importers.files.source import Source
from termexplorer.importers.sssom.head import read_head
from termexplorer.importers.text.dates import find_date_fault
from termexplorer.texts import tr

_LARGEST = 1 << 29  # characters
_REQUIRED = ("subject_id", "predicate_id", "object_id", "mapping_justification")
_SHARES = ("confidence", "similarity_score")
_DATES = ("mapping_date", "publication_date", "review_date")
_LITERAL = "rdfs literal"
_HEAD_ENDINGS = (".sssom.yml", ".sssom.yaml", ".yml", ".yaml")
_VALUE = re.compile(r"\\([\\|])|(\|)")


@dataclass(frozen=True, slots=True)
class SssomSet:
    """A set of mappings.

    Attributes:
        head: slots of the whole set, with `curie_map`; texts, or lists and mappings of them.
        rows: the slots of each mapping that have a value, standard or not, as they stand.
        lines: where each mapping begins.
    """

    head: dict[str, Any]
    rows: list[dict[str, str]]
    lines: list[int]


@dataclass(frozen=True, slots=True)
class OpenSssom:
    """A set of mappings whose rows are read one by one, as there may be a million.

    Attributes:
        head: as of `SssomSet`.
        rows: the slots of each mapping, with the line where it begins; raises `UserError` where it
            is not what the standard asks for.
    """

    head: dict[str, Any]
    rows: Iterator[tuple[int, dict[str, str]]]


@contextmanager
def open_sssom(path: Path) -> Iterator[OpenSssom]:
    """Open a set; a head in a file of its own is looked for beside one that has none.

    Raises:
        UserError: there is no such file, or its head is not what the standard asks for.
    """
    with Source(path) as source:
        for _ in _read_lines(source):
            pass  # what is no text in UTF-8 is told before what is no row
        lines = _read_lines(source)
        embedded, count, rest = _split_head(lines)
        escaped = any(line.endswith(ESCAPE_NOTE) for line in embedded.splitlines())
        head = read_head(path, embedded)
        if not count:
            head_paths = [path.with_name(_file_stem(path) + ending) for ending in _HEAD_ENDINGS]
            apart = next((head_path for head_path in head_paths if head_path.exists()), None)
            head = read_head(apart, _read_content(apart)) if apart else {}
        _check_dates(path, 1, head)
        yield OpenSssom(head, _read_checked_rows(path, rest, count, head, escaped))


def read_sssom(path: Path) -> SssomSet:
    """Reads a set as a whole; see `open_sssom`.

    Raises:
        UserError: there is no such file, or it is not what the standard asks for.
    """
    with open_sssom(path) as sssom_file:
        numbered = list(sssom_file.rows)
    return SssomSet(sssom_file.head, [row for _, row in numbered], [line for line, _ in numbered])


def _read_checked_rows(
    path: Path, lines: Iterator[str], before: int, head: Mapping[str, Any], escaped: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    for line, row in _read_rows(path, lines, before, head, escaped):
        check_mapping(path, line, row, head)
        yield line, row


def check_mapping(path: Path, line: int, row: Mapping[str, str], head: Mapping[str, Any]) -> None:
    """Refuse a mapping that is not what the standard asks for.

    Args:
        path: where it is from.
        line: likewise.
        row: its slots that have a value.
        head: slots of the whole set.

    Raises:
        UserError: a slot is missing, or holds what it cannot.
    """
    _check_row(path, line, row, head)
    _check_dates(path, line, row)
    _check_shares(path, line, row)


def _read_lines(source: Source) -> Iterator[str]:
    size = 0
    for _, line in source.whole_lines():
        size += len(line)
        if size > _LARGEST:
            raise _too_large(source.path)
        yield line


def values(text: str) -> list[str]:
    """The values of a slot that may have several."""
    parts = [""]
    start = 0
    for sign in _VALUE.finditer(text):
        parts[-1] += text[start : sign.start()] + (sign[1] or "")
        if sign[2]:
            parts.append("")
        start = sign.end()
    parts[-1] += text[start:]
    return parts if text else []


def _read_content(path: Path) -> str:
    with Source(path) as source:
        return "".join(_read_lines(source))


def _too_large(path: Path) -> UserError:
    return UserError(
        tr(
            "{path} is larger than {size} MiB; cut it into several files",
            path=path,
            size=_LARGEST >> 20,
        )
    )


def _split_head(lines: Iterator[str]) -> tuple[str, int, Iterator[str]]:
    """The lines of the head without their signs, how many they are, and those that follow."""
    head: list[str] = []
    for line in lines:
        if not line.startswith("#"):
            return "".join(head), len(head), chain([line], lines)
        head.append(line[1:].rstrip("\r\n\t") + "\n")  # spreadsheets add tabs
    return "".join(head), len(head), lines


def _file_stem(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return name.removesuffix(".tsv").removesuffix(".sssom")


def _read_rows(
    path: Path, lines: Iterator[str], before: int, head: Mapping[str, Any], escaped: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(lines, delimiter="\t", strict=True)
    columns: list[str] = []
    line = before + 1
    try:
        for cells in reader:
            cells = list(map(unescape_formula, cells)) if escaped else cells
            if not columns:
                columns = _read_columns(path, line, cells, head)
            elif cells and len(cells) != len(columns):
                raise UserError(
                    tr(
                        "{path}, line {line}: {cells} cells, but there are {columns} columns; put "
                        "texts with tabs or quotation marks between quotation marks",
                        path=path,
                        line=line,
                        cells=len(cells),
                        columns=len(columns),
                    )
                )
            elif cells:
                yield line, {c: cell for c, cell in zip(columns, cells, strict=True) if cell}
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            tr(
                "{path}, line {line}: {error}; put texts with tabs or quotation marks between "
                "quotation marks, and double those within",
                path=path,
                line=line,
                error=error,
            )
        ) from None
    if not columns:
        raise UserError(
            tr("{path}: no table below the head; choose a file in the form SSSOM/TSV", path=path)
        )


def _read_columns(path: Path, line: int, cells: list[str], head: Mapping[str, Any]) -> list[str]:
    columns = [cell.strip() for cell in cells]
    present = {*columns, *head}
    missing = [
        slot for slot in _REQUIRED if slot not in columns and _type_slot(slot) not in present
    ]
    if missing:
        raise UserError(
            tr(
                "{path}, line {line}: no column {column}; a table of SSSOM has tabs between its "
                "columns, and of these at least {required}",
                path=path,
                line=line,
                column=missing[0],
                required=", ".join(_REQUIRED),
            )
        )
    for column in columns:
        if not column or columns.count(column) > 1:
            problem = (
                tr("the column {column} stands there twice", column=column)
                if column
                else tr("a column has no title")
            )
            raise UserError(
                tr(
                    "{path}, line {line}: {told}; mend the header",
                    path=path,
                    line=line,
                    told=problem,
                )
            )
    return columns


def _check_row(path: Path, line: int, row: Mapping[str, str], head: Mapping[str, Any]) -> None:
    for slot in _REQUIRED:
        if slot not in row and not is_literal(slot, row, head):
            raise UserError(
                tr(
                    "{path}, line {line}: {slot} is empty; give one, or sssom:NoTermFound where "
                    "nothing matches",
                    path=path,
                    line=line,
                    slot=slot,
                )
            )


def _check_dates(path: Path, line: int, slots: Mapping[str, Any]) -> None:
    for slot in _DATES:
        if fault := find_date_fault(str(slots[slot])) if slots.get(slot) else "":
            raise UserError(
                tr(
                    "{path}, line {line}: {slot}: {fault}; correct the date, or take it out",
                    path=path,
                    line=line,
                    slot=slot,
                    fault=fault,
                )
            )


def _check_shares(path: Path, line: int, slots: Mapping[str, str]) -> None:
    """Refuse what is no number from 0 to 1 where the standard wants one."""
    for slot in _SHARES:
        if (text := slots.get(slot, "")) and not _is_share(text):
            raise UserError(
                tr(
                    "{path}, line {line}: {slot}: {text!r} is no number from 0 to 1; correct it, "
                    "or take it out",
                    path=path,
                    line=line,
                    slot=slot,
                    text=text[:40],
                )
            )


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def _type_slot(slot: str) -> str:
    """The slot that may say of a side that it is literal, and so has no id."""
    return slot.replace("_id", "_type") if slot in ("subject_id", "object_id") else slot


def is_literal(slot: str, row: Mapping[str, str], head: Mapping[str, Any]) -> bool:
    """Whether a mapping's `subject_id` or `object_id` may be empty: its label is what is meant."""
    kind = row.get(_type_slot(slot)) or head.get(_type_slot(slot))
    return kind == _LITERAL and bool(row.get(slot.replace("_id", "_label")))
