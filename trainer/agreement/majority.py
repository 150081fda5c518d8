"""Majority votes of raters, and how good a label is that was given without them ([MTS] Table 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from trainer.agreement.coefficients import counts_of
from trainer.agreement.figures import AgreementFigure, figures_of
from trainer.agreement.ratings import DONT_KNOW, Float64s, Int64s, Ratings
from trainer.evaluation.bootstrap import mean_figures
from trainer.evaluation.figures import TaskFigure

NO_MAJORITY = -1
_UNUSED, _NO_LABEL = -2, -3  # given by no rater; none at all


@dataclass(frozen=True)
class LabelQuality:
    """How good the automatic labels of a set of items are.

    Attributes:
        set: its name.
        items: how many it has.
        figures: ``no_majority`` (the share of items without one), and against the majority's label
            ``accuracy``, ``recall`` and ``precision`` of the positive one; NaN where n is 0.
        alpha: Krippendorff's, of the raters.
    """

    set: str
    items: int
    figures: tuple[TaskFigure, ...]
    alpha: AgreementFigure


def majority(ratings: Ratings, *, dont_know_votes: bool = True) -> Int64s:
    """Return for each item the place of the label that more than half have voted for.

    Args:
        ratings: of n items.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote at all.

    Returns:
        (n,) int64; ``NO_MAJORITY`` where no label has one.
    """
    counts = counts_of(ratings.codes, len(ratings.labels))
    votes = counts.sum(axis=1)
    if dont_know_votes:
        votes += (ratings.codes == DONT_KNOW).sum(axis=1)
    if not counts.size:
        return np.full(len(ratings), NO_MAJORITY)
    return np.where(2 * counts.max(axis=1) > votes, counts.argmax(axis=1), NO_MAJORITY)


def label_quality(
    ratings: Ratings,
    automatic: Sequence[str],
    positive: str,
    sets: Sequence[str] | None = None,
    *,
    dont_know_votes: bool = True,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> tuple[LabelQuality, ...]:
    """Hold automatic labels, as predictions, against the majority's, as the truth.

    Args:
        ratings: of n items.
        automatic: the n labels; an item with "" counts in ``no_majority`` alone.
        positive: the label of which recall and precision are.
        sets: that each item belongs to; by default all to one, ``all``.
        dont_know_votes: as for ``majority``.
        seed: of the bootstrap over items.
        resamples: of the bootstrap, for alpha.
        tick: called between blocks; may raise to stop.

    Returns:
        one a set, in the order in which they come.

    Raises:
        ValueError: for labels or sets that are not n.
    """
    named = ["all"] * len(ratings) if sets is None else list(sets)
    if not len(automatic) == len(named) == len(ratings):
        raise ValueError(
            f"{len(automatic)} labels and {len(named)} sets do not fit {len(ratings)} items"
        )
    places = {"": _NO_LABEL} | {label: place for place, label in enumerate(ratings.labels)}
    said = np.array([places.get(label, _UNUSED) for label in automatic], np.int64)
    truth = majority(ratings, dont_know_votes=dont_know_votes)
    rows_of: dict[str, list[int]] = {}
    for row, name in enumerate(named):
        rows_of.setdefault(name, []).append(row)
    found = []
    for name, rows in rows_of.items():
        values = _values(truth[rows], said[rows], places.get(positive, _UNUSED))
        figures = mean_figures(values, seed).figures
        codes = ratings.codes[rows]
        alpha = figures_of(ratings, codes, seed=seed, resamples=resamples, tick=tick)[0]
        found.append(LabelQuality(name, len(rows), figures, alpha))
    return tuple(found)


def _values(truth: Int64s, said: Int64s, positive: int) -> dict[str, Float64s]:
    """Return what each item adds to each mean; NaN where it does not count."""
    counted = (truth != NO_MAJORITY) & (said != _NO_LABEL)
    right = (truth == said).astype(np.float64)
    return {
        "no_majority": (truth == NO_MAJORITY).astype(np.float64),
        "accuracy": np.where(counted, right, np.nan),
        "recall": np.where(counted & (truth == positive), right, np.nan),
        "precision": np.where(counted & (said == positive), right, np.nan),
    }
