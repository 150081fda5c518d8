"""Guessing how a names table is laid out, from its first rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.columns import columns_by_content
from termexplorer.importers.tables.open_document import is_open_document, list_sheets
from termexplorer.importers.tables.rows import DELIMITERS, is_xlsx, likely_delimiter, rows
from termexplorer.importers.tables.text_rows import separator_of
from termexplorer.importers.tables.titles import (
    FIELDS,
    is_title_row,
    known_columns,
    may_be_titles,
)
from termexplorer.importers.tables.workbook import sheet_names
from termexplorer.texts import tr

__all__ = ["FIELDS", "LayoutAsked", "TableGuess", "guess"]
_PREVIEW, _LOOKED_AT = 20, 200  # rows
_MOST_COMMENTS = 2_000
_MOST_SHEETS = 50  # that are looked into for titles

Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class LayoutAsked:
    """What a user says of a table; what is left as it is here is guessed.

    Attributes:
        delimiter: Between cells.
        sheet: Of a workbook, by name or by number from 1.
        titles: Whether the first row has the titles.
        columns: Titles that there have to be, which tell the row of titles.
    """

    delimiter: str = ""
    sheet: str = ""
    titles: bool | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableGuess:
    """What a table seems to hold; every part of it can be overruled.

    Attributes:
        delimiter: Between cells; "" for XLSX.
        header: The header row's cells, () if there is none.
        columns: Field -> column, counted from 1; `id` and `name` are always there.
        preview: The first rows, the header row not among them.
        first_line: The line on which the first row is.
        passed_over: How many rows before it are neither of titles nor of concepts.
        sheet: The name of the sheet; "" for text.
        sheets: The names of all sheets.
        unsure: The field whose column the rows do not tell, or "".
        perhaps_titles: Whether the first row, which is not taken for titles, may hold them.
    """

    delimiter: str
    header: tuple[str, ...]
    columns: dict[str, int]
    preview: tuple[tuple[str, ...], ...]
    first_line: int = 1
    passed_over: int = 0
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    unsure: str = ""
    perhaps_titles: bool = False

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max(len(self.header), *map(len, self.preview), 0)


def guess(path: Path | str, asked: LayoutAsked | str = "") -> TableGuess:
    """Guess how to read a table from its first rows.

    Args:
        path: The file.
        asked: What is known already; a delimiter alone may be given as it is.

    Raises:
        UserError: The file cannot be read, is empty, or has fewer than two columns.
    """
    if isinstance(asked, str):
        asked = LayoutAsked(asked)
    with Source(path) as source:
        if not is_xlsx(source):
            _refuse_sheet(source, asked.sheet)
            return _guess_layout(source, asked, asked.delimiter or _delimiter_of(source))
        sheets = _names_of_sheets(source)
        named = _sheet_named(source, asked.sheet, sheets)
        sheet = named or _sheet_with_titles(source, asked, sheets)
        return _guess_layout(source, asked, "", sheet, sheets)


def passes_over(line: str) -> bool:
    """Return whether a line before the titles is none of the table."""
    return line.startswith("#") or not line.strip() or bool(separator_of(line))


def _names_of_sheets(source: Source) -> tuple[str, ...]:
    is_document = is_open_document(source.path)
    return list_sheets(source.path) if is_document else sheet_names(source.path)


def _refuse_sheet(source: Source, asked: str) -> None:
    """Refuse a sheet of what is no workbook."""
    if asked:
        raise UserError(
            tr(
                "{path} is a text, not a workbook, and has no sheets such as {sheet!r}; leave the "
                "sheet out",
                path=source.path,
                sheet=asked,
            )
        )


def _sheet_named(source: Source, asked: str, sheets: tuple[str, ...]) -> str:
    if not asked:
        return ""
    by_name = {name.casefold(): name for name in sheets}
    if asked.casefold() in by_name:
        return by_name[asked.casefold()]
    if asked.isdecimal() and 1 <= int(asked) <= len(sheets):
        return sheets[int(asked) - 1]
    raise UserError(
        tr(
            "{path}: no sheet {sheet!r}; there are {sheets}",
            path=source.path,
            sheet=asked,
            sheets=", ".join(sheets),
        )
    )


def _sheet_with_titles(source: Source, asked: LayoutAsked, sheets: tuple[str, ...]) -> str:
    """The first sheet that has titles of an id and a name, else the first one with two columns."""
    wide = ""
    for sheet in sheets[:_MOST_SHEETS] if len(sheets) > 1 else ():
        first = _first_rows(source, "", sheet)
        at = _title_row(first, asked)
        if at is not None and {"id", "name"} <= set(known_columns(first[at][1])):
            return sheet
        wide = wide or (sheet if max((len(cells) for _, cells in first), default=0) > 1 else "")
    return wide or sheets[0]


def _first_rows(source: Source, delimiter: str, sheet: str) -> list[Row]:
    """The first rows, the comments before them included."""
    all_rows = rows(source, delimiter, sheet)
    first: list[Row] = []
    for line, cells in islice(all_rows, _MOST_COMMENTS):
        first.append((line, cells))
        if not cells[0].startswith("#"):
            break
    return [*first, *islice(all_rows, _LOOKED_AT)]


def _guess_layout(
    source: Source,
    asked: LayoutAsked,
    delimiter: str,
    sheet: str = "",
    sheets: tuple[str, ...] = (),
) -> TableGuess:
    first = _first_rows(source, delimiter, sheet)
    if not first or max(len(cells) for _, cells in first) < 2:
        raise UserError(
            tr("{path} has fewer than two columns; check the delimiter", path=source.path)
        )
    at = _title_row(first, asked)
    comments = _count_comments(first)
    start = comments if at is None else max(at + 1, comments)
    data = [cells for _, cells in first[start:]]
    header = () if at is None else tuple(_strip_comment_sign(first[at][1]))
    if header and not data:
        raise UserError(tr("{path} has titles and no row below them", path=source.path))
    columns, unsure = _find_columns(header, data)
    return TableGuess(
        delimiter,
        header,
        columns,
        tuple(map(tuple, data[:_PREVIEW])),
        first[start][0],
        start - (at is not None),
        sheet,
        sheets,
        unsure,
        not header and asked.titles is None and may_be_titles(data[0], data[1:]),
    )


def _count_comments(first: Sequence[Row]) -> int:
    """How many rows at the start begin with `#`; none where all do."""
    return next((at for at, (_, cells) in enumerate(first) if not _is_comment(cells)), 0)


def _is_comment(cells: Sequence[str]) -> bool:
    return cells[0].startswith("#")


def _strip_comment_sign(cells: Sequence[str]) -> list[str]:
    return [cells[0].lstrip("# \t"), *cells[1:]]


def _title_row(first: Sequence[Row], asked: LayoutAsked) -> int | None:
    """Where the row of titles is among the first rows, None where there is none."""
    if asked.titles is False:
        return None
    rows = [cells for _, cells in first]
    comments = _count_comments(first)
    wanted = {title.casefold() for title in asked.columns if not title.isdecimal()}
    for at in range(min(comments + _PREVIEW, len(rows))):
        cells = {cell.strip().casefold() for cell in _strip_comment_sign(rows[at])}
        if wanted and wanted <= cells:
            return at
    title_row = _told_title_row(rows, comments)
    return comments if title_row is None and asked.titles and comments < len(rows) else title_row


def _told_title_row(rows: Sequence[list[str]], comments: int) -> int | None:
    if comments < len(rows) and is_title_row(rows[comments], rows[comments + 1 :]):
        return comments
    data = rows[comments:]
    width = max(map(_count_filled, data), default=0)
    for at in reversed(range(comments)):  # the titles may be commented out
        titles = _strip_comment_sign(rows[at])
        if len(titles) == len(data[0]) > 1 and is_title_row(titles, data):
            return at
    for at in range(comments + 1, min(comments + _PREVIEW, len(rows) - 1)):
        narrower = all(
            _count_filled(cells) < _count_filled(rows[at]) for cells in rows[comments:at]
        )
        if not narrower or _count_filled(rows[at]) < 2 or width < 2:
            return None
        both = {"id", "name"} <= set(known_columns(rows[at]))
        if both and is_title_row(rows[at], rows[at + 1 :]):
            return at
    return None


def _count_filled(cells: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def _find_columns(header: Sequence[str], data: Sequence[list[str]]) -> tuple[dict[str, int], str]:
    """Field -> column, and the field that is not told by titles or contents."""
    columns = known_columns(header)
    if {"id", "name"} <= set(columns):
        return columns, ""
    return columns_by_content(data, columns)


def _delimiter_of(source: Source) -> str:
    lines: list[str] = []
    for number, text in source.lines():
        stated = separator_of(text) if number == 1 else ""
        if stated:
            return stated
        if not passes_over(text):
            lines.append(text)
        if len(lines) > _PREVIEW or number > _MOST_COMMENTS:
            break
    return likely_delimiter(lines) or DELIMITERS[1]
