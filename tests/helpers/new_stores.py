"""New stores: a copy of one whose migrations were run, not the migrations once more for each."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import termexplorer.store.opening
from termexplorer.store.database.engine import Store

Migrate = Callable[..., None]


@contextmanager
def copied_new_stores(folder: Path) -> Iterator[None]:
    """Fill stores that have no tables yet by a copy; older ones are migrated as users' are."""
    migrate: Migrate = termexplorer.store.opening.migrate_store

    def migrate_or_copy(store: Store, revision: str = "head") -> None:
        template = folder / "new.sqlite"
        if revision != "head" or _has_tables(store):
            migrate(store, revision)
        elif template.exists():
            _copy_store(template, store.path)
        else:
            migrate(store)
            store.save_copy(template)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(termexplorer.store.opening, "migrate_store", migrate_or_copy)
        yield


def _has_tables(store: Store) -> bool:
    with store.looking() as connection:
        return bool(connection.execute("SELECT name FROM sqlite_master").fetchall())


def _copy_store(template: Path, path: Path) -> None:
    with closing(sqlite3.connect(template)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)
