"""A small set of labelled names with vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.text.names import LabelledNames


@dataclass(frozen=True)
class Toy:
    """Names in clusters of vectors, some of them in two classes."""

    labels: LabelledNames
    vectors: NDArray[np.float32]
    centres: NDArray[np.float32]


def make_toy(names: int, classes: int, width: int, ambiguous: int, seed: int = 0) -> Toy:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, width)).astype(np.float32)
    of = np.arange(names) % classes
    vectors = centres[of] + 1.5 * rng.normal(size=(names, width)).astype(np.float32)
    also = rng.choice(names, ambiguous, replace=False)
    labels = LabelledNames(
        tuple(f"name {number}" for number in range(names)),
        tuple(f"class {number}" for number in range(classes)),
        np.concatenate([np.arange(names), also]).astype(np.int64),
        np.concatenate([of, (of[also] + 1) % classes]).astype(np.int64),
    )
    return Toy(labels, vectors.astype(np.float32), centres)
