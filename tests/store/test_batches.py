"""Batches of an import: written one after another, each committed while the next is made."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from termexplorer.errors import DiskFullError
from termexplorer.importers.records import ConceptRecord, NameRecord
from termexplorer.store.database.engine import Store
from termexplorer.store.indexes.search_keys import index_search_keys
from termexplorer.store.opening import open_store
from termexplorer.store.releases.batches import BatchWriter, RowBatch
from termexplorer.store.releases.loading import begin_release, first_concept_id
from termexplorer.store.search.sorted_names import sort_names
from termexplorer.workers.importing import loading


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "workspace.sqlite")
    yield store
    store.close()


def batch(*ids: int) -> RowBatch:
    concepts = [(i, f"T:{i}", f"{i}", "", f"name {i}", "", False, False, None) for i in ids]
    names = [(i, "preferred", "", f"name {i}") for i in ids]
    return RowBatch(concepts, names, [(i, "code", f"{i}") for i in ids])


def write(store: Store, release_id: int, *batches: RowBatch) -> None:
    with BatchWriter(store, release_id) as writer:
        for own_batch in batches:
            writer.add(own_batch)


def stored(store: Store) -> list[int]:
    with closing(sqlite3.connect(store.path)) as connection:
        return [i for (i,) in connection.execute("SELECT id FROM concept ORDER BY id")]


def found(store: Store, word: str) -> int:
    query = "SELECT count(*) FROM search_words WHERE search_words MATCH ?"
    with closing(sqlite3.connect(store.path)) as connection:
        return int(connection.execute(query, (word,)).fetchone()[0])


def test_what_was_added_is_there_once_it_is_settled(store: Store) -> None:
    release_id = begin_release(store, "table", "here")
    with BatchWriter(store, release_id) as writer:
        writer.add(batch(1, 2))
        writer.settle()
        assert stored(store) == [1, 2]
        writer.add(batch(3))
        writer.add(batch(4, 5))
    assert stored(store) == [1, 2, 3, 4, 5]
    assert (found(store, "name"), found(store, "4")) == (5, 2)  # a name and a code


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), min_size=1))
def test_rows_are_stored_as_they_are(store: Store, rows: list[tuple[str, str, bool]]) -> None:
    """But for zero characters, at which SQLite ends a text."""
    release_id = begin_release(store, "table", "here")
    first = first_concept_id(store)
    concepts = [
        (first + n, f"T:{n}", "", kind, text, text, flag, not flag, text or None)
        for n, (kind, text, flag) in enumerate(rows)
    ]
    names = [(first + n, kind, kind, text) for n, (kind, text, _) in enumerate(rows)]
    write(store, release_id, RowBatch(concepts, names, []))
    with store.looking() as connection:
        query = "SELECT {} FROM {} WHERE release_id = ? ORDER BY id"
        columns = "kind, label, definition, obsolete, root, coalesce(details, '')"
        stored = connection.execute(query.format(columns, "concept"), (release_id,)).fetchall()
        named = connection.execute(query.format("kind, text", "name"), (release_id,)).fetchall()
    clean = [(kind.replace("\0", ""), text.replace("\0", ""), flag) for kind, text, flag in rows]
    assert stored == [(k, t, t, flag, not flag, t) for k, t, flag in clean]
    assert named == [(k, t) for k, t, _ in clean]


def test_a_batch_that_fails_leaves_nothing_and_those_before_it_stay(store: Store) -> None:
    release_id = begin_release(store, "table", "here")
    with pytest.raises(IntegrityError):
        write(store, release_id, batch(1, 2), batch(3, 2))
    assert stored(store) == [1, 2]
    assert found(store, "name") == 2


def test_a_commit_that_fails_is_told_by_who_waits_for_it(store: Store) -> None:
    release_id = begin_release(store, "table", "here")
    with files_that_grow_no_more(), pytest.raises(DiskFullError):  # a commit writes the log
        write(store, release_id, batch(1, 2))
    assert stored(store) == []


@contextmanager
def files_that_grow_no_more() -> Iterator[None]:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_only_rows_that_are_trusted_are_added_without_looking_up_what_they_refer_to(
    store: Store,
) -> None:
    release_id = begin_release(store, "table", "here")
    lost = RowBatch([], [(7, "preferred", "", "cold")], [])  # of a concept that is not there
    with pytest.raises(IntegrityError), store.filling() as connection:
        add_name(connection, release_id)
    with store.filling(trusted=True) as connection:
        add_name(connection, release_id)
    write(store, release_id, lost)
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM name").fetchone() == (2,)
    with pytest.raises(IntegrityError), store.writing() as connection:
        add_name(connection, release_id)


def test_what_is_loaded_refers_to_what_is_there(store: Store) -> None:
    """Nothing looks it up while it is loaded, so it is looked up here."""
    loader = loading.Loader(store, begin_release(store, "table", "here"))
    records = [
        ConceptRecord(
            f"T:{n}", f"{n}", names=(NameRecord(f"name {n}", "preferred"),), parents=("T:0", "T:99")
        )
        for n in range(9)
    ]
    loader.load([*records, *records], lambda: None)
    loader.finish("here")
    sort_names(store, 1, lambda: None)
    index_search_keys(store, 1, lambda: None)
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM is_a").fetchone() == (8,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def add_name(connection: Connection, release_id: int) -> None:
    connection.exec_driver_sql(
        "INSERT INTO name (release_id, concept_id, kind, scope, text) VALUES (?, 7, '', '', 'a')",
        (release_id,),
    )


def test_a_concept_that_stands_again_finds_what_is_being_committed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_BATCH_ROWS", 1)
    loader = loading.Loader(store, begin_release(store, "table", "here"))
    first = ConceptRecord("T:1", "1", names=(NameRecord("cold", "preferred"),), line=1)
    again = ConceptRecord(
        "T:1", "1", names=(NameRecord("cold", "synonym"), NameRecord("coryza", "synonym")), line=2
    )
    loader.load([first, again, first], lambda: None)
    loader.finish("here")
    with closing(sqlite3.connect(store.path)) as connection:
        names = connection.execute("SELECT text FROM name ORDER BY id").fetchall()
    assert names == [("cold",), ("coryza",)]
