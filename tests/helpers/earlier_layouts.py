"""Stores as earlier versions left them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from termexplorer.store import opening
from termexplorer.store.database.engine import Store


@contextmanager
def earlier_layout(path: Path, revision: str) -> Iterator[Connection]:
    """A store as an earlier migration left it, to be filled."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
    store = Store(path)
    with store.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        yield connection
    store.close()
