"""Rows of an XLSX workbook as its cells show them, and its sheets."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.cell_text import Unstored, cell_text
from termexplorer.importers.tables.workbook_limits import (
    MOST_CELLS,
    MOST_ROWS,
    check_parts,
    overlapping_pieces,
)
from termexplorer.texts import tr

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_CHECKED = 4  # workbooks whose check is remembered
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
# openpyxl takes a file for sound, and fails in its own ways where it is not
_DAMAGED = (
    ArithmeticError, AttributeError, EOFError, LookupError, OSError, RuntimeError, SyntaxError,
    TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
# ISO 29500 Strict has namespaces of its own for the same elements; openpyxl knows the others
_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (_STRICT + b"spreadsheetml/main", b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    (
        _STRICT + b"officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
)


def sheet_names(path: Path) -> tuple[str, ...]:
    """Return the names of a workbook's sheets of cells, hidden ones after those that are shown.

    Raises:
        UserError: The workbook is damaged, or has none.
    """
    with _damage_named(path), closing(_open_workbook(path, data_only=True)) as book:
        names = tuple(str(sheet.title) for sheet in _order_sheets(book))
    if not names:
        raise UserError(
            tr("{path} has no sheet of cells; choose another file or save it again", path=path)
        )
    return names


def workbook_rows(source: Source, sheet: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells as shown) of a sheet, by its name; of the first without one.

    Raises:
        UserError: The workbook is damaged.
    """
    path = source.path
    with _damage_named(path), closing(_open_workbook(path, data_only=True)) as book:
        cells = _sheet_of(book, sheet)
        source.start_rows(min(cells.max_row or 0, MOST_ROWS))
        left = MOST_CELLS
        for line, row in enumerate(_shown_rows(path, cells, sheet), start=1):
            left -= len(row)
            if line > MOST_ROWS or left < 0:
                raise UserError(tr("{path} has more rows or cells than any sheet can", path=path))
            source.done = line
            yield line, row
        source.done = source.total


def _shown_rows(path: Path, cells: "Worksheet", sheet: str) -> Iterator[list[str]]:
    if not _has_formulas(path):
        yield from (list(map(cell_text, row)) for row in _all_rows(cells))
        return
    with closing(_open_workbook(path, data_only=False)) as book:
        formulas = _all_rows(_sheet_of(book, sheet))
        for row, behind in zip(_all_rows(cells), formulas, strict=True):
            yield [
                Unstored() if formula.data_type == "f" and _is_unstored(cell) else cell_text(cell)
                for cell, formula in zip(row, behind, strict=True)
            ]


def _all_rows(sheet: "Worksheet") -> Iterator[tuple[Any, ...]]:
    """The rows that a sheet has, whatever size it says it is of."""
    sheet.reset_dimensions()  # type: ignore[attr-defined] # as a sheet that is read only has
    return sheet.iter_rows()


def _sheet_of(book: "Workbook", name: str) -> "Worksheet":
    sheets = _order_sheets(book)
    return next((sheet for sheet in sheets if sheet.title == name), sheets[0])


def _order_sheets(book: "Workbook") -> list["Worksheet"]:
    return sorted(book.worksheets, key=lambda sheet: sheet.sheet_state != "visible")


def _is_unstored(cell: Any) -> bool:
    return cell.value is None and cell.data_type != "str"  # such a cell holds the empty text


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Turn what openpyxl raises for a damaged workbook into a `UserError`."""
    try:
        yield
    except _DAMAGED as error:
        reason = str(error).partition("\n")[0]
        raise UserError(
            tr("{path} is no sound XLSX workbook ({what}); save it again", path=path, what=reason)
        ) from None


def _open_workbook(path: Path, *, data_only: bool) -> "Workbook":
    """Open a workbook; of its bytes, as openpyxl would go by a file's name."""
    from openpyxl import load_workbook

    status = path.stat()
    _check_once(path, status.st_mtime_ns, status.st_size)
    content = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        if _is_strict(parts):
            content = _as_transitional(parts)
    return load_workbook(io.BytesIO(content), read_only=True, data_only=data_only, keep_links=False)


@lru_cache(_CHECKED)
def _check_once(path: Path, _changed: int, _size: int) -> None:
    """Check a file's parts; it is opened several times to tell how it is laid out."""
    with zipfile.ZipFile(path) as parts:
        check_parts(path, parts)


def _is_strict(parts: zipfile.ZipFile) -> bool:
    return "xl/workbook.xml" in parts.namelist() and _STRICT in parts.read("xl/workbook.xml")


def _as_transitional(parts: zipfile.ZipFile) -> bytes:
    """The same workbook in the namespaces that Excel uses unless asked for Strict."""
    rewritten = io.BytesIO()
    with zipfile.ZipFile(rewritten, "w") as copy:
        for name in parts.namelist():
            content = parts.read(name)
            if name.endswith((".xml", ".rels")):
                for strict, transitional in _TRANSITIONAL:
                    content = content.replace(strict, transitional)
            copy.writestr(name, content)
    return rewritten.getvalue()


def _has_formulas(path: Path) -> bool:
    """Whether any sheet seems to hold a formula; a look at the bytes, far faster than parsing."""
    with zipfile.ZipFile(path) as parts:
        sheets = [name for name in parts.namelist() if name.startswith("xl/worksheets/")]
        for name in sheets:
            with parts.open(name) as part:
                if any(map(_FORMULA.search, overlapping_pieces(part))):
                    return True
    return False
