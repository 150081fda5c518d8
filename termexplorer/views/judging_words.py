"""What the judging screen says: how far somebody is, and what comes next."""

from dataclasses import dataclass
from pathlib import Path

from termexplorer.services.judging import Judging, Progress

_MINUTE = 60
_AGAIN = "Read the guidelines again, if you like; F1 shows them at any time."


@dataclass(frozen=True, slots=True)
class Words:
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


def told_progress(progress: Progress) -> str:
    """How far, at which pace, and how long the rest will take."""
    if progress.practised < progress.practice and not progress.judged:
        parts = [f"Practice: {progress.practised} of {progress.practice}"]
    else:
        parts = [f"{progress.judged:,} of {progress.asked:,}"]
    if progress.skipped:
        parts.append(f"{progress.skipped:,} for later")
    if progress.seconds_a_pair is not None:
        parts.append(f"{max(1, round(progress.seconds_a_pair))} s a pair")
    if progress.seconds_left:
        parts.append(f"{told_time(progress.seconds_left)} left")
    return " · ".join(parts)


def told_time(seconds: float) -> str:
    """A time as people say it."""
    minutes = round(seconds / _MINUTE)
    if minutes < 1:
        return "less than a minute"
    if minutes < 2 * _MINUTE:
        return f"about {minutes} min"
    hours, rest = divmod(round(minutes / 10) * 10, _MINUTE)
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


def told_answers(progress: Progress) -> str:
    """What there is of somebody's answers, and what is missing."""
    told = f"{progress.judged:,} of {progress.asked:,} pairs are judged"
    if progress.skipped:
        told += f"; {progress.skipped:,} put off"
    unseen = progress.asked + progress.practice - progress.judged - progress.practised
    unseen -= progress.skipped
    return f"{told}; {unseen:,} not shown yet" if unseen else told


def welcome(judging: Judging, where: Path) -> Words:
    """What is said first."""
    progress, head = judging.progress(), judging.study.head
    if judging.said:
        number = f"{told_answers(progress)}. You go on where you stopped."
    elif progress.practice:
        number = (
            f"The first {progress.practice:,} pairs are to practise and do not count; "
            f"{progress.asked:,} follow."
        )
    else:
        number = f"There are {progress.asked:,} pairs."
    kept = (
        f"Each answer is kept at once, in {where}: close whenever you like, and open the same "
        "file again to go on."
    )
    text = f"You judge as {judging.annotator}. {head.question}\n\n{number}\n\n{kept}"
    return Words(head.title, text, "Go on" if judging.said else "Start", back=False)


def guidelines(question: str) -> Words:
    """What stands above them while a pair waits."""
    return Words("Guidelines", question, "Back to the pair", back=False)


def practice_over(progress: Progress) -> Words:
    """What is said when practice is over."""
    text = f"From here on your answers count: {progress.asked:,} pairs. {_AGAIN}"
    return Words("Practice is over", text, "Begin")


def shown_once(progress: Progress) -> Words:
    """What is said when only those are left that were put off."""
    text = f"{told_answers(progress)}. Those now come back."
    return Words("All were shown once", text, "Go on", guidelines=False, save=True)


def end(judging: Judging, where: Path) -> Words:
    """What is said last."""
    text = (
        f"{told_answers(judging.progress())}. Save your answers, and send the file to who asked "
        f"you. They stay in {where} as well. Backspace takes the last one back."
    )
    return Words("All is judged. Thank you!", text, guidelines=False, save=True)
