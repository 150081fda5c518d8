"""Semantic similarity ranking: all training names for each held-out mention ([HLS] 4.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trainer.evaluation.bootstrap import mean_figure
from trainer.evaluation.figures import TaskFigure
from trainer.names import LabelledNames
from trainer.objectives import unit
from trainer.retrieval import average_precisions, reciprocal_ranks, rows_at_a_time

Int64s = NDArray[np.int64]


def similarity_ranking(
    labels: LabelledNames,
    vectors: NDArray[np.float32],
    mentions: Int64s,
    candidates: Int64s,
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> tuple[TaskFigure, ...]:
    """Rank the candidates for each mention; names of the same class are right.

    Candidates that are equally similar are ranked in the order given. A mention that no candidate
    shares a class with is not counted.

    Args:
        labels: n names and their classes, of the level to evaluate.
        vectors: (n, d) float32, encoded names of any length.
        mentions: (m,) int64, held-out names.
        candidates: (t,) int64, the training names.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        mAP (primary), accuracy of the first, and MRR.
    """
    precisions, reciprocals = np.empty(len(mentions)), np.empty(len(mentions))
    names = unit(torch.from_numpy(vectors[candidates]))
    queries = unit(torch.from_numpy(vectors[mentions]))
    membership = labels.membership().astype(np.int32)
    of_candidates = membership[candidates].T.tocsr()
    size = max(1, rows_at_a_time(len(candidates)) // 4)  # sorting takes longer
    for start in range(0, len(mentions), size):
        tick()
        block = slice(start, start + size)
        shared = (membership[mentions[block]] @ of_candidates).toarray() > 0
        relevant = torch.from_numpy(shared)
        cosines = queries[block] @ names.T
        precisions[block] = average_precisions(cosines, relevant).numpy()
        reciprocals[block] = _first(cosines, relevant)
    first = np.where(np.isnan(reciprocals), np.nan, reciprocals == 1)
    return (
        mean_figure("mAP", precisions, seed, primary=True),
        mean_figure("accuracy", first, seed, primary=False),
        mean_figure("MRR", reciprocals, seed, primary=False),
    )


def _first(cosines: Tensor, relevant: Tensor) -> NDArray[np.float64]:
    found: NDArray[np.float64] = reciprocal_ranks(cosines, relevant).numpy()
    return found
