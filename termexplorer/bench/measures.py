"""Fuzzy Jaccard of many pairs of names beside a NumPy loop over the pairs."""

from __future__ import annotations

import numpy as np

from termexplorer.bench.bounds import best_seconds, seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.measures import measure
from termexplorer.trainer.measures.base import WordBags

_PAIRS, _NAMES, _WORDS, _WIDTH, _LONGEST = 100_000, 50_000, 20_000, 300, 6
_LIMIT, _TOLERANCE = 5.0, 1e-6


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure pairs of names of one to six words with vectors of 300 dimensions."""
    rng = np.random.default_rng(1)
    starts = np.concatenate(([0], np.cumsum(rng.integers(1, _LONGEST + 1, _NAMES))))
    matrix = rng.standard_normal((_WORDS, _WIDTH), dtype=np.float32)
    bags = WordBags(matrix, rng.integers(0, _WORDS, starts[-1]), starts)
    left, right = rng.integers(0, _NAMES, (2, _PAIRS))
    fuzzy = measure("fuzzy_jaccard")
    ours = best_seconds(lambda: fuzzy(bags, left, right), 1 if context.quick else 3)
    share = 10 if context.quick else 1
    some = slice(0, _PAIRS // share)
    loop = share * seconds_of(lambda: _loop_over_pairs(bags, left[some], right[some]))
    few = slice(0, 2000)
    expected = _loop_over_pairs(bags, left[few], right[few])
    error = float(np.abs(fuzzy(bags, left[few], right[few]) - expected).max())
    return [
        BenchFigure(
            f"fuzzy Jaccard of {_PAIRS:,} pairs, largest difference {error:.0e}",
            ours, "s", "loop over pairs", loop, loop / ours,
            f"under {_LIMIT:.0f} s, equal to {_TOLERANCE:.0e}",
            ours < _LIMIT and error <= _TOLERANCE,
        )
    ]  # fmt: skip


def _loop_over_pairs(bags: WordBags, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the same the plain way, one pair after the other."""
    similarities = np.empty(len(left), dtype=np.float32)
    for number, pair in enumerate(zip(left, right, strict=True)):
        both = [bags.matrix[bags.rows[bags.starts[at] : bags.starts[at + 1]]] for at in pair]
        universe = np.concatenate(both)
        first, second = (np.maximum((words @ universe.T).max(axis=0), 0) for words in both)
        similarities[number] = np.minimum(first, second).sum() / np.maximum(first, second).sum()
    return similarities
