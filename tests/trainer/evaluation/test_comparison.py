from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.evaluation.comparison import compare, compare_all, holm, mcnemar


def pair(items: int = 300, better: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    second = rng.random(items)
    return np.clip(second + rng.normal(better, 0.5, items), 0, 1), second


def test_a_difference_is_drawn_item_by_item() -> None:
    first, second = pair()
    comparison = compare(first, second, seed=3)
    rng = np.random.default_rng(7)
    drawn = rng.integers(0, 300, (4000, 300))
    means = first[drawn].mean(1) - second[drawn].mean(1)
    assert comparison.difference == pytest.approx(first.mean() - second.mean())
    assert (comparison.low, comparison.high) == pytest.approx(
        tuple(np.quantile(means, [0.025, 0.975])), abs=0.01
    )
    assert comparison.p == pytest.approx(2 * (means <= 0).mean(), abs=0.02)
    assert comparison == compare(first, second, seed=3)
    assert (comparison.better, comparison.worse) == ((first > second).sum(), (first < second).sum())


def test_the_other_way_round_is_the_same_but_for_the_sign() -> None:
    first, second = pair()
    left, right = compare(first, second), compare(second, first)
    assert (left.difference, left.low) == pytest.approx((-right.difference, -right.high))
    assert (left.p, left.p_mcnemar, left.n) == (right.p, right.p_mcnemar, right.n)


def test_no_difference_a_clear_one_and_no_items() -> None:
    first, second = pair()
    same = compare(first, first + 1e-16)
    assert (same.difference, same.low, same.high, same.p, same.p_mcnemar) == (0, 0, 0, 1, 1)
    clear = compare(second + 1, second, resamples=999)
    assert clear.p == 2 / 2**300  # not one in as many as there are samples
    assert clear.p_mcnemar == pytest.approx(2 * 0.5**300)
    second[10:] = np.nan
    assert compare(first, second).n == 10
    nothing = compare(first[10:], second[10:])
    assert (nothing.n, nothing.better, nothing.worse) == (0, 0, 0)
    assert np.isnan([nothing.difference, nothing.low, nothing.high, nothing.p]).all()
    with pytest.raises(ValueError, match="same items"):
        compare(first, second[:10])


def sums_of_draws(differences: np.ndarray) -> float:
    """How often the sum of as many draws is not above 0, by each sum's exact chance."""
    lowest = int(differences.min())
    of_one = np.bincount((differences - lowest).astype(int)) / len(differences)
    chances = np.ones(1)
    for _ in differences:
        chances = np.convolve(chances, of_one)
    sums = np.arange(len(chances)) + lowest * len(differences)
    return float(chances[sums <= 0].sum())


@pytest.mark.parametrize(
    ("count", "shares"),
    [
        (30, (0.1, 0.6, 0.3)),
        (60, (0.1, 0.6, 0.3)),
        (300, (0.05, 0.7, 0.25)),
        (400, (0.02, 0.93, 0.05)),
        (800, (0.05, 0.65, 0.3)),
        (300, (0, 0.8, 0.2)),
    ],
)
def test_a_p_is_as_exact_far_out_as_near_by(count: int, shares: tuple[float, ...]) -> None:
    rng = np.random.default_rng(count)
    for steps in ([-1, 0, 1], [-1, 0, 2]):
        differences = rng.choice(steps, count, p=shares).astype(float)
        comparison = compare(differences, np.zeros(count), resamples=10)
        least = 2.0 ** (1 - np.count_nonzero(differences))
        assert comparison.p == pytest.approx(max(2 * sums_of_draws(differences), least), rel=0.02)


def test_no_floor_hides_a_difference_among_very_many() -> None:
    rng = np.random.default_rng(3)
    values = rng.random(800)
    comparison = compare(values + 0.1, values + rng.normal(0, 0.3, 800), resamples=100)
    assert holm([comparison.p] + [1.0] * 10_000)[0] < 1e-6


def test_couples_that_share_their_samples_come_out_as_each_alone() -> None:
    rng = np.random.default_rng(2)
    items = {name: rng.random(200) for name in "abc"}
    for values in items.values():
        values[:30] = np.nan  # nobody counts these
    couples = [("a", "b"), ("a", "c"), ("c", "b")]
    comparisons = compare_all(items, couples, seed=4, resamples=500)
    for first, second in couples:
        alone = compare(items[first], items[second], seed=4, resamples=500)
        comparison = comparisons[first, second]
        assert (comparison.better, comparison.worse, comparison.n) == (
            alone.better,
            alone.worse,
            170,
        )
        assert (
            comparison.difference,
            comparison.low,
            comparison.high,
            comparison.p,
        ) == pytest.approx((alone.difference, alone.low, alone.high, alone.p), abs=1e-12)
    items["c"][30:120] = np.nan
    fewer = compare_all(items, couples, seed=4, resamples=4000)
    assert (fewer["a", "b"].n, fewer["a", "c"].n) == (170, 80)
    alone = compare(items["a"], items["c"], seed=9, resamples=4000)
    assert (fewer["a", "c"].low, fewer["a", "c"].high) == pytest.approx(
        (alone.low, alone.high), abs=0.02
    )
    assert compare_all(items, []) == {}


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8), st.integers(0, 3))
def test_few_items_show_no_more_than_the_signs_of_their_differences_can(
    values: list[int], seed: int
) -> None:
    differences = np.array(values, dtype=float)
    comparison = compare(differences, np.zeros(len(values)), seed=seed, resamples=200)
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(values))).reshape(len(values), -1)
    flipped = np.abs(differences @ signs)
    least = np.mean(flipped >= np.abs(differences).sum() - 1e-9)  # of all ways to give signs
    assert comparison.p >= min(1, least) - 1e-9
    both = compare(np.array([0.111, 0.125]), np.zeros(2))
    assert (both.p, both.n) == (0.5, 2)
    assert both.low > 0


def test_chance_differences_are_as_often_significant_as_said() -> None:
    rng = np.random.default_rng(1)
    shares = [
        compare(*rng.normal(size=(2, 60)), seed=seed, resamples=400).p < 0.1 for seed in range(300)
    ]
    assert 0.05 < np.mean(shares) < 0.17


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_fair_coin(better: int, worse: int) -> None:
    count, few = better + worse, min(better, worse)
    tail = sum(comb(count, index) for index in range(few + 1)) / 2**count
    assert mcnemar(better, worse) == pytest.approx(min(1, 2 * tail))


def test_corrections_of_a_worked_example() -> None:
    p = [0.01, 0.04, float("nan"), 0.03, 0.005]
    np.testing.assert_allclose(holm(p), [0.03, 0.06, np.nan, 0.06, 0.02])
    assert holm([]).shape == (0,)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_step_by_step(p: list[float]) -> None:
    corrected = holm(p)
    assert (corrected <= np.minimum(np.array(p) * len(p), 1)).all()
    for level in (0.01, 0.05, 0.5):
        left = sorted(p)
        while left and left[0] * len(left) <= level:
            left.pop(0)
        rejected = sorted(p)[: len(p) - len(left)]
        assert sorted(np.array(p)[corrected <= level].tolist()) == rejected
