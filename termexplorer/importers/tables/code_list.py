"""A list of local codes to be mapped: code, name, frequency, and whatever else stands beside them.

Any table will do: CSV, TSV, XLSX or ODS; so do the files that Usagi imports and saves, whose titles
(`sourceCode`, `sourceName`, `sourceFrequency`) are known.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.guess import LayoutAsked, TableGuess, guess
from termexplorer.importers.tables.layout import delimiter_of, describe_columns, resolve_column
from termexplorer.importers.tables.rows import rows
from termexplorer.importers.text.prefixes import prefix_of_file
from termexplorer.importers.text.text import clean
from termexplorer.texts import tr

LIST_FIELDS = ("code", "name", "frequency")
_TITLES = {  # letters and digits alone, the best first
    "code": ("sourcecode", "localcode", "code"),
    "name": ("sourcename", "sourcecodedescription", "localname"),
    "frequency": (
        "sourcefrequency", "frequency", "freq", "count", "counts", "occurrences", "records", "n",
        "häufigkeit", "haeufigkeit", "anzahl", "fallzahl",
    ),
}  # fmt: skip
_OF_TABLES = {"code": "id", "name": "name"}  # what the importer of names tables calls them
_GROUPED = re.compile(r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+")
_GROUPING = re.compile(r"[,.' \u00a0\u202f]")


@dataclass(frozen=True, slots=True)
class ListedCode:
    """One row of a list.

    Attributes:
        line: Where it stands.
        code: As it stands; "" if the row has none.
        name: Likewise.
        frequency: How often it is used; None where the list does not tell.
        cells: All that stands in the row, as many as the list has titles.
    """

    line: int
    code: str
    name: str
    frequency: float | None
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeList:
    """A list of local codes.

    Attributes:
        path: The file.
        header: The titles of its columns; their numbers where it has none.
        columns: Field of `LIST_FIELDS` -> column, counted from 1; the frequency may be missing.
        rows: In the order of the file.
        prefix: Of its codes where they have none: the file's name.
    """

    path: Path
    header: tuple[str, ...]
    columns: Mapping[str, int]
    rows: tuple[ListedCode, ...]
    prefix: str


@dataclass(frozen=True, slots=True)
class ListLayout:
    """How a list is read.

    Attributes:
        seen: What the first rows tell.
        columns: As of `CodeList`.
    """

    seen: TableGuess
    columns: dict[str, int]


def guess_list_layout(
    path: Path,
    asked: Mapping[str, str] | None = None,
    delimiter: str = "",
    sheet: str = "",
    *,
    whole: bool = True,
) -> ListLayout:
    """Tell which columns of a file hold what.

    Args:
        path: The file.
        asked: Field of `LIST_FIELDS` -> the title of a column, or its number from 1; the others
            are guessed.
        delimiter: Between cells; "" to guess it.
        sheet: Of a workbook, by name or number.
        whole: Whether codes and names must have a column each; else somebody is still to say which.

    Raises:
        UserError: The file cannot be read, or has no such columns.
    """
    asked = dict(asked or {})
    if unknown := set(asked) - set(LIST_FIELDS):
        raise UserError(
            tr(
                "no field {field!r}; the fields are {fields}",
                field=min(unknown),
                fields=", ".join(LIST_FIELDS),
            )
        )
    wanted = tuple(column for column in asked.values() if not column.isdecimal())
    layout = LayoutAsked(delimiter_of(delimiter), sheet, columns=wanted)
    seen = guess(path, layout)
    if not seen.header and set(_find_titles(seen.preview[0])) >= {"code", "name"}:
        seen = guess(path, replace(layout, titles=True))
    columns = {field: resolve_column(path, seen, column) for field, column in asked.items()}
    for field, column in _guess_columns(seen).items():
        if field not in columns and column not in columns.values():
            columns[field] = column
    missing = [field for field in ("code", "name") if field not in columns]
    if whole and (missing or len(set(columns.values())) < len(columns)):
        field = missing[0] if missing else "code"
        raise UserError(
            tr(
                "{path}: which column is the {field}? Give it, as in code=1,name=3; {known}",
                path=path,
                field=field,
                known=describe_columns(seen),
            )
        )
    in_order = {field: columns[field] for field in LIST_FIELDS if field in columns}
    return ListLayout(seen, in_order)


def read_code_list(path: Path, layout: ListLayout) -> CodeList:
    """Read a list.

    Raises:
        UserError: The file is damaged or has no row with a code and a name, or a frequency is no
            number.
    """
    seen = layout.seen
    with Source(path) as source:
        numbered = list(rows(source, seen.delimiter, seen.sheet))
    numbered = [(line, cells) for line, cells in numbered if line >= seen.first_line]
    width = max([seen.width, *(len(cells) for _, cells in numbered)])
    titles = [title.strip() for title in seen.header]
    titles += ["" for _ in range(width - len(titles))]
    header = tuple(title or str(number) for number, title in enumerate(titles, start=1))
    listed = tuple(_read_row(path, layout, line, cells, width) for line, cells in numbered)
    if not any(row.code and row.name for row in listed):
        raise UserError(
            tr("{path} holds no row with a code and a name; check the columns", path=path)
        )
    return CodeList(path, header, layout.columns, listed, prefix_of_file(path))


def _read_row(
    path: Path, layout: ListLayout, line: int, cells: Sequence[str], width: int
) -> ListedCode:
    filled = tuple(str(cells[index]) if index < len(cells) else "" for index in range(width))
    texts = {field: filled[column - 1] for field, column in layout.columns.items()}
    frequency = _read_number(texts.get("frequency", ""))
    if frequency is not None and math.isnan(frequency):
        raise UserError(
            tr(
                "{path}, line {line}: the frequency {text!r} is no number; correct it, or choose "
                "another column, as in frequency=3",
                path=path,
                line=line,
                text=texts["frequency"][:40],
            )
        )
    return ListedCode(line, clean(texts["code"]), clean(texts["name"]), frequency, filled)


def _read_number(text: str) -> float | None:
    """Return a number, a whole one as an integer; None of nothing, and NaN of what is none."""
    plain = text.strip()
    if not plain:
        return None
    if _GROUPED.fullmatch(plain):
        plain = _GROUPING.sub("", plain)
    try:
        number = float(plain)
    except ValueError:
        return math.nan
    if not math.isfinite(number) or number < 0:
        return math.nan
    return int(number) if number.is_integer() else number


def _guess_columns(seen: TableGuess) -> dict[str, int]:
    titled = _find_titles(seen.header)
    for field, table_field in _OF_TABLES.items():
        column = seen.columns.get(table_field)
        is_sure = seen.unsure != table_field
        if field not in titled and column and is_sure and column not in titled.values():
            titled[field] = column
    return titled


def _find_titles(titles: Sequence[str]) -> dict[str, int]:
    """Return field -> column, counted from 1, of those that a title names."""
    plain = ["".join(filter(str.isalnum, title.casefold())) for title in titles]
    found_columns = {}
    for field, words in _TITLES.items():
        column = next((plain.index(word) + 1 for word in words if word in plain), 0)
        if column:
            found_columns[field] = column
    return found_columns
