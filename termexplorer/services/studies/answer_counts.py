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


def count_answers(said: Sequence[Judgement], annotators: Sequence[str]) -> StudyAnswers:
    """Count the answers of annotators, each pair once.

    Args:
        said: all that counts in a study; repeated and practice pairs are left out.
        annotators: in the order in which they are told.
    """
    first = [each for each in said if each.showing == 1 and not each.pair.practice]
    by_pair: dict[StudyPair, dict[str, Judgement]] = {}
    for each in first:
        by_pair.setdefault(each.pair, {})[each.annotator] = each
    distributions = tuple(
        AnswerCounts(
            annotator, Counter(each.answer.answer for each in first if each.annotator == annotator)
        )
        for annotator in annotators
    )
    confusions = []
    for one, other in combinations(annotators, 2):
        both = Counter(
            (own[one].answer.answer, own[other].answer.answer)
            for own in by_pair.values()
            if one in own and other in own
        )
        if both:
            confusions.append(Confusion(one, other, both))
    differing = [
        (pair, tuple(own[each] for each in annotators if each in own))
        for pair, own in by_pair.items()
        if len({each.answer.answer for each in own.values()}) > 1
    ]
    differing.sort(key=lambda row: (row[0].set_name, row[0].subject, row[0].object))
    return StudyAnswers(distributions, tuple(confusions), tuple(differing))
