"""Points as pixels: NumPy draws them, since a drawing of its own for each is too slow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from termexplorer.views.map_view import Float32s, MapView

Pixels = NDArray[np.uint32]

_INK = 500  # pixels: as wide are all points in view side by side, in rows and columns
_WIDEST = 9


@dataclass(frozen=True, slots=True)
class Layer:
    """Points of one colour: those from one place to another in the order of drawing."""

    colour: int
    start: int
    stop: int


def diameter(points: int, ratio: float = 1.0) -> int:
    """How wide points are drawn when so many are in view, in pixels of the screen."""
    return int(np.clip(round(ratio * _INK / np.sqrt(max(points, 1))), 1, round(_WIDEST * ratio)))


def in_view(left: Float32s, top: Float32s, view: MapView) -> NDArray[np.bool_]:
    """Which points are in view, by their pixels."""
    inside: NDArray[np.bool_] = (left >= 0) & (left < view.width) & (top >= 0) & (top < view.height)
    return inside


def draw(
    positions: Float32s, layers: Sequence[Layer], view: MapView, ground: int, ratio: float = 1.0
) -> Pixels:
    """A picture of (n, 2) points as (height, width) colours 0xffrrggbb; later layers cover earlier.

    Args:
        positions: in the order of drawing.
        layers: which of them have which colour.
        view: what is in view, in pixels of the screen.
        ground: the colour where there is no point.
        ratio: pixels of the screen to one of the window.
    """
    left, top = view.pixels(positions)
    wide = diameter(int(np.count_nonzero(in_view(left, top, view))), ratio)
    edge = wide + 1  # points out of view are drawn there, and cut off
    row = view.width + 2 * edge
    picture = np.full((view.height + 2 * edge, row), ground, np.uint32)
    columns = np.clip(left, -1 - wide // 2, view.width + wide // 2).astype(np.int64)
    rows = np.clip(top, -1 - wide // 2, view.height + wide // 2).astype(np.int64)
    places = (rows + edge) * row + (columns + edge)
    flat = picture.reshape(-1)
    for layer in layers:
        own = places[layer.start : layer.stop]
        for down, right in _disc(wide):
            flat[own + (down * row + right)] = layer.colour
    return np.ascontiguousarray(picture[edge:-edge, edge:-edge])


@cache
def _disc(wide: int) -> tuple[tuple[int, int], ...]:
    """The pixels of a disc beside the one in its middle."""
    middle = (wide - 1) / 2
    steps = range(-(wide // 2), wide - wide // 2)
    own = middle - wide // 2
    reach = (wide / 2) ** 2 + 0.25 * (wide > 2)
    return tuple(
        (down, right)
        for down in steps
        for right in steps
        if (down - own) ** 2 + (right - own) ** 2 <= reach or wide <= 2
    )
