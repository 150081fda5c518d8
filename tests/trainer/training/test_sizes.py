from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.training.sizes import LARGEST, best_size, hidden_size, next_hidden

FIGURES = st.lists(st.one_of(st.just(math.nan), st.integers(-3, 3).map(float)), min_size=12)


def searched(figures: list[float], *, higher_is_better: bool, largest: int) -> list[int]:
    """The sizes of a whole search, each with the next of the figures."""
    sizes: list[int] = []
    while (
        size := next_hidden(
            figures[: len(sizes)], higher_is_better=higher_is_better, largest=largest
        )
    ) is not None:
        sizes.append(size)
    return sizes


@given(FIGURES, st.booleans(), st.integers(600, LARGEST))
def test_a_search_ends_with_the_first_decline(
    figures: list[float], higher: bool, largest: int
) -> None:
    sizes = searched(figures, higher_is_better=higher, largest=largest)
    expected = []
    for k in range(1, 11):
        size = 300 * 2**k
        if size > largest:
            break
        expected.append(size)
        now, before = figures[k - 1], figures[k - 2] if k > 1 else None
        if math.isnan(now) or (before is not None and (now < before if higher else now > before)):
            break
    assert sizes == expected
    assert sizes == [hidden_size(index) for index in range(len(sizes))]
    turned = [-figure for figure in figures]
    assert sizes == searched(turned, higher_is_better=not higher, largest=largest)


@given(FIGURES, st.booleans())
def test_the_best_size_is_the_smallest_of_the_best(figures: list[float], higher: bool) -> None:
    known = [figure for figure in figures if not math.isnan(figure)]
    if not known:
        with pytest.raises(ValueError, match="no size came to a validation figure"):
            best_size(figures, higher_is_better=higher)
        return
    wanted = max(known) if higher else min(known)
    assert best_size(figures, higher_is_better=higher) == figures.index(wanted)


def test_the_papers_sizes_are_on_the_way() -> None:
    rising = [float(index) for index in range(10)]
    sizes = searched(rising, higher_is_better=True, largest=LARGEST)
    assert {4_800, 9_600, 38_400, 76_800} < set(sizes)
    assert sizes[-1] == LARGEST


def test_a_search_without_a_size_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with 600 hidden units"):
        next_hidden([], higher_is_better=True, largest=599)
