"""What keys of the judging screen do, in the thread that writes."""

from dataclasses import dataclass

from termexplorer.services.judging import SKIPPED, Judging, Seen, Turn
from termexplorer.services.verdicts import Answer
from termexplorer.texts import tr


@dataclass(frozen=True, slots=True)
class Step:
    """What came of a key.

    Attributes:
        told: what was done.
        turn: what is shown then; None when all is judged.
        moved: whether anything was done.
        first: whether the pair had not been answered or put off before.
        back: whether it was taking back or bringing back.
        before: what was taken back, or brought back.
    """

    told: str
    turn: Turn | None = None
    moved: bool = True
    first: bool = False
    back: bool = False
    before: Answer | None = None


def judge(judging: Judging, turn: Turn, answer: str, seen: Seen, note: str) -> Step:
    """Keeps an answer, or that a pair is put off."""
    first = turn not in judging.said
    following = judging.judge(turn, answer, seen, note)
    return Step(tr("Kept: {answer}", answer=_said(answer)), following, first=first)


def undo(judging: Judging) -> Step:
    """Takes back what was said last."""
    said = dict(judging.said)
    turn = judging.undo()
    if turn is None:
        return Step(tr("There is nothing more to take back"), moved=False)
    before = said[turn]
    told = tr("Taken back: {answer}", answer=_said(before.answer))
    return Step(told, turn, back=True, before=before)


def redo(judging: Judging) -> Step:
    """Brings back what was taken back last."""
    turn = judging.redo()
    if turn is None:
        return Step(tr("There is nothing to bring back"), moved=False)
    told = tr("Brought back: {answer}", answer=_said(judging.said[turn].answer))
    return Step(told, judging.current(), back=True)


def _said(answer: str) -> str:
    return tr("put off") if answer == SKIPPED else answer
