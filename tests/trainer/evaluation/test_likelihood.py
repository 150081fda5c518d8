from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from termexplorer.trainer.evaluation.likelihood import Candidates, Likelihood, precision_at, trial


def candidates(seed: int, count: int = 2000, share: float = 0.1) -> Candidates:
    """The first feature is larger for true ones, the second says nothing."""
    rng = np.random.default_rng(seed)
    true = rng.random(count) < share
    features = np.stack([rng.normal(0, 1, count) + 2 * true, rng.normal(0, 1, count)], axis=1)
    return Candidates(features, np.arange(count), true)


def test_true_ones_are_found_and_likelihoods_are_calibrated() -> None:
    learned = Likelihood.learned([candidates(seed) for seed in range(3)])
    tried = trial(learned, [candidates(seed) for seed in range(3, 6)])
    assert tried.chance == pytest.approx(0.1, abs=0.02)
    chance, count = tried.chance_figure, 3 * 2000
    exact = binomtest(round(tried.chance * count), count).proportion_ci(method="exact")
    assert (chance.value, chance.n) == (tried.chance, count)
    assert (chance.low, chance.high) == pytest.approx((exact.low, exact.high))
    assert {k: len(values) for k, values in tried.precision.items()} == {50: 3, 100: 3, 200: 3}
    assert min(tried.precision[50]) > 0.75
    assert tried.calibration.error < 0.02
    assert tried.calibration.brier < tried.calibration.brier_of_chance


@pytest.mark.parametrize(
    ("counts", "lengths"), [((120, 300), [50, 100]), ((300, 68), [50]), ((30, 40), [30])]
)
def test_no_more_are_taken_than_there_are(counts: tuple[int, int], lengths: list[int]) -> None:
    learned = Likelihood.learned([candidates(0)])
    tried = trial(learned, [candidates(seed, count) for seed, count in enumerate(counts, 1)])
    assert list(tried.precision) == lengths
    assert [tried.precision_figure(k).n for k in lengths] == [2 * k for k in lengths]


def test_more_of_a_feature_is_never_less_likely() -> None:
    learned = Likelihood.learned([candidates(0)])
    rising = np.stack([np.linspace(-4, 6, 50), np.zeros(50)], axis=1)
    same = np.zeros(50, np.int64)
    likelihood = learned.of(Candidates(rising, same, np.zeros(50, np.bool_)))
    assert (np.diff(likelihood) >= 0).all()
    assert likelihood[-1] > 0.5 > likelihood[0]


def test_nothing_is_judged_by_what_was_told_about_itself() -> None:
    """Noise alone, the same in all copies: who remembers it finds what was true before."""
    rng = np.random.default_rng(0)
    features = rng.normal(0, 1, (300, 6))
    about, true = np.arange(300), rng.random(300) < 0.3
    copies = [Candidates(features, about, true)] * 6
    tried = trial(Likelihood.learned(copies[:3]), copies[3:])
    assert tried.precision[50][0] < 0.5


def test_where_nothing_can_be_told_all_are_alike() -> None:
    none = Candidates(np.array([[1.0], [2.0]]), np.arange(2), np.zeros(2, np.bool_))
    unknown = Candidates(np.array([[np.nan], [9.0]]), np.array([0, 7]), none.true)
    assert Likelihood.learned([none]).of(unknown).tolist() == [0, 0]
    learned = Likelihood.learned([candidates(0)])
    unsaid = learned.of(
        Candidates(np.full((3, 2), np.nan), np.array([0, 1, 9999]), np.zeros(3, np.bool_))
    )
    assert ((unsaid >= 0) & (unsaid <= 1)).all()
    empty = Candidates(np.empty((0, 2)), np.empty(0, np.int64), np.empty(0, np.bool_))
    with pytest.raises(ValueError, match="0 likelihoods"):
        trial(learned, [empty])


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.4, 0.9]), st.booleans()), min_size=1, max_size=7),
    st.integers(1, 9),
)
def test_precision_is_the_mean_over_all_orders_of_equals(
    pairs: list[tuple[float, bool]], k: int
) -> None:
    likelihood, true = (np.array(column) for column in zip(*pairs, strict=True))
    rng, few = np.random.default_rng(0), min(k, len(true))
    shares = []
    for _ in range(400):
        order = rng.permutation(len(true))
        order = order[np.argsort(-likelihood[order], kind="stable")]
        shares.append(true[order[:few]].mean())
    assert precision_at(likelihood, true, k) == pytest.approx(np.mean(shares), abs=0.12)


def test_precision_counts_equals_by_their_share() -> None:
    likelihood, true = np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, True])
    assert precision_at(likelihood, true, 1) == 1
    assert precision_at(likelihood, true, 2) == pytest.approx(0.75)
    assert precision_at(likelihood, true, 3) == pytest.approx(2 / 3)
    assert precision_at(likelihood, true, 9) == pytest.approx(0.75)
