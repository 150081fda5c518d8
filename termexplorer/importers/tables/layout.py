"""How a names table is read: what a user asks for, completed by what its first rows tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.tables.guess import LayoutAsked, TableGuess, guess
from termexplorer.importers.tables.titles import FIELDS
from termexplorer.importers.text.prefixes import prefix_in_title, prefix_of_key
from termexplorer.texts import tr, trn

_ADVICE = "id=1,name=3"


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How a table is read.

    Attributes:
        seen: What the first rows tell.
        places: Field -> column, counted from 0.
        is_stated: Whether somebody said which column holds what.
    """

    seen: TableGuess
    places: dict[str, int]
    is_stated: bool

    def prefix(self, field: str, key: str) -> str:
        """Return the prefix of bare ids in a field: what its title says, else the key's."""
        own_prefix = prefix_in_title(self.title_of(field))
        return own_prefix or (self.prefix("id", key) if field != "id" else prefix_of_key(key))

    def title_of(self, field: str) -> str:
        """Return the title of a field's column, "" where there is none."""
        index = self.places.get(field, len(self.seen.header))
        return "".join(self.seen.header[index : index + 1]).strip()

    def unread(self) -> list[str]:
        """Return the titles of the columns that no field is read from, or their numbers."""
        titles, taken = self.seen.header, set(self.places.values())
        free = (index for index in range(self.seen.width) if index not in taken)
        return [(titles[n].strip() if n < len(titles) else "") or str(n + 1) for n in free]


def layout_of(path: Path, options: Mapping[str, object]) -> TableLayout:
    """Return what is asked for, completed by what the first rows tell.

    Args:
        path: The table.
        options: `columns`, `delimiter`, `sheet` and `titles`, all of which may be missing.

    Raises:
        UserError: What is asked for is not there, or the column of ids or names cannot be told.
    """
    asked = options.get("columns") or {}
    if not isinstance(asked, Mapping):
        raise UserError(tr("columns {columns!r}: write them as id=1,name=3", columns=asked))
    titles = options.get("titles")
    seen = guess(
        path,
        LayoutAsked(
            delimiter_of(str(options.get("delimiter") or "")),
            str(options.get("sheet") or ""),
            None if titles is None else bool(titles),
            tuple(str(column).strip() for column in asked.values()),
        ),
    )
    columns = {str(field): resolve_column(path, seen, asked[field]) for field in asked}
    if unknown := set(columns) - set(FIELDS):
        raise UserError(
            tr(
                "no field {field!r}; the fields are {fields}",
                field=min(unknown),
                fields=", ".join(FIELDS),
            )
        )
    if not asked:
        columns = seen.columns
    missing = {"id", "name"} - set(columns) if asked else {seen.unsure} - {""}
    if missing:
        raise _column_question(path, seen, min(missing))
    places = {field: column - 1 for field, column in columns.items()}
    return TableLayout(seen, places, bool(asked))


def delimiter_of(text: str) -> str:
    r"""Return the one character that is meant; `tab` and `\t` mean the tabulator, "" to guess it.

    Raises:
        UserError: More than one character.
    """
    delimiter = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(delimiter) > 1 or delimiter in ('"', "\r", "\n", "\0"):
        raise UserError(tr("delimiter {text!r}: give one character, or tab", text=text))
    return delimiter


def _column_question(path: Path, seen: TableGuess, field: str) -> UserError:
    return UserError(
        tr(
            "{path}: which column is the {field}? Give it, as in id=1,name=3; {known}",
            path=path,
            field=field,
            known=describe_columns(seen),
        )
    )


def describe_columns(seen: TableGuess) -> str:
    """Return how many columns a table has, and what they are called."""
    titles = [title.strip().lower() for title in seen.header]
    cells = titles or [cell.strip()[:40] for cell in (seen.preview or ((),))[0]]
    first = [cell or str(n) for n, cell in enumerate(cells, 1)]
    first += [str(n + 1) for n in range(len(first), seen.width)]  # beyond the titles
    return trn("it has {n} column", "it has {n} columns", seen.width) + f": {', '.join(first)}"


def resolve_column(path: Path, seen: TableGuess, asked: object) -> int:
    """Return a column, counted from 1, from a number or a title.

    Raises:
        UserError: There is no such column.
    """
    text = str(asked).strip()
    titles = [title.strip().casefold() for title in seen.header]
    if text.casefold() in titles:
        return titles.index(text.casefold()) + 1
    if text.isdecimal() and 1 <= int(text) <= seen.width:
        return int(text)
    raise UserError(
        tr(
            "{path}, line 1: no column {column!r}; {known}",
            path=path,
            column=text,
            known=describe_columns(seen),
        )
    )
