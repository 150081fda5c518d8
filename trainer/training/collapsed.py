"""Training on vectors that all point nearly the same way.

Where all names lie at a cosine of .99, what tells them apart is a hundredth of their length: losses
of cosines have next to no gradient, and a run stops where it began. Less the mean, and with the
variance of its directions evened out, the same vectors are learned from at once.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.trainer.encoders.whitening import Whitening, fit
from termexplorer.trainer.representations.spread import measure_spread
from termexplorer.trainer.tensors.objectives import unit_of_any_length

_POWER = 0.5  # all directions count the same: .50 where .25 gave .37, and the mean alone .10


def fit_evening(vectors: NDArray[np.float32]) -> Whitening | None:
    """Return what evens out collapsed (n, d) vectors of training names; None for all others."""
    spread = measure_spread(vectors)
    if not spread.collapsed or not spread.effective_rank:
        return None
    return fit(unit_of_any_length(torch.from_numpy(np.array(vectors, np.float32))), _POWER)
