"""Unsupervised hypernym detection: the names of a level's concepts for each mention ([HLS] 4.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from trainer.evaluation.bootstrap import mean_figure
from trainer.evaluation.figures import TaskFigure
from trainer.names import LabelledNames
from trainer.objectives import unit
from trainer.retrieval import reciprocal_ranks

_BLOCK = 512  # mentions at a time


def hypernym_detection(
    labels: LabelledNames,
    vectors: NDArray[np.float32],
    mentions: NDArray[np.int64],
    level_classes: NDArray[np.int64],
    level_vectors: NDArray[np.float32],
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> tuple[TaskFigure, ...]:
    """Rank the names of all concepts on a level; those of the mention's own classes are right.

    Names that are equally similar are ranked in the order given. A mention of whose classes no
    name is ranked is not counted.

    Args:
        labels: n names and their classes, the concepts on the level.
        vectors: (n, d) float32, encoded names of any length.
        mentions: (m,) int64, held-out names.
        level_classes: (h,) int64, the class that each name of the level is a name of.
        level_vectors: (h, d) float32, those names, encoded.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        MRR of the best-ranked name of the mention's classes (primary), accuracy of the first.
    """
    reciprocals = np.empty(len(mentions))
    names = unit(torch.from_numpy(level_vectors))
    queries = unit(torch.from_numpy(vectors[mentions]))
    membership = labels.membership()
    for start in range(0, len(mentions), _BLOCK):
        tick()
        block = slice(start, start + _BLOCK)
        own = membership[mentions[block]].toarray()[:, level_classes]
        cosines = queries[block] @ names.T
        reciprocals[block] = reciprocal_ranks(cosines, torch.from_numpy(own)).numpy()
    first = np.where(np.isnan(reciprocals), np.nan, reciprocals == 1)
    return (
        mean_figure("MRR", reciprocals, seed, primary=True),
        mean_figure("accuracy", first, seed, primary=False),
    )
