"""What a store says of its own health, and the files that its rows tell of."""

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory, gettempdir

from sqlalchemy import Connection, create_engine, select
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import InstrumentedAttribute

from termexplorer.errors import StoreError, UserError
from termexplorer.store.database.copies import copy_store
from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.indexes.fulltext import INDEXES, USUAL
from termexplorer.store.indexes.index_check import list_unfit_indexes
from termexplorer.store.indexes.index_sums import (
    fits_index_sums,
    forget_index_sums,
    has_index_sums,
    write_index_sums,
)
from termexplorer.store.indexes.search_keys import FOLDED_INDEX, fold_names_anew
from termexplorer.store.judging.verdicts import check_log
from termexplorer.store.tables.encoders import (
    EncoderRow,
    ProjectionRow,
    RanksRow,
    VectorIndexRow,
    VectorsRow,
)
from termexplorer.store.tables.judging import VerdictRow
from termexplorer.store.tables.runs import RunRow
from termexplorer.texts import tr

_TOLD = 20  # of what SQLite complains about
_FTS5_VERSION = 4
_SPARE = 200_000  # bytes that are left free beside a copy
_ROOM_TO_COMPACT = 2.1  # times what is left: the merged indexes, then the log of all pages
_PAGES_A_STEP = 50
_KINDS: tuple[
    tuple[str, type[EncoderRow | VectorsRow | VectorIndexRow | ProjectionRow | RanksRow]], ...
] = (
    ("encoder", EncoderRow),
    ("vectors", VectorsRow),
    ("index", VectorIndexRow),
    ("map", ProjectionRow),
    ("ranks", RanksRow),
)


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file or folder of arrays that a row tells of.

    Attributes:
        kind: encoder | vectors | index | map | ranks.
        encoder_id: the encoder that it is of, or that made it.
        path: relative to the workspace.
        content_hash: SHA-256 of the file, of a folder's `meta.json`.
    """

    kind: str
    encoder_id: int
    path: str
    content_hash: str


def kept_files(connection: Connection) -> list[KeptFile]:
    """All files and folders that rows tell of; what an encoder has no file for is not listed."""
    files = []
    for kind, table in _KINDS:
        owner: InstrumentedAttribute[int] = (
            table.id if table is EncoderRow else table.encoder_id  # type: ignore[union-attr]
        )
        query = select(owner, table.path, table.content_hash).where(table.path != "")
        files += [KeptFile(kind, *row) for row in connection.execute(query)]
    return files


def run_ids(connection: Connection) -> list[int]:
    """The ids of all runs, whose folders are called by them."""
    return list(connection.scalars(select(RunRow.id)))


def complaints(path: Path) -> list[str]:
    """What SQLite finds wrong with a file: pages, indexes, rows that refer to nothing; [] if well.

    Raises:
        UserError: it cannot be opened at all.
    """
    try:
        with closing(connect_read_only(path)) as connection:
            whole = connection.execute(f"PRAGMA integrity_check({_TOLD})").fetchall()
            loose = connection.execute("PRAGMA foreign_key_check").fetchmany(_TOLD)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from None
    lines = [line for (text,) in whole for line in _complaint_lines(text)][:_TOLD]
    return lines + [
        tr("row {row} of {table} refers to no row of {to}", row=row, table=table, to=to)
        for table, row, to, _ in loose
    ]


def _complaint_lines(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and line != "ok" and not line.startswith("***")]


def find_stale_indexes(path: Path) -> list[str]:
    """Return the search indexes that do not say what their rows say.

    SQLite compares an index under the write lock, so it is done on a copy, for which nobody waits.
    The copy lies beside the store, or where temporary files do if there is no room.

    Args:
        path: of the store.

    Raises:
        UserError: there is no room for a copy.
    """
    with TemporaryDirectory(dir=_find_room(path), prefix=".check-") as folder:
        copy = Path(folder) / path.name
        copy_store(path, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            unfit = set(list_unfit_indexes(connection))
            return [
                index
                for index in (*INDEXES, FOLDED_INDEX)
                if index in unfit
                or not fits_index_sums(connection, index)
                or (index in INDEXES and not _fits_content(connection, index))
            ]


def _find_room(path: Path) -> Path:
    places = (path.parent, Path(gettempdir()))
    needed = path.stat().st_size + _SPARE
    for folder in places:
        if os.access(folder, os.W_OK) and disk_usage(folder).free > needed:
            return folder
    raise UserError(
        tr(
            "there is no room for a copy of {path} ({size:,} bytes) in {places}; make some",
            path=path,
            size=needed,
            places=", ".join(map(str, places)),
        )
    )


def _fits_content(connection: sqlite3.Connection, index: str) -> bool:
    try:
        connection.execute(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError:
        return False
    return True


def rebuild_index(store: Store, index: str) -> None:
    """Make a search index anew from its rows.

    Raises:
        StoreError: it cannot be, since its own tables are damaged.
    """
    settings = {"version": _FTS5_VERSION, **({} if index == FOLDED_INDEX else USUAL)}
    try:
        with store.writing() as connection:
            forget_index_sums(connection, index)
            connection.exec_driver_sql(f"DELETE FROM {index}_config")
            for setting in settings.items():  # without them nothing else is taken
                connection.exec_driver_sql(f"INSERT INTO {index}_config VALUES (?, ?)", setting)
        with store.writing() as connection:
            if index == FOLDED_INDEX:
                fold_names_anew(connection)
            else:
                connection.exec_driver_sql(f"INSERT INTO {index}({index}) VALUES ('rebuild')")
    except DatabaseError as error:
        raise StoreError(str(error.orig)) from error


def write_missing_sums(store: Store) -> None:
    """Give the indexes checksums where they have none, or were written to since.

    Where those that are there are damaged themselves they stay: the check tells of them.
    """
    with suppress(DatabaseError, sqlite3.DatabaseError, StoreError):
        with store.looking() as connection:
            known = has_index_sums(connection)
        if not known:
            write_index_sums(store)


def check_copy(path: Path) -> None:
    """Read a finished copy of a store once: its pages and references, and its log of verdicts.

    Raises:
        UserError: something is wrong with it.
    """
    if problems := complaints(path):
        raise UserError(f"{path}: {problems[0]}")
    check_copied_log(path)


def check_copied_log(path: Path) -> None:
    """Read the log of verdicts in a copy of a store.

    Raises:
        UserError: a row was changed, or rows are missing.
    """
    engine = create_engine("sqlite://", creator=lambda: connect_read_only(path))
    try:
        with engine.connect() as connection:
            check_log(connection)
    finally:
        engine.dispose()


def log_rows(path: Path) -> int:
    """How many rows the log of verdicts has in a file; 0 where it has no log yet."""
    with closing(connect_read_only(path)) as connection:
        try:
            count = connection.execute(f"SELECT count(*) FROM {VerdictRow.__tablename__}")
        except sqlite3.OperationalError:
            return 0
        return int(count.fetchone()[0])


def compact_store(store: Store) -> None:
    """Merge the search indexes and give what is free in the file back to the disk.

    Without room for a second copy it is given back in steps, as far as the file allows.

    Raises:
        UserError: another program is using the store, or it is of an older version and there is no
            room for a second copy.
    """
    has_room = _has_room_to_compact(store)
    if has_room:
        with store.writing() as connection:
            for index in (*INDEXES, FOLDED_INDEX):
                connection.exec_driver_sql(f"INSERT INTO {index}({index}) VALUES ('optimize')")
        write_index_sums(store)
    store.close()
    try:
        with closing(sqlite3.connect(store.path, isolation_level=None, timeout=1)) as connection:
            # alone it needs no file for what is shared, for which a full disk has no room
            connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
            if has_room:
                connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # if it was without
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                _give_back_in_steps(connection, store.path)
    except sqlite3.OperationalError as error:
        raise UserError(
            tr(
                "{path} cannot be compacted just now ({error}); close other programs that use "
                "it, and see that the disk has room for a second copy",
                path=store.path,
                error=error,
            )
        ) from None


def _has_room_to_compact(store: Store) -> bool:
    """Return whether what is left without the free pages fits beside the store once more."""
    with store.looking() as connection:
        pages, free, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
    return disk_usage(store.path.parent).free > _ROOM_TO_COMPACT * (pages - free) * size + _SPARE


def _give_back_in_steps(connection: sqlite3.Connection, path: Path) -> None:
    """Move the last pages into free ones and shorten the file, some hundred pages at a time.

    Raises:
        UserError: the file is of a version whose pages cannot be moved so.
    """
    if connection.execute("PRAGMA auto_vacuum").fetchone() == (0,):
        raise UserError(
            tr(
                "{path}: there is no room for a second copy, which a store of an older version "
                "needs once; make room, for instance by removing backups "
                "(`termexplorer backup remove`)",
                path=path,
            )
        )
    while connection.execute("PRAGMA freelist_count").fetchone() != (0,):
        connection.execute(f"PRAGMA incremental_vacuum({_PAGES_A_STEP})").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
