"""What keys of the adjudication screen do, in the thread that writes."""

from dataclasses import dataclass

from termexplorer.services.adjudicating import Adjudicating
from termexplorer.services.adjudication import Decision, Disputed
from termexplorer.services.judging import Seen
from termexplorer.texts import tr
from termexplorer.views.answer_list import GivenAnswer


@dataclass(frozen=True, slots=True)
class Step:
    """What came of a key.

    Attributes:
        told: what was done.
        pair: what is shown then; None when all is decided.
        moved: whether anything was done.
        before: the decision on that pair that was taken back.
    """

    told: str
    pair: Disputed | None = None
    moved: bool = True
    before: Decision | None = None


def decide(
    work: Adjudicating, pair: Disputed, answer: str, seen: Seen, note: str, *, verdicts_shown: bool
) -> Step:
    """Keeps a decision."""
    following = work.decide(pair, answer, seen, note, verdicts_shown=verdicts_shown)
    return Step(tr("Decided: {answer}", answer=answer), following)


def list_decisions(work: Adjudicating, on_show: Disputed | None) -> list[GivenAnswer]:
    """Return what the adjudicator decided and may change, without the pair on show."""
    found = []
    for pair, decision in work.changeable(on_show):
        turn = work.turn(pair)
        found.append(GivenAnswer(pair, turn.left, turn.right, decision.answer, decision.note))
    return found


def skip(work: Adjudicating, pair: Disputed) -> Step:
    """Puts a pair off."""
    return Step(tr("Put off"), work.skip(pair))


def undo(work: Adjudicating) -> Step:
    """Takes back what was decided last."""
    moved = work.undo()
    if moved is None:
        return Step(tr("There is nothing more to take back"), moved=False)
    told = tr("Taken back: {answer}", answer=moved.decision.answer)
    return Step(told, moved.pair, before=moved.decision)


def redo(work: Adjudicating) -> Step:
    """Brings back what was taken back last."""
    moved = work.redo()
    if moved is None:
        return Step(tr("There is nothing to bring back"), moved=False)
    return Step(tr("Brought back: {answer}", answer=moved.decision.answer), work.current())
