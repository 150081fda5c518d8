"""The ground truth of a study: its annotators' majority, and decisions where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from termexplorer.services.adjudication import Decision, decisions
from termexplorer.services.study_agreement import RatedPairs
from termexplorer.store.studies import Pair
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from trainer.agreement import Ratings


@dataclass(frozen=True, slots=True, eq=False)
class StudyTruth:
    """What the n pairs of a study are taken for.

    Attributes:
        pairs: of the study, in the order of drawing.
        ratings: of them, the first of each annotator.
        labels: that the pairs came with; "" for none, as for all of a scale of numbers.
        positive: the label of similar pairs; "" for none.
        majority: (n,) places of labels, ``trainer.agreement.NO_MAJORITY`` where there is none.
        codes: (n,) the same, with decisions where there was none.
        decided: the decisions that were taken for it.
    """

    pairs: tuple[Pair, ...]
    ratings: Ratings
    labels: tuple[str, ...]
    positive: str
    majority: NDArray[int64]
    codes: NDArray[int64]
    decided: Mapping[Pair, Decision]


def study_truth(
    workspace: Workspace, study_id: int, rows: RatedPairs, *, dont_know_votes: bool = True
) -> StudyTruth:
    """What the pairs of a study are taken for.

    A decision that is "don't know" closes a pair, which then stays without a truth.

    Args:
        workspace: that has the study.
        study_id: of it.
        rows: its ratings.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.
    """
    from trainer.agreement import NO_MAJORITY, first_ratings, majority

    ratings, firsts = first_ratings(rows.ratings, rows.pairs)
    pairs = tuple(rows.pairs[row] for row in firsts)
    labels = [""] * len(rows.pairs) if rows.labels is None else rows.labels
    votes = majority(ratings, dont_know_votes=dont_know_votes)
    codes, decided = votes.copy(), {}
    there = decisions(workspace, study_id)
    for place in (votes == NO_MAJORITY).nonzero()[0].tolist():
        decision = there.get(pairs[place])
        if decision is not None:
            decided[pairs[place]] = decision
            label = rows.label_of.get(decision.answer)
            codes[place] = NO_MAJORITY if label is None else ratings.labels.index(label)
    return StudyTruth(
        pairs,
        ratings,
        tuple(labels[row] for row in firsts),
        rows.positive,
        votes,
        codes,
        decided,
    )
