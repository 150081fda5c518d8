"""What proposed mappings come to beside curated ones: precision, recall, calibration, errors."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.workers.curate.deciding import DecidedMapping

Pair = tuple[str, str]
ERRORS = {
    "right": "the pair is in the gold",
    "same name": "wrong: the two share a name, and the gold has another pair or none",
    "other object": "wrong: the gold maps the concept to another one",
    "not in the gold": "wrong: the gold has no pair of the concept, and may lack one",
    "another decided": "missed: another concept was taken for it",
    "not exact": "missed: the right concept was taken to be broader, narrower or related",
    "nearest": "missed: the right concept was nearest, and taken for no match",
    "not found": "missed: what was decided was of another concept",
}
"""Kinds of answers, and what each means."""
_BINS = 10


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pair of concepts that is proposed as an exact match.

    Attributes:
        pair: CURIEs of the two.
        score: the higher the surer.
    """

    pair: Pair
    score: float


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """How good all proposals above a score are.

    Attributes:
        score: the least of those that are taken.
        precision: share of them that the gold has.
        recall: share of the gold that is among them.
    """

    score: float
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Proposals of about the same probability.

    Attributes:
        probability: the mean of them.
        share: of them that the gold has.
        count: how many they are.
    """

    probability: float
    share: float
    count: int


def draw_curve(proposals: Sequence[Proposal], gold: Collection[Pair]) -> list[ThresholdPoint]:
    """Return a point for each score that some proposal has, the surest first."""
    ranked = sorted(proposals, key=lambda proposal: -proposal.score)
    points, right = [], 0
    for number, proposal in enumerate(ranked, start=1):
        right += proposal.pair in gold
        is_last = number == len(ranked) or ranked[number].score < proposal.score
        if is_last:
            points.append(ThresholdPoint(proposal.score, right / number, right / len(gold)))
    return points


def find_best(points: Sequence[ThresholdPoint]) -> ThresholdPoint:
    """Return the point of the best F1; nothing proposed is nothing right."""
    return max(points, key=lambda point: point.f1, default=ThresholdPoint(0.0, 0.0, 0.0))


def find_bulk(points: Sequence[ThresholdPoint], precision: float) -> float:
    """Return the greatest recall at which the precision is at least so high; 0 without any."""
    return max((point.recall for point in points if point.precision >= precision), default=0.0)


def measure_reliability(
    proposals: Sequence[Proposal], gold: Collection[Pair]
) -> list[ReliabilityBin]:
    """Return the proposals by tenths of probability, those without any left out."""
    by_bin: dict[int, list[Proposal]] = {}
    for proposal in proposals:
        by_bin.setdefault(min(int(proposal.score * _BINS), _BINS - 1), []).append(proposal)
    return [
        ReliabilityBin(
            sum(proposal.score for proposal in members) / len(members),
            sum(proposal.pair in gold for proposal in members) / len(members),
            len(members),
        )
        for _, members in sorted(by_bin.items())
    ]


def measure_calibration(bins: Sequence[ReliabilityBin]) -> float:
    """Return the mean difference of probability and share, weighted by counts."""
    total = sum(group.count for group in bins)
    error = sum(abs(group.probability - group.share) * group.count for group in bins)
    return error / total if total else 0.0


def sort_errors(mappings: Sequence[DecidedMapping], gold: Collection[Pair]) -> dict[str, int]:
    """Return how many answers are of each of `ERRORS`."""
    objects: dict[str, set[str]] = {}
    for subject, object_ in gold:
        objects.setdefault(subject, set()).add(object_)
    by_subject = {mapping.subject: mapping for mapping in mappings}
    counts = Counter(
        _judge_proposal(mapping, objects) for mapping in mappings if mapping.predicate == "exact"
    )
    counts += Counter(
        _judge_missed(by_subject.get(subject), object_)
        for subject, object_ in gold
        if not _is_exactly(by_subject.get(subject), object_)
    )
    return {kind: counts[kind] for kind in ERRORS}


def _is_exactly(mapping: DecidedMapping | None, object_: str) -> bool:
    return mapping is not None and mapping.predicate == "exact" and mapping.object == object_


def _judge_proposal(mapping: DecidedMapping, objects: Mapping[str, Collection[str]]) -> str:
    if mapping.object in objects.get(mapping.subject, ()):
        return "right"
    if mapping.same_name:
        return "same name"
    return "other object" if mapping.subject in objects else "not in the gold"


def _judge_missed(mapping: DecidedMapping | None, object_: str) -> str:
    if mapping is None:
        return "not found"
    if mapping.predicate == "exact":
        return "another decided"
    if mapping.object != object_:
        return "not found"
    return "nearest" if mapping.predicate == "none" else "not exact"
