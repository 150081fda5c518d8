"""What the log says of one judge and subject, found by its indexes, however long the log is."""

from collections.abc import Iterable, Iterator

from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject

GivenVerdict = tuple[Judge, VerdictSubject, Answer]
Pair = tuple[str, str, str]  # study, subject and object

_SUBJECT = (
    "WHERE study = ? AND subject = ? AND object = ? AND judge = ? AND orcid = ? AND question = ? "
    "AND term = ? AND showing = ?"
)
_AT = f"SELECT answer, note FROM verdict {_SUBJECT} AND answered_at = ? AND undoes IS NULL"
_IS_KNOWN = f"SELECT 1 FROM verdict {_SUBJECT} AND answered_at = ? AND answer = ? LIMIT 1"
_COUNTING = f"""
SELECT id, answered_at FROM verdict AS said INDEXED BY verdict_about
{_SUBJECT} AND undoes IS NULL AND NOT EXISTS (
    SELECT 1 FROM verdict AS taken WHERE taken.undoes = said.id
    AND NOT EXISTS (SELECT 1 FROM verdict AS again WHERE again.undoes = taken.id)
)
ORDER BY id DESC
"""
_SINCE = "SELECT study, subject, object FROM verdict WHERE id > ?"
# a plus before a column keeps SQLite from its index: the rows since are few
_IS_MERGED_SINCE = """
SELECT 1 FROM verdict WHERE id > ? AND +study = ? AND json_extract(details, '$.origin') IS NOT NULL
LIMIT 1
"""
_LAST = "SELECT max(id) FROM verdict"


def find_answer_at(
    connection: SqlReader, judge: Judge, subject: VerdictSubject, moment: str
) -> tuple[str, str] | None:
    """Return a judge's answer and note of that moment, also if it was taken back; None if none."""
    row = connection.exec_driver_sql(
        f"{_AT} ORDER BY id DESC LIMIT 1", (*_key_of(judge, subject), moment)
    ).fetchone()
    return tuple(row) if row else None


def is_known(connection: SqlReader, given: GivenVerdict) -> bool:
    """Return whether the log has a verdict, also if it was taken back."""
    judge, subject, answer = given
    key = (*_key_of(judge, subject), answer.answered_at, answer.answer)
    return connection.exec_driver_sql(_IS_KNOWN, key).fetchone() is not None


def iterate_counting(
    connection: SqlReader, judge: Judge, subject: VerdictSubject
) -> Iterator[tuple[int, str]]:
    """Yield the row and moment of all that counts of what a judge said, the last row first."""
    return iter(connection.exec_driver_sql(_COUNTING, _key_of(judge, subject)))


def find_last_row(connection: SqlReader) -> int:
    """Return the number of the last row of the log; 0 if it is empty."""
    return connection.exec_driver_sql(_LAST).fetchone()[0] or 0


def find_pairs_since(connection: SqlReader, row: int) -> set[Pair]:
    """Return what the rows after one are about."""
    return {tuple(pair) for pair in connection.exec_driver_sql(_SINCE, (row,))}


def is_merged_since(connection: SqlReader, study: str, row: int) -> bool:
    """Return whether rows that came from elsewhere were added to a study after a row."""
    return connection.exec_driver_sql(_IS_MERGED_SINCE, (row, study)).fetchone() is not None


def list_pairs(given: Iterable[GivenVerdict]) -> set[Pair]:
    """Return what verdicts are about, as `find_pairs_since` does."""
    return {(subject.study, subject.subject, subject.object) for _, subject, _ in given}


def _key_of(judge: Judge, subject: VerdictSubject) -> tuple[str | int, ...]:
    return (
        subject.study, subject.subject, subject.object, judge.name, judge.orcid,
        subject.question, subject.term, subject.showing,
    )  # fmt: skip
