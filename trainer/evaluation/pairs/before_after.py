"""What learning from judged pairs has changed on pairs that were not learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from termexplorer.trainer.evaluation.bootstrap import mean_figure
from termexplorer.trainer.evaluation.comparison import Comparison, compare
from termexplorer.trainer.evaluation.figures import MetricValue
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications
from termexplorer.trainer.evaluation.pairs.relatedness import Bools, Floats
from termexplorer.trainer.evaluation.pairs.roc import middle_threshold
from termexplorer.trainer.evaluation.resampling import Float64s
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.metrics import ACCURACY


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """Two encoders on the same judged pairs.

    Attributes:
        before: AUC (primary) and accuracy of the first encoder.
        after: those of the second.
        differences: after less before, by metric; McNemar's p for accuracy. Nothing for what is
            undefined.
        undefined: why the AUC is; "" where it is not.
    """

    before: tuple[MetricValue, ...]
    after: tuple[MetricValue, ...]
    differences: Mapping[str, Comparison]
    undefined: str


def before_and_after(
    pairs: PairSet,
    before: Floats,
    after: Floats,
    *,
    chosen: Bools,
    tested: Bools,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> BeforeAfter:
    """Measure how well similarities part similar from dissimilar pairs, before and after training.

    Each encoder has its own threshold for accuracy, chosen on pairs that are neither trained on nor
    tested. Pairs are drawn for both encoders alike.

    Args:
        pairs: p pairs, scored 1 for similar and 0 for dissimilar ones.
        before: (p,) similarities.
        after: (p,), likewise.
        chosen: (p,) bool, the pairs that thresholds are chosen on.
        tested: (p,) bool, the pairs that count.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: as for ``pair_classification``.
    """
    right = [_is_right(pairs, similarities, chosen)[tested] for similarities in (before, after)]
    classifications = [
        pair_classification(pairs, similarities, counted=tested, seed=seed, tick=tick)
        for similarities in (before, after)
    ]
    first, second = (
        (classification.figures[0], mean_figure(ACCURACY, correct, seed, primary=False))
        for classification, correct in zip(classifications, right, strict=True)
    )
    differences = compare_classifications(
        pairs, after, before, counted=tested, seed=seed, tick=tick
    )
    if tested.any():
        accuracies = compare(right[1], right[0], seed=seed)
        differences[ACCURACY] = replace(accuracies, p=accuracies.p_mcnemar)
    return BeforeAfter(first, second, differences, classifications[0].undefined)


def _is_right(pairs: PairSet, similarities: Floats, chosen: Bools) -> Float64s:
    """Return whether each pair is on the right side of the threshold, 0 or 1, (p,)."""
    values = similarities.astype(np.float64)
    threshold = middle_threshold(pairs.scores[chosen], values[chosen])
    return np.asarray((values >= threshold) == pairs.scores, np.float64)
