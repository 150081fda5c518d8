"""What is asked for a map, and what the child that makes it says."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONCEPTS, ALL = "concepts", "all"
NAMES = (CONCEPTS, ALL)
ASKED = ("names", "root", "search", "list_title")  # of a request: which names


@dataclass(frozen=True, slots=True)
class ProjectionRequest:
    """A map of names of a release.

    Attributes:
        names: of each concept its first one (concepts), or all.
        root: CURIE of the concept whose names, and those of all below it, are laid out; empty for
            all of the release.
        search: only names of concepts that it finds; empty for all.
        list_title: only names of concepts on this list; empty for all.
        method: pca, tsne or umap.
        parameters: of the method, those that are not as usual.
        seed: of everything random.
        after: the encoder from whose map of the same the points start out, so that the two are
            alike where they can be; None for no map. Only for methods that have a start.
    """

    workspace: Path
    release_id: int
    encoder_id: int
    names: str = CONCEPTS
    root: str = ""
    search: str = ""
    list_title: str = ""
    method: str = "tsne"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    after: int | None = None


@dataclass(frozen=True, eq=False)
class Projecting:
    """What the child is given.

    Attributes:
        request: what is made.
        start_ids: (m,) int64 names of the map it starts from, rising; none if there is no such map.
        start: (m, 2) float32 where they are.
    """

    request: ProjectionRequest
    start_ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    start: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 2), np.float32))


@dataclass(frozen=True, eq=False)
class PointsChosen:
    """Which names the map is of, in the order of its points.

    Attributes:
        name_ids: (n,) int64.
        left_out: names that were chosen, but of which the encoder knows nothing.
    """

    name_ids: NDArray[np.int64]
    left_out: int


@dataclass(frozen=True, eq=False)
class PointsMoved:
    """Where the points are by now.

    Attributes:
        iteration: of how many.
        divergence: what t-SNE brings down.
        positions: (n, 2) float32.
    """

    iteration: int
    divergence: float
    positions: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class MapMade:
    """A map that is done, or as far as it came when it was stopped.

    Attributes:
        name_ids: (n,) int64.
        positions: (n, 2) float32.
        iterations: how many were gone, of a method that has any; else None.
        card: what was found and measured.
    """

    name_ids: NDArray[np.int64]
    positions: NDArray[np.float32]
    iterations: int | None
    card: Mapping[str, Any]


def parameters_key(method: object, iterations: int | None = None, after: int | None = None) -> str:
    """What tells maps of one method apart.

    Args:
        method: with its parameters.
        iterations: how many were gone, if not all.
        after: the encoder whose map it started from, if it did.
    """
    values = asdict(method)  # type: ignore[call-overload] # all methods are dataclasses
    if iterations is not None:
        values["iterations"] = iterations
    if after is not None:
        values["after"] = after
    return json.dumps(values, sort_keys=True)
