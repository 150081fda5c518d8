"""How many hidden units: twice as many each time until validation declines ([CG] 5.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from termexplorer.trainer.errors import TrainerError

SMALLEST = 600
LARGEST = 307_200  # four times what the papers came to


def hidden_size(exponent: int) -> int:
    """Return the size that is tried at a place, from 0: ``300 · 2^k`` with k from 1 ([CG] 5.3)."""
    return SMALLEST * int(2**exponent)


def next_hidden(
    figures: Sequence[float], *, higher_is_better: bool, largest: int = LARGEST
) -> int | None:
    """Return the number of hidden units to train with next.

    Args:
        figures: the validation figure of each size so far, from the smallest on; NaN for one
            that came to none, which is a decline too.
        higher_is_better: of two figures.
        largest: no size is larger.

    Returns:
        None where the search is over: the last size was worse than the one before, or the next
        one is too large.

    Raises:
        ValueError: ``largest`` leaves nothing to try.
    """
    if largest < SMALLEST:
        raise TrainerError(
            "the search begins with {smallest} hidden units; allow at least as many",
            smallest=SMALLEST,
        )
    if figures and _has_declined(figures, higher_is_better):
        return None
    size = hidden_size(len(figures))
    return size if size <= largest else None


def best_size(figures: Sequence[float], *, higher_is_better: bool) -> int:
    """Return the place of the best figure, from 0; of equal ones that of the smallest size.

    Raises:
        ValueError: there is no figure.
    """
    worst = -math.inf if higher_is_better else math.inf
    known = [worst if math.isnan(figure) else figure for figure in figures]
    if all(math.isnan(figure) for figure in figures):
        raise TrainerError("no size came to a validation figure; try a smaller learning rate")
    return known.index(max(known) if higher_is_better else min(known))


def _has_declined(figures: Sequence[float], higher_is_better: bool) -> bool:
    last = figures[-1]
    if math.isnan(last) or len(figures) < 2:
        return math.isnan(last)
    return last < figures[-2] if higher_is_better else last > figures[-2]
