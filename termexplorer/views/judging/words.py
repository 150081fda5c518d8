"""What the judging screen says: how far somebody is, and what comes next."""

from dataclasses import dataclass
from pathlib import Path

from termexplorer.services.studies.judging import Judging, JudgingProgress, Turn
from termexplorer.texts import tr, trn

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class JudgingTexts:
    """What is read between pairs.

    Attributes:
        heading: what it is.
        text: what there is to say.
        go_on: what the way on is called; empty where there is none.
        guidelines: whether they are shown below.
        save: whether saving the answers is offered.
        back: whether one may take back what one said before.
    """

    heading: str
    text: str
    go_on: str = ""
    guidelines: bool = True
    save: bool = False
    back: bool = True


def told_progress(progress: JudgingProgress) -> str:
    """How far, at which pace, and how long the rest will take."""
    if progress.practised < progress.practice and not progress.judged:
        parts = [tr("Practice: {done} of {all}", done=progress.practised, all=progress.practice)]
    else:
        parts = [tr("{done:,} of {all:,}", done=progress.judged, all=progress.asked)]
    if progress.skipped:
        parts.append(tr("{skipped:,} for later", skipped=progress.skipped))
    if progress.seconds_a_pair is not None:
        seconds = max(1, round(progress.seconds_a_pair))
        parts.append(tr("{seconds} s a pair", seconds=seconds))
    if progress.seconds_left:
        parts.append(tr("{time} left", time=told_time(progress.seconds_left)))
    return " · ".join(parts)


def told_time(seconds: float) -> str:
    """A time as people say it."""
    minutes = round(seconds / _MINUTE)
    if minutes < 1:
        return tr("less than a minute")
    if minutes < 2 * _MINUTE:
        return tr("about {minutes} min", minutes=minutes)
    hours, rest = divmod(round(minutes / 10) * 10, _MINUTE)
    if not rest:
        return tr("about {hours} h", hours=hours)
    return tr("about {hours} h {minutes} min", hours=hours, minutes=rest)


def told_answers(progress: JudgingProgress) -> str:
    """What there is of somebody's answers, and what is missing."""
    parts = [tr("{done:,} of {all:,} pairs are judged", done=progress.judged, all=progress.asked)]
    if progress.skipped:
        parts.append(tr("{skipped:,} put off", skipped=progress.skipped))
    unseen = progress.asked + progress.practice - progress.judged - progress.practised
    unseen -= progress.skipped
    if unseen:
        parts.append(tr("{unseen:,} not shown yet", unseen=unseen))
    return "; ".join(parts)


def welcome(judging: Judging, where: Path) -> JudgingTexts:
    """What is said first."""
    progress, head = judging.progress(), judging.study.head
    if judging.said:
        number = tr("{told}. You go on where you stopped.", told=told_answers(progress))
    elif progress.practice:
        number = trn(
            "The first pair is to practise and does not count; {asked:,} follow.",
            "The first {n:,} pairs are to practise and do not count; {asked:,} follow.",
            progress.practice,
            asked=progress.asked,
        )
    else:
        number = trn("There is {n:,} pair.", "There are {n:,} pairs.", progress.asked)
    note = tr(
        "Each answer is kept at once, in {folder}: close whenever you like, and open the same "
        "file again to go on.",
        folder=where,
    )
    you = tr("You judge as {annotator}.", annotator=judging.annotator)
    text = f"{you} {head.question}\n\n{number}\n\n{note}"
    return JudgingTexts(head.title, text, tr("Go on") if judging.said else tr("Start"), back=False)


def guidelines(question: str, *, pair_waits: bool = True) -> JudgingTexts:
    """What stands above them while a pair waits, or something else does."""
    on = tr("Back to the pair") if pair_waits else tr("Back")
    return JudgingTexts(tr("Guidelines"), question, on, back=False)


def practice_feedback(turn: Turn, answer: str, *, is_last: bool) -> JudgingTexts:
    """Return what is said of a practice pair once it is judged, where what is right is told."""
    if answer == turn.right_answer:
        heading = tr("✓ {answer} is right", answer=answer)
    else:
        heading = tr("✗ {answer} is right, not {said}", answer=turn.right_answer, said=answer)
    text = f"{turn.left}\n{turn.right}"
    return JudgingTexts(
        heading, text, tr("Go on") if is_last else tr("Next pair"), guidelines=False
    )


def practice_over(progress: JudgingProgress) -> JudgingTexts:
    """What is said when practice is over."""
    text = tr(
        "From here on your answers count: {pairs}. Read the guidelines again, if you like; F1 "
        "shows them at any time.",
        pairs=trn("{n:,} pair", "{n:,} pairs", progress.asked),
    )
    return JudgingTexts(tr("Practice is over"), text, tr("Begin"))


def shown_once(progress: JudgingProgress) -> JudgingTexts:
    """What is said when only those are left that were put off."""
    text = tr("{told}. Those now come back.", told=told_answers(progress))
    return JudgingTexts(tr("All were shown once"), text, tr("Go on"), guidelines=False, save=True)


def end(judging: Judging, where: Path) -> JudgingTexts:
    """What is said last."""
    text = tr(
        "{told}. Save your answers, and send the file to who asked you. They stay in {folder} as "
        "well. Backspace takes the last one back, and F2 shows all of them.",
        told=told_answers(judging.progress()),
        folder=where,
    )
    return JudgingTexts(tr("All is judged. Thank you!"), text, guidelines=False, save=True)
