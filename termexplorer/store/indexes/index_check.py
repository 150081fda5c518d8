"""Whether the search indexes in a store say what its rows say, as far as SQLite itself does not."""

import sqlite3
from collections.abc import Iterator

from termexplorer.store.indexes.folding import changes_words, fold_text
from termexplorer.store.indexes.fulltext import GATHER, INDEXES, USUAL
from termexplorer.store.indexes.search_keys import FOLDED_INDEX

# a release that is being imported or removed has some of its rows
_UNREADY = "SELECT id FROM release WHERE status NOT IN ('ready', 'removed')"
_NAMES = f"SELECT id, text FROM name WHERE release_id NOT IN ({_UNREADY}) ORDER BY id"
_FOLDED = f"""SELECT s.id, CAST(s.c0 AS BLOB) FROM search_folded_content s
    LEFT JOIN name n ON n.id = s.id / 2
    WHERE n.release_id IS NULL OR n.release_id NOT IN ({_UNREADY}) ORDER BY s.id"""
_STRAYS = "SELECT DISTINCT segid FROM {0}_idx EXCEPT SELECT DISTINCT id >> 37 FROM {0}_data"
_UNLED = "SELECT DISTINCT id >> 37 FROM {0}_data WHERE id > 10 EXCEPT SELECT segid FROM {0}_idx"
_BEHEADED = "SELECT segid FROM {0}_idx GROUP BY segid HAVING length(min(term)) > 0"
_SETTINGS = "SELECT k, v FROM {0}_config"


def list_unfit_indexes(connection: sqlite3.Connection) -> list[str]:
    """Return the search indexes whose settings, parts or folded texts are not what they should be.

    Args:
        connection: to a copy of a store, in which the indexes may be written to.
    """
    unfit = [index for index in INDEXES if not _can_be_sound(connection, index)]
    folded = _can_be_sound(connection, FOLDED_INDEX) and _has_folded_names(connection)
    return unfit if folded else [*unfit, FOLDED_INDEX]


def _can_be_sound(connection: sqlite3.Connection, index: str) -> bool:
    try:
        return _has_known_settings(connection, index) and not any(
            connection.execute(query.format(index)).fetchone()
            for query in (_STRAYS, _UNLED, _BEHEADED)
        )
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def _has_known_settings(connection: sqlite3.Connection, index: str) -> bool:
    settings = dict(connection.execute(_SETTINGS.format(index)))
    version = settings.pop("version", None)
    known = {} if index == FOLDED_INDEX else settings
    return isinstance(version, int) and settings in (known and GATHER, known and USUAL)


def _has_folded_names(connection: sqlite3.Connection) -> bool:
    """Return whether the folded names are those that folding makes of the names."""
    try:
        stored = connection.execute(_FOLDED)
        due = _fold_names(connection)
        if any(row != next(stored, None) for row in due) or next(stored, None) is not None:
            return False
        connection.execute(f"INSERT INTO {FOLDED_INDEX}({FOLDED_INDEX}) VALUES ('integrity-check')")
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError):  # a text is a number or null
        return False
    return True


def _fold_names(connection: sqlite3.Connection) -> Iterator[tuple[int, bytes]]:
    for id_, text in connection.execute(_NAMES):
        if changes_words(text):
            yield 2 * id_, fold_text(text).encode("utf-8", "surrogatepass")
