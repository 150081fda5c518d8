"""What the adjudication screen says before, between and after the pairs."""

from termexplorer.services.studies.adjudication.adjudicating import Adjudicating
from termexplorer.services.studies.adjudication.disputed_pairs import (
    DISAGREEMENT,
    DONT_KNOW,
    NO_MAJORITY,
)
from termexplorer.services.studies.answer_lines import name_no_rating
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judging.words import JudgingTexts

_BESIDE = mark(
    "A decision stands beside what the annotators said, never over it: figures of agreement know "
    "nothing of it, and wherever there is a ground truth, it is that of its pair."
)


def reading() -> JudgingTexts:
    """What is said while pairs are looked for."""
    text = tr("Looking for the pairs…")
    return JudgingTexts(tr("Adjudication"), text, guidelines=False)


def welcome(work: Adjudicating) -> JudgingTexts:
    """What is said first."""
    progress, head = work.progress(), work.study.head
    if not progress.asked:
        text = tr("{pairs}. There is nothing to decide.", pairs=_count_like_that(work, 0))
        return JudgingTexts(tr("No matching pairs"), text, guidelines=False)
    waiting = sum(pair.waiting > 0 for pair in work.pairs)
    sentences = [_describe_decided(work)]
    if waiting:
        sentences.append(
            tr("Of {waiting:,} some annotators have not answered yet; these come last.",
               waiting=waiting)
        )  # fmt: skip
    asked = tr(
        "{question} Say above who decides; V shows what the annotators said.",
        question=head.question,
    )
    text = f"{' '.join(sentences)}\n\n{asked}\n\n{translated(_BESIDE)}"
    on = tr("Go on") if progress.judged else tr("Start")
    return JudgingTexts(tr("Adjudication: {title}", title=head.title), text, on)


def told_before(answer: str) -> str:
    """Return what is said of a decision that is shown again."""
    return tr(
        "Your decision: {answer}. Decide again to change it; Esc leaves it as it is.", answer=answer
    )


def end(work: Adjudicating) -> JudgingTexts:
    """What is said last."""
    text = tr(
        "{pairs}, and all is decided. The decisions are the ground truth of their pairs. "
        "Backspace takes the last one back.",
        pairs=_count_like_that(work, len(work.pairs)),
    )
    return JudgingTexts(tr("All is decided"), text, guidelines=False)


def _describe_decided(work: Adjudicating) -> str:
    pairs, decided = _count_like_that(work, len(work.pairs)), work.progress().judged
    if not decided:
        return tr("{pairs}; nothing is decided yet.", pairs=pairs)
    return tr("{pairs}; decided: {decided:,}.", pairs=pairs, decided=decided)


def _count_like_that(work: Adjudicating, count: int) -> str:
    """Return how many pairs are like those that are decided."""
    which = work.choice.which
    if which == NO_MAJORITY:
        return trn("{n:,} pair has no majority", "{n:,} pairs have no majority", count)
    if which == DISAGREEMENT:
        return trn("{n:,} pair got different answers", "{n:,} pairs got different answers", count)
    if which == DONT_KNOW:
        return trn(
            "{n:,} pair got the answer “{answer}”",
            "{n:,} pairs got the answer “{answer}”",
            count,
            answer=name_no_rating(work.study.head.answers),
        )
    return trn("{n:,} pair was judged", "{n:,} pairs were judged", count)
