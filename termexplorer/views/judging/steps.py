"""What keys of the judging screen do, in the thread that writes."""

from dataclasses import dataclass

from termexplorer.services.studies.judging import SKIPPED, Judging, Seen, Turn
from termexplorer.services.verdicts.log import Answer
from termexplorer.texts import tr
from termexplorer.views.judging.words import JudgingTexts, practice_feedback


@dataclass(frozen=True, slots=True)
class JudgingStep:
    """What came of a key.

    Attributes:
        message: what was done.
        turn: what is shown then; None when all is judged.
        moved: whether anything was done.
        first: whether the pair had not been answered or put off before.
        back: whether it was taking back or bringing back.
        before: what was taken back, or brought back.
        feedback: what was right of the practice pair that was judged; None where nothing is told.
    """

    message: str
    turn: Turn | None = None
    moved: bool = True
    first: bool = False
    back: bool = False
    before: Answer | None = None
    feedback: JudgingTexts | None = None


def judge(judging: Judging, turn: Turn, answer: str, seen: Seen, note: str) -> JudgingStep:
    """Keeps an answer, or that a pair is put off."""
    first = turn not in judging.said
    following = judging.judge(turn, answer, seen, note)
    message = tr("Kept: {answer}", answer=name_answer(answer))
    if answer == SKIPPED or not turn.right_answer:
        return JudgingStep(message, following, first=first)
    feedback = practice_feedback(turn, answer, is_last=following is None)
    return JudgingStep(message, following, first=first, feedback=feedback)


def change(judging: Judging, turn: Turn, answer: str, seen: Seen, note: str) -> JudgingStep:
    """Keep another answer to a pair that has one."""
    before = judging.said[turn].answer
    following = judging.judge(turn, answer, seen, note)
    if answer == before:
        return JudgingStep(tr("Kept: {answer}", answer=name_answer(answer)), following)
    message = tr(
        "Changed: {before} → {answer}", before=name_answer(before), answer=name_answer(answer)
    )
    return JudgingStep(message, following)


def undo(judging: Judging) -> JudgingStep:
    """Takes back what was said last."""
    answers = dict(judging.said)
    turn = judging.undo()
    if turn is None:
        return JudgingStep(tr("Nothing to undo"), moved=False)
    before = answers[turn]
    message = tr("Taken back: {answer}", answer=name_answer(before.answer))
    return JudgingStep(message, turn, back=True, before=before)


def redo(judging: Judging) -> JudgingStep:
    """Brings back what was taken back last."""
    turn = judging.redo()
    if turn is None:
        return JudgingStep(tr("Nothing to redo"), moved=False)
    message = tr("Brought back: {answer}", answer=name_answer(judging.said[turn].answer))
    return JudgingStep(message, judging.current(), back=True)


def name_answer(answer: str) -> str:
    """Return an answer in words, also that a pair was put off."""
    return tr("put off") if answer == SKIPPED else answer
