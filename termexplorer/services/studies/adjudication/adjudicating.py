"""An adjudicator at work: pairs of a study on which annotators differ, one after another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from termexplorer.services.studies.adjudication.decisions import (
    Decision,
    decided_of,
    decision_of,
    judge_of,
    subject_of,
    write_decision,
)
from termexplorer.services.studies.adjudication.disputed_pairs import (
    WITHOUT_MAJORITY,
    Disputed,
    PairChoice,
    disputed,
)
from termexplorer.services.studies.judging import JudgingProgress, Seen
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import LoggedVerdict, redo_verdict, undo_verdict
from termexplorer.store.judging.decisions import decisions_on
from termexplorer.store.judging.studies import StudyPair, Turn
from termexplorer.store.judging.verdicts import counting
from termexplorer.workspace import Workspace

__all__ = ["Adjudicating", "Decided", "Moved"]


@dataclass(frozen=True, slots=True)
class Moved:
    """A decision that was taken back, or brought back.

    Attributes:
        pair: that it is on.
        decision: what it is.
    """

    pair: Disputed
    decision: Decision


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of a decision.

    Attributes:
        stored: whether it was written; False where the same one stood already.
        following: what is to be decided then; None when all is.
    """

    stored: bool
    following: Disputed | None


class Adjudicating:
    """An adjudicator at the pairs that were chosen when this was made.

    Pairs that annotators are still to answer come last; a pair that is put off comes behind these,
    until this is made anew. Decisions that others take meanwhile count as they do in the log.

    Attributes:
        study: what was asked.
        adjudicator: who decides; may be somebody else from now on.
        choice: which pairs these are.
        pairs: the chosen ones, decided or not.

    Raises:
        UserError: no such study or set, or no answer in it yet.
    """

    def __init__(
        self,
        workspace: Workspace,
        study_id: int,
        adjudicator: str,
        choice: PairChoice = WITHOUT_MAJORITY,
        *,
        dont_know_votes: bool = True,
    ) -> None:
        self._workspace = workspace
        self.study = find_study(workspace, study_id)
        self.adjudicator = adjudicator
        self.choice = choice
        self._dont_know_votes = dont_know_votes
        disputed_pairs = disputed(workspace, study_id, choice, dont_know_votes=dont_know_votes)
        self.pairs = tuple(disputed_pairs)
        self._by_pair = {disputed_pair.pair: disputed_pair for disputed_pair in disputed_pairs}
        self._by_subject = {
            subject_of(disputed_pair.pair, self.study.head): disputed_pair
            for disputed_pair in disputed_pairs
        }
        self._put_off: dict[int, None] = {}  # the numbers of pairs, in that order
        self._settle()

    def go_on_in(self, copy: Workspace) -> Self:
        """Return the same work in a copy of its workspace."""
        votes = self._dont_know_votes
        return type(self)(copy, self.study.id, self.adjudicator, self.choice, dont_know_votes=votes)

    @property
    def decided(self) -> Mapping[int, Decision]:
        """What was decided last, by the numbers of the pairs."""
        return self._decided

    def changeable(self, on_show: Disputed | None) -> list[tuple[Disputed, Decision]]:
        """Return the adjudicator's own decisions that count, in their order.

        Args:
            on_show: the pair that is being decided now, if any; it is left out.
        """
        decided_pairs = [
            (pair, self._decided[pair.number])
            for pair in self.pairs
            if pair.number in self._decided and pair != on_show
        ]
        own_decisions = [
            entry for entry in decided_pairs if entry[1].adjudicator == self.adjudicator
        ]
        return sorted(own_decisions, key=lambda entry: entry[1].decided_at)

    def progress(self) -> JudgingProgress:
        """How far the decisions are."""
        put_off = sum(number not in self._decided for number in self._put_off)
        return JudgingProgress(len(self._decided), len(self.pairs), put_off, 0, 0, None, None)

    def current(self) -> Disputed | None:
        """What is to be decided now; None when all is."""
        still = [pair for pair in self.pairs if pair.number not in self._decided]
        order = list(self._put_off)
        still.sort(key=lambda pair: order.index(pair.number) if pair.number in order else -1)
        return next(iter(still), None)

    def turn(self, pair: Disputed) -> Turn:
        """How a pair is shown: the term that stands at the left has nothing to do with it."""
        terms = (pair.pair.subject, pair.pair.object)
        left, right = terms if pair.number % 2 else terms[::-1]
        return Turn(pair.number, left, right, 1, practice=False)

    def decide(
        self, pair: Disputed, answer: str, seen: Seen, note: str, *, verdicts_shown: bool
    ) -> Decided:
        """Write a decision to the disk, unless the same one stands already.

        Raises:
            UserError: nobody decides, or it cannot be written; then nothing was.
        """
        decision = Decision(self.adjudicator, answer, note, "", verdicts_shown)
        details = {
            "left": self.turn(pair).left,
            "active_ms": seen.active_ms,
            "wall_ms": seen.wall_ms,
            "looked_up": seen.looked_up,
        }
        head = self.study.head
        stored = write_decision(self._workspace, head, pair.pair, decision, seen.shown_at, details)
        self._settle()
        return Decided(stored, self.current())

    def skip(self, pair: Disputed) -> Disputed | None:
        """Puts a pair behind all others; returns what is to be decided then."""
        self._put_off.pop(pair.number, None)
        self._put_off[pair.number] = None
        return self.current()

    def undo(self) -> Moved | None:
        """Takes back the adjudicator's last decision; None if there is none left to take back.

        Decisions on other pairs than those that were chosen are left alone.

        Raises:
            UserError: nobody decides.
        """
        judge = judge_of(self.adjudicator)
        with self._workspace.store.reading() as connection:
            counted = counting(connection, self._key, judge)
        if not counted or counted[-1].subject not in self._by_subject:
            return None
        return self._moved(undo_verdict(self._workspace, judge, self._key))

    def redo(self) -> Moved | None:
        """Brings back what was taken back last, if nothing was decided since; None otherwise.

        Raises:
            UserError: nobody decides.
        """
        judge = judge_of(self.adjudicator)
        brought = redo_verdict(self._workspace, judge, self._key)
        if brought is not None and brought.subject not in self._by_subject:
            undo_verdict(self._workspace, judge, self._key)  # it is none of the chosen pairs
            return None
        return self._moved(brought)

    @property
    def _key(self) -> str:
        return decisions_on(self.study.head.key)

    def _moved(self, row: LoggedVerdict | None) -> Moved | None:
        if row is None:
            return None
        self._settle()
        return Moved(self._by_subject[row.subject], decision_of(row))

    def _settle(self) -> None:
        head, by_pair = self.study.head, self._by_pair
        decided: Mapping[StudyPair, Decision] = decided_of(self._workspace, head, by_pair)
        self._decided = {by_pair[pair].number: decision for pair, decision in decided.items()}
