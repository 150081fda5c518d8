"""What a search finds besides plain words: folded names, codes without dots, cross-references.

All of it is made of the names and identifiers of a release when these are there, and can be made
anew. The words of a release are kept too: slips are compared with them.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from termexplorer.store.database.engine import Store
from termexplorer.store.indexes.folding import changes_words, code_key, fold_text

FOLDED_INDEX = "search_folded"  # its rows have the numbers of those of `fulltext`
CREATE = (
    """CREATE VIRTUAL TABLE search_folded USING fts5(
        text, columnsize=0, tokenize='unicode61 remove_diacritics 2', prefix='1 2 3 4')""",
)
CODE, REFERENCE = "code", "reference"

_AT_ONCE = 20_000  # rows of a transaction
_WORD = re.compile(r"[^\W\d_][^\W_]{2,39}")
_PLAIN_WORD = re.compile(r"[a-z][a-z0-9]{2,39}")  # the same in lower ASCII, in half the time
_NAMES = "SELECT id, concept_id, text FROM name WHERE release_id = ? ORDER BY id"
_CODES = "SELECT id, concept_id, text FROM identifier WHERE release_id = ? ORDER BY id"
_REFERENCES = """SELECT 0, c.id, trim(r.value) FROM concept c,
    json_each(c.details, '$.cross_references') r WHERE c.release_id = ?"""
_ADD_FOLDED = "INSERT INTO search_folded(rowid, text) VALUES (?, ?)"
_ADD_KEY = "INSERT OR IGNORE INTO lookup_key VALUES (?, ?, ?, ?, ?)"
_ADD_WORD = "INSERT INTO name_word VALUES (?, ?, ?)"

Row = tuple[int, int, str]
"""An id, the id of its concept, and a text."""


class Writer(Protocol):
    """A connection that runs a statement for each of some rows."""

    def exec_driver_sql(self, statement: str, parameters: Any = ..., /) -> Any:
        """Run a statement."""


class SearchKeyWriter:
    """Writes what a search needs of one release.

    Args:
        release_id: The release, whose names will not change any more.
    """

    def __init__(self, release_id: int) -> None:
        self._release_id = release_id
        self._words: Counter[str] = Counter()
        self.sources: dict[str, Callable[[Writer, Sequence[Row]], None]] = {
            _NAMES: self.add_names,
            _CODES: self._add_codes,
            _REFERENCES: self._add_references,
        }

    def add_words(self, writer: Writer) -> None:
        """Write the words of all names that were added."""
        rows = [(self._release_id, word, count) for word, count in sorted(self._words.items())]
        _run_statement(writer, _ADD_WORD, rows)

    def add_names(self, writer: Writer, rows: Sequence[Row]) -> None:
        """Write the folded texts of names, and count their words."""
        _run_statement(writer, _ADD_FOLDED, self._fold_rows(rows))

    def write_keys_anew(self, writer: Writer) -> None:
        """Write the codes, cross-references and words in the place of those that there are."""
        for table in ("lookup_key", "name_word"):
            writer.exec_driver_sql(f"DELETE FROM {table} WHERE release_id = ?", (self._release_id,))
        for query, add in {**self.sources, _NAMES: self._count_words}.items():
            rows = writer.exec_driver_sql(query, (self._release_id,))
            while part := rows.fetchmany(_AT_ONCE):
                add(writer, [tuple(row) for row in part])
        self.add_words(writer)

    def _count_words(self, _writer: Writer, rows: Sequence[Row]) -> None:
        self._fold_rows(rows)

    def _fold_rows(self, rows: Sequence[Row]) -> list[tuple[int, str]]:
        """Count the words of names, and return the numbers and texts of those that fold."""
        folded: list[tuple[int, str]] = []
        plain: list[str] = []
        for id_, _, text in rows:
            if changes_words(text):
                folded.append((2 * id_, fold_text(text)))
            else:
                plain.append(text)
        # all at once, since no word reaches over a line: one by one they take four times as long
        self._words.update(_PLAIN_WORD.findall("\n".join(plain).lower()))
        self._words.update(_WORD.findall("\n".join([text for _, text in folded])))
        return folded

    def _add_codes(self, writer: Writer, rows: Sequence[Row]) -> None:
        self._add_keys(writer, rows, CODE)

    def _add_references(self, writer: Writer, rows: Sequence[Row]) -> None:
        self._add_keys(writer, rows, REFERENCE)

    def _add_keys(self, writer: Writer, rows: Sequence[Row], kind: str) -> None:
        keys = [
            (self._release_id, key, concept_id, text, kind)
            for _, concept_id, text in rows
            if (key := code_key(text)) and (kind == REFERENCE or key != text.casefold())
        ]
        _run_statement(writer, _ADD_KEY, keys)


def index_search_keys(store: Store, release_id: int, progress: Callable[[], None]) -> None:
    """Write what a search needs of a release that nobody sees yet.

    Args:
        store: where it is.
        release_id: the release, whose names will not change any more.
        progress: is called after each short transaction; may raise to stop.
    """
    writer = SearchKeyWriter(release_id)
    with store.looking() as reader:
        for query, add in writer.sources.items():
            rows = reader.execute(query, (release_id,))
            while part := rows.fetchmany(_AT_ONCE):
                with store.filling(trusted=True) as connection:
                    add(connection, part)
                progress()
    with store.filling(trusted=True) as connection:
        writer.add_words(connection)
    progress()


def index_all_releases(connection: Writer) -> None:
    """Write what a search needs of each release that is there."""
    releases = connection.exec_driver_sql("SELECT id FROM release WHERE status = 'ready'")
    for (release_id,) in releases.fetchall():
        writer = SearchKeyWriter(release_id)
        for query, add in writer.sources.items():
            rows = connection.exec_driver_sql(query, (release_id,)).fetchall()
            for start in range(0, len(rows), _AT_ONCE):
                add(connection, [tuple(row) for row in rows[start : start + _AT_ONCE]])
        writer.add_words(connection)


def fold_names_anew(connection: Writer) -> None:
    """Make the index of folded names anew, of all names that there are."""
    connection.exec_driver_sql(f"DROP TABLE {FOLDED_INDEX}")
    for statement in CREATE:
        connection.exec_driver_sql(statement)
    rows = connection.exec_driver_sql("SELECT id, concept_id, text FROM name ORDER BY id")
    writer = SearchKeyWriter(0)
    while part := rows.fetchmany(_AT_ONCE):
        writer.add_names(connection, [tuple(row) for row in part if isinstance(row[2], str)])


def _run_statement(writer: Writer, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        writer.exec_driver_sql(statement, list(rows))
