"""Tables as CSV, TSV, XLSX, JSONL, Parquet or JSON, told by the file's ending."""

import csv
import errno
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write, check_output_file
from termexplorer.formulas import escape_formula, is_formula
from termexplorer.texts import tr

Cell: TypeAlias = str | int | float | None
# what XML, and so XLSX, cannot hold or changes stands there as _x000D_, which Excel knows too
_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_SHOWABLE = re.compile("_x([0-9A-Fa-f]{4})_")
_LOOKED_AT, _WIDEST = 500, 60  # rows that tell how wide columns are, and letters at the most


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Writes a table beside its final place, then moves it there; licence notes go beside it.

    Args:
        path: ends in one of `ENDINGS`.
        header: the titles of the columns.
        rows: their cells, as long as the header.

    Raises:
        UserError: another ending, or a place that cannot be written to.
    """
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise UserError(tr("{path}: name the file {endings}", path=path, endings=endings_told()))
    noted = Noted()
    with atomic_write(path) as fresh:
        write(fresh, header, noted.rows(rows))
    noted.keep(path)


def check_table_path(path: Path) -> None:
    """Refuse a place that no table can be written to, before what it is to hold is worked out.

    Raises:
        UserError: see `check_output_file`.
    """
    check_output_file(path, ENDINGS)


def endings_told(*other_endings: str, known: Sequence[str] = ()) -> str:
    """Return what a file may be named: `.csv, .tsv or .xlsx`.

    Args:
        *other_endings: endings that come first.
        known: the endings behind them; `ENDINGS` unless told.
    """
    *most, last = (*other_endings, *(known or ENDINGS))
    return tr("{endings} or {last}", endings=", ".join(most), last=last)


def _write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    _write_text(path, header, rows, ",")


def _write_tsv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    _write_text(path, header, rows, "\t")


def _write_text(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerows([_escape_cell(cell) for cell in row] for row in chain([header], rows))


def _escape_cell(cell: Cell) -> Cell:
    return escape_formula(cell) if isinstance(cell, str) else cell


def _write_xlsx(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    from lxml.etree import SerialisationError

    path.touch()  # a workbook that cannot be saved leaves its sheets open, with a traceback each
    try:
        _save_workbook(path, header, rows)
    except SerialisationError as error:  # its own word for what the system refuses
        code = getattr(errno, str(error).removeprefix("IO_"), errno.EIO)
        raise OSError(code, os.strerror(code), str(path)) from error


def _save_workbook(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("termexplorer")
    sheet.freeze_panes = "A2"  # titles stay on show
    rows = iter(rows)
    first = list(islice(rows, _LOOKED_AT))
    for number, column in enumerate(zip(header, *first, strict=False), 1):
        longest = max(len(str(cell)) for cell in column if cell is not None)
        sheet.column_dimensions[get_column_letter(number)].width = min(longest + 2, _WIDEST)
    for row in chain([header], first, rows):
        cells = [WriteOnlyCell(sheet, value=_show_unshowable(cell)) for cell in row]
        for cell in cells:
            if isinstance(cell.value, str):
                cell.data_type = "s"  # text stays text, also where it begins with "="
                cell.quotePrefix = is_formula(cell.value)  # and after somebody touches it
        sheet.append(cells)
    book.save(path)


def _show_unshowable(cell: Cell) -> Cell:
    return (
        _UNSHOWABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", cell)
        if isinstance(cell, str)
        else cell
    )


def out_of_workbook(cell: str) -> str:
    """A text that was written to an XLSX file, with the characters that it cannot hold."""
    return _SHOWABLE.sub(lambda match: chr(int(match[1], 16)), cell)


def _write_jsonl(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    titles = number_titles(header)
    with path.open("w", encoding="utf-8", newline="") as file:
        for row in rows:
            cells = dict(zip(titles, map(_json_cell, row), strict=True))
            file.write(json.dumps(cells, ensure_ascii=False) + "\n")


def _write_json(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    titles = number_titles(header)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("[")
        for number, row in enumerate(rows):
            cells = dict(zip(titles, map(_json_cell, row), strict=True))
            file.write((",\n" if number else "\n") + json.dumps(cells, ensure_ascii=False))
        file.write("\n]\n")


def _write_parquet(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UserError(
            tr(
                "{path}: Parquet needs the package pyarrow; install termexplorer[parquet], or name "
                "the file .csv, .tsv, .xlsx, .jsonl or .json",
                path=path,
            )
        ) from error
    cells = list(rows)
    arrays = [
        pyarrow.array(_uniform_column([row[number] for row in cells]))
        for number in range(len(header))
    ]
    parquet.write_table(pyarrow.table(arrays, names=number_titles(header)), path)


def _uniform_column(cells: Sequence[Cell]) -> list[Cell]:
    """Return cells of one type, as texts where there are several; empty texts as None."""
    kinds = {type(cell) for cell in cells if cell not in (None, "")}
    if kinds <= {int, float} or len(kinds) == 1:
        return [None if cell == "" and kinds != {str} else cell for cell in cells]
    return [None if cell is None else str(cell) for cell in cells]


def number_titles(header: Sequence[str]) -> list[str]:
    """Return titles that can be keys: of equal ones the later get a number."""
    titles: list[str] = []
    for title in header:
        numbered = (f"{title} {number}" for number in range(2, len(header) + 2))
        titles.append(
            title if title not in titles else next(n for n in numbered if n not in titles)
        )
    return titles


def _json_cell(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell  # JSON has none


_WRITERS: dict[str, Callable[[Path, Sequence[str], Iterable[Sequence[Cell]]], None]] = {
    ".csv": _write_csv,
    ".tsv": _write_tsv,
    ".xlsx": _write_xlsx,
    ".jsonl": _write_jsonl,
    ".parquet": _write_parquet,
    ".json": _write_json,
}
ENDINGS = tuple(_WRITERS)
