"""Majority votes of raters, and how good a label is that was given without them ([MTS] Table 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.trainer.agreement.coefficients import counts_of
from termexplorer.trainer.agreement.figures import AgreementFigure, figures_of
from termexplorer.trainer.agreement.ratings import (
    DONT_KNOW,
    NOT_RATED,
    Bools,
    Float64s,
    Int64s,
    Ratings,
    rows_of,
)
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import MetricValue

NO_MAJORITY = -1
_UNUSED = -2  # a label that no rater has given


@dataclass(frozen=True)
class SetAgreement:
    """How well raters agree on a set of items, and how good its automatic labels are.

    Attributes:
        set: its name.
        items: how many it has.
        agreement: of all raters, alpha first.
        votes: ``no_majority`` (the share without one of the items that were judged), and where
            there are labels, against the ground truth, ``accuracy``, ``recall`` and ``precision``
            of the positive one; NaN where n is 0.
    """

    set: str
    items: int
    agreement: tuple[AgreementFigure, ...]
    votes: tuple[MetricValue, ...]


def majority(ratings: Ratings, *, dont_know_votes: bool = True) -> Int64s:
    """Return for each item the place of the label that more than half have voted for.

    Args:
        ratings: of n items.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote at all.

    Returns:
        (n,) int64; ``NO_MAJORITY`` where no label has one, also where nobody has answered:
        ``find_judged`` tells these apart.
    """
    counts = counts_of(ratings.codes, len(ratings.labels))
    votes = counts.sum(axis=1)
    if dont_know_votes:
        votes += (ratings.codes == DONT_KNOW).sum(axis=1)
    if not counts.size:
        return np.full(len(ratings), NO_MAJORITY)
    return np.where(2 * counts.max(axis=1) > votes, counts.argmax(axis=1), NO_MAJORITY)


def find_judged(ratings: Ratings) -> Bools:
    """Return for each of n items whether anybody has answered, be it "don't know": (n,)."""
    judged: Bools = (ratings.codes != NOT_RATED).any(axis=1)
    return judged


def measure_sets(
    ratings: Ratings,
    sets: Sequence[str] | None = None,
    automatic: Sequence[str] | None = None,
    positive: str = "",
    compared: Ratings | None = None,
    truth: Int64s | None = None,
    *,
    dont_know_votes: bool = True,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> tuple[SetAgreement, ...]:
    """Measure agreement on each set, and hold automatic labels against the ground truth.

    The labels are the predictions; the truth is the majority's, unless another one is given.

    Args:
        ratings: of n items.
        sets: that each item belongs to; by default all to one, ``all``.
        automatic: the n labels, if there are some; an item with "" counts in no figure of them.
        positive: the label of which recall and precision are.
        compared: the same ratings on the scale of the labels; by default they are on it.
        truth: (n,) places of labels of ``compared``, ``NO_MAJORITY`` where there is none; by
            default the majority's.
        dont_know_votes: as for ``majority``.
        seed: of the bootstrap over items.
        resamples: of the bootstrap of agreement.
        tick: called between blocks; may raise to stop.

    Returns:
        one a set, in the order in which they come.

    Raises:
        ValueError: for labels or sets that are not n.
    """
    named = ["all"] * len(ratings) if sets is None else sets
    if len(named) != len(ratings):
        raise TrainerError(
            "{sets} sets do not fit {items} items", sets=len(named), items=len(ratings)
        )
    if automatic is not None and len(automatic) != len(ratings):
        raise TrainerError(
            "{labels} labels do not fit {items} items", labels=len(automatic), items=len(ratings)
        )
    votes = majority(ratings, dont_know_votes=dont_know_votes)
    undecided = (votes == NO_MAJORITY).astype(np.float64)
    values = {"no_majority": np.where(find_judged(ratings), undecided, np.nan)}
    if automatic is not None:
        beside = ratings if compared is None else compared
        if truth is None:
            truth = majority(beside, dont_know_votes=dont_know_votes)
        values |= _compare_items(truth, automatic, _label_positions(beside), positive)
    return tuple(
        SetAgreement(
            name,
            len(rows),
            figures_of(ratings, ratings.codes[rows], seed=seed, resamples=resamples, tick=tick),
            mean_figures(
                {metric: item_values[rows] for metric, item_values in values.items()}, seed
            ).figures,
        )
        for name, rows in rows_of(named).items()
    )


def measure_labels(
    ratings: Ratings,
    truth: Int64s,
    automatic: Sequence[str],
    positive: str,
    *,
    seed: int = 0,
) -> tuple[MetricValue, ...]:
    """Hold automatic labels against a ground truth ([MTS] Table 3).

    Args:
        ratings: whose labels both are.
        truth: (n,) places of labels, ``NO_MAJORITY`` where there is none.
        automatic: the n labels; an item with "" counts in no figure.
        positive: the label of which recall and precision are.
        seed: of the bootstrap over items.

    Returns:
        ``accuracy``, ``recall`` and ``precision``; NaN where n is 0.
    """
    return mean_figures(
        _compare_items(truth, automatic, _label_positions(ratings), positive), seed
    ).figures


def _label_positions(ratings: Ratings) -> dict[str, int]:
    return {label: at for at, label in enumerate(ratings.labels)}


def _compare_items(
    truth: Int64s, automatic: Sequence[str], places: Mapping[str, int], positive: str
) -> dict[str, Float64s]:
    """Return what each item adds to each mean; NaN where it does not count."""
    predicted = np.array([places.get(label, _UNUSED) for label in automatic], np.int64)
    labelled = np.array([label != "" for label in automatic], np.bool_)
    counted = (truth != NO_MAJORITY) & labelled
    right = (truth == predicted).astype(np.float64)
    return {
        "accuracy": np.where(counted, right, np.nan),
        "recall": np.where(counted & (truth == places.get(positive, _UNUSED)), right, np.nan),
        "precision": np.where(
            counted & np.array([label == positive for label in automatic], np.bool_), right, np.nan
        ),
    }
