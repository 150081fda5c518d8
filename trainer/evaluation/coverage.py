"""Coverage at k: how many of a name's synonyms are among its nearest names ([BNE] 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.rankings import rank_names
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import COVERAGE
from termexplorer.trainer.search.expected_ranks import coverage
from termexplorer.trainer.text.names import LabelledNames

NEIGHBOURS = tuple(2**power for power in range(11))  # 1 … 1024


def coverage_at_k(
    labels: LabelledNames,
    scores: Scores,
    names: NDArray[np.int64],
    *,
    neighbours: Sequence[int] = NEIGHBOURS,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Find the share of each name's synonyms among its k most similar names, for several k.

    Where the k-th is one of several equals, the expected share counts. A name without a synonym
    is not counted.

    Args:
        labels: n names and their concepts.
        scores: similarities of the n names, such as ``cosine_scores(vectors)``.
        names: (m,) int64, each in turn ranks all others of them; none of them twice.
        neighbours: each k.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        A curve: ``coverage@1`` (primary), ``coverage@2`` and so on.

    Raises:
        ValueError: a similarity is NaN.
    """
    measures = {f"{COVERAGE}{k}": partial(coverage, k=k) for k in neighbours}
    return mean_figures(rank_names(labels, scores, names, names, measures, tick), seed)
