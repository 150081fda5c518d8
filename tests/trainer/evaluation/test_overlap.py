from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.evaluation.overlap import rank_biased_overlap

P = st.floats(0.05, 0.99)


def naive(first: list[int], second: list[int], p: float) -> float:
    """Webber et al. 2010, extrapolated from depth k, depth by depth."""
    k = len(first)
    agreed = [len({*first[:depth]} & {*second[:depth]}) for depth in range(1, k + 1)]
    summed = sum(x / depth * p**depth for depth, x in enumerate(agreed, start=1))
    return agreed[-1] / k * p**k + (1 - p) / p * summed


@st.composite
def rankings(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    depth = draw(st.integers(1, 8))
    ranking = st.lists(st.integers(0, 12), min_size=depth, max_size=depth, unique=True)
    rows = draw(st.lists(st.tuples(ranking, ranking), min_size=1, max_size=6))
    return [first for first, _ in rows], [second for _, second in rows]


@given(rankings(), P)
def test_it_is_what_the_formula_says_and_symmetric(
    pair: tuple[list[list[int]], list[list[int]]], p: float
) -> None:
    first, second = (np.array(side, np.int32) for side in pair)
    result = rank_biased_overlap(first, second, p)
    expected = [naive(*row, p) for row in zip(*pair, strict=True)]
    np.testing.assert_allclose(result, expected, atol=1e-12)
    np.testing.assert_allclose(result, rank_biased_overlap(second, first, p), atol=1e-15)
    np.testing.assert_allclose(rank_biased_overlap(first, first, p), 1)
    np.testing.assert_array_equal(rank_biased_overlap(first, second + 100, p), 0)


@given(rankings(), P, st.permutations(range(13)))
def test_other_numbers_for_the_names_change_nothing(
    pair: tuple[list[list[int]], list[list[int]]], p: float, numbers: list[int]
) -> None:
    first, second = map(np.array, pair)
    renamed = np.array(numbers)
    np.testing.assert_allclose(
        rank_biased_overlap(renamed[first], renamed[second], p),
        rank_biased_overlap(first, second, p),
        atol=1e-15,
    )


def test_the_first_places_count_most() -> None:
    ranking = np.arange(10)[None]
    high, low = ranking.copy(), ranking.copy()
    high[0, :2], low[0, -2:] = (1, 0), (9, 8)
    assert rank_biased_overlap(ranking, high) < rank_biased_overlap(ranking, low) < 1


def test_rankings_that_say_nothing_have_no_overlap() -> None:
    first, second = np.array([[0, 1], [-1, -1], [2, 3]]), np.array([[0, 1], [0, 1], [-1, -1]])
    np.testing.assert_array_equal(rank_biased_overlap(first, second), [1, np.nan, np.nan])
    assert rank_biased_overlap(first[:0], second[:0]).shape == (0,)


def test_many_rankings_are_compared_in_blocks() -> None:
    rng = np.random.default_rng(0)
    first, second = (rng.permuted(np.tile(np.arange(120), (25_000, 1)), axis=1) for _ in range(2))
    result = rank_biased_overlap(first[:, :100], second[:, :100])
    for row in (0, 12_345, 24_999):
        expected = naive(first[row, :100].tolist(), second[row, :100].tolist(), 0.9)
        assert result[row] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "p", "why"),
    [
        ([[0, 1]], [[0]], 0.9, "cannot be compared"),
        ([[]], [[]], 0.9, "cannot be compared"),
        ([[0, 0]], [[1, 2]], 0.9, "twice"),
        ([[0, 1]], [[1, 2]], 1.0, "above 0 and below 1"),
        ([[0, 1]], [[1, 2]], float("nan"), "above 0 and below 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    first: list[list[int]], second: list[list[int]], p: float, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        rank_biased_overlap(np.array(first, np.int64), np.array(second, np.int64), p)
