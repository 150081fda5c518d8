"""How well raters agree, as commands and pages tell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError

if TYPE_CHECKING:
    from trainer.agreement import Agreement, LabelQuality, Ratings, RatingsFile, SelfAgreement
    from trainer.agreement import AgreementFigure as AgreementFigure
    from trainer.evaluation.figures import TaskFigure as TaskFigure


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRequest:
    """What is asked of a file of ratings.

    Attributes:
        path: the file.
        scale: one of ``trainer.agreement.SCALES``.
        raters: columns, by title or by number from 1; guessed where there are none.
        dont_know: the label that stands for "don't know", if there is one.
        dont_know_votes: whether it is a vote for none in the majority; else it is no vote.
        item: a column; rows that are equal in it are ratings of one item, again. "" for none.
        set: a column; what the majority says is told for each set apart. "" for one set.
        label: a column of labels that are held against the majority's. "" for none.
        positive: the label of which recall and precision are.
        seed: of intervals.
        resamples: of intervals.
    """

    path: Path
    scale: str = "nominal"
    raters: tuple[str, ...] = ()
    dont_know: str | None = None
    dont_know_votes: bool = True
    item: str = ""
    set: str = ""
    label: str = ""
    positive: str = ""
    seed: int = 0
    resamples: int = 2000


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How well raters agree.

    Attributes:
        raters: their names.
        labels: those that were given, in the order of the scale.
        scale: as it was asked for.
        items: how many there are.
        no_majority: the share of items without a majority.
        dont_know_votes: whether "don't know" is a vote for none in it.
        overall: the figures of all raters, of each two, and what was left out.
        within: each rater with themselves; nothing where no item was rated again.
        sets: how good labels are beside the majority, for each set; nothing without labels.
    """

    raters: tuple[str, ...]
    labels: tuple[str, ...]
    scale: str
    items: int
    no_majority: float
    dont_know_votes: bool
    overall: Agreement
    within: tuple[SelfAgreement, ...]
    sets: tuple[LabelQuality, ...]


def report_agreement(
    request: AgreementRequest, tick: Callable[[], None] = lambda: None
) -> AgreementReport:
    """Reads a file of ratings and measures how well the raters agree.

    Of what a rater has rated again, the first answer counts in all figures but those of raters with
    themselves.

    Args:
        request: what to read, and how.
        tick: called between blocks of resamples; may raise to stop.

    Raises:
        UserError: the file cannot be read, or does not hold what the request says.
    """
    from trainer.agreement import NO_MAJORITY, first_ratings, majority, measure_agreement

    if bool(request.label) != bool(request.positive) or (request.set and not request.label):
        raise UserError(
            "to hold labels against the majority's, say the column of labels and the positive one; "
            "a column of sets tells them apart"
        )
    there = _read(request)
    items = there.columns.get(request.item, range(len(there.ratings)))
    ratings, rows = first_ratings(there.ratings, items)
    votes = majority(ratings, dont_know_votes=request.dont_know_votes)
    return AgreementReport(
        ratings.raters,
        ratings.labels,
        ratings.scale,
        len(ratings),
        float((votes == NO_MAJORITY).mean()),
        request.dont_know_votes,
        measure_agreement(ratings, seed=request.seed, resamples=request.resamples, tick=tick),
        _within(request, there, tick),
        _sets(request, there.columns, ratings, rows, tick),
    )


def _read(request: AgreementRequest) -> RatingsFile:
    from trainer.agreement import read_ratings

    columns = [each for each in (request.item, request.set, request.label) if each]
    try:
        return read_ratings(request.path, request.scale, request.raters, request.dont_know, columns)
    except ValueError as error:
        raise UserError(str(error)) from error


def _within(
    request: AgreementRequest, there: RatingsFile, tick: Callable[[], None]
) -> tuple[SelfAgreement, ...]:
    from trainer.agreement import self_agreement

    items = there.columns.get(request.item, ())
    if len(set(items)) == len(items):
        return ()
    return self_agreement(
        there.ratings, items, seed=request.seed, resamples=request.resamples, tick=tick
    )


def _sets(
    request: AgreementRequest,
    columns: Mapping[str, Sequence[str]],
    ratings: Ratings,
    rows: Sequence[int],
    tick: Callable[[], None],
) -> tuple[LabelQuality, ...]:
    from trainer.agreement import label_of, label_quality

    if not request.label:
        return ()
    sets = columns.get(request.set)
    return label_quality(
        ratings,
        [columns[request.label][row] for row in rows],
        label_of(request.positive),
        None if sets is None else [sets[row] for row in rows],
        dont_know_votes=request.dont_know_votes,
        seed=request.seed,
        resamples=request.resamples,
        tick=tick,
    )
