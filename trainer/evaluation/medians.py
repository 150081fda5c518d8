"""Two encoders' median ranks on the same items: how much they differ, and whether by chance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import interval, samples
from termexplorer.trainer.evaluation.comparison import Comparison, least_p, mcnemar

Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]
Key = TypeVar("Key", bound=Hashable)

_RESAMPLES = 2000  # of which the interval comes, as that of a median itself


def compare_medians(first: Float64s, second: Float64s, *, seed: int = 0) -> Comparison:
    """Compare the medians of the ranks that two encoders reach on the same items.

    The interval is of a percentile bootstrap that draws the same items for both. ``p`` is that of
    the median test for pairs: each item is at or under the median of all ranks of both, or above
    it; where an item is so for one encoder alone, either is as likely if they are equal, which is
    McNemar's test. It is exact, as it would be by exchanging the ranks of items in all ways, since
    that leaves the median of all as it is. Where the counts go another way than the medians,
    nothing is shown, and ``p`` is 1.

    Args:
        first: (m,) ranks of the first encoder, the lower the better; NaN for items without one.
        second: (m,) of the second one.
        seed: of the interval's samples.

    Returns:
        the median of the first less that of the second; ``better`` and ``worse`` count the items
        on which one alone is at or under the median of both.

    Raises:
        ValueError: for ranks of another shape.
    """
    couple = "first", "second"
    return compare_all_medians({"first": first, "second": second}, [couple], seed=seed)[couple]


def compare_all_medians(
    ranks: Mapping[Key, Float64s],
    couples: Sequence[tuple[Key, Key]],
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> dict[tuple[Key, Key], Comparison]:
    """Compare couples of several encoders; see ``compare_medians``.

    Args:
        ranks: (m,) of each encoder, of the same items; NaN for items without one.
        couples: the first and second of each comparison.
        seed: of the intervals' samples, which all encoders of the same known items share.
        tick: called between encoders; may raise to stop.

    Raises:
        ValueError: for ranks of another shape.
    """
    drawn: dict[tuple[Key, bytes], Float64s] = {}

    def drawn_medians(key: Key, known: Bools) -> Float64s:
        cache_key = key, known.tobytes()
        if cache_key not in drawn:
            tick()
            drawn[cache_key] = _resampled_medians(ranks[key][known], seed)
        return drawn[cache_key]

    comparisons = {}
    for first, second in couples:
        left, right = ranks[first], ranks[second]
        if left.shape != right.shape or left.ndim != 1:
            raise TrainerError(
                "ranks of {shape} and {other_shape} are not of the same items",
                shape=left.shape,
                other_shape=right.shape,
            )
        known = ~np.isnan(left - right)
        if not known.any():
            comparisons[first, second] = Comparison(*(float("nan"),) * 4, 0, 0, float("nan"), 0)
            continue
        ends = interval(drawn_medians(first, known) - drawn_medians(second, known))
        comparisons[first, second] = _compare_ranks(left[known], right[known], ends)
    return comparisons


def _compare_ranks(first: Float64s, second: Float64s, ends: tuple[float, float]) -> Comparison:
    difference = float(np.median(first) - np.median(second))
    middle = np.median(np.concatenate((first, second)))
    better = int(np.sum((first <= middle) & (second > middle)))
    worse = int(np.sum((second <= middle) & (first > middle)))
    p_signs, count = mcnemar(better, worse), len(first)
    p = p_signs if difference * (better - worse) < 0 else 1.0
    return Comparison(difference, *ends, p, better, worse, p_signs, count, least_p(count))


def _resampled_medians(ranks: Float64s, seed: int) -> Float64s:
    """Return the medians of samples of (n,) ranks; the same items are drawn for the same seed."""
    order = np.argsort(ranks, kind="stable")
    ordered, count = ranks[order], len(ranks)
    places = (count + 1) // 2, count // 2 + 1  # from 1; two if they are even
    medians = []
    for times in samples(count, seed, _RESAMPLES):
        up_to = times[:, order].cumsum(axis=1)
        low, high = (ordered[(up_to < position).sum(axis=1)] for position in places)
        medians.append((low + high) / 2)
    return np.concatenate(medians)
