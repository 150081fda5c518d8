"""Steps that tests of judged share with others."""

from __future__ import annotations

import numpy as np

from termexplorer.trainer.data.judged_pairs import JudgedPairs, split_pairs


def judged(pairs: int = 240, width: int = 16) -> JudgedPairs:
    """Pairs whose terms are as near either way, but for one direction, which tells."""
    rng = np.random.default_rng(0)
    left = rng.normal(size=(pairs, width))
    right = left + 0.6 * rng.normal(size=(pairs, width))
    similar = np.arange(pairs) % 2 == 0
    left[:, 0] = rng.choice((-0.7, 0.7), pairs)
    right[:, 0] = np.where(similar, left[:, 0], -left[:, 0])
    places = np.arange(pairs)
    terms = [[f"{side} {index}" for index in places] for side in "lr"]
    parts = split_pairs(*terms, similar, np.zeros(pairs, bool), 0)
    vectors = np.concatenate((left, right)).astype(np.float32)
    return JudgedPairs(vectors, places, places + pairs, similar, parts)
