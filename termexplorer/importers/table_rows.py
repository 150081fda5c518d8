"""Rows of a CSV, TSV or XLSX file, numbered as a spreadsheet numbers them."""

import csv
import zipfile
from collections.abc import Iterator
from itertools import chain

from termexplorer.errors import UserError
from termexplorer.importers.source import Source

XLSX_MAGIC = b"PK\x03\x04"
_END = "\x1fend of table\x1f"
DELIMITERS = "\t,;|"


def is_xlsx(source: Source) -> bool:
    """Whether the file is a workbook, told by its first bytes."""
    return source.head(len(XLSX_MAGIC)) == XLSX_MAGIC


def rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of each row that holds something.

    Raises:
        UserError: The file is damaged, or no text where it should be.
    """
    found = _workbook_rows(source) if is_xlsx(source) else _text_rows(source, delimiter)
    for line, cells in found:
        if any(cell.strip() for cell in cells):
            yield line, cells


def likely_delimiter(lines: list[str]) -> str:
    """The delimiter that cuts most lines into equally many cells, at least two; "" if none."""

    def agreement(delimiter: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
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
            raise UserError(f"{source.path}, line {line}: {error}; check the quotes") from None
        if cells and cells[-1].endswith(_END):
            break
        yield line, cells
    if cells != [_END]:
        raise UserError(f"{source.path}, line {line}: a quotation mark is never closed")


def _workbook_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Rows of the first sheet; other sheets are not read."""
    from openpyxl import load_workbook

    try:
        book = load_workbook(source.path, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        source.done, source.total = 0, max(sheet.max_row or 0, 1)
        for line, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            source.done = line
            yield line, [_cell(cell) for cell in cells]
        book.close()
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError, OSError, SyntaxError) as error:
        raise UserError(
            f"{source.path} is no sound XLSX workbook ({error}); save it again"
        ) from None


def _cell(value: object) -> str:
    """A cell as text; a whole number without the `.0` that workbooks give it."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
