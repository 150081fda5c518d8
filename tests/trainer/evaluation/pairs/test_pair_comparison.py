from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from sklearn.metrics import roc_auc_score

from termexplorer.trainer.evaluation.bootstrap import interval, resampled_means, samples
from termexplorer.trainer.evaluation.normal import normal_interval, normal_p
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications
from termexplorer.trainer.evaluation.pairs.delong import placements, spread
from termexplorer.trainer.evaluation.pairs.hardest import hardest
from termexplorer.trainer.evaluation.pairs.roc import auc, drawn_points, roc
from termexplorer.trainer.evaluation.resampling import Statistic
from termexplorer.trainer.files.pairs import PairSet


def labelled(labels: np.ndarray) -> PairSet:
    terms = tuple(f"term {number}" for number in range(len(labels)))
    return PairSet("pairs", terms, terms[::-1], labels.astype(float))


def two_encoders(count: int, seed: int = 0) -> tuple[PairSet, np.ndarray, np.ndarray]:
    """The second encoder errs as the first one does, and besides."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, count)
    first = labels + rng.normal(size=count)
    return labelled(labels), first, first + rng.normal(scale=0.7, size=count)


pairs_of_both_kinds = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3), st.integers(-3, 3)), min_size=4, max_size=30
).filter(lambda pairs: all(sum(p[0] == label for p in pairs) > 1 for label in (0, 1)))


@given(pairs_of_both_kinds)
def test_placements_and_spread_are_those_of_the_definition(
    pairs: list[tuple[int, int, int]],
) -> None:
    labels, *similarities = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    placed = []
    for similarity in similarities:
        similar, dissimilar = (similarity[labels == label] for label in (1, 0))
        kernel = [[(x > y) + (x == y) / 2 for y in dissimilar] for x in similar]
        fractions = placements(labels, similarity)
        np.testing.assert_allclose(fractions[labels == 1], np.mean(kernel, axis=1))
        np.testing.assert_allclose(fractions[labels == 0], np.mean(kernel, axis=0))
        assert fractions[labels == 1].mean() == pytest.approx(roc_auc_score(labels, similarity))
        placed.append(fractions)
    parts = [[of[labels == label] for of in placed] for label in (1, 0)]
    covariances = [np.cov(part) / part[0].size for part in parts]  # DeLong's S10 / m and S01 / n
    contrast = np.array([1, -1])
    variance = contrast @ sum(covariances) @ contrast
    assert spread(labels, placed[0] - placed[1]) == pytest.approx(np.sqrt(max(variance, 0)))


def test_the_normal_interval_and_chance() -> None:
    assert normal_interval(0.5, 0.1) == pytest.approx(
        (0.5 - 0.1 * 1.96, 0.5 + 0.1 * 1.96), abs=1e-4
    )
    assert normal_p(-0.3, 0.1) == pytest.approx(2 * norm.sf(3))
    assert normal_p(0.0, 0.0) == 1
    assert normal_p(0.1, 0.0) == 0


def drawn(statistic: Statistic, items: int) -> np.ndarray:
    return np.concatenate([statistic(times) for times in samples(items, 3, 4000)])


def test_without_resampling_the_interval_is_that_of_the_bootstrap() -> None:
    pairs, first, second = two_encoders(2000)
    labels = pairs.scores
    (area, _) = pair_classification(pairs, first).figures
    by_bootstrap = interval(drawn(auc(labels, first), len(labels)))
    assert (area.low, area.high) == pytest.approx(by_bootstrap, abs=0.002)
    assert area.value == pytest.approx(roc_auc_score(labels, first))
    comparison = compare_classifications(pairs, first, second)["AUC"]
    left, right = auc(labels, first), auc(labels, second)
    differences = drawn(lambda w: left(w) - right(w), len(labels))
    assert (comparison.low, comparison.high) == pytest.approx(interval(differences), abs=0.002)
    assert comparison.n == 2000


def test_a_clear_difference_is_shown_whatever_it_is_corrected_for() -> None:
    """Of 800 pairs in 17 sets and six encoders: a floor of samples would hide all 255."""
    pairs, first, _ = two_encoders(800)
    second = np.random.default_rng(9).normal(size=800)
    comparison = compare_classifications(pairs, first, second, resamples=200)["AUC"]
    assert 0 < comparison.p * 510 * 1000 < 0.05


def test_few_pairs_are_compared_as_drawing_them_does() -> None:
    pairs, first, second = two_encoders(120)
    comparison = compare_classifications(pairs, first, second)
    labels = pairs.scores
    value = roc_auc_score(labels, first) - roc_auc_score(labels, second)
    assert comparison["AUC"].difference == pytest.approx(value)
    rng, values = np.random.default_rng(5), []
    for _ in range(500):
        some = rng.integers(0, len(labels), len(labels))
        values.append(
            roc_auc_score(labels[some], first[some]) - roc_auc_score(labels[some], second[some])
        )
    assert (comparison["AUC"].low, comparison["AUC"].high) == pytest.approx(
        np.quantile(values, [0.025, 0.975]), abs=0.02
    )


def test_very_few_pairs_show_nothing() -> None:
    pairs = labelled(np.array([1.0, 1, 1, 0, 0, 0]))
    comparison = compare_classifications(pairs, pairs.scores, np.zeros(6))["AUC"]
    assert comparison.difference == 0.5
    assert comparison.p == 2 / 2**6  # there are as many ways to swap the two encoders
    one_similar = labelled(np.array([1.0, 0, 0, 0]))
    comparison = compare_classifications(one_similar, one_similar.scores, np.zeros(4))["AUC"]
    assert comparison.difference == 0.5
    assert comparison.p == comparison.least_p == 1  # nothing is known of its spread
    assert comparison.low < 0 < comparison.high < 1
    alike = compare_classifications(pairs, pairs.scores, pairs.scores)["AUC"]
    assert (alike.difference, alike.p) == (0, 1)
    assert alike.low == -alike.high < -0.1  # not without any width


def test_accuracies_are_compared_by_mcnemar_at_each_ones_own_threshold() -> None:
    pairs, first, second = two_encoders(200)
    second = 100 + 5 * second
    right = []
    for similarities in (first, second):
        best = max(np.mean((similarities >= t) == pairs.scores) for t in similarities)
        threshold = max(
            t for t in similarities if np.mean((similarities >= t) == pairs.scores) == best
        )
        right.append((similarities >= threshold) == pairs.scores)
    comparison = compare_classifications(pairs, first, second, resamples=50)["accuracy"]
    better, worse = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    assert (comparison.better, comparison.worse) == (better, worse)
    assert comparison.p == pytest.approx(binomtest(int(better), int(better + worse)).pvalue)
    assert comparison.difference == pytest.approx(right[0].mean() - right[1].mean())


def test_pairs_that_one_does_not_know_and_sets_of_one_kind() -> None:
    pairs, first, second = two_encoders(60)
    first[3] = np.nan
    assert compare_classifications(pairs, first, second, resamples=20)["AUC"].n == 59
    one_kind = labelled(np.ones(60))
    assert compare_classifications(one_kind, first, second) == {}
    with pytest.raises(ValueError, match="other than 0 and 1"):
        compare_classifications(labelled(np.full(60, 2)), first, second)


def test_means_of_very_many_items_of_few_values_spread_as_they_must() -> None:
    rng = np.random.default_rng(0)
    values = rng.choice([-1.0, 0.0, 1.0], 40_000, p=[0.2, 0.5, 0.3])[:, None]
    means = resampled_means(values, seed=1, resamples=4000)
    assert means.shape == (4000, 1)
    assert means.mean() == pytest.approx(values.mean(), abs=1e-3)
    assert means.std() == pytest.approx(values.std() / 200, rel=0.05)
    values[:20_000] = np.nan
    assert resampled_means(values, 1, 500).std() == pytest.approx(
        np.nanstd(values) / np.sqrt(20_000), rel=0.1
    )


@given(
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.1, 0.2, 0.3, float("nan")]))),
    st.integers(1, 4),
)
def test_the_hardest_pairs_are_those_most_on_the_wrong_side(
    pairs: list[tuple[int, float]], most: int
) -> None:
    labels = np.array([label for label, _ in pairs], dtype=float)
    similarities = np.array([similarity for _, similarity in pairs], dtype=float)
    hardest_pairs = [places.tolist() for places in hardest(labels, similarities, most)]
    present = [index for index, (_, similarity) in enumerate(pairs) if similarity == similarity]
    similar = sorted((p for p in present if pairs[p][0]), key=lambda p: pairs[p][1])
    dissimilar = sorted((p for p in present if not pairs[p][0]), key=lambda p: -pairs[p][1])
    assert hardest_pairs == [similar[:most], dissimilar[:most]]


def test_a_curve_of_fewer_points_is_drawn_alike() -> None:
    pairs, first, _ = two_encoders(5000)
    _, false, true = roc(pairs.scores, first)
    false, true = false / false[-1], true / true[-1]
    drawn_curve = drawn_points(false, true)
    assert (drawn_curve[0], drawn_curve[-1]) == (0, len(false) - 1)
    assert len(drawn_curve) <= 202
    curve = np.interp(false + true, (false + true)[drawn_curve], true[drawn_curve])
    assert np.abs(curve - true).max() < 0.01
    assert drawn_points(false[:50], true[:50]).tolist() == list(range(50))
