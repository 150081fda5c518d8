"""How true a map is: whose neighbours it shows, by the vectors that it was made of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.projection.base import Float32s, MapQuality, directions
from termexplorer.trainer.search.retrieval import rows_at_a_time

K = 15
EXACT = 5_000  # names, all of which are asked; of more a sample is
SAMPLE = 2_000


def map_quality(
    vectors: Float32s,
    positions: Float32s,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
    exact: int = EXACT,
    sample: int = SAMPLE,
) -> MapQuality:
    """Return how true a map is to the cosines of the vectors it was made of.

    Of names that are equally near in the original space each has the best of their ranks.

    Args:
        vectors: (n, d) float32, of any length but zero.
        positions: (n, 2) float32.
        seed: of the sample.
        tick: called between blocks; may raise to stop.
        exact: up to so many names all are asked.
        sample: how many of more names are asked.

    Raises:
        ValueError: for vectors that cannot be laid out, or positions of another number.
    """
    if positions.shape != (len(vectors), 2):
        raise TrainerError(
            "positions of {shape} are no map of {vectors} vectors",
            shape=positions.shape,
            vectors=len(vectors),
        )
    units = torch.from_numpy(directions(vectors))
    places = torch.from_numpy(positions.astype(np.float64))
    names = len(units)
    k = min(K, (names - 1) // 2)
    asked = np.arange(names)
    if names > exact:
        drawn = np.random.default_rng(seed).permutation(names)[:sample]
        asked = np.sort(drawn)
    intruded, retained = 0.0, 0.0
    rows = rows_at_a_time(names)
    for start in range(0, len(asked), rows):
        tick()
        block = torch.from_numpy(asked[start : start + rows])
        ranks = _ranks_by_cosine(units, block, _nearest_on_map(places, block, k))
        intruded += float((ranks - k).clamp(min=0).sum())
        retained += float((ranks <= k).sum())
    worst = len(asked) * k * (2 * names - 3 * k - 1) / 2
    return MapQuality(1 - intruded / worst, retained / (len(asked) * k), k, len(asked), names)


def _nearest_on_map(places: Tensor, rows: Tensor, k: int) -> Tensor:
    """Return the k nearest others on the map, (r, k) int64."""
    squares = sum((places[rows, None, axis] - places[None, :, axis]) ** 2 for axis in (0, 1))
    assert isinstance(squares, Tensor)  # noqa: S101 - of two tensors
    squares[torch.arange(len(rows)), rows] = torch.inf
    return squares.topk(k, dim=1, largest=False).indices


def _ranks_by_cosine(units: Tensor, rows: Tensor, neighbours: Tensor) -> Tensor:
    """Return the rank of others, from 1, by their cosine to each of r rows, (r, k)."""
    cosines = units[rows] @ units.T
    cosines[torch.arange(len(rows)), rows] = -torch.inf
    of_others = cosines.gather(1, neighbours)
    nearer = [(cosines > column[:, None]).sum(1) for column in of_others.unbind(1)]
    return 1 + torch.stack(nearer, dim=1)
