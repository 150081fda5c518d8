"""Verdicts from elsewhere, added to the log by batches so short that nobody who judges waits."""

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection

from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.judging.log_index import (
    GivenVerdict,
    find_last_row,
    find_pairs_since,
    is_known,
    is_merged_since,
    iterate_counting,
    list_pairs,
)
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject, append_rows

_FIRST, _LEAST, _MOST = 100, 20, 2_000  # rows of a batch
_UNTIL_WRITTEN = 1_000  # rows after which the write-ahead log is written into the file
_WANTED = 0.03  # seconds of a batch
_LET_IN = 0.004  # seconds in which others that wait for the write lock are let in


@dataclass(frozen=True, slots=True)
class AddedVerdicts:
    """What came of verdicts that were given elsewhere.

    Attributes:
        new: how many were not in the log yet.
        older: how many were left out, as their judge said something later on the same.
    """

    new: int
    older: int


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a judge that is to be added.

    Attributes:
        subject: what was judged.
        answer: what was said.
        undoes: what the row takes back: a row of the log, or the key of a planned row before it.
        key: by which later planned rows name this one; "" where none does.
        replaces: a row of the log, and what it is about, that is taken back when this one is added.
    """

    subject: VerdictSubject
    answer: Answer
    undoes: int | str | None = None
    key: str = ""
    replaces: tuple[int, VerdictSubject] | None = None


class MergedMeanwhileError(Exception):
    """Somebody else merged answers to a study while rows were added to it.

    Attributes:
        added: how many planned rows were added before.
    """

    def __init__(self, added: int) -> None:
        super().__init__(added)
        self.added = added


class ShortBatches:
    """Transactions whose number of rows follows the time that they take.

    Attributes:
        rows: how many the next one should have.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unwritten = 0
        self.rows = _FIRST

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open the write transaction of a batch; others are let in after it."""
        with self._store.writing() as connection:
            began = time.perf_counter()
            yield connection
            seconds = time.perf_counter() - began
        self._unwritten += self.rows
        if self._unwritten >= _UNTIL_WRITTEN:  # or the next verdict of somebody would have to
            self._store.write_log_aside()
            self._unwritten = 0
        fits = seconds < _WANTED
        self.rows = min(self.rows * 5 // 4, _MOST) if fits else max(self.rows * 3 // 4, _LEAST)
        time.sleep(_LET_IN)


def append_in_batches(
    store: Store,
    given: Iterable[GivenVerdict],
    check: Callable[[Connection], None] = lambda _connection: None,
    *,
    skip_older: bool = False,
) -> AddedVerdicts:
    """Add verdicts that were given elsewhere, but for those that are in the log.

    If it is broken off, what was added is whole, and doing it again adds the rest.

    Args:
        store: whose log it is.
        given: in the order that the log is to have.
        check: raises where they may not be added any more; called in each transaction.
        skip_older: whether verdicts are left out whose judge said something later on the same.
    """
    batches, chooser = ShortBatches(store), _NewVerdicts(skip_older=skip_older)
    waiting = iter(given)
    new = 0
    while batch := list(islice(waiting, batches.rows)):
        with store.looking() as reader:
            last = find_last_row(reader)
            fresh = chooser.choose(reader, batch)
        if fresh:
            with batches.writing() as connection:
                check(connection)
                if find_pairs_since(connection, last) & list_pairs(fresh):
                    fresh = chooser.choose(connection, fresh)
                chooser.keep_own(append_rows(connection, ((*v, None) for v in fresh)), len(fresh))
        new += len(fresh)
    return AddedVerdicts(new, chooser.older)


def append_planned(
    store: Store,
    judge: Judge,
    planned: Iterable[PlannedRow],
    last: int,
    moment: str,
    check: Callable[[Connection], None],
) -> dict[str, int]:
    """Add rows that one judge gave elsewhere, in the order that the log is to have.

    If it is broken off, what was added is whole: plan anew for the rest.

    Args:
        store: whose log it is.
        judge: who gave them.
        planned: the rows, all of one study.
        last: the last row of the log when they were planned.
        moment: at which what they replace is taken back.
        check: raises where they may not be added any more; called in each transaction.

    Returns:
        The rows of the log by the keys of planned ones.

    Raises:
        MergedMeanwhileError: somebody merged answers to the study since; plan anew.
    """
    batches, waiting = ShortBatches(store), iter(planned)
    ids: dict[str, int] = {}
    added = 0
    while batch := list(islice(waiting, batches.rows)):
        study = batch[0].subject.study
        with store.looking() as reader:  # most of what came since is looked at here
            newest = find_last_row(reader)
            if is_merged_since(reader, study, last):
                raise MergedMeanwhileError(added)
        with batches.writing() as connection:
            check(connection)
            if is_merged_since(connection, study, newest):
                raise MergedMeanwhileError(added)
            last = append_rows(connection, _list_rows(judge, batch, moment, connection, ids))
        added += len(batch)
    return ids


def _list_rows(
    judge: Judge,
    batch: Iterable[PlannedRow],
    moment: str,
    connection: Connection,
    ids: dict[str, int],
) -> list[tuple[Judge, VerdictSubject, Answer, int | None]]:
    """Return rows as the log takes them, and keep in `ids` which row each key will be."""
    last = find_last_row(connection)
    rows: list[tuple[Judge, VerdictSubject, Answer, int | None]] = []
    for answer in batch:
        if answer.replaces is not None:
            replaced, subject = answer.replaces
            rows.append((judge, subject, Answer("", "", moment, moment), replaced))
        undoes = ids[answer.undoes] if isinstance(answer.undoes, str) else answer.undoes
        rows.append((judge, answer.subject, answer.answer, undoes))
        if answer.key:
            ids[answer.key] = last + len(rows)
    return rows


class _NewVerdicts:
    """Chooses the verdicts that the log has not, and nobody overruled.

    Attributes:
        older: how many were left out, as their judge said something later on the same.
    """

    def __init__(self, *, skip_older: bool) -> None:
        self.older = 0
        self._skip_older = skip_older
        self._firsts: list[int] = []  # of the rows that were added here, and the last ones
        self._lasts: list[int] = []

    def choose(self, connection: SqlReader, given: Iterable[GivenVerdict]) -> list[GivenVerdict]:
        """Return the verdicts that are to be added."""
        fresh: dict[object, GivenVerdict] = {}
        for answer_given in given:
            judge, subject, answer = answer_given
            if self._skip_older and answer.answered_at < self._find_moment(
                connection, answer_given
            ):
                self.older += 1
            elif not is_known(connection, answer_given):
                fresh.setdefault((judge, subject, answer.answer, answer.answered_at), answer_given)
        return list(fresh.values())

    def keep_own(self, last: int, count: int) -> None:
        """Remember which rows were added, by which verdicts of the same file are not overruled."""
        first = last - count + 1
        if self._lasts and self._lasts[-1] == first - 1:
            self._lasts[-1] = last
        elif count:
            self._firsts.append(first)
            self._lasts.append(last)

    def _find_moment(self, connection: SqlReader, given: GivenVerdict) -> str:
        """Return when a judge said what counts of a subject, here; "" if nothing counts."""
        counting = iterate_counting(connection, *given[:2])
        return next((moment for row, moment in counting if not self._is_own(row)), "")

    def _is_own(self, row: int) -> bool:
        index = bisect_right(self._firsts, row) - 1
        return index >= 0 and row <= self._lasts[index]
