"""Damaged rows of the log of verdicts put right: by their hash, or from a sound backup."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_mending import MendedRow, flip_each_bit
from termexplorer.store.judging.verdicts import FIRST, hash_row
from termexplorer.store.tables.judging import VerdictRow

_NAMES = tuple(VerdictRow.__table__.columns.keys())
LOG_COLUMNS = [f'"{name}"' for name in _NAMES]
_COLUMNS = ", ".join(LOG_COLUMNS)
_ROWS = f"SELECT {_COLUMNS} FROM verdict ORDER BY id"
_ROW = f"SELECT {_COLUMNS} FROM verdict WHERE id = ?"
_GUARD = "SELECT sql FROM sqlite_master WHERE name = 'verdict_no_update'"
_HASH, _BEFORE = _NAMES.index("hash"), _NAMES.index("before")
_Cells = tuple[Any, ...]


def mend_log_rows(connection: sqlite3.Connection, backups: Sequence[Path]) -> Iterator[MendedRow]:
    """Put right the rows of the log that are not what their hashes say.

    Args:
        connection: to write on, which gives texts as bytes.
        backups: sound ones, the newest first.
    """
    rows = [tuple(row) for row in connection.execute(_ROWS)]
    before = FIRST.encode()
    for index, row in enumerate(rows):
        following = rows[index + 1][_BEFORE] if index + 1 < len(rows) else None
        whole: _Cells | None = row
        if not _is_whole(row, before):
            whole, source = _find_whole(row, before, following, backups)
            if whole is not None:
                _write_row(connection, row[0], whole)
            yield MendedRow("verdict", str(row[0]), source)
        before = (whole or row)[_HASH] if whole or following is None else following


def _find_whole(
    row: _Cells, before: bytes, following: bytes | None, backups: Sequence[Path]
) -> tuple[_Cells | None, str]:
    for flipped in flip_each_bit(row):
        if _is_whole(flipped, before) and following in (None, flipped[_HASH]):
            return flipped, "bit"
    for path in backups:
        with closing(connect_read_only(path)) as connection:
            connection.text_factory = bytes
            try:
                backup_row = connection.execute(_ROW, (row[0],)).fetchone()
            except sqlite3.DatabaseError:  # of an older version
                continue
        if (
            backup_row
            and _is_whole(tuple(backup_row), before)
            and following in (None, backup_row[_HASH])
        ):
            return tuple(backup_row), "backup"
    return None, "none"


def _is_whole(row: _Cells, before: bytes) -> bool:
    try:
        values = {name: _as_value(cell) for name, cell in zip(_NAMES, row, strict=True)}
        values["details"] = json.loads(values["details"])
        stored_hash = values.pop("hash")
        return bool(row[_BEFORE] == before and hash_row(values) == stored_hash)
    except (ValueError, TypeError, RecursionError):
        return False


def is_whole_alone(row: _Cells) -> bool:
    """Return whether a row of the log is what its hash says, whatever the row before it is.

    Args:
        row: the cells of `LOG_COLUMNS`, texts as bytes.
    """
    return _is_whole(row, row[_BEFORE])


def _write_row(connection: sqlite3.Connection, row_id: int, row: _Cells) -> None:
    (guard,) = connection.execute(_GUARD).fetchone()
    connection.execute("DROP TRIGGER verdict_no_update")
    names = ", ".join(f'"{name}" = ?' for name in _NAMES)
    values = [_as_value(cell) for cell in row]
    connection.execute(f"UPDATE verdict SET {names} WHERE id = ?", (*values, row_id))
    connection.execute(guard.decode())


def _as_value(cell: Any) -> Any:
    return cell.decode() if isinstance(cell, bytes) else cell
