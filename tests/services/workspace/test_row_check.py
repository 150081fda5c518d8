"""A check finds each byte that a bad disk changed, and names the row."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def flip(path: Path, text: bytes, bit: int, occurrence: int = 0) -> None:
    """Change one bit of a text in a file, wherever it stands there for the n-th time."""
    content = bytearray(path.read_bytes())
    at = -1
    for _ in range(occurrence + 1):
        at = content.index(text, at + 1)
    content[at + len(text) // 2] ^= 1 << bit
    path.write_bytes(content)


def checkpoint(workspace: Workspace) -> Path:
    """Close a workspace, so that all of it is in its one file."""
    workspace.close()
    with closing(sqlite3.connect(workspace.store.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return workspace.store.path


def faults_of(folder: Path) -> list[tuple[str, str]]:
    workspace = Workspace(folder)
    try:
        return [
            (fault.kind, fault.where) for fault in check_workspace(workspace, JobControl()).faults
        ]
    finally:
        workspace.close()


@pytest.mark.parametrize("bit", [0, 7])
def test_a_flipped_bit_in_a_name_is_found_with_its_row(workspace: Workspace, bit: int) -> None:
    with workspace.store.looking() as connection:
        (text,) = connection.execute("SELECT text FROM name ORDER BY length(text) DESC").fetchone()
    assert faults_of(workspace.folder) == []
    store = checkpoint(workspace)
    flip(store, text.encode(), bit)
    kinds = faults_of(workspace.folder)
    tables = {"concept", "name", "sorted_name"}  # each has the text, and one is damaged
    assert {where.split()[0] for kind, where in kinds if kind == "row"} & tables
    assert all(text not in f"{kind} {where}" for kind, where in kinds)


@pytest.mark.parametrize(
    ("table", "column"), [("run", "title"), ("encoder", "title"), ("release", "source")]
)
def test_a_flipped_bit_in_a_small_table_is_found_with_its_row(
    with_run: Workspace, table: str, column: str
) -> None:
    marker = "a title that stands nowhere else"
    with with_run.store.writing() as connection:
        connection.exec_driver_sql(f"UPDATE {table} SET {column} = '{marker}' WHERE id = 1")
    store = checkpoint(with_run)
    flip(store, marker.encode(), 1)
    assert ("row", f"{table} 1") in faults_of(with_run.folder)


def contents(path: Path) -> dict[str, list[tuple[object, ...]]] | None:
    """All rows of a file's own tables, texts as bytes; None where they cannot all be read."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        try:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            names = [name.decode("utf-8", "replace") for (name,) in tables.fetchall()]
            own_tables = [name for name in names if not name.startswith(("search_", "sqlite_"))]
            return {
                name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in own_tables
            }
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return None


def test_random_flips_in_content_are_found(with_run: Workspace) -> None:
    assert check_workspace(with_run, JobControl()).faults == ()
    store = checkpoint(with_run)
    whole, before = store.read_bytes(), contents(store)
    chance, tried, missed = random.Random(0), 0, []  # noqa: S311
    while tried < 40:
        at, bit = chance.randrange(100, len(whole)), chance.randrange(8)
        changed = bytearray(whole)
        changed[at] ^= 1 << bit
        store.write_bytes(changed)
        if contents(store) == before:
            continue  # free room, or an index of SQLite's, which it makes anew
        tried += 1
        try:
            result = faults_of(with_run.folder)
        except UserError:
            result = [("refused", "")]
        if not result:
            missed.append((at, bit))
        for side in ("-wal", "-shm"):
            store.with_name(f"{store.name}{side}").unlink(missing_ok=True)
    assert missed == []


def test_a_letter_that_an_index_takes_for_the_same_is_found(workspace: Workspace) -> None:
    assert faults_of(workspace.folder) == []
    with workspace.store.looking() as connection:
        key, text = connection.execute(
            "SELECT id, text FROM identifier WHERE kind = 'code'"
        ).fetchone()
    store = checkpoint(workspace)
    content = store.read_bytes()
    places = [at for at in range(len(content)) if content.startswith(b"code" + text.encode(), at)]
    assert places
    for at in places:  # the table's row; the index over codes has no kind before them
        end = at + 4
        content = content[:end] + content[end:].replace(text.encode(), text.swapcase().encode(), 1)
    store.write_bytes(content)
    assert ("row", f"identifier {key}") in faults_of(workspace.folder)
