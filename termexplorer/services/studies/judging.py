"""Judging the pairs of a study: what is asked next, and what is said, which is on disk at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from termexplorer.errors import UserError
from termexplorer.services.studies.rows import ORIGIN, SKIPPED, details_of, noted
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    give_verdict,
    now,
    redo_verdict,
    undo_verdict,
)
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.studies import Turn
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["SKIPPED", "Judging", "JudgingProgress", "Seen", "Turn"]


@dataclass(frozen=True, slots=True)
class Seen:
    """How a pair was looked at.

    Attributes:
        shown_at: when it came, ISO 8601 in UTC.
        active_ms: how long the annotator was at it.
        wall_ms: how long it was there.
        looked_up: whether a term was looked up.
    """

    shown_at: str
    active_ms: int
    wall_ms: int
    looked_up: bool = False


@dataclass(frozen=True, slots=True)
class JudgingProgress:
    """How far an annotator is.

    Attributes:
        judged: pairs that have an answer.
        asked: pairs that need one, without practice.
        skipped: pairs that were skipped and come back.
        practised: practice pairs that have an answer.
        practice: how many there are.
        seconds_a_pair: mean active time; of practice, until another pair has an answer.
        seconds_left: for all that have none, at that pace; None before the first.
    """

    judged: int
    asked: int
    skipped: int
    practised: int
    practice: int
    seconds_a_pair: float | None
    seconds_left: float | None


class Judging:
    """An annotator at the pairs of a study.

    What is asked depends on nothing but the log: first what was never seen, in the annotator's
    order, then what was skipped, the first that was skipped first.

    Attributes:
        study: what is asked.
        annotator: their name.
        turns: all that they are asked, in that order.
        rows: how many rows of the log are theirs, those too that take back or were taken back.

    Raises:
        UserError: no such study or annotator.
    """

    def __init__(self, workspace: Workspace, study_id: int, annotator: str) -> None:
        self._workspace = workspace
        self.study = find_study(workspace, study_id)
        seat, self.turns = find_seat(workspace, self.study, annotator)
        self.annotator = seat.annotator
        self._judge = Judge(seat.annotator)
        self._by_subject = {turn.about(self.study.head): turn for turn in self.turns}
        with workspace.store.reading() as connection:
            rows = verdicts.counting(connection, self.study.head.key, self._judge)
            self.rows = verdicts.count_rows_of(connection, self.study.head.key, self._judge)
        self._rows = {row.id: (self._by_subject[row.subject], row.answer) for row in rows}
        self._newest = max((row.answer.answered_at for row in rows), default="")
        self._settle()

    def go_on_in(self, copy: Workspace) -> Self:
        """Return the same work in a copy of its workspace."""
        return type(self)(copy, self.study.id, self.annotator)

    @property
    def said(self) -> Mapping[Turn, Answer]:
        """What counts of what was said, in the order in which it was; SKIPPED is an answer."""
        return self._answers

    def current(self) -> Turn | None:
        """What is asked now; None when all is judged."""
        unseen = (turn for turn in self.turns if turn not in self._answers)
        skipped = (turn for turn, answer in self._answers.items() if answer.answer == SKIPPED)
        return next(unseen, None) or next(skipped, None)

    def changeable(self, on_show: Turn | None) -> list[Turn]:
        """Return what was answered or put off and may be shown again, in the order of the answers.

        Nobody sees what they said of a pair before while it is asked a second time, nor both
        answers beside each other: of a pair that was asked twice, only the newer answer is there.

        Args:
            on_show: what waits for an answer now, if anything does.
        """
        newest = {_terms_of(turn): turn for turn in self._answers}
        asked_now = _terms_of(on_show) if on_show is not None else None
        return [
            turn
            for turn in self._answers
            if newest[_terms_of(turn)] is turn and _terms_of(turn) != asked_now
        ]

    def judge(self, turn: Turn, answer: str, seen: Seen, note: str = "") -> Turn | None:
        """Writes an answer to the disk; returns what is asked then.

        One that was given before to the same turn counts no more, until this is taken back.

        Raises:
            UserError: the study has no such answer, or it cannot be written; then nothing was.
        """
        answers = [choice.answer for choice in self.study.head.answers]
        if answer not in (*answers, SKIPPED):
            raise UserError(
                tr(
                    "{answer!r} is no answer of this study; {answers} are",
                    answer=answer,
                    answers=", ".join(answers),
                )
            )
        details = details_of(turn, seen.active_ms, seen.wall_ms, seen.looked_up)
        given_answer = Answer(answer, noted(note), seen.shown_at, self._moment(), details=details)
        return self._write(turn, given_answer)

    def skip(self, turn: Turn, seen: Seen, note: str = "") -> Turn | None:
        """Puts a pair behind all others; returns what is asked then."""
        return self.judge(turn, SKIPPED, seen, note)

    def comment(self, turn: Turn, note: str) -> None:
        """Writes another note on a pair that was judged or skipped; its answer stays.

        Raises:
            UserError: nothing was said of the pair yet.
        """
        if turn not in self._answers:
            raise UserError(
                tr("there is no answer yet that a comment could go with; give one first")
            )
        answer = self._answers[turn]
        details = {name: value for name, value in answer.details.items() if name != ORIGIN}
        moment = self._moment()
        self._write(turn, replace(answer, note=noted(note), answered_at=moment, details=details))

    def undo(self) -> Turn | None:
        """Takes back what was said last, and returns of what; None if nothing is left."""
        taken = undo_verdict(self._workspace, self._judge, self.study.head.key)
        if taken is None:
            return None
        self.rows += 1
        self._rows.pop(taken.id, None)
        self._settle()
        return self._by_subject[taken.subject]

    def redo(self) -> Turn | None:
        """Brings back what was taken back last, if nothing was said since; None otherwise."""
        brought = redo_verdict(self._workspace, self._judge, self.study.head.key)
        if brought is None:
            return None
        turn = self._by_subject[brought.subject]
        self.rows += 1
        self._rows[brought.id] = turn, brought.answer
        self._settle()
        return turn

    def progress(self) -> JudgingProgress:
        """How far the annotator is, and how long the rest will take."""
        judged = {
            turn: answer for turn, answer in self._answers.items() if answer.answer != SKIPPED
        }
        practised = sum(turn.practice for turn in judged)
        practice = sum(turn.practice for turn in self.turns)
        at_practice = practised == len(judged)
        times = [
            answer.details["active_ms"] / 1_000
            for turn, answer in judged.items()
            if turn.practice == at_practice
        ]
        pace = sum(times) / len(times) if times else None
        return JudgingProgress(
            judged=len(judged) - practised,
            asked=len(self.turns) - practice,
            skipped=len(self._answers) - len(judged),
            practised=practised,
            practice=practice,
            seconds_a_pair=pace,
            seconds_left=None if pace is None else pace * (len(self.turns) - len(judged)),
        )

    def _write(self, turn: Turn, answer: Answer) -> Turn | None:
        row = give_verdict(self._workspace, self._judge, turn.about(self.study.head), answer)
        self.rows += 1
        self._rows[row] = turn, answer
        self._settle()
        return self.current()

    def _settle(self) -> None:
        """Tells what was said last of each turn, from all rows that count."""
        self._answers: dict[Turn, Answer] = {}
        for turn, answer in sorted(self._rows.values(), key=lambda row: row[1].answered_at):
            self._answers.pop(turn, None)  # so that it stands behind all others
            self._answers[turn] = answer

    def _moment(self) -> str:
        """This moment, but after all that was said, whatever the clock says."""
        moment = now()
        if moment <= self._newest:
            after = datetime.fromisoformat(self._newest) + timedelta(milliseconds=1)
            moment = after.isoformat(timespec="milliseconds")
        self._newest = moment
        return moment


def _terms_of(turn: Turn) -> frozenset[str]:
    return frozenset((turn.left, turn.right))
