"""A lexical part added to the similarities of an encoder, as BioSyn of [FSL] table 3 does."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trainer.evaluation.scores import Scores

Int64s = NDArray[np.int64]


def with_sparse(dense: Scores, sparse: Scores, weight: float) -> Scores:
    """Score by ``dense + weight · sparse``.

    Args:
        dense: similarities of an encoder.
        sparse: lexical similarities of the same mentions and candidates, such as
            ``table_of(TfidfNames.fit(names), mentions)``.
        weight: of the sparse part, at least 0; chosen on validation mentions.

    Raises:
        ValueError: for a weight that is negative or not finite.
    """
    if not 0 <= weight < np.inf:
        raise ValueError(f"the weight of the sparse part is {weight}; it has to be 0 or more")

    def score(mentions: Int64s, candidates: Int64s) -> Tensor:
        first = torch.as_tensor(dense(mentions, candidates))
        second = torch.as_tensor(sparse(mentions, candidates)).to(first.device)
        return first + weight * second

    return score
