"""What titles of lists of local codes call their columns, and where the row of titles is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.guess import LayoutAsked, TableGuess, guess, passes_over
from termexplorer.importers.tables.rows import is_xlsx, likely_delimiter, rows
from termexplorer.importers.tables.titles import known_columns
from termexplorer.importers.tables.workbook import sheet_names

__all__ = ["find_list_titles", "guess_list_table", "read_frequency"]

_TITLES = {  # letters and digits alone, the best first
    "code": ("sourcecode", "localcode", "code"),
    "name": (
        "sourcename", "sourcecodedescription", "localname", "diagnosis", "diagnoses", "diagnose",
        "diagnosen", "condition", "problem", "disease", "krankheit", "procedure", "prozedur",
    ),
    "frequency": (
        "sourcefrequency", "frequency", "freq", "count", "counts", "cases", "occurrences",
        "records", "n", "häufigkeit", "haeufigkeit", "anzahl", "fallzahl", "fälle", "faelle",
    ),
}  # fmt: skip
_OF_TABLES = {"code": "id", "name": "name"}  # what the importer of names tables calls them
_WORDS = frozenset(_TITLES["frequency"]) | {"number", "patients", "patienten", "häufigkeiten"}
"""Any of these in a title of several words makes it that of frequencies, if numbers are below."""
_WORD = re.compile(r"[^\W_]+")
_LOOKED_AT = 200  # rows
_ONE_COLUMN = "\n"  # a delimiter that is in no line
_GROUPED = re.compile(r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+")
_GROUPING = re.compile(r"[,.' \u00a0\u202f]")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")


def guess_list_table(path: Path, layout: LayoutAsked) -> TableGuess:
    """Guess how a list is laid out; it may have a single column, which holds names then.

    Raises:
        UserError: the file cannot be read or is empty.
    """
    single = _guess_single_column(path, layout)
    if single is not None:
        return single
    seen = guess(path, layout)
    if len(find_list_titles(seen.header, seen.preview)) > 1:
        return seen
    for titles in seen.preview:  # what stands above them is no row of the list
        fields = find_list_titles(titles, ())
        if "name" in fields and len(fields) > 1:
            columns = tuple(titles[column - 1] for column in fields.values())
            return guess(path, LayoutAsked(layout.delimiter, layout.sheet, columns=columns))
    return seen


def find_list_titles(titles: Sequence[str], below: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return field -> column, counted from 1, of those that a title names.

    Args:
        titles: as they stand.
        below: the first rows, whose numbers make a title of several words one of frequencies.
    """
    plain = ["".join(filter(str.isalnum, title.casefold())) for title in titles]
    columns: dict[str, int] = {}
    for field, words in _TITLES.items():
        if column := next((plain.index(word) + 1 for word in words if word in plain), 0):
            columns[field] = column
    known = known_columns(titles)
    for field, table_field in _OF_TABLES.items():
        column = known.get(table_field, 0)
        if column and field not in columns and column not in columns.values():
            columns[field] = column
    if "frequency" not in columns:
        columns |= _find_frequency(titles, below, columns)
    return columns


def read_frequency(text: str) -> float | None:
    """Return a number, a whole one as an integer; None of what is none, or below 0."""
    plain = text.strip()
    if _GROUPED.fullmatch(plain):
        plain = _GROUPING.sub("", plain)
    elif _DECIMAL_COMMA.fullmatch(plain):
        plain = plain.replace(",", ".")
    try:
        number = float(plain)
    except ValueError:
        return None
    if not 0 <= number < float("inf"):
        return None
    return int(number) if number.is_integer() else number


def _find_frequency(
    titles: Sequence[str], below: Sequence[Sequence[str]], columns: Mapping[str, int]
) -> dict[str, int]:
    for column, title in enumerate(titles, start=1):
        cells = [cells[column - 1] for cells in below if column <= len(cells)]
        numbers = [read_frequency(cell) for cell in cells if cell.strip()]
        has_word = bool(_WORDS & set(_WORD.findall(title.casefold())))
        if has_word and column not in columns.values() and _are_most_numbers(numbers):
            return {"frequency": column}
    return {}


def _are_most_numbers(numbers: Sequence[float | None]) -> bool:
    return sum(number is not None for number in numbers) * 2 > len(numbers)


def _guess_single_column(path: Path, layout: LayoutAsked) -> TableGuess | None:
    """Return the layout of a file with one column; None where there are more, or it is empty."""
    with Source(path) as source:
        if is_xlsx(source):
            sheets = sheet_names(path) if path.suffix.lower() != ".ods" else ()
            if layout.sheet or len(sheets) != 1:
                return None
            first = list(islice(rows(source, "", sheets[0]), _LOOKED_AT))
            delimiter, sheet = "", sheets[0]
        else:
            texts = [
                text for _, text in islice(source.lines(), _LOOKED_AT) if not passes_over(text)
            ]
            delimiter = layout.delimiter or likely_delimiter(texts) or _ONE_COLUMN
            sheet, sheets = "", ()
    if not sheets:
        with Source(path) as source:
            first = [
                (line, cells)
                for line, cells in islice(rows(source, delimiter), _LOOKED_AT)
                if not passes_over(cells[0])
            ]
    if not first or max(_count_filled(cells) for _, cells in first) > 1:
        return None
    cells = [(line, next(filter(str.strip, row))) for line, row in first]
    titled = len(cells) > 1 and "name" in find_list_titles([cells[0][1]], ())
    data = cells[titled:]
    header = (cells[0][1],) if titled else ()
    preview = tuple((text,) for _, text in data[:20])
    return TableGuess(
        delimiter, header, {"name": 1}, preview, data[0][0], sheet=sheet, sheets=tuple(sheets)
    )


def _count_filled(cells: Iterable[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)
