"""Unsupervised hypernym detection: the names of a level's concepts for each mention ([HLS] 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.bootstrap import mean_figures, median_figure
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.rankings import Measures, rank_mentions
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import HITS, MEDIAN_RANK, MRR
from termexplorer.trainer.search.expected_ranks import hits, rank, reciprocal_rank
from termexplorer.trainer.text.names import LabelledNames

FIRST = (1, 5, 10)


def hypernym_detection(
    labels: LabelledNames,
    scores: Scores,
    mentions: NDArray[np.int64],
    level_classes: NDArray[np.int64],
    *,
    first: Sequence[int] = FIRST,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Rank the names of all concepts on a level; those of the mention's own classes are right.

    The best-ranked of the right ones counts. Equals are ranked in all orders alike, see
    ``expected_ranks``. A mention of whose classes no name is ranked is not counted.

    Args:
        labels: n names and their classes, the concepts on the level.
        scores: similarities of the n names and the h names of the level, such as
            ``cosine_scores(vectors, level_vectors)``.
        mentions: (m,) int64, held-out names.
        level_classes: (h,) int64, the class that each name of the level is a name of.
        first: each k of Hits@k; ``hits@1`` is the accuracy.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        MRR (primary), ``hits@k`` for each k, and the median rank; its items are the ranks.

    Raises:
        ValueError: a similarity is NaN.
    """
    from scipy.sparse import csr_array

    level = np.arange(len(level_classes))
    shape = (len(level), len(labels.classes))
    of_level = csr_array((np.ones(len(level), np.bool_), (level, level_classes)), shape=shape)
    measures: Measures = {
        MRR: reciprocal_rank,
        **{f"{HITS}{k}": partial(hits, k=k) for k in first},
        MEDIAN_RANK: rank,
    }
    of_mentions = labels.membership()[mentions]
    items = rank_mentions(scores, mentions, level, of_mentions, of_level, measures, tick)
    result = mean_figures({name: items[name] for name in items if name != MEDIAN_RANK}, seed)
    median = median_figure(MEDIAN_RANK, items[MEDIAN_RANK], seed)
    return replace(result, figures=(*result.figures, median), items=items)
