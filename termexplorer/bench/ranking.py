"""mAP of held-out mentions over all training names, from vectors: beside a loop over mentions."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.bench.bounds import best_seconds, seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.evaluation.rankings import rank_names
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.search.expected_ranks import average_precision
from termexplorer.trainer.search.retrieval import average_precisions
from termexplorer.trainer.text.names import LabelledNames

_NAMES, _MENTIONS, _CLASSES, _WIDTH = 25_000, 1_500, 600, 300
_TWINS = 5_000  # names with the vector of another one
_FASTER, _SECONDS, _EXACT = 10.0, 0.6, 1e-12

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]
Precision = Callable[[Float32s, NDArray[np.bool_]], float]


def run(context: BenchContext) -> list[BenchFigure]:
    """Rank the names for every mention, for a few of them if it has to be quick by the loop."""
    vectors, of = _make_vectors(), _make_classes()
    everything = np.arange(_NAMES + _MENTIONS)
    names, mentions = everything[:_NAMES], everything[_NAMES:]
    labels = LabelledNames(
        tuple(map(str, everything)), tuple(map(str, range(_CLASSES))), everything, of
    )

    def ours() -> dict[str, NDArray[np.float64]]:
        measures = {"mAP": average_precision}
        return rank_names(labels, cosine_scores(vectors), mentions, names, measures, lambda: None)

    some = mentions[: _MENTIONS // 10] if context.quick else mentions
    seconds = best_seconds(ours, 5)
    share = len(some) / _MENTIONS
    loop, forgetful = (
        seconds_of(partial(_loop_over_mentions, vectors, of, some, names, precision)) / share
        for precision in (_with_ties, _without_ties)
    )
    error = _largest_error(vectors, of, some, names)
    name = f"mAP of {_MENTIONS:,} mentions over {_NAMES:,} names, from vectors"
    return [
        BenchFigure(
            name, seconds, "s", "loop over mentions, ties included", loop, loop / seconds,
            "at least 10 × faster, about 0.6 s",
            loop / seconds >= _FASTER and seconds <= 1.25 * _SECONDS,
        ),
        BenchFigure(
            name, seconds, "s", "loop that leaves ties to the order of input", forgetful,
            forgetful / seconds, "none: it computes another figure", None,
        ),
        BenchFigure(
            "its greatest difference from the loop, ties included", error, "", "limit", _EXACT,
            error / _EXACT, "under 1e-12", error < _EXACT,
        ),
    ]  # fmt: skip


def _make_vectors() -> Float32s:
    vectors = np.random.default_rng(1).normal(size=(_NAMES + _MENTIONS, _WIDTH))
    vectors[_NAMES - _TWINS : _NAMES] = vectors[:_TWINS]
    return vectors.astype(np.float32)


def _make_classes() -> Int64s:
    """Classes of uneven size, the largest of thousands of names; as many mentions of each."""
    rng, shares = np.random.default_rng(2), 1 / np.arange(1, _CLASSES + 1)
    of_names = rng.choice(_CLASSES, _NAMES, p=shares / shares.sum())
    return np.concatenate((of_names, np.arange(_MENTIONS) % _CLASSES)).astype(np.int64)


def _loop_over_mentions(
    vectors: Float32s, of: Int64s, mentions: Int64s, names: Int64s, precision: Precision
) -> float:
    """Return the mAP as one would write it down, a mention after the other."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    candidates, of_candidates = units[names], of[names]
    precisions = [
        precision(candidates @ units[mention], of_candidates == of[mention]) for mention in mentions
    ]
    return float(np.nanmean(precisions))


def _without_ties(similarities: Float32s, right: NDArray[np.bool_]) -> float:
    ranks = np.flatnonzero(right[np.argsort(-similarities)]) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks)) if len(ranks) else float("nan")


def _largest_error(vectors: Float32s, of: Int64s, mentions: Int64s, names: Int64s) -> float:
    """Return how much any average precision differs from that of a loop over the same table."""
    scores = cosine_scores(vectors)
    worst = 0.0
    for block in np.array_split(mentions, len(mentions) // 50):
        table = torch.as_tensor(scores(block, names))
        right = of[block, None] == of[names]
        precisions = average_precisions(table, torch.from_numpy(right)).numpy()
        expected = [_with_ties(*row) for row in zip(table.numpy(), right, strict=True)]
        worst = max(worst, float(np.nanmax(np.abs(precisions - expected))))
    return worst


def _with_ties(similarities: Float32s, right: NDArray[np.bool_]) -> float:
    """Return the average precision by its definition, each of some equals as likely at a place."""
    _, group, sizes = np.unique(-similarities, return_inverse=True, return_counts=True)
    rights = np.bincount(group, right)
    if not right.any():
        return float("nan")
    starts = np.cumsum(sizes) - sizes
    size, count, start, before = (
        np.repeat(values, sizes) for values in (sizes, rights, starts, np.cumsum(rights) - rights)
    )
    rank = np.arange(len(right))
    right_before = (rank - start) * (count - 1) / np.maximum(size - 1, 1)
    return float((count / size * (before + 1 + right_before) / (rank + 1)).sum() / right.sum())
