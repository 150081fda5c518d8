"""A list of local codes to be mapped: code, name, frequency, and whatever else stands beside them.

Where some rows were mapped before, a column tells to what, and the rest is held against it.

Any table will do: CSV, TSV, XLSX or ODS; so do the files that Usagi imports and saves, whose titles
(`sourceCode`, `sourceName`, `sourceFrequency`) are known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.guess import LayoutAsked, TableGuess
from termexplorer.importers.tables.layout import delimiter_of, describe_columns, resolve_column
from termexplorer.importers.tables.list_titles import (
    find_list_titles,
    guess_list_table,
    read_frequency,
)
from termexplorer.importers.tables.rows import rows
from termexplorer.importers.text.prefixes import prefix_of_file
from termexplorer.importers.text.text import clean
from termexplorer.texts import tr

LIST_FIELDS = ("code", "name", "frequency", "known")
_NO_COLUMN = "0"
_OF_TABLES = {"code": "id", "name": "name"}  # what the importer of names tables calls them


@dataclass(frozen=True, slots=True)
class ListedCode:
    """One row of a list.

    Attributes:
        line: Where it stands.
        code: As it stands; "" if the row has none. Of a list without codes, the row's line.
        name: Likewise.
        frequency: How often it is used; None where the list does not tell.
        cells: All that stands in the row, as many as the list has titles.
        known: The concepts that it is known to be mapped to, as they stand; "" for none.
    """

    line: int
    code: str
    name: str
    frequency: float | None
    cells: tuple[str, ...]
    known: str = ""


@dataclass(frozen=True, slots=True)
class CodeList:
    """A list of local codes.

    Attributes:
        path: The file.
        header: The titles of its columns; their numbers where it has none.
        columns: Field of `LIST_FIELDS` -> column, counted from 1; that of names is
            never missing.
        rows: In the order of the file.
        prefix: Of its codes where they have none: the file's name.
        unread: The line and the text of each frequency that is no number, and so is none.
    """

    path: Path
    header: tuple[str, ...]
    columns: Mapping[str, int]
    rows: tuple[ListedCode, ...]
    prefix: str
    unread: tuple[tuple[int, str], ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that its rows have: a code and a name in any case."""
        return tuple(f for f in LIST_FIELDS if f in self.columns or f == "code")


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
        asked: Field of `LIST_FIELDS` -> the title of a column, or its number from 1, or 0 for
            none; the others are guessed.
        delimiter: Between cells; "" to guess it.
        sheet: Of a workbook, by name or number.
        whole: Whether names must have a column; else somebody is still to say which.

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
    seen = guess_list_table(path, layout)
    columns = {
        field: resolve_column(path, seen, column)
        for field, column in asked.items()
        if column != _NO_COLUMN
    }
    for field, column in _guess_columns(seen).items():
        if field not in asked and column not in columns.values():
            columns[field] = column
    is_shared = len(set(columns.values())) < len(columns)
    if whole and (is_shared or "name" not in columns):
        field = "code" if is_shared else "name"
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
        UserError: The file is damaged or has no row with a code and a name, or no frequency is a
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
    unread = _list_unread(path, layout, listed)
    return CodeList(path, header, layout.columns, listed, prefix_of_file(path), unread)


def _read_row(
    path: Path, layout: ListLayout, line: int, cells: Sequence[str], width: int
) -> ListedCode:
    filled = tuple(str(cells[index]) if index < len(cells) else "" for index in range(width))
    texts = {field: filled[column - 1] for field, column in layout.columns.items()}
    code = texts["code"] if "code" in texts else str(line)
    frequency = read_frequency(texts.get("frequency", ""))
    known = clean(texts.get("known", ""))
    return ListedCode(line, clean(code), clean(texts["name"]), frequency, filled, known)


def _list_unread(
    path: Path, layout: ListLayout, listed: Sequence[ListedCode]
) -> tuple[tuple[int, str], ...]:
    """Return the line and text of each frequency that is no number.

    Raises:
        UserError: There are frequencies, and none is one.
    """
    column = layout.columns.get("frequency", 0)
    texts = [(row.line, row.cells[column - 1].strip()) for row in listed if column]
    unread = tuple(
        (line, text)
        for (line, text), row in zip(texts, listed, strict=False)
        if text and row.frequency is None
    )
    if unread and all(row.frequency is None for row in listed):
        raise UserError(
            tr(
                "{path}, line {line}: the frequency {text!r} is no number; correct it, or choose "
                "another column, as in frequency=3",
                path=path,
                line=unread[0][0],
                text=unread[0][1][:40],
            )
        )
    return unread


def _guess_columns(seen: TableGuess) -> dict[str, int]:
    titled = find_list_titles(seen.header, seen.preview)
    for field, table_field in _OF_TABLES.items():
        column = seen.columns.get(table_field)
        is_sure = seen.unsure != table_field
        if field not in titled and column and is_sure and column not in titled.values():
            titled[field] = column
    return titled
