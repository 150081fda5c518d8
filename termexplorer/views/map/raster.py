"""Points as pixels: NumPy draws them, since a drawing of its own for each is too slow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from termexplorer.views.map.view import Float32s, MapView

Pixels = NDArray[np.uint32]

_INK = 500  # pixels: as wide are all points in view side by side, in rows and columns
_WIDEST = 9


@dataclass(frozen=True, slots=True)
class Layer:
    """Points of one colour: those from one place to another in the order of drawing."""

    colour: int
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class DrawnPoints:
    """The points in the order in which they are drawn.

    Attributes:
        order: (n,) int64 their numbers.
        positions: (n, 2) float32 in that order.
        colours: as #rrggbb, of each layer.
        ends: where each layer ends.
    """

    order: NDArray[np.int64]
    positions: Float32s
    colours: tuple[str, ...]
    ends: tuple[int, ...]

    def layers(self) -> list[Layer]:
        """Which points have which colour."""
        starts = (0, *self.ends[:-1])
        opaque = [0xFF000000 | int(colour[1:], 16) for colour in self.colours]
        return [Layer(*bounds) for bounds in zip(opaque, starts, self.ends, strict=True)]


def diameter(points: int, ratio: float = 1.0) -> int:
    """How wide points are drawn when so many are in view, in pixels of the screen."""
    return int(np.clip(round(ratio * _INK / np.sqrt(max(points, 1))), 1, round(_WIDEST * ratio)))


def count_in_view(left: Float32s, top: Float32s, view: MapView) -> int:
    """How many points are in view, by their pixels."""
    inside = (left >= 0) & (left < view.width) & (top >= 0) & (top < view.height)
    return int(np.count_nonzero(inside))


def draw(
    left: Float32s,
    top: Float32s,
    layers: Sequence[Layer],
    view: MapView,
    ground: int,
    wide: int,
) -> Pixels:
    """A picture of n points as (height, width) colours 0xffrrggbb; later layers cover earlier.

    Args:
        left: (n,) their pixels, in the order of drawing.
        top: the same.
        layers: which of them have which colour.
        view: what is in view, in pixels of the screen.
        ground: the colour where there is no point.
        wide: the diameter of a point, in pixels.

    Returns:
        The middle of a larger picture, its base, at whose edges the points out of view are.
    """
    edge = wide + 1
    row = view.width + 2 * edge
    picture = np.full((view.height + 2 * edge, row), ground, np.uint32)
    places = _clip_pixels(top, view.height, wide)
    places *= row
    places += _clip_pixels(left, view.width, wide)
    places += edge * (row + 1)
    flat = picture.reshape(-1)
    for layer in layers:
        pixels = places[layer.start : layer.stop]
        for down, right in _disc_offsets(wide):
            step = down * row + right
            flat[pixels + step if step else pixels] = layer.colour
    return picture[edge:-edge, edge:-edge]


def _clip_pixels(pixels: Float32s, size: int, wide: int) -> NDArray[np.int64]:
    """Whole pixels; those out of view just so far out that nothing of them is seen."""
    return np.clip(pixels, -1 - wide // 2, size + wide // 2).astype(np.int64)


@cache
def _disc_offsets(wide: int) -> tuple[tuple[int, int], ...]:
    """The pixels of a disc beside the one in its middle."""
    middle = (wide - 1) / 2
    steps = range(-(wide // 2), wide - wide // 2)
    half = middle - wide // 2
    reach = (wide / 2) ** 2 + 0.25 * (wide > 2)
    return tuple(
        (down, right)
        for down in steps
        for right in steps
        if (down - half) ** 2 + (right - half) ** 2 <= reach or wide <= 2
    )
