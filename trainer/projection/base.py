"""What methods of projection have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

Float32s = NDArray[np.float32]
FEWEST = 3


@dataclass(frozen=True, eq=False)
class MapStep:
    """Where the points of a map stand while it is made.

    Attributes:
        done: the share of the work that is done, from 0 to 1.
        text: what is being done.
        iteration: of how many the positions are; 0 before the first.
        divergence: Kullback-Leibler, what t-SNE brings down; None where it is not known.
        positions: (n, 2) float32, or None while there are none.
    """

    done: float
    text: str
    iteration: int = 0
    divergence: float | None = None
    positions: Float32s | None = None


# Told of each step, it returns whether to go on; a method that is stopped keeps what it has. It
# may take its time (while the work rests), or raise to give the work up.
Watch = Callable[[MapStep], bool]


@dataclass(frozen=True, eq=False)
class Projected:
    """A map.

    Attributes:
        positions: (n, 2) float32, finite.
        parameters: of the method, as they came to be: with them the same map is made again.
        facts: what else there is to know.
    """

    positions: Float32s
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MapQuality:
    """Figures of a map, from 0 to 1; higher is truer.

    Attributes:
        trustworthiness: 1 where the k nearest on the map are the nearest in the original space;
            it falls with how far off they are (Venna and Kaski 2001; scikit-learn's).
        preservation: the share of the k nearest names in the original space that are among the k
            nearest on the map.
        k: neighbours that count.
        asked: names whose neighbours were looked at, among all: all, or a random sample.
        names: n.
    """

    trustworthiness: float
    preservation: float
    k: int
    asked: int
    names: int


def directions(vectors: Float32s) -> Float32s:
    """Return (n, d) vectors at unit length.

    Raises:
        ValueError: there are too few, or all are the same; one is zero or not finite; d < 2.
    """
    if vectors.ndim != 2 or len(vectors) < FEWEST:
        raise TrainerError(
            "a map needs {fewest} names or more; there are {vectors}",
            fewest=FEWEST,
            vectors=len(vectors),
        )
    if vectors.shape[1] < 2:
        raise TrainerError("vectors of one number cannot be laid out on a plane")
    units = _at_unit_length(vectors)
    if (units[-1] == units[0]).all() and (units == units[0]).all():
        raise TrainerError("all names have the same vector; there is nothing to lay out")
    return units


def checked_start(start: Float32s, names: int) -> NDArray[np.float64]:
    """Return (n, 2) positions from which so many names can be laid out, around 0.

    Raises:
        ValueError: they are of another number, or in one line or place.
    """
    if start.shape != (names, 2) or not np.ptp(start, axis=0).all():
        raise TrainerError(
            "positions of {shape} are no start for a map of {names} names",
            shape=start.shape,
            names=names,
        )
    places: NDArray[np.float64] = start - start.mean(axis=0, dtype=np.float64)
    return places


def _at_unit_length(vectors: Float32s) -> Float32s:
    """Vectors that have unit length are not copied: there may be very many."""
    if vectors.dtype == np.float32 and np.allclose(
        _square_norms(vectors, np.float32), 1, atol=1e-5
    ):
        return vectors
    lengths = np.sqrt(_square_norms(vectors, np.float64))[:, None]
    if not np.isfinite(lengths).all() or not lengths.all():
        raise TrainerError(
            "a vector is zero or not finite; leave out names of which nothing is known"
        )
    units: Float32s = (vectors / lengths).astype(np.float32)
    return units


def _square_norms(vectors: Float32s, kind: type[np.floating]) -> NDArray[np.floating]:
    squares: NDArray[np.floating] = np.einsum("ij,ij->i", vectors, vectors, dtype=kind)
    return squares
