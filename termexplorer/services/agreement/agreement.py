"""How well raters agree, as commands and pages tell it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.workers.process.trainer_texts import translate_error

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from termexplorer.trainer.agreement import Agreement, Ratings, SelfAgreement
    from termexplorer.trainer.agreement import AgreementFigure as AgreementFigure
    from termexplorer.trainer.agreement import RepeatedItems as RepeatedItems
    from termexplorer.trainer.agreement import SetAgreement as SetAgreement
    from termexplorer.trainer.evaluation.figures import MetricValue as MetricValue
    from termexplorer.trainer.evaluation.shares import ShareFigure as ShareFigure

DONT_KNOW = mark("don't know")
METRICS = {
    "alpha": mark("Krippendorff's alpha"),
    "agreement": mark("raw agreement"),
    "cohen": mark("Cohen's kappa"),
    "fleiss": mark("Fleiss' kappa"),
    "ac1": mark("Gwet's AC1"),
    "ac2": mark("Gwet's AC2"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoning:
    """How agreement is reckoned.

    Attributes:
        dont_know_votes: whether "don't know" is a vote for none in the majority; else it is no
            vote. In all coefficients it is as if the item were not rated.
        seed: of intervals.
        resamples: of intervals.
    """

    dont_know_votes: bool = True
    seed: int = 0
    resamples: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsRequest:
    """What is asked of a file of ratings.

    Attributes:
        path: the file.
        scale: one of ``trainer.agreement.SCALES``.
        raters: columns, by title or by number from 1; guessed where there are none.
        dont_know: the label that stands for "don't know", if there is one.
        item: a column; rows that are equal in it are ratings of one item, again. "" for none.
        set: a column; each set is looked at apart. "" for none.
        label: a column of labels that are held against the majority's. "" for none.
        positive: the label of which recall and precision are.
        missing: cells that stand for not rated; None for the signs that are usual.
    """

    path: Path
    scale: str = "nominal"
    raters: tuple[str, ...] = ()
    dont_know: str | None = None
    item: str = ""
    set: str = ""
    label: str = ""
    positive: str = ""
    missing: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedRows:
    """Ratings, and what is known of the n rows.

    Attributes:
        ratings: of them.
        items: what each is a rating of; equal for those that were rated again. None where all
            are different.
        sets: that each belongs to, if there are some.
        labels: of each, to hold against the majority's, if there are some; "" for none.
        positive: the label of which recall and precision are.
        compared: the ratings on the scale of the labels, where these tell less apart.
        missing: how many ratings stand as each sign of a missing value.
        repeated: items that seem to stand in several rows; None where there are none.
        spellings: how often each of those labels is given that differ by case or blanks alone.
        dont_know: what the answer is called that is "don't know".
    """

    ratings: Ratings
    items: Sequence[Hashable] | None = None
    sets: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    positive: str = ""
    compared: Ratings | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    repeated: RepeatedItems | None = None
    spellings: Sequence[Mapping[str, int]] = ()
    dont_know: str = DONT_KNOW


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How well raters agree.

    Attributes:
        raters: their names.
        labels: of the scale, in its order.
        scale: of measurement.
        items: how many there are.
        no_majority: the share without a majority of the items that were judged.
        unjudged: the share of items that nobody has judged, which are not undecided.
        reckoning: how this was reckoned.
        overall: the figures of all raters, of each two, and what was left out.
        within: each rater with themselves; nothing where no item was rated again.
        sets: each apart, with how good labels are by the ground truth; nothing without either.
        decided: how many items have the decision of an adjudicator for their ground truth; the
            others have the majority's.
        single: how many items have a single label, which is their majority.
        single_open: how many have a single label and no majority, as somebody has said "don't
            know" and that is a vote for none.
        dont_know: what the answer is called that is "don't know".
    """

    raters: tuple[str, ...]
    labels: tuple[str, ...]
    scale: str
    items: int
    no_majority: ShareFigure
    unjudged: ShareFigure
    reckoning: Reckoning
    overall: Agreement
    within: tuple[SelfAgreement, ...]
    sets: tuple[SetAgreement, ...]
    decided: int = 0
    single: int = 0
    single_open: int = 0
    dont_know: str = DONT_KNOW

    @property
    def overlapping(self) -> int:
        """How many items two or more have rated, which all coefficients are of."""
        return self.overall.figures[0].n

    @property
    def overlap_told(self) -> str:
        """Which items agreement is of, as sentences; "" where two or more have rated each."""
        alone = self.items - self.overlapping
        if not alone:
            return ""
        overlap = tr(
            "Agreement is of the {overlapping:,} of {items:,} items that two or more have rated; "
            "the agreement that Fleiss' kappa and AC expect by chance is of the labels of all "
            "(Gwet 2014), so that they may differ from those of a couple.",
            overlapping=self.overlapping,
            items=self.items,
        )
        return " ".join([overlap, *self._describe_single_ratings()])

    def _describe_single_ratings(self) -> Iterator[str]:
        """Yield what the majority of the items is that have a single rating."""
        if self.single:
            yield trn(
                "{n:,} item has a single rating, which is its majority.",
                "{n:,} items have a single rating, which is their majority.",
                self.single,
            )
        if self.single_open:
            yield trn(
                "{n:,} item has a single rating and no majority, as a “{answer}” beside it is a "
                "vote for none.",
                "{n:,} items have a single rating and no majority, as a “{answer}” beside it is a "
                "vote for none.",
                self.single_open,
                answer=translated(self.dont_know),
            )

    @property
    def truth_told(self) -> str:
        """Which figures are by which ground truth, as a sentence."""
        if not self.decided:
            return tr(
                "Accuracy, recall and precision are by the majority: nothing was adjudicated."
            )
        return trn(
            "Accuracy, recall and precision are by the ground truth: the adjudicator's decision "
            "on {n:,} pair, the majority on the others. Agreement and the share without a majority "
            "are of the annotators alone.",
            "Accuracy, recall and precision are by the ground truth: the adjudicator's decision "
            "on {n:,} pairs, the majority on the others. Agreement and the share without a "
            "majority are of the annotators alone.",
            self.decided,
        )


def report_agreement(
    rows: RatedRows,
    reckoning: Reckoning,
    truth: NDArray[int64] | None = None,
    decided: int = 0,
) -> AgreementReport:
    """Measures how well raters agree.

    Of what a rater has rated again, the first answer counts in all figures but those of raters with
    themselves.

    Args:
        rows: what was said.
        reckoning: how.
        truth: the ground truth of each item on the scale of its label, as
            ``trainer.agreement.measure_sets`` takes it; the majority's where it is not given.
        decided: how many items of it an adjudicator has decided.
    """
    from termexplorer.trainer.agreement import (
        NO_MAJORITY,
        find_judged,
        first_ratings,
        majority,
        measure_agreement,
        measure_sets,
        self_agreement,
    )
    from termexplorer.trainer.evaluation.shares import ShareFigure

    seed, resamples = reckoning.seed, reckoning.resamples
    items = range(len(rows.ratings)) if rows.items is None else rows.items
    ratings, firsts = first_ratings(rows.ratings, items)
    votes = majority(ratings, dont_know_votes=reckoning.dont_know_votes)
    judged = find_judged(ratings)
    single = (ratings.codes >= 0).sum(axis=1) == 1
    rated = int(judged.sum())
    within: tuple[SelfAgreement, ...] = ()
    if len(ratings) < len(rows.ratings):
        within = self_agreement(rows.ratings, items, seed=seed, resamples=resamples)
    sets: tuple[SetAgreement, ...] = ()
    if rows.sets is not None or rows.labels is not None:
        sets = measure_sets(
            ratings,
            _pick_rows(rows.sets, firsts),
            _pick_rows(rows.labels, firsts),
            rows.positive,
            None if rows.compared is None else first_ratings(rows.compared, items)[0],
            truth,
            dont_know_votes=reckoning.dont_know_votes,
            seed=seed,
            resamples=resamples,
        )
    return AgreementReport(
        ratings.raters,
        ratings.labels,
        ratings.scale,
        len(ratings),
        ShareFigure.of(int((judged & (votes == NO_MAJORITY)).sum()), rated),
        ShareFigure.of(len(votes) - rated, len(votes)),
        reckoning,
        measure_agreement(ratings, seed=seed, resamples=resamples),
        within,
        sets,
        decided,
        int((single & (votes != NO_MAJORITY)).sum()),
        int((single & (votes == NO_MAJORITY)).sum()),
        rows.dont_know,
    )


def rated_file(request: RatingsRequest) -> RatedRows:
    """Reads a file of ratings.

    Raises:
        UserError: the file cannot be read, or does not hold what the request says.
    """
    from termexplorer.trainer.agreement import MISSING_SIGNS, label_of, read_ratings

    if bool(request.label) != bool(request.positive):
        raise UserError(
            tr(
                "to hold labels against the majority's, say the column of labels and the "
                "positive one"
            )
        )
    columns = [column for column in (request.item, request.set, request.label) if column]
    try:
        rated = read_ratings(
            request.path,
            request.scale,
            request.raters,
            request.dont_know,
            columns,
            MISSING_SIGNS if request.missing is None else request.missing,
            request.item,
            request.label,
        )
    except ValueError as error:
        raise UserError(translate_error(error)) from error
    return RatedRows(
        ratings=rated.ratings,
        items=rated.columns.get(request.item),
        sets=rated.columns.get(request.set),
        labels=rated.columns.get(request.label),
        positive=label_of(request.positive),
        missing=rated.missing,
        repeated=rated.repeated,
        spellings=rated.spellings,
        dont_know=_name_of_dont_know(request.dont_know),
    )


def _name_of_dont_know(label: str | None) -> str:
    """Return what a file calls "don't know"; a number or a sign calls it nothing."""
    word = (label or "").strip()
    return word if any(map(str.isalpha, word)) else DONT_KNOW


def _pick_rows(values: Sequence[str] | None, rows: Sequence[int]) -> list[str] | None:
    return None if values is None else [values[row] for row in rows]
