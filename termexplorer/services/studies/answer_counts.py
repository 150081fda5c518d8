"""What annotators of a study answered how often, beside whom, and where they disagree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from termexplorer.services.studies.status import Judgement
from termexplorer.store.judging.studies import StudyPair


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How often an annotator gave each answer."""

    annotator: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often two annotators gave each two answers on the same pair.

    Attributes:
        first: an annotator; their answers come first in the keys of the counts.
        second: the other.
        counts: of pairs that both answered, by both answers.
    """

    first: str
    second: str
    counts: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class StudyAnswers:
    """The first answers of annotators to the pairs of a study, without practice.

    Attributes:
        distributions: of each annotator.
        confusions: of each two annotators that have answered the same pairs.
        differing: pairs with different answers, with all that was said, in the order of the sets.
    """

    distributions: tuple[AnswerCounts, ...]
    confusions: tuple[Confusion, ...]
    differing: tuple[tuple[StudyPair, tuple[Judgement, ...]], ...]


def count_answers(judgements: Sequence[Judgement], annotators: Sequence[str]) -> StudyAnswers:
    """Count the answers of annotators, each pair once.

    Args:
        judgements: all that counts in a study; repeated and practice pairs are left out.
        annotators: in the order in which they are told.
    """
    first = [vote for vote in judgements if vote.showing == 1 and not vote.pair.practice]
    by_pair: dict[StudyPair, dict[str, Judgement]] = {}
    for judgement in first:
        by_pair.setdefault(judgement.pair, {})[judgement.annotator] = judgement
    distributions = tuple(
        AnswerCounts(
            annotator, Counter(vote.answer.answer for vote in first if vote.annotator == annotator)
        )
        for annotator in annotators
    )
    confusions = []
    for first_annotator, second_annotator in combinations(annotators, 2):
        both = Counter(
            (answers[first_annotator].answer.answer, answers[second_annotator].answer.answer)
            for answers in by_pair.values()
            if first_annotator in answers and second_annotator in answers
        )
        if both:
            confusions.append(Confusion(first_annotator, second_annotator, both))
    differing = [
        (pair, tuple(answers[annotator] for annotator in annotators if annotator in answers))
        for pair, answers in by_pair.items()
        if len({vote.answer.answer for vote in answers.values()}) > 1
    ]
    differing.sort(key=lambda row: (row[0].set_name, row[0].subject, row[0].object))
    return StudyAnswers(distributions, tuple(confusions), tuple(differing))
