"""Rows of a CSV, TSV or XLSX file, numbered as a spreadsheet numbers them."""

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from termexplorer.errors import UserError
from termexplorer.importers.format_table import WORKBOOK
from termexplorer.importers.source import Source
from termexplorer.texts import tr

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

_END = "\x1fend of table\x1f"
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
DELIMITERS = "\t,;|"
# openpyxl takes a file for sound, and fails in its own ways where it is not
_DAMAGED = (
    ArithmeticError, AttributeError, EOFError, LookupError, OSError, RuntimeError, SyntaxError,
    TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class Unstored(str):
    """The empty text of a workbook's cell with a formula whose value is not stored with it."""

    __slots__ = ()


def is_xlsx(source: Source) -> bool:
    """Whether the file is a workbook, told by its first bytes."""
    return WORKBOOK.match(source.head()) is not None


def rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of each row that holds something.

    Raises:
        UserError: The file is damaged, or no text where it should be.
    """
    found = _workbook_rows(source) if is_xlsx(source) else _text_rows(source, delimiter)
    for line, cells in found:
        if any(cell.strip() or isinstance(cell, Unstored) for cell in cells):
            yield line, cells


def likely_delimiter(lines: list[str]) -> str:
    """The delimiter that cuts most lines into equally many cells, at least two; "" if none.

    Quotation marks count as such, unless nothing is found so: one may be open to the end.
    """
    return _likely(lines, csv.QUOTE_MINIMAL) or _likely(lines, csv.QUOTE_NONE)


def _likely(lines: list[str], quoting: Literal[0, 3]) -> str:
    def agreement(delimiter: str) -> tuple[int, int]:
        try:
            rows = csv.reader(lines, delimiter=delimiter, quoting=quoting)
            widths = [len(row) for row in rows]
        except csv.Error:
            return 0, 0
        width = max(set(widths), key=widths.count, default=0)
        return (widths.count(width) if width > 1 else 0, width)

    best = max(DELIMITERS, key=agreement)
    return best if agreement(best)[0] * 2 > len(lines) else ""


def _text_rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    # An open quotation mark swallows all that follows it: then the mark at the end is in a cell.
    lines = chain((text + "\n" for _, text in source.lines()), [_END])
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except csv.Error as error:
            what = tr("has no end within reason ({error})", error=error)
            raise _unclosed(source, line, what) from None
        if cells and cells[-1].endswith(_END):
            break
        yield line, cells
    if cells != [_END]:
        raise _unclosed(source, line, tr("is never closed"))


def _unclosed(source: Source, line: int, what: str) -> UserError:
    return UserError(
        tr(
            "{path}, line {line}: a quoted cell {what}; close its quotation mark, or double the "
            "mark within quotation marks if it is part of the text",
            path=source.path,
            line=line,
            what=what,
        )
    )


def _workbook_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Rows of the first sheet; other sheets are not read."""
    try:
        book = _workbook(source.path, data_only=True)
        sheet = book.worksheets[0]
        source.done, source.total = 0, max(sheet.max_row or 0, 1)
        found: Iterator[tuple[object, ...]] = sheet.iter_rows(values_only=True)
        if _has_formulas(source.path):
            found = _marked(sheet, _workbook(source.path, data_only=False))
        for line, cells in enumerate(found, start=1):
            source.done = line
            yield line, [_cell(cell) for cell in cells]
        book.close()
    except _DAMAGED as error:
        what = str(error).partition("\n")[0]
        raise UserError(
            tr(
                "{path} is no sound XLSX workbook ({what}); save it again",
                path=source.path,
                what=what,
            )
        ) from None


def _workbook(path: Path, *, data_only: bool) -> "Workbook":
    """A workbook; of its bytes, as openpyxl would go by a file's name."""
    from openpyxl import load_workbook

    return load_workbook(io.BytesIO(path.read_bytes()), read_only=True, data_only=data_only)


def _has_formulas(path: Path) -> bool:
    """Whether any sheet seems to hold a formula; a look at the bytes, far faster than parsing."""
    with zipfile.ZipFile(path) as parts:
        sheets = [name for name in parts.namelist() if name.startswith("xl/worksheets/")]
        return any(_FORMULA.search(piece) for name in sheets for piece in _pieces(parts, name))


def _pieces(parts: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A file of an archive in pieces that overlap by more than a tag."""
    end = b""
    with parts.open(name) as part:
        while piece := part.read(1 << 20):
            yield end + piece
            end = piece[-32:]


def _marked(sheet: "Worksheet", book: "Workbook") -> Iterator[tuple[object, ...]]:
    """The sheet's rows of values, `Unstored` where the book has a formula and it has no value."""
    with closing(book):
        for row, formulas in zip(sheet.iter_rows(), book.worksheets[0].iter_rows(), strict=True):
            yield tuple(
                Unstored() if formula.data_type == "f" and _unstored(cell) else cell.value
                for cell, formula in zip(row, formulas, strict=True)
            )


def _unstored(cell: "Cell | MergedCell") -> bool:
    return cell.value is None and cell.data_type != "str"  # such a cell holds the empty text


def _cell(value: object) -> str:
    """A cell as text; a whole number without the `.0` that workbooks give it."""
    if isinstance(value, Unstored):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
