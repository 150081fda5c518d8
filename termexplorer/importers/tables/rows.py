"""Rows of a CSV, TSV, XLSX or ODS file, numbered as a spreadsheet numbers them."""

import csv
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from termexplorer.importers.files.source import Source
from termexplorer.importers.format_table import WORKBOOK
from termexplorer.importers.tables.cell_text import Unstored
from termexplorer.importers.tables.open_document import document_rows, is_open_document
from termexplorer.importers.tables.text_rows import UNQUOTED, LongRows, text_rows
from termexplorer.importers.tables.titles import is_code
from termexplorer.importers.tables.workbook import workbook_rows

DELIMITERS = "\t,;|"


def is_xlsx(source: Source) -> bool:
    """Return whether the file is a workbook, told by its first bytes."""
    return WORKBOOK.match(source.head()) is not None


def sheet_rows(source: Source, sheet: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) of a sheet of a workbook, in XLSX or ODS.

    Raises:
        UserError: The workbook is damaged.
    """
    is_document = is_open_document(source.path)
    return document_rows(source, sheet) if is_document else workbook_rows(source, sheet)


def rows(
    source: Source, delimiter: str, sheet: str = "", long_rows: LongRows | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of each row that holds something.

    Args:
        source: The file.
        delimiter: Between the cells of a text.
        sheet: Of a workbook, by its name; the first without one.
        long_rows: Where rows of a text that go over several lines are noted.

    Raises:
        UserError: The file is damaged, or no text where it should be.
    """
    if is_xlsx(source):
        source_rows = sheet_rows(source, sheet)
    else:
        source_rows = text_rows(source, delimiter, long_rows)
    for line, cells in source_rows:
        if any(cell.strip() or isinstance(cell, Unstored) for cell in cells):
            yield line, cells


def likely_delimiter(lines: list[str]) -> str:
    """Return what cuts most lines into equally many cells, at least two; "" if nothing does.

    Of several that do, it is the one that cuts off codes. Quotation marks count as such, unless
    nothing is found so: one may be open to the end.
    """
    return _guess_delimiter(lines, csv.QUOTE_MINIMAL) or _guess_delimiter(lines, csv.QUOTE_NONE)


@dataclass(frozen=True, order=True, slots=True)
class _Agreement:
    """How evenly a sign cuts lines: the best is the greatest.

    Attributes:
        whole: Whether all lines are cut evenly.
        weight: How many rows are as wide as most, and how many of them have a code at one place.
        width: How many cells those have.
        lines: How many lines they take.
    """

    whole: bool = False
    weight: int = 0
    width: int = 0
    lines: int = 0


def _guess_delimiter(lines: list[str], quoting: Literal[0, 3]) -> str:
    agreements = {sign: _measure_agreement(lines, sign, quoting) for sign in DELIMITERS}
    for sign in UNQUOTED:  # a quotation mark may be part of the text there
        agreements[sign] = max(agreements[sign], _measure_agreement(lines, sign, csv.QUOTE_NONE))
    best = max(DELIMITERS, key=lambda sign: agreements[sign])
    return best if agreements[best].lines * 2 > len(lines) else ""


def _measure_agreement(lines: list[str], delimiter: str, quoting: Literal[0, 3]) -> _Agreement:
    reader = csv.reader(
        (line + "\n" for line in lines), delimiter=delimiter, quoting=quoting, strict=True
    )
    cut: list[tuple[list[str], int]] = []
    before = 0
    with suppress(csv.Error):  # what it breaks off at is not even
        for row in reader:
            cut.append((row, reader.line_num - before))
            before = reader.line_num
    widths = [len(row) for row, _ in cut]
    width = max(set(widths), key=widths.count, default=0)
    if width < 2:
        return _Agreement()
    even = [row for row, _ in cut if len(row) == width]
    codes = max(sum(is_code(row[at]) for row in even) for at in range(width))
    covered = sum(taken for row, taken in cut if len(row) == width)
    return _Agreement(covered == len(lines), len(even) + codes, width, covered)
