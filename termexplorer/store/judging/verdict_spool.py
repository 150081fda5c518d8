"""Verdicts on their way from a file into the log, which need no memory however many they are."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from types import TracebackType
from typing import Self

from termexplorer.errors import DiskFullError
from termexplorer.store.judging.log_index import GivenVerdict
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject
from termexplorer.texts import tr

_CREATE = """
CREATE TABLE given (
    place INTEGER PRIMARY KEY, moment INTEGER, judge TEXT, orcid TEXT, question TEXT, subject TEXT,
    object TEXT, term TEXT, study TEXT, showing INTEGER, answer TEXT, note TEXT, shown_at TEXT,
    answered_at TEXT, release_hash TEXT, details TEXT
);
CREATE INDEX given_moment ON given (moment);
"""
_ADD = "INSERT INTO given VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FIND = """
SELECT answer, note FROM given WHERE moment = ? AND judge = ? AND orcid = ? AND question = ?
AND subject = ? AND object = ? AND term = ? AND study = ? AND showing = ? AND answered_at = ?
ORDER BY place LIMIT 1
"""
_ALL = """
SELECT judge, orcid, question, subject, object, term, study, showing, answer, note, shown_at,
answered_at, release_hash, details FROM given
"""
_CACHE = 16 << 10  # KB


class TemporaryTables:
    """Tables in a file where temporary ones go, that SQLite gives no name and removes by itself.

    Args:
        create: the statements that make them.
    """

    def __init__(self, create: str) -> None:
        with _tell_full_disk():
            self._connection = sqlite3.connect("", isolation_level=None)
            for pragma in (f"cache_size=-{_CACHE}", "journal_mode=OFF", "synchronous=OFF"):
                self._connection.execute(f"PRAGMA {pragma}").fetchall()
            self._connection.executescript(create)
            self._connection.execute("BEGIN")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the file."""
        self._connection.close()

    def run(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Run a statement.

        Raises:
            DiskFullError: there is no room for its rows.
        """
        with _tell_full_disk():
            return self._connection.execute(statement, values)


class VerdictSpool(TemporaryTables):
    """The verdicts of a file.

    Args:
        by_moment: whether they come in the order in which they were given; else in the file's.
    """

    def __init__(self, *, by_moment: bool = False) -> None:
        super().__init__(_CREATE)
        self._order = "ORDER BY answered_at, place" if by_moment else "ORDER BY place"

    def add(self, given: GivenVerdict) -> None:
        """Take a verdict.

        Raises:
            DiskFullError: there is no room for it.
        """
        judge, subject, answer = given
        self.run(
            _ADD,
            (
                _hash_moment(judge, subject, answer.answered_at), *_key_of(judge, subject),
                answer.answer, answer.note, answer.shown_at, answer.answered_at,
                answer.release_hash,
                json.dumps(dict(answer.details)),
            ),
        )  # fmt: skip

    def find_answer_at(
        self, judge: Judge, subject: VerdictSubject, moment: str
    ) -> tuple[str, str] | None:
        """Return the answer and note of the first verdict of that moment; None if there is none."""
        key = (_hash_moment(judge, subject, moment), *_key_of(judge, subject), moment)
        row = self.run(_FIND, key).fetchone()
        return tuple(row) if row else None

    def __iter__(self) -> Iterator[GivenVerdict]:
        """Yield all."""
        for name, orcid, *about, answer, note, shown, at, release, details in self.run(
            _ALL + self._order
        ):
            given_answer = Answer(answer, note, shown, at, release, json.loads(details))
            yield Judge(name, orcid), VerdictSubject(*about), given_answer


def _hash_moment(judge: Judge, subject: VerdictSubject, moment: str) -> int:
    key = repr((*_key_of(judge, subject), moment)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), signed=True)


def _key_of(judge: Judge, subject: VerdictSubject) -> tuple[str | int, ...]:
    return (
        judge.name, judge.orcid, subject.question, subject.subject, subject.object, subject.term,
        subject.study, subject.showing,
    )  # fmt: skip


@contextmanager
def _tell_full_disk() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise DiskFullError(
            tr(
                "there is no room for temporary files ({error}); make room, or set TMPDIR to a "
                "folder that has some",
                error=error,
            )
        ) from error
