"""The connection to a team's PostgreSQL server, by SQLAlchemy and psycopg, the extra `team`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from termexplorer.errors import UserError
from termexplorer.texts import mark, tr, translated

if TYPE_CHECKING:
    import psycopg

_DRIVER = "postgresql+psycopg"
_CONNECT_SECONDS = 10
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
_CHANNEL = "termexplorer"
FORKED, BEHIND = "TX001", "TX002"  # what the server's own checks raise
_REASONS = {  # by SQLSTATE
    "28P01": mark("the name or the password is wrong"),
    "28000": mark("the server lets nobody in under that name; ask who runs it"),
    "3D000": mark("there is no such database on the server; ask who runs it"),
    "42501": mark("your role does not allow this; ask the author of the team"),
    "3F000": mark("the database is no team's yet; its author runs `termexplorer team init`"),
    "42P01": mark("the database is no team's yet; its author runs `termexplorer team init`"),
}

_REASONS_BY_TEXT = {
    "password authentication failed": _REASONS["28P01"],
    "fe_sendauth: no password": mark(
        "it asks for a password; set TERMEXPLORER_TEAM_PASSWORD, or join again"
    ),
    '" does not exist': _REASONS["3D000"],
    "permission denied for database": _REASONS["28000"],
}


class TeamError(UserError):
    """What a team's server refused, or why it was not reached.

    Attributes:
        state: the SQLSTATE of the refusal; "" where the server was not reached or went away.
    """

    def __init__(self, message: str, state: str = "") -> None:
        super().__init__(message)
        self.state = state


@dataclass(frozen=True, slots=True)
class TeamAddress:
    """Where a team's database is, and under which name one logs in; it never holds a password.

    Attributes:
        url: as SQLAlchemy has it.
    """

    url: URL

    @property
    def shown(self) -> str:
        """The address as people write it."""
        return self.url.set(drivername="postgresql").render_as_string()

    @property
    def login(self) -> str:
        """The name under which one logs in."""
        return self.url.username or ""


def read_address(address: str) -> TeamAddress:
    """Read the address of a team's database.

    Raises:
        UserError: it is none, names nobody who logs in, or holds a password.
    """
    try:
        url = make_url(address)
        url.port  # noqa: B018 - raises where it is no number
    except (ArgumentError, ValueError):
        raise UserError(_say_form(tr("is no address of a database"))) from None
    if url.password is not None:
        raise UserError(
            tr(
                "the address holds a password, which would stay in the history of the shell; leave "
                "it out, change it on the server, and set TERMEXPLORER_TEAM_PASSWORD or be asked"
            )
        )
    if url.drivername not in ("postgresql", "postgres", _DRIVER):
        raise UserError(_say_form(tr("is no address of PostgreSQL")))
    if not url.username or not url.database:
        raise UserError(_say_form(tr("has no name to log in with, or no database")))
    query = dict(url.query)
    if (url.host or "") not in _LOCAL:
        query.setdefault("sslmode", "require")
    return TeamAddress(url.set(drivername=_DRIVER, query=query))


def _say_form(problem: str) -> str:
    return tr(
        "the address {problem}; write postgresql://NAME@HOST/DATABASE, as who runs the server "
        "told you",
        problem=problem,
    )


class TeamServer:
    """A connection to a team's database; one thread at a time has it.

    Args:
        address: of the database.
        password: to log in with; "" where the server asks for none.

    Raises:
        UserError: the extra `team` is missing.
        TeamError: the server cannot be reached, or lets nobody in.
    """

    def __init__(self, address: TeamAddress, password: str) -> None:
        if find_spec("psycopg") is None:
            raise UserError(
                tr(
                    "a team needs the extra `team`: .venv/bin/python -m pip install -e '.[team]' "
                    "in termexplorer's folder"
                )
            )
        self.address = address
        url = address.url.set(password=password) if password else address.url
        arguments = {"connect_timeout": _CONNECT_SECONDS, "application_name": "termexplorer"}
        arguments |= {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
        self._engine = create_engine(url, poolclass=NullPool, connect_args=arguments)
        with self._tell_errors():
            self._connection = self._engine.connect()
        self._raw: psycopg.Connection[Any] = self._connection.connection.driver_connection  # type: ignore[assignment]

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection whose changes are all kept, or none if an error is raised.

        Raises:
            TeamError: the server refused something, or went away.
        """
        if self._raw.closed:  # or SQLAlchemy would open another one, which nobody listens on
            raise self._explain(None)
        with self._tell_errors(), self._connection.begin():
            yield self._connection

    def listen(self) -> None:
        """Ask to be told whenever somebody shares anything."""
        with self.transaction() as connection:
            connection.execute(text(f"LISTEN {_CHANNEL}"))

    def wait_for_change(self, seconds: float) -> bool:
        """Return whether somebody shared something, as soon as it happens, or after some time.

        Raises:
            TeamError: the server went away.
        """
        with self._tell_errors():
            process = self._raw.info.backend_pid
            notices = list(self._raw.notifies(timeout=seconds, stop_after=1))
            notices += list(self._raw.notifies(timeout=0))
        return any(notice.pid != process for notice in notices)

    def close(self) -> None:
        """Close the connection, which may be lost."""
        if self._raw.closed and not self._connection.invalidated:
            self._connection.invalidate()  # or SQLAlchemy would report that it cannot roll back
        self._connection.close()
        self._engine.dispose()

    @contextmanager
    def _tell_errors(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except (DBAPIError, psycopg.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise self._explain(cause) from None  # whose text may quote what was sent

    def _explain(self, error: BaseException | None) -> TeamError:
        state = getattr(error, "sqlstate", None) or ""
        reason = _REASONS.get(state)
        if reason is None:  # a connection that fails has no SQLSTATE
            texts = (sign for sign in _REASONS_BY_TEXT if sign in str(error))
            reason = next(map(_REASONS_BY_TEXT.__getitem__, texts), None)
        if reason is not None:
            return TeamError(f"{self.address.shown}: {translated(reason)}", state)
        first_line = str(error or tr("the connection is lost")).strip().partition("\n")[0]
        return TeamError(
            tr(
                "{address}: the server is not reached, or refused ({error}); what you judge stays "
                "here and is sent later",
                address=self.address.shown,
                error=first_line,
            ),
            state,
        )
