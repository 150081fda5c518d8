"""Verdicts: on the disk before anything else, never changed, taken back by a further row."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from termexplorer.store.database.log_head import check_log_head
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.verdicts import (
    CURATORS,
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
)
from termexplorer.texts import mark
from termexplorer.workspace import Workspace

__all__ = [
    "ALSO",
    "ANSWERS",
    "ANSWER_WORDS",
    "CHANGED",
    "CURATORS",
    "LATER",
    "Answer",
    "Judge",
    "LoggedVerdict",
    "VerdictSubject",
    "check_log",
    "give_verdict",
    "give_verdicts",
    "judged",
    "last_row",
    "now",
    "redo_step",
    "redo_verdict",
    "undo_step",
    "undo_verdict",
]

_STEP = "given_at_once"  # of the details: how many verdicts one press gave
ALSO, CHANGED, LATER = "also", "changed", "later"
ANSWERS = ("correct", ALSO, CHANGED, "wrong", "unsure", LATER)
"""Of a list of misplaced concepts, `ALSO` is a place besides that where a concept is.

Of a mapping, `CHANGED` is another predicate or another concept, which its details name.
"""
ANSWER_WORDS = {
    "correct": mark("correct"),
    ALSO: mark("also"),
    CHANGED: mark("changed"),
    "wrong": mark("wrong"),
    "unsure": mark("unsure"),
    LATER: mark("later"),
}


def now() -> str:
    """This moment as the log keeps it: ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def give_verdict(
    workspace: Workspace, judge: Judge, subject: VerdictSubject, answer: Answer
) -> int:
    """Writes a verdict to the disk and returns its row."""
    with workspace.store.writing() as connection:
        return verdicts.append(connection, judge, subject, answer)


def undo_verdict(workspace: Workspace, judge: Judge, study: str = CURATORS) -> LoggedVerdict | None:
    """Takes back the judge's last verdict, which it returns; none if there is none left."""
    with workspace.store.writing() as connection:
        return verdicts.undo(connection, judge, study, now())


def redo_verdict(workspace: Workspace, judge: Judge, study: str = CURATORS) -> LoggedVerdict | None:
    """Brings back what was taken back last, if nothing was judged since; none otherwise."""
    with workspace.store.writing() as connection:
        return verdicts.redo(connection, judge, study, now())


def give_verdicts(
    workspace: Workspace, judge: Judge, answers: Mapping[VerdictSubject, Answer]
) -> None:
    """Write several verdicts as one step, which is taken back and brought back as a whole."""
    step = {_STEP: len(answers)}
    rows = [
        (judge, subject, replace(answer, details={**answer.details, **step}), None)
        for subject, answer in answers.items()
    ]
    with workspace.store.writing() as connection:
        verdicts.append_rows(connection, rows)


def undo_step(workspace: Workspace, judge: Judge) -> list[LoggedVerdict]:
    """Take back the curator's last verdict, or all of its step; return them, the last first."""
    with workspace.store.writing() as connection:
        return _repeat_step(partial(verdicts.undo, connection, judge, CURATORS, now()))


def redo_step(workspace: Workspace, judge: Judge) -> list[LoggedVerdict]:
    """Bring back what `undo_step` took back last, unless something was judged since."""
    with workspace.store.writing() as connection:
        return _repeat_step(partial(verdicts.redo, connection, judge, CURATORS, now()))


def _repeat_step(move: Callable[[], LoggedVerdict | None]) -> list[LoggedVerdict]:
    """Move verdicts until those of the first one's step are done."""
    moved = []
    while verdict := move():
        moved.append(verdict)
        step = verdict.answer.details.get(_STEP, 1)
        if not isinstance(step, int) or len(moved) >= step:
            break
    return moved


def judged(workspace: Workspace, study: str = CURATORS) -> list[LoggedVerdict]:
    """What counts: the last verdict of each judge on each subject, in the order of the log."""
    with workspace.store.reading() as connection:
        return verdicts.judged(connection, study)


def last_row(workspace: Workspace) -> int:
    """The number of the last row of the log, by which it is seen that it grew."""
    with workspace.store.reading() as connection:
        return verdicts.last_row(connection)


def check_log(workspace: Workspace) -> int:
    """Read the whole log and return how many rows it has.

    Raises:
        UserError: a row was changed, or rows are missing, at its end too.
    """
    with workspace.store.reading() as connection:
        rows = verdicts.check_log(connection)
        check_log_head(connection, workspace.folder)
    return rows
