"""The ground truth of a study, for all who need one: its majority, and adjudicators' decisions.

What an adjudicator has decided is the truth of a pair, whatever its annotators have said; of all
other pairs it is what more than half of them say. The window, the commands, the report and training
take it from here, so that they tell the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from termexplorer.services.agreement.agreement import AgreementReport, Reckoning, report_agreement
from termexplorer.services.studies.adjudication.decisions import Decision, decisions
from termexplorer.services.studies.ratings import RatedPairs, compared_rows, rated_study
from termexplorer.store.judging.studies import StudyPair
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

    from termexplorer.trainer.agreement import Ratings

__all__ = ["JudgedStudy", "StudyTruth", "judged_study", "measure_study", "study_truth"]


@dataclass(frozen=True, slots=True, eq=False)
class StudyTruth:
    """What the n pairs of a study are taken for.

    Attributes:
        pairs: of the study, in the order of drawing.
        ratings: of them, the first of each annotator.
        labels: that the pairs came with; "" for none, as for all of a scale of numbers.
        positive: the label of similar pairs; "" for none.
        majority: (n,) places of labels, ``trainer.agreement.NO_MAJORITY`` where there is none.
        codes: (n,) the same, with decisions before the majority.
        decided: the decisions that were taken for it.
        judged: (n,) whether anybody has judged each pair; what nobody has is not undecided.
    """

    pairs: tuple[StudyPair, ...]
    ratings: Ratings
    labels: tuple[str, ...]
    positive: str
    majority: NDArray[int64]
    codes: NDArray[int64]
    decided: Mapping[StudyPair, Decision]
    judged: NDArray[bool_]

    @property
    def without_majority(self) -> int:
        """How many judged pairs have no majority."""
        return int((self.judged & (self.majority < 0)).sum())

    @property
    def without_truth(self) -> int:
        """How many judged pairs have neither a majority nor a decision."""
        return int((self.judged & (self.codes < 0)).sum())

    @property
    def unjudged(self) -> int:
        """How many pairs nobody has judged."""
        return int((~self.judged).sum())

    @property
    def decided_over(self) -> int:
        """How many decisions are on pairs that have a majority."""
        votes = zip(self.pairs, self.majority.tolist(), strict=True)
        return sum(vote >= 0 and pair in self.decided for pair, vote in votes)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedStudy:
    """What was said in a study, and what its pairs are taken for.

    Attributes:
        rows: the ratings.
        truth: on the scale that was asked for.
        beside: on the scale of the labels, similar or not, where these tell less apart.
    """

    rows: RatedPairs
    truth: StudyTruth
    beside: StudyTruth


def judged_study(
    workspace: Workspace, study_id: int, *, dont_know_votes: bool = True
) -> JudgedStudy:
    """Reads what was said in a study, and tells its ground truth.

    Args:
        workspace: that has the study.
        study_id: of it.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Raises:
        UserError: no such study, or no answer in it yet.
    """
    rows = rated_study(workspace, study_id)
    truth = study_truth(workspace, study_id, rows, dont_know_votes=dont_know_votes)
    beside = truth
    if rows.compared is not None:
        compared = compared_rows(rows)
        beside = study_truth(workspace, study_id, compared, dont_know_votes=dont_know_votes)
    return JudgedStudy(rows, truth, beside)


def measure_study(judged: JudgedStudy, reckoning: Reckoning) -> AgreementReport:
    """Measures agreement, and how good the sets' labels are by the ground truth.

    Args:
        judged: the study; its votes are to be those of the reckoning.
        reckoning: how figures are reckoned.
    """
    decided = len(judged.truth.decided)
    return report_agreement(judged.rows, reckoning, judged.beside.codes, decided)


def study_truth(
    workspace: Workspace, study_id: int, rows: RatedPairs, *, dont_know_votes: bool = True
) -> StudyTruth:
    """Tells what the pairs of a study are taken for.

    A decision that is "don't know" closes a pair, which then stays without a truth.

    Args:
        workspace: that has the study.
        study_id: of it.
        rows: its ratings.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.
    """
    from termexplorer.trainer.agreement import NO_MAJORITY, find_judged, first_ratings, majority

    ratings, firsts = first_ratings(rows.ratings, rows.pairs)
    pairs = tuple(rows.pairs[row] for row in firsts)
    labels = [""] * len(rows.pairs) if rows.labels is None else rows.labels
    votes = majority(ratings, dont_know_votes=dont_know_votes)
    codes, decided = votes.copy(), {}
    decision_by_pair = decisions(workspace, study_id)
    for index, pair in enumerate(pairs):
        decision = decision_by_pair.get(pair)
        if decision is not None:
            decided[pair] = decision
            label = rows.label_of.get(decision.answer)
            codes[index] = NO_MAJORITY if label is None else ratings.labels.index(label)
    return StudyTruth(
        pairs,
        ratings,
        tuple(labels[row] for row in firsts),
        rows.positive,
        votes,
        codes,
        decided,
        find_judged(ratings),
    )
