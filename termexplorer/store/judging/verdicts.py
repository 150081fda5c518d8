"""The one log of verdicts: what was answered, by whom, on what; only ever added to.

Each row holds the hash of the row before, so that a byte that somebody changes is found. Taking a
verdict back is a row too, and so is taking that back: a verdict counts unless a row that counts
takes it back.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    insert,
    select,
)
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import InstrumentedAttribute, aliased

from termexplorer.errors import UserError
from termexplorer.store.tables.judging import SuggestionRow, VerdictRow
from termexplorer.texts import tr

CURATORS = ""  # the study that curators' work counts as
FIRST = "0" * 64  # what stands for the hash before the first row
_ABOUT = ("study", "subject", "object", "question", "term", "showing")
_JUDGE = ("judge", "orcid")


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges; people of one name stay apart by their ORCIDs."""

    name: str
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class VerdictSubject:
    """What is judged.

    Attributes:
        question: for curators the predicate, a CURIE: `skos:broadMatch`.
        subject: a CURIE, or a term.
        object: a CURIE, or a term.
        term: the name of the subject that is meant; empty for all of it.
        study: a study of pairs; empty for curators' work.
        showing: which time it is asked, from 1; a study may ask again.
    """

    question: str
    subject: str
    object: str
    term: str = ""
    study: str = CURATORS
    showing: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody said.

    Attributes:
        answer: a word of the question's scale.
        note: in the judge's own words.
        shown_at: when it was asked, ISO 8601 in UTC.
        answered_at: when it was answered.
        release_hash: of the subject's release; empty for terms without one.
        details: what else is worth keeping; JSON.
    """

    answer: str
    note: str
    shown_at: str
    answered_at: str
    release_hash: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoggedVerdict:
    """A row of the log.

    Attributes:
        undoes: the row that it takes back; None of a verdict.
        hash: its own.
    """

    id: int
    judge: Judge
    subject: VerdictSubject
    answer: Answer
    undoes: int | None = None
    hash: str = ""


def append(
    connection: Connection,
    judge: Judge,
    subject: VerdictSubject,
    answer: Answer,
    undoes: int | None = None,
) -> int:
    """Adds a verdict; it counts instead of the judge's former one on the same subject.

    Args:
        connection: to write on.
        judge: who said it.
        subject: of what.
        answer: what was said.
        undoes: the row that is taken back, where the row is no verdict.
    """
    return append_rows(connection, [(judge, subject, answer, undoes)])


def append_rows(
    connection: Connection, rows: Iterable[tuple[Judge, VerdictSubject, Answer, int | None]]
) -> int:
    """Add rows in one go, each with what it takes back, and return the id of the last."""
    last = select(VerdictRow.id, VerdictRow.hash).order_by(VerdictRow.id.desc()).limit(1)
    newest, before = connection.execute(last).tuples().first() or (0, FIRST)
    added = []
    for row, (judge, subject, answer, undoes) in enumerate(rows, newest + 1):
        values: dict[str, Any] = {"id": row, "judge": judge.name, "orcid": judge.orcid}
        # `asdict` copies deeply, which takes more time than all else
        values |= {name: getattr(subject, name) for name in VerdictSubject.__slots__}
        values |= {name: getattr(answer, name) for name in Answer.__slots__}
        values |= {"undoes": undoes, "before": before}
        before = hash_row(values)
        added.append(values | {"hash": before})
    if added:
        connection.execute(insert(VerdictRow), added)
    return newest + len(added)


def undo(connection: Connection, judge: Judge, study: str, at: str) -> LoggedVerdict | None:
    """Takes back the judge's last verdict that counts; none if there is nothing to take back."""
    last = VerdictRow.id.desc()
    row = connection.execute(_counting_query(_is_by(judge, study)).order_by(last).limit(1)).first()
    if row is None:
        return None
    return _take_back(connection, _make_judged(row), row.id, at)


def redo(connection: Connection, judge: Judge, study: str, at: str) -> LoggedVerdict | None:
    """Brings back what was taken back last, unless something was judged since; none if so."""
    by = _is_by(judge, study)
    newest = (
        select(func.max(VerdictRow.id)).where(by, VerdictRow.undoes.is_(None)).scalar_subquery()
    )
    again, undone = aliased(VerdictRow), aliased(VerdictRow)
    query = (
        select(VerdictRow)
        .join(undone, undone.id == VerdictRow.undoes)
        .where(by, VerdictRow.undoes.is_not(None), VerdictRow.id > newest)
        .where(~select(again.id).where(again.undoes == VerdictRow.id).exists())
        .where(undone.undoes.is_(None))
    )
    row = connection.execute(_with_columns(query).order_by(VerdictRow.id.desc()).limit(1)).first()
    if row is None:
        return None
    brought_back = connection.execute(
        _with_columns(select(VerdictRow)).where(VerdictRow.id == row.undoes)
    )
    return _take_back(connection, _make_judged(brought_back.one()), row.id, at)


def judged(connection: Connection, study: str = CURATORS) -> list[LoggedVerdict]:
    """What counts: the last verdict of each judge on each subject, in the order of the log.

    Verdicts of a study come in from several machines in any order, so there the last is the one
    that was given last.
    """
    return list(iterate_judged(connection, study))


def iterate_judged(connection: Connection, study: str = CURATORS) -> Iterator[LoggedVerdict]:
    """Yield what `judged` returns, one by one, for logs that are too long for the memory."""
    query = _judged_query(by_moment=study != CURATORS)
    yield from map(_make_judged, connection.execute(query, {"of_study": study}))


def judged_on(connection: Connection, subject: VerdictSubject) -> list[LoggedVerdict]:
    """Return what counts of one subject, found by the index."""
    query = _subject_query(by_moment=subject.study != CURATORS)
    values = {f"of_{name}": getattr(subject, name) for name in _ABOUT}
    return list(map(_make_judged, connection.execute(query, values)))


def judged_in_list(
    connection: Connection, list_id: int, *, any_predicate: bool = False
) -> Iterator[LoggedVerdict]:
    """Yield what counts of the suggestions of a list, or of its pairs, found by the index."""
    names = ("subject", "object", "term", *(() if any_predicate else ("question",)))
    asked = select(*(getattr(SuggestionRow, name) for name in names))
    rows = asked.where(SuggestionRow.list_id == list_id).distinct().subquery()
    same = [getattr(VerdictRow, name) == rows.c[name] for name in names]
    query = _last_query(and_(VerdictRow.study == CURATORS, *same))
    yield from map(_make_judged, connection.execute(query.join_from(rows, VerdictRow, and_(*same))))


def count_judged_of(connection: Connection, release_hash: str) -> int:
    """Return how many curators' verdicts that count are of a release."""
    of_release = (VerdictRow.study == CURATORS) & (VerdictRow.release_hash == release_hash)
    query = _last_query(of_release).order_by(None).subquery()
    return connection.scalar(select(func.count()).select_from(query)) or 0


@cache  # making it takes longer than reading a short log
def _judged_query(*, by_moment: bool) -> Select[Any]:
    """Select what counts of the study `of_study`."""
    return _last_query(VerdictRow.study == bindparam("of_study"), by_moment=by_moment)


@cache
def _subject_query(*, by_moment: bool) -> Select[Any]:
    """Select what counts of one subject, whose `_ABOUT` are `of_study` and so on."""
    same = (getattr(VerdictRow, name) == bindparam(f"of_{name}") for name in _ABOUT)
    return _last_query(and_(*same), by_moment=by_moment)


def _last_query(condition: ColumnElement[bool], *, by_moment: bool = False) -> Select[Any]:
    """Select the last verdicts of judges on subjects that count: written last, or given last."""
    later = aliased(VerdictRow)
    # a sum, for which SQLite takes the index of subjects and not that of judges
    is_later: ColumnElement[bool] = later.id + 0 > VerdictRow.id
    if by_moment:
        same_moment = (later.answered_at == VerdictRow.answered_at) & is_later
        is_later = (later.answered_at > VerdictRow.answered_at) | same_moment
    same = [getattr(later, name) == getattr(VerdictRow, name) for name in (*_ABOUT, *_JUDGE)]
    overruled = (
        select(later.id).where(*same, later.undoes.is_(None), is_later, ~_is_taken_back(later.id))
    ).exists()
    return _counting_query(condition & ~overruled).order_by(VerdictRow.id)


def counting(connection: Connection, study: str, judge: Judge | None = None) -> list[LoggedVerdict]:
    """All that is not taken back, of everybody or one judge, in the order of the log."""
    which = VerdictRow.study == study if judge is None else _is_by(judge, study)
    query = _counting_query(which).order_by(VerdictRow.id)
    return list(map(_make_judged, connection.execute(query)))


def moments_of_others(
    connection: Connection, study: str, judge: Judge
) -> Iterator[tuple[str, str]]:
    """Yield when others than a judge were shown and answered what counts of a study."""
    of_others = (VerdictRow.study == study) & ~_is_by(judge, study)
    query = _counting_query(of_others).with_only_columns(
        VerdictRow.shown_at, VerdictRow.answered_at
    )
    yield from connection.execute(query).tuples()


def last_row(connection: Connection) -> int:
    """The number of the last row of the log, by which it is seen that it grew; 0 if it is empty."""
    return connection.scalar(select(func.max(VerdictRow.id))) or 0


def count_rows(connection: Connection, study: str) -> int:
    """How many rows the log has on a study, those too that take back or were taken back."""
    query = select(func.count()).select_from(VerdictRow).where(VerdictRow.study == study)
    return connection.scalar(query) or 0


def given(connection: Connection, study: str) -> list[LoggedVerdict]:
    """All verdicts of a study, those too that were taken back, in the order of the log."""
    of_study = (VerdictRow.study == study) & VerdictRow.undoes.is_(None)
    query = select(VerdictRow).where(of_study).order_by(VerdictRow.id)
    return list(map(_make_judged, connection.execute(_with_columns(query))))


def history(connection: Connection, study: str, judge: Judge) -> list[LoggedVerdict]:
    """All rows of a judge, those too that take back or were taken back."""
    query = select(VerdictRow).where(_is_by(judge, study)).order_by(VerdictRow.id)
    return list(map(_make_judged, connection.execute(_with_columns(query))))


def find_row(connection: Connection, row: int) -> LoggedVerdict:
    """Return a row of the log that is there."""
    query = _with_columns(select(VerdictRow)).where(VerdictRow.id == row)
    return _make_judged(connection.execute(query).one())


def history_on(
    connection: Connection, judge: Judge, subject: VerdictSubject
) -> list[LoggedVerdict]:
    """Return the part of `history` that is about one subject, found by the index."""
    names = ("subject", "object", "question", "term", "showing")
    same = [getattr(VerdictRow, name) == getattr(subject, name) for name in names]
    query = select(VerdictRow).where(_is_by(judge, subject.study), *same)
    # a sum, for which SQLite takes the index of subjects and not that of judges
    rows = connection.execute(_with_columns(query).order_by(VerdictRow.id + 0))
    return list(map(_make_judged, rows))


def count_rows_of(connection: Connection, study: str, judge: Judge) -> int:
    """Return how many rows `history` has."""
    return connection.scalar(select(func.count()).where(_is_by(judge, study))) or 0


def check_log(connection: Connection) -> int:
    """Reads the whole log and returns how many rows it has.

    Raises:
        UserError: a row was changed, or rows are missing before it.
    """
    before, count = FIRST, 0
    for row in _rows_to_check(connection):
        values = row._asdict()
        stored_hash = values.pop("hash")
        if values["before"] != before:
            raise UserError(_broken_row_text(row.id, tr("the row before it is another one")))
        if hash_row(values) != stored_hash:
            raise UserError(_broken_row_text(row.id, tr("it was changed after it was written")))
        before, count = stored_hash, count + 1
    return count


def _rows_to_check(connection: Connection) -> Iterator[Row[Any]]:
    last = 0
    query = select(*VerdictRow.__table__.columns).order_by(VerdictRow.id)
    try:
        for row in connection.execute(query):
            yield row
            last = row.id
    except (DatabaseError, ValueError) as error:  # a page, text or JSON that cannot be read
        raise UserError(_broken_row_text(last + 1, tr("it cannot be read"))) from error


def _broken_row_text(row: int, problem: str) -> str:
    return tr(
        "the log of verdicts is broken at row {row}: {what}; `termexplorer workspace check "
        "--mend` puts it right by its hash or a backup, `termexplorer verdicts export "
        "--without-broken` exports the others",
        row=row,
        what=problem,
    )


def _take_back(connection: Connection, logged: LoggedVerdict, row: int, at: str) -> LoggedVerdict:
    withdrawn = logged.answer
    answer = Answer("", "", at, at, withdrawn.release_hash)
    append(connection, logged.judge, logged.subject, answer, row)
    return logged


def json_hash(value: object) -> str:
    """The SHA-256 of a JSON value, however its keys are ordered."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_row(values: Mapping[str, Any]) -> str:
    """Return the hash of a row of the log: of all its columns by name, but its own hash."""
    # rows that were written before a subject could be shown again keep their hashes
    return json_hash(
        {name: value for name, value in values.items() if (name, value) != ("showing", 1)}
    )


def _is_by(judge: Judge, study: str) -> ColumnElement[bool]:
    same = (VerdictRow.judge == judge.name) & (VerdictRow.orcid == judge.orcid)
    return same & (VerdictRow.study == study)


def _counting_query(condition: ColumnElement[bool]) -> Select[Any]:
    return _with_columns(select(VerdictRow)).where(
        condition, VerdictRow.undoes.is_(None), ~_is_taken_back(VerdictRow.id)
    )


def _is_taken_back(row: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    taken, again = aliased(VerdictRow), aliased(VerdictRow)
    brought_back = select(again.id).where(again.undoes == taken.id).exists()
    return select(taken.id).where(taken.undoes == row, ~brought_back).exists()


def _with_columns(query: Select[Any]) -> Select[Any]:
    return query.with_only_columns(*VerdictRow.__table__.columns)


def _make_judged(row: Any) -> LoggedVerdict:
    return LoggedVerdict(
        row.id,
        Judge(row.judge, row.orcid),
        VerdictSubject(row.question, row.subject, row.object, row.term, row.study, row.showing),
        Answer(row.answer, row.note, row.shown_at, row.answered_at, row.release_hash, row.details),
        row.undoes,
        row.hash,
    )
