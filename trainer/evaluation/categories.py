"""Category separation: close categories are to be more similar than distant ones ([MTS] 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.metrics import OVERLAP
from termexplorer.trainer.search.retrieval import rows_at_a_time

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.scores import Scores

Int64s = NDArray[np.int64]


def category_separation(
    scores: Scores,
    category: Int64s,
    close: Int64s,
    distant: Int64s,
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Find how often a term is no more similar to a close category's than to a distant one's.

    The share of triples with ``sim(i, j) <= sim(i, k)``, the relative overlap O of [MTS], is an
    error: the lower the better. It is counted by sorting, not by triples. Each item is the share
    of pairs (j, k) for a term i; the bootstrap draws those terms.

    Args:
        scores: similarities of terms, as indices.
        category: (a,) int64, the terms i of one category.
        close: (b,) int64, the terms j of a category close to it.
        distant: (o,) int64, the terms k of a distant one.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        the overlap; NaN where a category has no term.

    Raises:
        ValueError: where a similarity is NaN; leave out the terms of which nothing is known.
    """
    overlaps = np.full(len(category), np.nan)
    other_names = np.concatenate((close, distant))
    pairs = len(close) * len(distant)
    size = rows_at_a_time(len(other_names))
    for start in range(0, len(category) if pairs else 0, size):
        tick()
        block = slice(start, start + size)
        similarities = torch.as_tensor(scores(category[block], other_names))
        if similarities.isnan().any():
            raise TrainerError(
                "a term has no similarity; leave out those of which nothing is known"
            )
        below = _count_below(similarities[:, : len(close)], similarities[:, len(close) :])
        overlaps[block] = 1 - below.cpu().numpy() / pairs
    return mean_figures({OVERLAP: overlaps}, seed)


def _count_below(values: Tensor, other_values: Tensor) -> Tensor:
    """Return how many pairs of each row have an other that is less than the value, (r,) int64."""
    return torch.searchsorted(other_values.sort(dim=1).values, values.contiguous()).sum(dim=1)
