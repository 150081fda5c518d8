"""Synonym retrieval and concept mapping, on training, test and zero-shot names ([CG] 5.1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.text.names import LabelledNames

Int64s = NDArray[np.int64]

TRAINING, HELD_OUT, ZERO_SHOT = "train", "test", "zero-shot"


def synonym_retrieval(
    labels: LabelledNames,
    scores: Scores,
    *,
    train: Int64s,
    test: Int64s,
    zero_shot: Int64s,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> dict[str, TaskResult]:
    """Rank names for each mention; those of the same concept are right.

    ``train``: each training name in turn among the others, on which an encoder was trained;
    ``test``: each test name among the training names; ``zero-shot``: each zero-shot name among
    the other zero-shot names, whose concepts no encoder was trained on. A mention without a
    synonym among the candidates is not counted.

    Args:
        labels: n names and their concepts.
        scores: similarities of the n names, such as ``cosine_scores(vectors)``.
        train: int64, the training names.
        test: int64, held-out names of the same concepts.
        zero_shot: int64, all names of other concepts.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        What each of the three came to: mAP (primary), accuracy of the first, and MRR.

    Raises:
        ValueError: a similarity is NaN.
    """
    rankings = {TRAINING: (train, train), HELD_OUT: (test, train), ZERO_SHOT: (zero_shot,) * 2}
    return {
        variant: similarity_ranking(labels, scores, *ranking, seed=seed, tick=tick)
        for variant, ranking in rankings.items()
    }
