from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binomtest

from termexplorer.trainer.evaluation import resampling
from termexplorer.trainer.evaluation.figures import CONCORDANT
from termexplorer.trainer.evaluation.pairs.correlation import (
    pearson,
    spearman,
    value_of,
    widen_perfect,
)
from termexplorer.trainer.evaluation.pairs.relatedness import (
    compare_relatedness,
    covered_by_all,
    relatedness,
)
from termexplorer.trainer.evaluation.resampling import Resamples, Statistic, resamples_of
from termexplorer.trainer.files.pairs import PairSet

SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}
OURS = {"spearman": spearman, "pearson": pearson}


def pair_set(scores: list[float] | np.ndarray) -> PairSet:
    terms = tuple(f"term {number}" for number in range(len(scores)))
    return PairSet("pairs", terms, terms[::-1], np.array(scores, dtype=float))


def related(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.normal(size=count).round(1)  # with ties
    return first, (first + rng.normal(size=count)).round(1)


def interval_of(statistic: Statistic, items: int, seed: int, resamples: int) -> tuple[float, float]:
    (result,) = resamples_of([statistic], items, seed, resamples)
    return result.interval()


small = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1)


@pytest.mark.parametrize("name", OURS)
@given(items=small)
def test_weights_are_repetitions(name: str, items: list[tuple[int, int, int]]) -> None:
    first, second, weights = np.array(items, dtype=float).T
    value = OURS[name](first, second)(weights[None, :] + 1)[0]
    left, right = (np.repeat(values, weights.astype(int) + 1) for values in (first, second))
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(SCIPY[name](left, right).statistic, abs=1e-9)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("count", [12, 80])
def test_intervals_are_those_of_scipy(name: str, count: int) -> None:
    first, second = related(count)
    expected = stats.bootstrap(
        (first, second),
        lambda left, right: SCIPY[name](left, right).statistic,
        paired=True,
        vectorized=False,
        n_resamples=300,
        method="BCa",
        rng=np.random.default_rng(7),
    ).confidence_interval
    result = interval_of(OURS[name](first, second), count, 7, 300)
    assert result == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_of_very_many_items_some_are_left_out_in_turn() -> None:
    values = np.random.default_rng(1).exponential(size=5000)

    def mean(weights: np.ndarray) -> np.ndarray:
        return weights @ values / weights.sum(axis=1)

    result = interval_of(mean, 5000, 3, 400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("termexplorer.trainer.evaluation.resampling._JACKKNIVES", 5000)
        assert result == pytest.approx(interval_of(mean, 5000, 3, 400), abs=2e-4)


def test_figures_of_a_set_of_pairs() -> None:
    scores, similarities = related(60)
    similarities[[3, 9]] = np.nan
    is_present = ~np.isnan(similarities)
    result = relatedness(pair_set(scores), similarities.astype(np.float32))
    assert [figure.metric for figure in result.figures] == ["spearman", "pearson"]
    for figure in result.figures:
        expected = SCIPY[figure.metric](scores[is_present], similarities[is_present]).statistic
        assert figure.value == pytest.approx(expected, abs=1e-6)
        assert figure.low < figure.value < figure.high
        assert (figure.n, figure.primary) == (58, figure.metric == "spearman")
    assert (result.pairs, result.undefined) == (60, "")


@given(st.integers(0, 99), st.floats(0.1, 10), st.floats(-5, 5))
def test_order_of_pairs_and_scale_are_no_matter(seed: int, scale: float, shift: float) -> None:
    scores, similarities = related(20, seed)
    order = np.random.default_rng(seed).permutation(20)
    result = relatedness(pair_set(scores), similarities, resamples=1)
    other = relatedness(
        pair_set(scores[order] * 100),
        similarities[order] * scale + shift,
        resamples=1,
    )
    for figure, again in zip(result.figures, other.figures, strict=True):
        assert again.value == pytest.approx(figure.value, abs=1e-9)


def test_two_encoders_are_compared_on_the_same_pairs() -> None:
    scores, better = related(150)
    worse = better + 4 * np.random.default_rng(5).normal(size=150)
    worse[:10] = np.nan
    pairs = pair_set(scores)
    counted = covered_by_all([better, worse])
    assert counted.sum() == 140
    both = {"better": better, "worse": worse}
    ways = [("better", "worse"), ("worse", "better"), ("better", "better")]
    compared = compare_relatedness(pairs, both, ways, resamples=2000)
    comparison = compared["better", "worse"]
    first, second = (
        relatedness(pairs, values, counted=counted).figures[0] for values in (better, worse)
    )
    assert comparison.difference == pytest.approx(first.value - second.value)
    assert 0 < comparison.low < comparison.difference < comparison.high
    assert comparison.p < 0.01
    assert comparison.n == 140
    # the pairing makes it narrower than two intervals side by side
    wide = (first.high - first.low) + (second.high - second.low)
    assert comparison.high - comparison.low < wide
    back = compared["worse", "better"]
    assert back.difference == pytest.approx(-comparison.difference)
    assert back.p == pytest.approx(comparison.p, abs=0.01)
    same = compared["better", "better"]
    assert (same.difference, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_couples_are_compared_on_the_pairs_that_all_cover_as_their_figures_are() -> None:
    scores, similar = related(60)
    noise = np.random.default_rng(1).normal(size=(3, 60))
    similarities = {number: similar + part for number, part in enumerate(noise)}
    similarities[2][:7] = np.nan
    pairs, couples = pair_set(scores), [(0, 1), (0, 2), (1, 2)]
    compared = compare_relatedness(pairs, similarities, couples, resamples=200)
    counted = covered_by_all(similarities.values())
    figures = {
        key: relatedness(pairs, similarities[key], counted=counted).figures for key in similarities
    }
    for (first, second), comparison in compared.items():
        difference = figures[first][0].value - figures[second][0].value
        assert comparison.difference == pytest.approx(difference)
        assert comparison.n == 53
    left, right = (spearman(scores[counted], similarities[key][counted]) for key in (0, 1))
    expected = interval_of(lambda weights: left(weights) - right(weights), 53, 0, 200)
    couple_comparison = compared[0, 1]
    assert (couple_comparison.low, couple_comparison.high) == pytest.approx(expected)
    with pytest.raises(ValueError, match="has no similarity"):
        compare_relatedness(
            pairs, similarities, couples, counted=np.ones(60, dtype=bool), resamples=9
        )


@pytest.mark.parametrize("metric", ["spearman", "pearson"])
def test_either_correlation_is_compared_by_its_own_bootstrap(metric: str) -> None:
    scores, value_rows = related(40)
    other = value_rows + 2 * np.random.default_rng(3).normal(size=40)
    couple = compare_relatedness(
        pair_set(scores), {1: value_rows, 2: other}, [(1, 2)], metric=metric, resamples=300
    )[1, 2]

    values = [SCIPY[metric](scores, column).statistic for column in (value_rows, other)]
    assert couple.difference == pytest.approx(values[0] - values[1])
    ours = [OURS[metric](scores, column) for column in (value_rows, other)]
    expected = interval_of(lambda weights: ours[0](weights) - ours[1](weights), 40, 0, 300)
    assert (couple.low, couple.high) == pytest.approx(expected)
    assert (couple.p < 0.05) == (couple.low > 0)


@pytest.mark.parametrize("seed", range(4))
def test_pearson_of_normal_values_differs_as_williams_t_says(seed: int) -> None:
    """Williams 1959, the t that Steiger 1980 gives as (7): for normal values, where it is exact."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=300)
    first, second = scores + rng.normal(size=300), scores + 1.25 * rng.normal(size=300)
    r_one, r_other, r_both = (
        np.corrcoef(a, b)[0, 1] for a, b in ((scores, first), (scores, second), (first, second))
    )
    determinant = 1 - r_one**2 - r_other**2 - r_both**2 + 2 * r_one * r_other * r_both
    middle = (r_one + r_other) / 2
    below = 2 * determinant * 299 / 297 + middle**2 * (1 - r_both) ** 3
    t = (r_one - r_other) * np.sqrt(299 * (1 + r_both) / below)
    comparison = compare_relatedness(
        pair_set(scores), {1: first, 2: second}, [(1, 2)], metric="pearson", resamples=4000
    )[1, 2]
    assert comparison.difference == pytest.approx(r_one - r_other)
    expected = stats.norm.ppf(stats.t.sf(abs(t), 297))
    assert stats.norm.ppf(comparison.p / 2) == pytest.approx(expected, abs=0.35)


def test_very_few_pairs_show_no_difference_of_correlations() -> None:
    pairs = pair_set([1, 2, 3, 4, 5])
    similarities = {"up": pairs.scores, "down": -pairs.scores}
    comparison = compare_relatedness(pairs, similarities, [("up", "down")], resamples=2000)[
        "up", "down"
    ]
    assert (comparison.difference, comparison.p) == (2, 2 / 2**5)


def differences_of(seed: int) -> Resamples:
    """Of few, skewed pairs, where a percentile interval and BCa's differ."""
    rng = np.random.default_rng(seed)
    scores, noise = rng.exponential(size=25), rng.standard_t(2, (2, 25))
    both = [pearson(scores, scores + (1 + n) * noise[n]) for n in range(2)]
    first, second = resamples_of(both, 25, seed, 2000)
    return first - second


def test_p_is_under_a_level_where_the_interval_of_that_level_leaves_0_out() -> None:
    shown = 0
    for seed in range(40):
        difference = differences_of(seed)
        low, high = difference.interval()
        p = difference.p_of_nothing()
        if abs(p - 0.05) > 0.003:  # no sample lies between the two ways to count
            assert (p < 0.05) == (low > 0 or high < 0)
        shown += p < 0.05
        turned = replace(
            difference,
            whole=-difference.whole,
            drawn=-difference.drawn,
            left_out=-difference.left_out,
        )
        assert turned.p_of_nothing() == pytest.approx(p, abs=1e-9)
    assert 3 < shown < 37


def test_p_is_where_the_interval_ends_at_0(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(10):
        difference = differences_of(seed)
        p = difference.p_of_nothing()
        if p < 0.005:  # the ends of that interval are between very few samples
            continue
        monkeypatch.setattr(resampling, "_LEVEL", 1 - p)
        spacing = np.ptp(difference.drawn) / 200
        assert min(map(abs, difference.interval())) < spacing


def test_a_p_may_be_smaller_than_any_number_of_samples_could_show() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=200)
    both = [spearman(scores, scores + noise * rng.normal(size=200)) for noise in (0.1, 9)]
    seen = []
    for resamples in (99, 4000):
        first, second = resamples_of(both, 200, 0, resamples)
        difference = first - second
        seen.append(difference.p_of_nothing())
        shifted = difference.drawn - difference.whole
        assert seen[-1] == pytest.approx(2 * stats.norm.sf(difference.whole / shifted.std()))
    assert max(seen) < 1e-9
    (undefined,) = resamples_of([spearman(np.ones(5), np.ones(5))], 5, 0, 99)
    assert np.isnan(undefined.p_of_nothing())


def test_where_few_samples_are_beyond_nothing_p_goes_on_as_it_went() -> None:
    """The p that is counted of very many samples and that by their spread are much the same."""
    rng = np.random.default_rng(4)
    scores = rng.normal(size=150)
    both = [spearman(scores, scores + noise * rng.normal(size=150)) for noise in (1, 1.75)]
    seen = []
    for resamples in (2000, 40_000):
        first, second = resamples_of(both, 150, 0, resamples)
        seen.append((first - second).p_of_nothing())
    assert seen[0] == pytest.approx(seen[1], rel=0.6)


def test_similarities_that_are_mostly_the_same_have_a_wide_interval_and_show_nothing() -> None:
    scores = np.random.default_rng(0).permutation(29).astype(float)
    sparse, noise = np.zeros(29), np.random.default_rng(1).normal(size=29)
    sparse[scores.argmax()] = 1  # a third of all samples leaves it out
    pairs = pair_set(scores)
    figure = relatedness(pairs, sparse).figures[0]
    by_chance = stats.spearmanr(scores, sparse).pvalue
    assert by_chance > 0.05
    assert figure.low <= 0 < figure.value < figure.high
    compared = compare_relatedness(pairs, {0: sparse, 1: noise}, [(0, 1)])[0, 1]
    drawn = np.random.default_rng(2).integers(0, 29, (4000, 29))
    differences = [
        np.nan_to_num(
            stats.spearmanr(scores[some], sparse[some]).statistic if sparse[some].any() else 0
        )
        - stats.spearmanr(scores[some], noise[some]).statistic
        for some in drawn
    ]
    of = resamples_of([spearman(scores, sparse), spearman(scores, noise)], 29, 0, 4000)
    share = np.mean((of[0] - of[1]).drawn <= 0)
    assert share == pytest.approx(np.mean(np.array(differences) <= 0), abs=0.03)
    assert compared.low <= 0 <= compared.high
    assert compared.p > 0.05


@pytest.mark.parametrize(
    ("scores", "similarities", "why"),
    [
        ([], [], "too few pairs count for a correlation: 0"),
        ([1, 2], [np.nan, np.nan], "too few pairs count for a correlation: 0"),
        ([1, 2], [0.5, np.nan], "too few pairs count for a correlation: 1"),
        ([1, 2], [0.5, 0.7], "too few pairs count for a correlation: 2"),
        ([2, 2, 2], [0.1, 0.2, 0.3], "all 3 scores are equal"),
        ([1, 2, 3], [0.1, 0.1, 0.1], "all 3 similarities are equal"),
    ],
)
def test_what_has_no_correlation_is_said(
    scores: list[float], similarities: list[float], why: str
) -> None:
    pairs, similar = pair_set(scores), np.array(similarities, dtype=float)
    result = relatedness(pairs, similar)
    assert result.undefined.startswith(why)
    for figure in result.figures:
        assert np.isnan([figure.value, figure.low, figure.high]).all()
    compared = compare_relatedness(pairs, {1: similar, 2: similar}, [(1, 2)], resamples=50)
    none = compared[1, 2]
    assert np.isnan([none.difference, none.low, none.p]).all()


def test_three_pairs_have_a_figure_which_says_little() -> None:
    result = relatedness(pair_set(np.arange(3)), np.arange(3) ** 2)
    assert result.figures[0].value == 1
    assert result.figures[0].low < 0
    assert result.figures[0].high == 1


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("count", [10, 40, 400])
def test_a_perfect_correlation_is_not_certain(count: int, sign: int) -> None:
    scores = np.random.default_rng(count).permutation(count).astype(float)
    for figure in relatedness(pair_set(scores), sign * scores, resamples=50).figures:
        ends = sorted((sign * figure.low, sign * figure.high))
        assert figure.value == pytest.approx(sign)
        assert ends[1] == 1
        share = binomtest(count // 2, count // 2).proportion_ci(method="exact").low
        assert ends[0] == pytest.approx(np.sin(np.pi * (share - 0.5)))
        assert figure.method == CONCORDANT


def test_of_normal_values_so_few_perfect_orders_come_that_the_bound_holds() -> None:
    rng, count = np.random.default_rng(0), 10
    bound = widen_perfect(1.0, count, (1.0, 1.0))[0]
    first = rng.normal(size=(4000, count))
    other = bound * first + np.sqrt(1 - bound**2) * rng.normal(size=first.shape)
    orders = [np.argsort(column, axis=1) for column in (first, other)]
    assert (orders[0] == orders[1]).all(axis=1).mean() < 0.025


def test_equal_similarities_are_equal_whatever_float32_leaves_between_them() -> None:
    rng = np.random.default_rng(0)
    nearly = (1 + 1e-7 * rng.normal(size=15)).astype(np.float32)
    assert np.ptp(nearly) > 0
    result = relatedness(pair_set(np.arange(15)), nearly)
    assert result.undefined.startswith("all 15 similarities are equal")
    assert np.isnan(result.figures[0].value)
    apart = relatedness(pair_set(np.arange(15)), 0.9 + 1e-5 * np.arange(15))
    assert apart.figures[0].value == pytest.approx(1)


def test_similarities_that_do_not_fit_are_refused() -> None:
    pairs = pair_set([1, 2, 3])
    with pytest.raises(ValueError, match="3 pairs"):
        relatedness(pairs, np.array([1.0, 2]))
    with pytest.raises(ValueError, match="no finite"):
        relatedness(pairs, np.array([1.0, 2, np.inf]))
    with pytest.raises(ValueError, match="has no similarity"):
        relatedness(pairs, np.array([1.0, 2, np.nan]), counted=np.ones(3, dtype=bool))


def test_long_work_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    scores, similarities = related(30)
    with pytest.raises(InterruptedError):
        relatedness(pair_set(scores), similarities, tick=stop)


def test_nothing_has_no_interval() -> None:
    nothing = np.empty(0)
    assert np.isnan(value_of(spearman(nothing, nothing), 0))
    assert np.isnan(interval_of(pearson(nothing, nothing), 0, 0, 100)).all()


def test_scores_of_any_size_have_the_same_figures() -> None:
    rng = np.random.default_rng(0)
    scores, similarities = rng.normal(size=30), rng.normal(size=30)
    terms = tuple(map(str, range(30)))
    small_result, huge = (
        relatedness(PairSet("some", terms, terms, scores * size), similarities)
        for size in (1, 1e307)
    )
    for figure, other in zip(small_result.figures, huge.figures, strict=True):
        assert other.value == pytest.approx(figure.value, abs=1e-12)
        assert (other.low, other.high) == pytest.approx((figure.low, figure.high), abs=1e-12)
