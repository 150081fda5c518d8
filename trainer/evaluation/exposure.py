"""How many of a task's names an encoder was trained on, which every table has to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trainer.tokenizer import tokenize

Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class Exposure:
    """What of a task an encoder has seen before.

    Attributes:
        mentions: that were ranked for.
        trained_mentions: those among them that the encoder was trained on.
        candidates: that were ranked.
        trained_candidates: those among them that the encoder was trained on.
    """

    mentions: int
    trained_mentions: int
    candidates: int
    trained_candidates: int


def exposure(
    names: Sequence[str], mentions: Int64s, candidates: Int64s, trained: Iterable[str]
) -> Exposure:
    """Count the names that an encoder was trained on; those of the same tokens are the same.

    Args:
        names: the n names of the task.
        mentions: (m,) int64.
        candidates: (c,) int64.
        trained: all names that the encoder, and those beneath it, were trained on.
    """
    known = {tuple(tokenize(name)) for name in trained}
    seen = np.array([tuple(tokenize(name)) in known for name in names], np.bool_)
    return Exposure(
        len(mentions),
        int(seen[mentions].sum()),
        len(candidates),
        int(seen[candidates].sum()),
    )
