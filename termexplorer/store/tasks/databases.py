"""Where the tasks of a study are: in a file of its folder, or on a PostgreSQL server."""

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from sqlalchemy import Connection, text

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.database.engine import Store
from termexplorer.store.tasks.columns import METADATA
from termexplorer.store.tasks.patience import retry_while_away
from termexplorer.store.team.server import TeamAddress, TeamServer, read_address
from termexplorer.texts import tr

TASKS_FILE = "tasks.sqlite"
_ADDRESS_FILE = "tasks-server.json"
_STUDY = "study"  # the only one of a file
_SCHEMA = "termexplorer_work"
_PATIENCE = 10.0  # seconds that a server which restarts may be away
_MAKING = 20_281_964  # the key of the lock under which tables are made


@dataclass(frozen=True, slots=True)
class TaskAddress:
    """Where the tasks of a study are on a server.

    Attributes:
        server: its database; the folder of the study never holds a password.
        study: the study's name there.
    """

    server: TeamAddress
    study: str


class TaskDatabase(Protocol):
    """A database that holds tasks.

    Attributes:
        study: the name of the study in it.
    """

    study: str

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection whose changes are all kept, or none if an error is raised."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one moment."""

    def read_clock(self, connection: Connection) -> float:
        """Return the seconds since 1970, by the clock that all workers go by."""

    def close(self) -> None:
        """Close all connections."""


class FileTasks:
    """Tasks in a SQLite file in the folder of a study.

    Args:
        folder: of the study.
    """

    study = _STUDY

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder / TASKS_FILE)
        with self._store.writing() as connection:
            METADATA.create_all(connection)

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection that has the write lock, whose changes are all kept or none."""
        return self._store.writing()

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one moment."""
        return self._store.reading()

    def read_clock(self, connection: Connection) -> float:
        """Return the seconds since 1970 by this computer's clock."""
        return time.time()

    def close(self) -> None:
        """Close all connections."""
        self._store.close()


class ServerTasks:
    """Tasks on a PostgreSQL server, in a schema of their own; each transaction connects anew.

    Args:
        address: of the tasks.
        password: to log in with; "" where the server asks for none.

    Raises:
        UserError: the server is not reached, or the login may not make tables there.
    """

    def __init__(self, address: TaskAddress, password: str) -> None:
        self.study = address.study
        self._server, self._password = address.server, password
        self._make_tables()

    @retry_while_away(_PATIENCE)
    def _make_tables(self) -> None:
        with self.writing() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MAKING})"))
            connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}"))
            METADATA.create_all(connection.execution_options(schema_translate_map={None: _SCHEMA}))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes are all kept, or none if an error is raised."""
        server = TeamServer(self._server, self._password)
        try:
            with server.transaction() as connection:
                connection.execute(text(f"SET LOCAL search_path TO {_SCHEMA}"))
                yield connection
        finally:
            server.close()

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection for queries."""
        return self.writing()

    def read_clock(self, connection: Connection) -> float:
        """Return the seconds since 1970 by the server's clock."""
        return float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0)

    def close(self) -> None:
        """Do nothing: no connection stays open."""


def keep_address(folder: Path, server: str) -> TaskAddress:
    """Have a study keep its tasks on a server from now on; return where.

    Args:
        folder: of the study.
        server: as `read_address` takes it.

    Raises:
        UserError: it is no such address, or the study has its tasks elsewhere already.
    """
    address = read_address(server)
    before = find_address(folder)
    elsewhere = before is None and (folder / TASKS_FILE).exists()
    if elsewhere or (before is not None and before.server != address):
        raise UserError(
            tr(
                "{folder}: the tasks of this study are kept elsewhere already; leave --database "
                "out, or choose another --out",
                folder=folder,
            )
        )
    if before is not None:
        return before
    folder.mkdir(parents=True, exist_ok=True)
    fresh_address = TaskAddress(address, uuid4().hex)
    words = {"database": address.shown, "study": fresh_address.study}
    with atomic_write(folder / _ADDRESS_FILE) as fresh:
        fresh.write_text(json.dumps(words) + "\n", "utf-8")
    return fresh_address


def find_address(folder: Path) -> TaskAddress | None:
    """Return where the tasks of a study are on a server; None where they are in its folder.

    Raises:
        UserError: the file that says so is damaged.
    """
    path = folder / _ADDRESS_FILE
    try:
        words = json.loads(path.read_text("utf-8"))
        return TaskAddress(read_address(words["database"]), str(words["study"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            tr("{path}: is damaged; remove it and name --database again", path=path)
        ) from error
