"""Workbooks (XLSX) of scored pairs, or of ratings, as rows of cells."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.text.names import composed

_ZIP = b"PK\x03\x04"
_LARGEST = 1 << 29  # bytes, unpacked
_MOST_CELLS = 50_000_000
_ADVICE = Message("save it as CSV in UTF-8")


def is_workbook(path: Path) -> bool:
    """Return whether a file begins as a workbook does; so does any zip."""
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False  # told where it is read as text


def read_workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) of the one sheet of a workbook that has rows.

    Raises:
        ValueError: It is damaged or another zip, several sheets have rows, or a cell holds an
            error, a date, or a formula without a stored value.
    """
    _check_size(path)
    with (
        closing(_load_book(path, data_only=True)) as book,
        closing(_load_book(path, data_only=False)) as raw,
    ):
        sheets = [sheet for sheet in book.worksheets if _has_rows(sheet)]
        if len(sheets) > 1:
            names = ", ".join(str(sheet.title) for sheet in sheets)
            raise TrainerError(
                "{path} has several sheets with rows, {names}; give a file of one",
                path=path,
                names=names,
            )
        for sheet in sheets:
            yield from _sheet_rows(path, sheet, raw[sheet.title])


def _sheet_rows(path: Path, sheet: Any, formulas: Any) -> Iterator[tuple[int, list[str]]]:
    for worksheet in (sheet, formulas):
        worksheet.reset_dimensions()
    width = 0
    pairs = zip(sheet.iter_rows(), formulas.iter_rows(), strict=True)
    for line, (cells, raw) in enumerate(pairs, start=1):
        where = Message("{path}, line {number}", path=path, number=line)
        texts = [_cell_text(where, *both) for both in zip(cells, raw, strict=True)]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            width = max(width, len(texts))
            if line * width > _MOST_CELLS:
                raise TrainerError(
                    "{path} has more cells than any table of pairs; {advice}",
                    path=path,
                    advice=_ADVICE,
                )
            yield line, texts + [""] * (width - len(texts))


def _cell_text(where: str, cell: Any, raw: Any) -> str:
    value = cell.value
    if value is None:
        if raw.data_type == "f":
            raise TrainerError(
                "{where}: a formula without a stored value; open the file in a "
                "spreadsheet program and save it",
                where=where,
            )
        return ""
    if cell.data_type == "e":
        raise TrainerError(
            "{where}: {value} is an error of a spreadsheet; mend or empty the cell",
            where=where,
            value=value,
        )
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if not isinstance(value, str | int | float):
        raise TrainerError(
            "{where}: {value} is a date, which a spreadsheet may have made of "
            "something else; format its column as text and write it anew",
            where=where,
            value=value,
        )
    return composed(str(value)).strip()


def _has_rows(sheet: Any) -> bool:
    sheet.reset_dimensions()
    return any(cell.value is not None for row in sheet.iter_rows() for cell in row)


def _check_size(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as parts:
            names = parts.namelist()
            size = sum(part.file_size for part in parts.infolist())
    except (OSError, zipfile.BadZipFile) as error:
        raise TrainerError(
            "{path} is a workbook or zip that is damaged ({error}); {advice}",
            path=path,
            error=error,
            advice=_ADVICE,
        ) from error
    if "xl/workbook.xml" not in names:
        raise TrainerError(
            "{path} is no workbook in XLSX, but another zip; {advice}", path=path, advice=_ADVICE
        )
    if size > _LARGEST:
        raise TrainerError(
            "{path} is larger than {largest} MiB; give a smaller file",
            path=path,
            largest=_LARGEST >> 20,
        )


def _load_book(path: Path, *, data_only: bool) -> Any:
    from openpyxl import load_workbook  # slow to import, and seldom needed

    try:
        book = load_workbook(path, read_only=True, data_only=data_only)
    except (KeyError, ValueError, OSError, IndexError, TypeError, ParseError) as error:
        raise TrainerError(
            "{path} is a damaged workbook ({error}); {advice}",
            path=path,
            error=error,
            advice=_ADVICE,
        ) from error
    if not book.worksheets:
        raise TrainerError(
            "{path} has no sheet of cells, or is of the kind Strict; {advice}",
            path=path,
            advice=_ADVICE,
        )
    return book
