"""Guessing how a names table is laid out, from its first rows."""

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.source import Source
from termexplorer.importers.table_rows import is_xlsx, likely_delimiter, rows
from termexplorer.texts import tr

FIELDS = ("id", "name", "kind", "parents", "definition")
_PREVIEW = 20
_TITLES = {
    "id": (
        "id",
        "code",
        "curie",
        "identifier",
        "desc_ui",
        "concept",
        "conceptid",
        "concept_id",
        "cui",
        "ui",
    ),
    "name": ("name", "label", "term", "names", "title", "description", "preferred", "synonym"),
    "kind": ("kind", "type", "name_kind", "name_type", "tty", "term_type"),
    "parents": ("parents", "parent", "parent_id", "parent_ids", "parentid", "is_a", "broader"),
    "definition": ("definition", "def", "definitions", "meaning", "gloss"),
}


@dataclass(frozen=True, slots=True)
class TableGuess:
    """What a table seems to hold; every part of it can be overruled.

    Attributes:
        delimiter: Between cells; "" for XLSX.
        header: The header row's cells, () if there is none.
        columns: Field -> column, counted from 1; `id` and `name` are always there.
        preview: The first rows, the header row not among them.
    """

    delimiter: str
    header: tuple[str, ...]
    columns: dict[str, int]
    preview: tuple[tuple[str, ...], ...]


def guess(path: Path | str, delimiter: str = "") -> TableGuess:
    """Guess how to read a table from its first rows.

    Raises:
        UserError: The file cannot be read, is empty, or has fewer than two columns.
    """
    with Source(path) as source:
        return _guess(source, delimiter)


def _guess(source: Source, delimiter: str) -> TableGuess:
    if not is_xlsx(source):
        delimiter = delimiter or _delimiter_of(source)
    first = [cells for _, cells in islice(rows(source, delimiter), _PREVIEW + 1)]
    if not first or max(map(len, first)) < 2:
        raise UserError(
            tr("{path} has fewer than two columns; check the delimiter", path=source.path)
        )
    titles = [_plain(cell) for cell in first[0]]
    by_title = {
        field: next((titles.index(title) + 1 for title in known if title in titles), 0)
        for field, known in _TITLES.items()
    }
    has_header = by_title["id"] > 0 or by_title["name"] > 0
    columns = {field: column for field, column in by_title.items() if column}
    for field in ("id", "name"):
        if field not in columns:
            free = set(range(1, max(map(len, first)) + 1)) - set(columns.values())
            columns[field] = min(free, default=1)
    header = tuple(first[0]) if has_header else ()
    preview = first[1:] if has_header else first[:_PREVIEW]
    return TableGuess(delimiter, header, columns, tuple(map(tuple, preview)))


def _plain(title: str) -> str:
    return re.sub(r"\W+", "_", title.strip().lower()).strip("_")


def _delimiter_of(source: Source) -> str:
    lines = [text for _, text in islice(source.lines(), _PREVIEW + 1)]
    return likely_delimiter([line for line in lines if line.strip()]) or ","
