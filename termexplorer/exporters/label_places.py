"""Where labels can stand on a plane without touching each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    def moved(self, right: float, down: float) -> "Box":
        """The same some pixels to the right and down."""
        return replace(self, left=self.left + right, top=self.top + down)


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


def whole_labels(
    placed: Sequence[tuple[int, Box]], taken: Sequence[Box], width: float, height: float
) -> list[tuple[int, Box]]:
    """The labels that a window shows; those that its edge would cut are slid inside.

    Args:
        placed: number and box of each, the first before the others, in pixels of the window.
        taken: where none may be slid.
        width: of the window.
        height: of the window.

    Returns:
        Those whose middle is in the window, but for those that have no room inside it.
    """
    inside = [(number, label, _slide_inside(label, width, height)) for number, label in placed]
    boxes = [*taken, *(label for _, label, slid in inside if slid == label)]
    shown = []
    for number, label, slid in inside:
        if slid is None or (slid != label and any(slid.touches(other) for other in boxes)):
            continue
        if slid != label:
            boxes.append(slid)
        shown.append((number, slid))
    return shown


def _slide_inside(box: Box, width: float, height: float) -> Box | None:
    """The box slid into a window as little as need be; None if its middle is out of it."""
    x, y = box.left + box.width / 2, box.top + box.height / 2
    if not (0 <= x <= width and 0 <= y <= height):
        return None
    left = max(0.0, min(box.left, width - box.width))
    return replace(box, left=left, top=max(0.0, min(box.top, height - box.height)))
