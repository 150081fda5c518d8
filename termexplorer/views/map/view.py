"""The part of a map that is in view, and where its points are in pixels."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Float32s: TypeAlias = NDArray[np.float32]

_EDGE = 0.04  # of the side, left free around all points
_CLOSEST, _FARTHEST = 1e9, 1e-6  # pixels to one of the plane
_LEAST = 1e-3  # extent of points beside how far out they are: float32 tells no more apart
_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True)
class MapView:
    """A window on a plane whose y goes up.

    Attributes:
        x: the place in its middle.
        y: the same.
        scale: pixels to one of the plane.
        width: in pixels.
        height: in pixels.
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    width: int = 1
    height: int = 1

    def around(self, positions: Float32s) -> "MapView":
        """The same window with all (n, 2) points in view."""
        if not len(positions):
            return replace(self, x=0.0, y=0.0, scale=1.0)
        low, high = positions.min(axis=0), positions.max(axis=0)
        x, y = ((low + high) / 2).tolist()
        least = max(float(np.abs(positions).max()) * _LEAST, _SMALLEST)
        across, up = np.maximum(high - low, least).tolist()
        room = 1 - 2 * _EDGE
        return replace(self, x=x, y=y, scale=room * min(self.width / across, self.height / up))

    def sharper(self, ratio: float) -> "MapView":
        """The same in pixels of a screen that has so many to one."""
        width, height = round(self.width * ratio), round(self.height * ratio)
        return replace(self, scale=self.scale * ratio, width=width, height=height)

    @property
    def shift(self) -> tuple[float, float]:
        """Where the origin of the plane is, in pixels from the left and from the top."""
        return self.width / 2 - self.x * self.scale, self.height / 2 + self.y * self.scale

    def pixels(self, positions: Float32s) -> tuple[Float32s, Float32s]:
        """Where (n, 2) points are, from the left and from the top."""
        scale = np.float32(self.scale)
        left, top = (np.float32(shift) for shift in self.shift)
        return positions[:, 0] * scale + left, top - positions[:, 1] * scale

    def place(self, left: float, top: float) -> tuple[float, float]:
        """The place on the plane at a pixel."""
        return (
            self.x + (left - self.width / 2) / self.scale,
            self.y - (top - self.height / 2) / self.scale,
        )

    def moved(self, right: float, down: float) -> "MapView":
        """The view after the points went some pixels to the right and down."""
        return replace(self, x=self.x - right / self.scale, y=self.y + down / self.scale)

    def zoomed(self, factor: float, left: float, top: float) -> "MapView":
        """The view by another scale, in which the place at a pixel stays where it is."""
        x, y = self.place(left, top)
        scale = min(max(self.scale * factor, _FARTHEST), _CLOSEST)
        factor = scale / self.scale
        return replace(self, x=x - (x - self.x) / factor, y=y - (y - self.y) / factor, scale=scale)
