"""Pairs of which the right answer is known: told after practice, and mixed in as checks."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from termexplorer.errors import UserError
from termexplorer.services.answer_lines import similar_ones
from termexplorer.services.study_presets import Scale
from termexplorer.services.study_rows import SKIPPED
from termexplorer.services.study_sampling import PairPool
from termexplorer.store.studies import Choice, Pair
from termexplorer.texts import tr

__all__ = ["CheckCount", "count_checks", "known_checks", "tell_practice"]


@dataclass(frozen=True, slots=True)
class CheckCount:
    """How an annotator did on the pairs whose answer is known; they count in no other figure.

    Attributes:
        asked: how many there are.
        answered: how many have an answer.
        right: how many have the right one.
    """

    asked: int
    answered: int
    right: int


def tell_practice(pairs: Iterable[Pair], scale: Scale) -> list[Pair]:
    """Notes the right answer of each practice pair whose set says a label; others stay as they are.

    Raises:
        UserError: the question has not two answers, one of which means similar.
    """
    by_label = _answers(scale)
    return [
        replace(pair, known=by_label.get(pair.score, "")) if pair.practice else pair
        for pair in pairs
    ]


def known_checks(
    pools: Iterable[PairPool], scale: Scale, drawn: Collection[Pair]
) -> Iterator[Pair]:
    """Pairs of sets as checks, each once, without those that are drawn or have no label.

    Raises:
        UserError: the question has not two answers, one of which means similar.
    """
    by_label = _answers(scale)
    taken = {_terms(pair) for pair in drawn}
    for pool in pools:
        for left, right, score in zip(pool.left, pool.right, pool.scores, strict=True):
            pair = Pair.of((left, right))
            known = by_label.get(score, "")
            if known and len(_terms(pair)) == 2 and _terms(pair) not in taken:
                taken.add(_terms(pair))
                yield replace(pair, set_name=pool.name, score=score, known=known)


def count_checks(said: Sequence[tuple[str, str]]) -> CheckCount:
    """Counts (right answer, what was said) of the checks of an annotator; "" for no answer yet."""
    answered = [(known, answer) for known, answer in said if answer not in ("", SKIPPED)]
    return CheckCount(len(said), len(answered), sum(known == answer for known, answer in answered))


def _answers(scale: Scale) -> dict[float | None, str]:
    """The answer that each label is."""
    rated: list[Choice] = [each for each in scale.answers if each.value is not None]
    similar = similar_ones(scale.answers, scale.level, scale.similar)
    if len(rated) != 2 or len(similar) != 1:
        raise UserError(
            tr(
                "right answers are known of a question with two answers, one of which means "
                "similar; ask such a one, or leave the known answers out"
            )
        )
    (other,) = (each.answer for each in rated if each.answer not in similar)
    return {1.0: similar[0], 0.0: other}


def _terms(pair: Pair) -> frozenset[str]:
    return frozenset((pair.subject.casefold(), pair.object.casefold()))
