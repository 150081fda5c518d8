"""Two encoders on the same items: how much they differ, and whether it may be chance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import interval, resampled_means
from termexplorer.trainer.evaluation.bootstrap_tail import bootstrap_tail
from termexplorer.trainer.evaluation.shares import paired_interval

Float64s = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)

_RESAMPLES = 20_000  # of which the intervals come

_NO_DIFFERENCE = 1e-12  # what rounding leaves of the same figures


@dataclass(frozen=True)
class Comparison:
    """The first encoder beside the second.

    Attributes:
        difference: the mean of the first less that of the second; NaN without items.
        low: lower end of the 95 % interval of the difference.
        high: upper end.
        p: two-sided, that there is no difference, by paired bootstrap.
        better: items on which the first is better.
        worse: items on which it is worse.
        p_mcnemar: two-sided, that the first is as often better as worse.
        n: items that count for both.
        least_p: the least p that so many items can show.
    """

    difference: float
    low: float
    high: float
    p: float
    better: int
    worse: int
    p_mcnemar: float
    n: int
    least_p: float = 0.0


def compare(
    first: Float64s, second: Float64s, *, seed: int = 0, resamples: int = _RESAMPLES
) -> Comparison:
    """Compare the values that two encoders reach on the same items.

    The items are drawn with replacement. ``p`` is twice the chance that a sample's difference is
    not of its sign, by ``bootstrap_tail``: samples that are drawn could show none below one in as
    many, which a correction for many comparisons makes into no difference at all. Of few items all
    samples have one sign, and it is no less than ``least_p`` of the items that differ.
    McNemar's test, in its exact form ([MTS] 5.2 for accuracies), takes the items on which the two
    differ as throws of a fair coin; of accuracies that are no 0 or 1 because of ties it is the sign
    test. Where each item is right or wrong by both, the interval is ``paired_interval``.

    Args:
        first: (m,), one value for each item, such as ``TaskResult.items["accuracy"]``; the higher
            the better. NaN for items that do not count.
        second: (m,), of the same items.
        seed: of the interval's samples.
        resamples: of the interval.

    Raises:
        ValueError: for values of another shape.
    """
    couple = "first", "second"
    values = {"first": first, "second": second}
    return compare_all(values, [couple], seed=seed, resamples=resamples)[couple]


def compare_all(
    items: Mapping[Key, Float64s],
    couples: Sequence[tuple[Key, Key]],
    *,
    seed: int = 0,
    resamples: int = _RESAMPLES,
    tick: Callable[[], None] = lambda: None,
) -> dict[tuple[Key, Key], Comparison]:
    """Compare couples of several encoders; see ``compare``. All have the same samples, drawn once.

    Args:
        items: (m,) values of each encoder, of the same items; NaN for items that do not count.
        couples: the first and second of each comparison.
        seed: of the intervals' samples.
        resamples: of the intervals.
        tick: called between blocks of samples; may raise to stop.

    Raises:
        ValueError: for values of another shape.
    """
    shapes = {values.shape for values in items.values()}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        shapes_text = " and ".join(map(str, sorted(shapes)))
        raise TrainerError("values of {told} are not of the same items", told=shapes_text)
    if not couples:
        return {}
    differences = np.stack([items[first] - items[second] for first, second in couples], axis=1)
    differences = differences[~np.isnan(differences).all(axis=1)]
    differences[np.abs(differences) < _NO_DIFFERENCE] = 0
    means = resampled_means(differences, seed, resamples, tick)
    whole = {key for key, values in items.items() if is_right_or_wrong(values)}
    return {
        couple: _compare_differences(
            differences[:, at], means[:, at], whole=whole.issuperset(couple)
        )
        for at, couple in enumerate(couples)
    }


def is_right_or_wrong(values: Float64s) -> bool:
    """Return whether each item that counts, which those of NaN do not, is one of the two."""
    return bool(np.isin(values[~np.isnan(values)], (0, 1)).all())


def _compare_differences(differences: Float64s, means: Float64s, *, whole: bool) -> Comparison:
    """Return what (m,) differences, NaN for none, and the means of their samples come to.

    ``whole`` tells whether each item is right or wrong by both.
    """
    differences = differences[~np.isnan(differences)]
    if not len(differences):
        return Comparison(*(float("nan"),) * 4, 0, 0, float("nan"), 0)
    better, worse = (int(np.count_nonzero(signed > 0)) for signed in (differences, -differences))
    shares = paired_interval(better, worse, len(differences)) if whole else None
    return Comparison(
        float(differences.mean()),
        *(shares or interval(means)),
        min(1.0, max(2 * bootstrap_tail(differences), least_p(better + worse))),
        better,
        worse,
        mcnemar(better, worse),
        len(differences),
        least_p(len(differences)),
    )


def least_p(items: int) -> float:
    """Return the least two-sided p that m items can show: 2 / 2^m, one for each way to sign them.

    The bootstrap knows none, since all samples of very few items may be on one side of 0.
    """
    return min(1.0, 2.0 ** (1 - items))


def mcnemar(better: int, worse: int) -> float:
    """Return the exact two-sided p of McNemar's test from the two counts of discordant items."""
    from scipy.stats import binomtest

    return float(binomtest(better, better + worse).pvalue) if better + worse else 1.0


def holm(p: Sequence[float] | Float64s) -> Float64s:
    """Correct p-values for many comparisons by Holm's method (1979), never worse than Bonferroni's.

    The smallest of k is taken times k, the next times k - 1 and so on; none comes out smaller than
    one before it, nor above 1. NaN stays NaN and is not counted.
    """
    values = np.asarray(p, np.float64)
    corrected = np.full(values.shape, np.nan)
    order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))]  # NaN is last
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1)
    return corrected
