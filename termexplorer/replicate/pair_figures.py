"""Spearman's correlation over samples: the mean of several encoders on the same pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.report import Value
from termexplorer.replicate.table_conclusions import RawDifference

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.resampling import Statistic
    from termexplorer.trainer.files.pairs import PairSet

Float64s = NDArray[np.float64]

_RESAMPLES = 10_000  # as of the trainer's `relatedness`

COUNTED = (
    "n, where some pairs are not known, is how many are known to all that a row is of; where n "
    "differs among rows, these are not of the same pairs and none is bold"
)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over samples, of a correlation or of the gain in it.

    Attributes:
        low: lower end of its 95 % interval (BCa), over pairs.
        high: upper end.
        spread: standard deviation over samples; NaN for a single one.
        p: two-sided, that it is 0; NaN for a correlation.
        pairs: counted.
        of: how many pairs the set has.
        samples: encoders.
    """

    value: float
    low: float
    high: float
    spread: float
    p: float
    pairs: int
    of: int
    samples: int

    def shown(self, sign: str = "") -> Value:
        """It in a table."""
        from termexplorer.trainer.evaluation.figures import BCA, CONCORDANT
        from termexplorer.trainer.evaluation.pairs.correlation import is_perfect
        from termexplorer.trainer.evaluation.resampling import FEWEST

        few = f"fewer than {FEWEST} pairs are known" if self.pairs < FEWEST else ""
        return Value(
            self.value, self.low, self.high, sign, self.spread,
            undefined=few, count=self.pairs, of=self.of,
            method="" if np.isnan(self.low) else CONCORDANT if is_perfect(self.value) else BCA,
        )  # fmt: skip

    def difference(self) -> RawDifference:
        """It as a gain that is tested."""
        from termexplorer.trainer.evaluation.comparison import least_p

        return RawDifference(
            self.value, self.low, self.high, self.p, self.pairs, least_p(self.pairs)
        )


def correlation(scores: Float64s, similarities: Float64s) -> float:
    """Spearman's over the pairs that are known; of too few, which any line fits, NaN.

    Args:
        scores: (p,) of pairs.
        similarities: (p,) similarities; NaN where nothing is known.
    """
    from termexplorer.trainer.evaluation.pairs.correlation import spearman, value_of
    from termexplorer.trainer.evaluation.resampling import FEWEST

    known = ~np.isnan(similarities)
    count = int(known.sum())
    return value_of(spearman(scores[known], similarities[known]), count if count >= FEWEST else 0)


def mean_spearman(
    pairs: "PairSet",
    samples: Sequence[Float64s],
    against: Float64s | None,
    tick: Callable[[], None],
) -> Mean:
    """The mean of the correlations of several encoders, or how far it is above that of another.

    Each resample of the pairs is the same for all encoders, so that the interval is of the mean.

    Args:
        pairs: p pairs.
        samples: (p,) similarities of each encoder; NaN where nothing is known.
        against: (p,) of the encoder to compare with, or None.
        tick: called between pieces; may raise to stop.
    """
    from termexplorer.trainer.evaluation.comparison import least_p
    from termexplorer.trainer.evaluation.pairs.correlation import spearman_with, widen_perfect
    from termexplorer.trainer.evaluation.pairs.relatedness import covered_by_all
    from termexplorer.trainer.evaluation.resampling import resamples_of

    counted = covered_by_all([*samples, *(() if against is None else (against,))])
    scores, count = pairs.scores[counted], int(counted.sum())
    values = np.array([correlation(scores, sample[counted]) for sample in samples])
    before = 0.0 if against is None else correlation(scores, against[counted])
    value = float(values.mean()) - before
    spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    if np.isnan(value):
        return Mean(*(float("nan"),) * 3, spread, float("nan"), count, len(pairs), len(samples))
    with_scores = spearman_with(scores)
    statistics = [with_scores(sample[counted]) for sample in samples]
    base = None if against is None else with_scores(against[counted])
    statistic = _mean_statistic(statistics, base)
    (drawn,) = resamples_of([statistic], count, 0, _RESAMPLES, tick)
    low, high = drawn.interval()
    if base is None:
        low, high = widen_perfect(value, count, (low, high))
    p = float("nan") if base is None else max(drawn.p_of_nothing(), least_p(count))
    return Mean(value, low, high, spread, p, count, len(pairs), len(samples))


def _mean_statistic(statistics: "Sequence[Statistic]", base: "Statistic | None") -> "Statistic":
    """Of samples; one that does not define a correlation has none, 0, as in `resamples_of`."""

    def statistic(weights: Float64s) -> Float64s:
        mean = np.mean([np.nan_to_num(part(weights)) for part in statistics], axis=0)
        return np.asarray(mean if base is None else mean - np.nan_to_num(base(weights)))

    return statistic
