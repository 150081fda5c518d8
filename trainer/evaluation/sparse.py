"""A lexical part added to the similarities of an encoder, as BioSyn of [FSL] table 3 does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.scores import Scores

Int64s = NDArray[np.int64]

WEIGHTS = (0, 0.1, 0.2, 0.5, 1, 2, 5, 10)


def with_sparse(dense: Scores, sparse: Scores, weight: float) -> Scores:
    """Score by ``dense + weight · sparse``.

    Args:
        dense: similarities of an encoder.
        sparse: lexical similarities of the same mentions and candidates, such as
            ``table_of(TfidfNames.fit(names), mentions)``.
        weight: of the sparse part, at least 0; see ``best_weight``.

    Raises:
        ValueError: for a weight that is negative or not finite.
    """
    if not 0 <= weight < np.inf:
        raise TrainerError(
            "the weight of the sparse part is {weight}; it has to be 0 or more", weight=weight
        )

    def score(mentions: Int64s, candidates: Int64s) -> Tensor:
        first = torch.as_tensor(dense(mentions, candidates))
        second = torch.as_tensor(sparse(mentions, candidates)).to(first.device)
        return first + weight * second

    return score


def best_weight(
    dense: Scores,
    sparse: Scores,
    evaluate: Callable[[Scores], TaskResult],
    weights: Sequence[float] = WEIGHTS,
) -> float:
    """Return the weight with which a task comes out best, by its primary figure.

    Args:
        dense: similarities of an encoder, for the task's validation mentions.
        sparse: lexical ones.
        evaluate: the task, on validation mentions, never on those to be reported.
        weights: to choose from; of those that come out alike the first.
    """
    return max(
        weights,
        key=lambda weight: evaluate(with_sparse(dense, sparse, weight)).figures[0].value,
    )
