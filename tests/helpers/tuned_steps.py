"""Steps that tests of tuned share with others."""

from __future__ import annotations

import numpy as np
from tiny_transformer import WORDS

from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.text.names import LabelledNames


def sets() -> tuple[LabelledNames, np.ndarray]:
    """Concepts of four names, each of one word and others; the last name is for validation."""
    own_words, other_words = WORDS[:4], ["of", "the", "lung", "lung lung of the lung"]
    names = [f"{word} {other}" for word in own_words for other in other_words]
    of = np.repeat(np.arange(4), 4)
    labels = LabelledNames(tuple(names), tuple(own_words), np.arange(16), of.astype(np.int64))
    parts = np.tile(np.array([TRAIN, TRAIN, TRAIN, VALIDATION], np.uint8), 4)
    return labels, parts
