"""Which mention an example in a report is of, in words that its own ranking bears out."""

from collections.abc import Sequence
from typing import Any


def count_right(ranking: Sequence[Sequence[Any]]) -> int:
    """Return how many names of a ranking are right."""
    return sum(bool(right) for _, right, *_ in ranking)


def first_right(ranking: Sequence[Sequence[Any]]) -> int:
    """Return the rank of the first right name, from 1; 0 where none is."""
    places = [rank for rank, (_, right, *_) in enumerate(ranking, 1) if right]
    return places[0] if places else 0


def choice_text(before: float, after: float, item_name: str, of: str = "split") -> str:
    """Return that the mention of the greatest gain is shown, or that none gained.

    Args:
        before: what it came to by the first ranking; the more the better.
        after: by the second.
        item_name: it is, as in "test mention".
        of: where it is from, the first one.
    """
    if after > before:
        return (
            f"the {item_name} of the first {of} that gained most, the best case by choice, as "
            "in the "
            "paper."
        )
    if after == before:
        return (
            f"no {item_name} of the first {of} gained by it; shown is the first that lost nothing."
        )
    return f"every {item_name} of the first {of} lost by it; shown is the one that lost least."


def right_text(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]]) -> str:
    """Return how many of the first names are right, before and after."""
    right_before, right_after = count_right(before), count_right(after)
    return (
        f"Right (✓) are {right_before} of {len(before)} before and {right_after} of "
        f"{len(after)} after."
    )
