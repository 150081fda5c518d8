"""Semantic similarity ranking: all training names for each held-out mention ([HLS] 4.3)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.rankings import Measures, rank_names
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import ACCURACY, MAP, MRR
from termexplorer.trainer.search.expected_ranks import average_precision, hits, reciprocal_rank
from termexplorer.trainer.text.names import LabelledNames

Int64s = NDArray[np.int64]

_MEASURES: Measures = {
    MAP: average_precision,
    ACCURACY: partial(hits, k=1),
    MRR: reciprocal_rank,
}


def similarity_ranking(
    labels: LabelledNames,
    scores: Scores,
    mentions: Int64s,
    candidates: Int64s,
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Rank the candidates for each mention, but itself; names of the same class are right.

    Equals are ranked in all orders alike, see ``expected_ranks``. A mention that no candidate
    shares a class with is not counted.

    Args:
        labels: n names and their classes, of the level to evaluate.
        scores: similarities of the n names, such as ``cosine_scores(vectors)``.
        mentions: (m,) int64, held-out names.
        candidates: (t,) int64, the training names, none of them twice.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        mAP (primary), accuracy of the first, and MRR ([CG] 5.1).

    Raises:
        ValueError: a similarity is NaN.
    """
    return mean_figures(rank_names(labels, scores, mentions, candidates, _MEASURES, tick), seed)
