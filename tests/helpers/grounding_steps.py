"""Steps that tests of grounding share with others."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.text.names import LabelledNames

CPU = torch.device("cpu")


WIDTH = 16


def nothing() -> None:
    return None


def synonym_sets(concepts: int = 120, seed: int = 0) -> tuple[LabelledNames, np.ndarray]:
    """Concepts of one to six names; what tells them apart is in few of the dimensions."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(concepts), rng.integers(1, 7, concepts))
    prototypes = rng.normal(size=(concepts, WIDTH)) * np.linspace(2, 0, WIDTH)
    vectors = prototypes[of] + rng.normal(size=(len(of), WIDTH)) * np.linspace(0.3, 3, WIDTH)
    labels = LabelledNames(
        tuple(f"name {n}" for n in range(len(of))),
        tuple(f"concept {n}" for n in range(concepts)),
        np.arange(len(of)),
        of.astype(np.int64),
    )
    return labels, vectors.astype(np.float32)


def distance(left: Tensor, right: Tensor) -> float:
    return 1 - float(left @ right / (left.norm() * right.norm()))
