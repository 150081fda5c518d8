"""What keys of the adjudication screen do, in the thread that writes."""

from dataclasses import dataclass

from termexplorer.services.adjudicating import Adjudicating
from termexplorer.services.adjudication import Decision, Disputed
from termexplorer.services.judging import Seen
from termexplorer.texts import tr


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
