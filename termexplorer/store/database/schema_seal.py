"""A checksum of a store's tables, triggers and version, kept in the head of its file.

A bit that is changed there is found before rows are taken for something else, and before a
migration that has been is run once more.
"""

import re
import zlib
from typing import TYPE_CHECKING, Any

from termexplorer.errors import StoreError
from termexplorer.texts import tr

if TYPE_CHECKING:
    from pathlib import Path

    from termexplorer.store.database.raw_sql import SqlReader

_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
_VERSIONS = "SELECT quote(version_num) FROM alembic_version"
_REVISION = re.compile(r"\d{4}", re.ASCII)


def write_seal(connection: "SqlReader") -> None:
    """Keep the checksum of the tables and the version as they are now."""
    connection.exec_driver_sql(f"PRAGMA user_version = {_sum_schema(connection)}")


def has_seal(connection: "SqlReader") -> bool:
    """Return whether a store has such a checksum; those of earlier versions had none."""
    return _read_seal(connection) != 0


def is_as_sealed(connection: "SqlReader") -> bool:
    """Return whether tables, triggers and version are what was written, or have no checksum."""
    return _read_seal(connection) in (0, _sum_schema(connection))


def check_seal(connection: "SqlReader", path: "Path", revision: str, head: str) -> None:
    """Refuse a store of another version whose tables or version are not what was written.

    Args:
        connection: to the store.
        path: of its file, for whoever is told.
        revision: that it says it is of.
        head: the newest one, which it may be of; what is newer is told by somebody else.

    Raises:
        StoreError: they are not.
    """
    if revision > head:
        sound = _read_seal(connection) != _sum_schema(connection, head)
    else:
        sound = is_as_sealed(connection)
    if not sound or not _REVISION.fullmatch(revision):
        raise refuse_changed_version(path)


def refuse_changed_version(path: "Path") -> StoreError:
    """Return the error for a store of which nobody can say what version it is of."""
    return StoreError(
        tr(
            "{path}: its version (alembic_version) or its tables are not what was written; "
            "put back the newest sound backup: termexplorer workspace restore",
            path=path,
        )
    )


def _read_seal(connection: "SqlReader") -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").fetchone()[0])


def _sum_schema(connection: "SqlReader", revision: str = "") -> int:
    """Return a checksum between 1 and 2³¹ - 1, of the version that a store says, or of another."""
    rows: list[Any] = [tuple(row) for row in connection.exec_driver_sql(_SCHEMA)]
    revisions = [str(quoted) for (quoted,) in connection.exec_driver_sql(_VERSIONS)]
    rows += [f"'{revision}'"] if revision else revisions
    return zlib.crc32(repr(rows).encode("utf-8", "backslashreplace")) % (2**31 - 1) + 1
