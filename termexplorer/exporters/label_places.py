"""Where labels can stand on a plane without touching each other."""

from collections.abc import Sequence
from dataclasses import dataclass

_GAP = 14.0  # pixels between labels
_WAYS = (0.0, -1.0, 1.0)  # heights beside its place that a label may stand


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle that is taken, in pixels."""

    left: float
    top: float
    width: float
    height: float

    def touches(self, other: "Box") -> bool:
        """Whether they overlap, or there is no gap between them."""
        return (
            self.left < other.left + other.width + _GAP
            and other.left < self.left + self.width + _GAP
            and self.top < other.top + other.height + _GAP
            and other.top < self.top + self.height + _GAP
        )


def place_labels(
    places: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    taken: Sequence[Box] = (),
) -> list[tuple[int, Box]]:
    """Places labels around their middles, the first before the others.

    Args:
        places: (x, y) of the middle of each, in pixels.
        sizes: (width, height) of each.
        taken: where none may stand.

    Returns:
        The number and box of each label for which there is room; boxes do not touch.
    """
    boxes = list(taken)
    placed = []
    for number, ((x, y), (width, height)) in enumerate(zip(places, sizes, strict=True)):
        for way in _WAYS:
            step = way * (height + _GAP)
            box = Box(x - width / 2, y - height / 2 + step, width, height)
            if not any(box.touches(other) for other in boxes):
                boxes.append(box)
                placed.append((number, box))
                break
    return placed
