"""Pairs of which the right answer is known: told after practice, and mixed in as checks."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from termexplorer.errors import UserError
from termexplorer.services.pairs.filter import IN_STUDY, UNKNOWN_ANSWER
from termexplorer.services.pairs.repeats import find_repeats, fold_pair
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answer_lines import similar_ones
from termexplorer.services.studies.presets import Scale
from termexplorer.services.studies.rows import SKIPPED
from termexplorer.store.judging.studies import StudyPair
from termexplorer.texts import tr

__all__ = ["CheckCount", "KnownChecks", "count_checks", "find_checks", "tell_practice"]

_LABELS = {0.0, 1.0}  # what pair sets say: not similar, similar


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


@dataclass(frozen=True, slots=True)
class KnownChecks:
    """Checks of a study.

    Attributes:
        pairs: with their right answers.
        left_out: how many pairs of the sets are none, by set and reason.
    """

    pairs: tuple[StudyPair, ...] = ()
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class _RightAnswers:
    """The answers that labels of pairs stand for."""

    def __init__(self, scale: Scale) -> None:
        rated = [choice for choice in scale.answers if choice.value is not None]
        similar = similar_ones(scale.answers, scale.level, scale.similar)
        self.words = [choice.answer for choice in rated]
        self._by_label: dict[float, str] = {}
        if len(similar) == 1 and (len(rated) == 2 or scale.level == "nominal"):
            self._by_label[1.0] = similar[0]
            other_words = [word for word in self.words if word not in similar]
            if len(other_words) == 1:
                self._by_label[0.0] = other_words[0]
        self._by_rating = {}
        if scale.level != "nominal":
            self._by_rating = {choice.value: choice.answer for choice in rated}
        self._by_word = {word.casefold(): word for word in self.words}

    def of_scores(self, scores: Sequence[float | None]) -> list[str]:
        """Return the answer that each label or rating of a set is; "" where none can be told.

        Where a set has no scores but 0 and 1, these are labels, also on a scale that has such
        answers.
        """
        labels = {score for score in scores if score is not None} <= _LABELS
        known = self._by_label if labels else self._by_rating
        return ["" if score is None else known.get(score, "") for score in scores]

    def of_words(self, words: Sequence[str]) -> list[str]:
        """Return the answer that each word is, whatever its case; "" for what is none."""
        return [self._by_word.get(word.casefold(), "") for word in words]


def tell_practice(pairs: Sequence[StudyPair], scale: Scale) -> list[StudyPair]:
    """Notes the right answer of each practice pair whose set says it; others stay as they are.

    Raises:
        UserError: no label is an answer of the question.
    """
    right = _RightAnswers(scale)
    by_set: dict[str, list[StudyPair]] = {}
    for pair in pairs:
        by_set.setdefault(pair.set_name, []).append(pair)
    known = {
        pair: answer
        for of_set in by_set.values()
        for pair, answer in zip(
            of_set, right.of_scores([known_pair.score for known_pair in of_set]), strict=True
        )
        if pair.practice
    }
    if known and not any(known.values()):
        raise _no_answers(right)
    return [replace(pair, known=known.get(pair, "")) for pair in pairs]


def find_checks(
    pools: Iterable[PairPool], scale: Scale, drawn: Collection[StudyPair]
) -> KnownChecks:
    """Return the pairs of sets as checks, each once, and what is left out of them.

    Args:
        pools: sets with labels, ratings, or answers.
        scale: what is asked.
        drawn: pairs that are in the study already, and so are no checks.

    Raises:
        UserError: no label is an answer of the question.
    """
    right = _RightAnswers(scale)
    taken = {fold_pair(pair.subject, pair.object) for pair in drawn}
    pairs: list[StudyPair] = []
    left_out: dict[str, Mapping[str, int]] = {}
    answered = asked = 0
    for pool in pools:
        known = right.of_words(pool.answers) if pool.answers else right.of_scores(pool.scores)
        asked, answered = asked + len(known), answered + sum(map(bool, known))
        reasons = _refusal_reasons(pool, known, right.words, taken, {*map(_folded_terms, pairs)})
        check_pairs = [
            replace(StudyPair.of(terms), set_name=pool.name, score=score, known=answer)
            for *terms, score, answer, reason in zip(
                pool.left, pool.right, pool.scores, known, reasons, strict=True
            )
            if not reason
        ]
        pairs += check_pairs
        if counts := dict(Counter(filter(None, reasons))):
            left_out[pool.name] = counts
    if asked and not answered:
        raise _no_answers(right)
    return KnownChecks(tuple(pairs), left_out)


def count_checks(comparisons: Sequence[tuple[str, str]]) -> CheckCount:
    """Counts (right answer, what was said) of the checks of an annotator; "" for no answer yet."""
    answered = [(known, answer) for known, answer in comparisons if answer not in ("", SKIPPED)]
    return CheckCount(
        len(comparisons), len(answered), sum(known == answer for known, answer in answered)
    )


def _refusal_reasons(
    pool: PairPool,
    known: Sequence[str],
    words: Sequence[str],
    studied: Collection[frozenset[str]],
    checked: Collection[frozenset[str]],
) -> list[str]:
    """Return why each pair of a set is no check; "" for those that are."""
    numbers = [float(words.index(word)) if word else None for word in known]
    repeats = find_repeats(pool.left, pool.right, numbers, checked)
    reasons = []
    for *terms, answer, repeat in zip(pool.left, pool.right, known, repeats, strict=True):
        in_study = IN_STUDY if fold_pair(*terms) in studied else ""
        reasons.append(repeat or in_study or ("" if answer else UNKNOWN_ANSWER))
    return reasons


def _no_answers(right: _RightAnswers) -> UserError:
    return UserError(
        tr(
            "no label of these pairs says which answer is right; give one of the answers as the "
            "label of each ({answers}), or 1 and 0 for a question with two answers, one of which "
            "means similar",
            answers=", ".join(right.words),
        )
    )


def _folded_terms(pair: StudyPair) -> frozenset[str]:
    return fold_pair(pair.subject, pair.object)
