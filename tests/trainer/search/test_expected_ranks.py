from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.search.expected_ranks import (
    average_precision,
    coverage,
    hits,
    rank,
    reciprocal_rank,
)
from termexplorer.trainer.search.tied_groups import TiedGroups

KS = (1, 2, 3, 7)


def measures(similarities: np.ndarray, right: np.ndarray) -> np.ndarray:
    """All measures of each row, (11, q)."""
    ties = TiedGroups.of(
        torch.from_numpy(similarities), *torch.from_numpy(right).nonzero(as_tuple=True)
    )
    values = [average_precision(ties), reciprocal_rank(ties), rank(ties)]
    values += [measure(ties, k) for measure in (hits, coverage) for k in KS]
    return torch.stack(values).numpy()


def of_order(ranks: Sequence[int]) -> list[float]:
    """The usual measures of a ranking without ties, whose right candidates have some ranks."""
    precision = np.mean([number / rank for number, rank in enumerate(ranks, start=1)])
    first = [float(ranks[0] <= k) for k in KS]
    share = [np.mean([rank <= k for rank in ranks]) for k in KS]
    return [float(precision), 1 / ranks[0], ranks[0], *first, *map(float, share)]


def by_all_orders(similarities: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The mean over all orders of the candidates, sorted by similarity without changing more."""
    seen = []
    for order in permutations(range(len(right))):
        ranked = sorted(order, key=lambda index: -similarities[index])
        seen.append(of_order([n for n, index in enumerate(ranked, start=1) if right[index]]))
    return np.mean(seen, axis=0)


def by_groups(similarities: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The means place by place in each group of equals, in float64, one row at a time."""
    before, right_before, total = 0, 0, int(right.sum())
    precision, first = 0.0, None
    shares = np.zeros(len(KS))
    for value in sorted(set(similarities.tolist()), reverse=True):
        group = right[similarities == value]
        size, count = len(group), int(group.sum())
        for index in range(1, size + 1):
            expected_before = (index - 1) * (count - 1) / (size - 1) if size > 1 else 0.0
            precision += count / size * (right_before + 1 + expected_before) / (before + index)
            shares += [count / size * (before + index <= k) for k in KS]
        if count and first is None:
            first = of_first(before, size, count)
        before, right_before = before + size, right_before + count
    assert first is not None
    return np.array([precision / total, *first, *(shares / total)])


def of_first(before: int, size: int, count: int) -> list[float]:
    """The means of what follows from the first right one, found by drawing one after the other."""
    none_yet, reciprocal, mean_rank, first = 1.0, 0.0, 0.0, np.zeros(len(KS))
    for index in range(1, size - count + 2):
        here = none_yet * count / (size - index + 1)
        none_yet -= here
        reciprocal += here / (before + index)
        mean_rank += here * (before + index)
        first += [here * (before + index <= k) for k in KS]
    return [reciprocal, mean_rank, *first]


@st.composite
def rankings(draw: st.DrawFn, most: int) -> tuple[np.ndarray, np.ndarray]:
    values = draw(
        st.lists(st.sampled_from([-0.5, -0.0, 0.0, 0.25, 1e-40, 3.0]), min_size=1, max_size=most)
    )
    right = draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    right[draw(st.integers(0, len(values) - 1))] = True
    return np.array(values), np.array(right)


@given(rankings(most=6))
def test_equals_count_as_the_mean_over_all_their_orders(ranking: tuple[np.ndarray, ...]) -> None:
    similarities, right = ranking
    values = measures(similarities[None].astype(np.float32), right[None])[:, 0]
    np.testing.assert_allclose(values, by_all_orders(similarities, right), rtol=0, atol=1e-12)
    np.testing.assert_allclose(by_groups(similarities, right), values, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("digits", [1, 2, 9])
@pytest.mark.parametrize("share", [0.001, 0.05, 0.7])
def test_many_rows_are_what_a_plain_loop_finds(
    dtype: type[np.floating], digits: int, share: float
) -> None:
    rng = np.random.default_rng(digits)
    similarities = rng.normal(size=(12, 700)).round(digits).astype(dtype)
    similarities[0] = 0.25  # one group
    similarities[1, 5:] = 0.25
    right = rng.random(similarities.shape) < share
    right[:, 3] = True
    expected = [by_groups(*row) for row in zip(similarities, right, strict=True)]
    values = measures(similarities, right)
    np.testing.assert_allclose(values.T, expected, rtol=1e-12, atol=1e-12)


def test_the_order_of_input_is_nothing_to_a_ranking() -> None:
    rng = np.random.default_rng(2)
    similarities = rng.integers(-3, 4, (5, 60)).astype(np.float32)
    right = rng.random((5, 60)) < 0.2
    order = rng.permutation(60)
    values = measures(similarities, right)
    np.testing.assert_array_equal(values, measures(similarities[:, order], right[:, order]))
    np.testing.assert_array_equal(values, measures(similarities * 4 + 2, right))


def test_what_is_minus_infinity_is_not_ranked() -> None:
    similarities = np.array([[0.5, -np.inf, 0.1, 0.5]], np.float32)
    right = np.array([[False, False, True, False]])
    assert measures(similarities, right)[:3, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 3])


def test_rows_without_a_right_candidate_have_no_figures() -> None:
    right = np.array([[False, False], [False, True]])
    values = measures(np.zeros((2, 2), np.float32), right)
    assert np.isnan(values[:, 0]).all()
    np.testing.assert_allclose(values[:3, 1], [0.75, 0.75, 1.5])
    for empty in ((0, 5), (3, 0), (3, 5)):
        nothing = measures(np.zeros(empty, np.float32), np.zeros(empty, np.bool_))
        assert nothing.shape == (11, empty[0])
        assert np.isnan(nothing).all()


def test_short_floats_and_far_apart_ones_are_ranked() -> None:
    right = torch.tensor([[False, True, False]]).nonzero(as_tuple=True)
    for dtype in (torch.bfloat16, torch.float16, torch.float32, torch.float64):
        limit = torch.finfo(dtype)
        for low, high in ((0.0, limit.tiny), (limit.min, limit.max), (1.0, 1.0 + limit.eps)):
            ties = TiedGroups.of(torch.tensor([[low, high, high]], dtype=dtype), *right)
            assert rank(ties).tolist() == [1.5]
            assert (
                rank(TiedGroups.of(-torch.tensor([[low, high, high]], dtype=dtype), *right)) == 2.5
            )


def test_what_cannot_be_ranked_is_refused() -> None:
    right = torch.tensor([0]), torch.tensor([1])
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match="not numbers"):
            TiedGroups.of(torch.tensor([[value, 0.0]]), *right)
    with pytest.raises(ValueError, match="minus infinity"):
        TiedGroups.of(torch.tensor([[0.0, -np.inf]]), *right)
