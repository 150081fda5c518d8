"""What the adjudication screen says before, between and after the pairs."""

from termexplorer.services.adjudicating import Adjudicating
from termexplorer.services.judging import Progress
from termexplorer.views.judging_words import Words

READING = Words("Adjudication", "Looking for pairs without a majority…", guidelines=False)
_BESIDE = (
    "A decision stands beside what the annotators said, never over it: figures of agreement know "
    "nothing of it, and in the report it is the ground truth where there is no majority."
)


def welcome(work: Adjudicating) -> Words:
    """What is said first."""
    progress, head = work.progress(), work.study.head
    if not progress.asked:
        text = "All pairs that were judged have a majority. There is nothing to decide."
        return Words("No pair is without a majority", text, guidelines=False)
    waiting = sum(each.waiting > 0 for each in work.pairs)
    done = f"{progress.judged:,} of them decided" if progress.judged else "none of them decided yet"
    told = f"{_pairs(progress.asked)} no majority, {done}."
    if waiting:
        told += f" Of {waiting:,} some annotators have not answered yet; these come last."
    asked = f"{head.question} Say above who decides; V shows what the annotators said."
    on = "Go on" if progress.judged else "Start"
    return Words(f"Adjudication: {head.title}", f"{told}\n\n{asked}\n\n{_BESIDE}", on)


def end(progress: Progress) -> Words:
    """What is said last."""
    text = (
        f"{_pairs(progress.asked)} no majority, and all are decided. Report… takes the decisions "
        "as the ground truth of these pairs. Backspace takes the last one back."
    )
    return Words("All is decided", text, guidelines=False)


def why_not_kept(why: str) -> str:
    """What is said where a decision could not be written."""
    return f"Not kept: {why}. The pair stays here; decide it again. All before it is kept."


def _pairs(number: int) -> str:
    return "1 pair has" if number == 1 else f"{number:,} pairs have"
