"""Median ranks of two encoders, compared beside exchanging ranks in all ways."""

from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from termexplorer.trainer.evaluation.bootstrap import samples
from termexplorer.trainer.evaluation.comparison import holm
from termexplorer.trainer.evaluation.medians import compare_medians

ranks = st.lists(st.integers(1, 6), min_size=9, max_size=9).map(np.array)


def p_by_exchanging(first: np.ndarray, second: np.ndarray) -> float:
    """Exchange the ranks of each item or not, in all ways; no formula of a distribution."""
    middle = np.median([*first, *second])

    def ahead(left: np.ndarray, right: np.ndarray) -> int:
        return int((left <= middle).sum() - (right <= middle).sum())

    observed = ahead(first, second)
    if (np.median(first) - np.median(second)) * observed >= 0:
        return 1.0
    ways = [np.array(way) for way in product([False, True], repeat=len(first))]
    permuted = [ahead(np.where(way, second, first), np.where(way, first, second)) for way in ways]
    return float(np.mean(np.abs(permuted) >= abs(observed)))


@given(ranks, ranks)
def test_p_is_that_of_exchanging_ranks_in_all_ways(first: np.ndarray, second: np.ndarray) -> None:
    comparison = compare_medians(first.astype(float), second.astype(float))
    assert comparison.p == pytest.approx(p_by_exchanging(first, second))
    assert comparison.difference == np.median(first) - np.median(second)
    turned = compare_medians(second.astype(float), first.astype(float))
    assert (turned.difference, turned.p) == (-comparison.difference, pytest.approx(comparison.p))
    assert (turned.low, turned.high) == pytest.approx((-comparison.high, -comparison.low))


def test_what_is_clear_is_shown_however_many_comparisons_there_are() -> None:
    first, second = np.full(200, 2.0), np.full(200, 9.0)
    comparison = compare_medians(first, second)
    assert (comparison.difference, comparison.low, comparison.high) == (-7, -7, -7)
    assert comparison.p == pytest.approx(binomtest(200, 200).pvalue)
    assert holm([comparison.p] + [1.0] * 100_000)[0] < 1e-9


def test_counts_that_go_another_way_than_the_medians_show_nothing() -> None:
    first, second = np.array([1.0] * 51 + [100.0] * 49), np.full(100, 2.0)
    comparison = compare_medians(first, second)
    assert comparison.difference < 0
    assert comparison.better < comparison.worse
    assert comparison.p == 1


def test_the_interval_is_of_the_same_items_for_both() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(1, 50, 81).astype(float)
    apart = compare_medians(first, first + 3)
    assert (apart.low, apart.high) == (-3, -3)  # drawn together, they are always 3 apart
    alone = compare_medians(first, np.zeros(81))
    drawn = [np.median(np.repeat(first, of.astype(int))) for of in chain(*samples(81, 0))]
    assert (alone.low, alone.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]))


def test_items_that_one_has_no_rank_of_do_not_count() -> None:
    first = np.array([1.0, np.nan, 2.0, 4.0])
    comparison = compare_medians(first, np.array([3.0, 1.0, np.nan, 5.0]))
    assert (comparison.n, comparison.difference) == (2, -1.5)
    nothing = compare_medians(np.full(3, np.nan), np.ones(3))
    assert nothing.n == 0
    assert np.isnan(nothing.p)
    with pytest.raises(ValueError, match="same items"):
        compare_medians(np.ones(2), np.ones(3))
