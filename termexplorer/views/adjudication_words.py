"""What the adjudication screen says before, between and after the pairs."""

from termexplorer.services.adjudicating import Adjudicating
from termexplorer.services.judging import Progress
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judging_words import Words

_BESIDE = mark(
    "A decision stands beside what the annotators said, never over it: figures of agreement know "
    "nothing of it, and in the report it is the ground truth where there is no majority."
)


def reading() -> Words:
    """What is said while pairs are looked for."""
    text = tr("Looking for pairs without a majority…")
    return Words(tr("Adjudication"), text, guidelines=False)


def welcome(work: Adjudicating) -> Words:
    """What is said first."""
    progress, head = work.progress(), work.study.head
    if not progress.asked:
        text = tr("All pairs that were judged have a majority. There is nothing to decide.")
        return Words(tr("No pair is without a majority"), text, guidelines=False)
    waiting = sum(each.waiting > 0 for each in work.pairs)
    told = [_decided(progress)]
    if waiting:
        told.append(
            tr("Of {waiting:,} some annotators have not answered yet; these come last.",
               waiting=waiting)
        )  # fmt: skip
    asked = tr(
        "{question} Say above who decides; V shows what the annotators said.",
        question=head.question,
    )
    text = f"{' '.join(told)}\n\n{asked}\n\n{translated(_BESIDE)}"
    on = tr("Go on") if progress.judged else tr("Start")
    return Words(tr("Adjudication: {title}", title=head.title), text, on)


def end(progress: Progress) -> Words:
    """What is said last."""
    text = trn(
        "1 pair has no majority, and all are decided. Report… takes the decisions as the ground "
        "truth of these pairs. Backspace takes the last one back.",
        "{n:,} pairs have no majority, and all are decided. Report… takes the decisions as the "
        "ground truth of these pairs. Backspace takes the last one back.",
        progress.asked,
    )
    return Words(tr("All is decided"), text, guidelines=False)


def why_not_kept(why: str) -> str:
    """What is said where a decision could not be written."""
    return tr(
        "Not kept: {why}. The pair stays here; decide it again. All before it is kept.", why=why
    )


def _decided(progress: Progress) -> str:
    if not progress.judged:
        return trn(
            "1 pair has no majority, none of them decided yet.",
            "{n:,} pairs have no majority, none of them decided yet.",
            progress.asked,
        )
    return trn(
        "1 pair has no majority, {decided:,} of them decided.",
        "{n:,} pairs have no majority, {decided:,} of them decided.",
        progress.asked,
        decided=progress.judged,
    )
