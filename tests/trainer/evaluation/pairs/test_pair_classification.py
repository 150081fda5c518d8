from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from termexplorer.trainer.evaluation.comparison import compare
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.files.pairs import PairSet


def labelled(labels: list[int] | np.ndarray) -> PairSet:
    terms = tuple(f"term {number}" for number in range(len(labels)))
    return PairSet("pairs", terms, terms[::-1], np.array(labels, dtype=float))


items = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=30).filter(
    lambda pairs: {label for label, _ in pairs} == {0, 1}
)


@given(items)
def test_figures_are_those_of_the_formulas(pairs: list[tuple[int, int]]) -> None:
    labels, similarities = (np.array(column) for column in zip(*pairs, strict=True))
    result = pair_classification(labelled(labels), similarities / 4)
    auc, accuracy = result.figures
    above = [
        np.mean([(first > other) + (first == other) / 2 for other in similarities[labels == 0]])
        for first in similarities[labels == 1]
    ]
    assert auc.value == pytest.approx(np.mean(above))
    assert auc.value == pytest.approx(roc_auc_score(labels, similarities))
    thresholds = [*similarities, np.inf]
    best = max(np.mean((similarities >= threshold) == labels) for threshold in thresholds)
    assert accuracy.value == pytest.approx(best)
    assert np.mean((similarities / 4 >= result.threshold) == labels) == pytest.approx(best)
    false, true, _ = roc_curve(labels, similarities, drop_intermediate=False)
    np.testing.assert_allclose(result.false_positives, false)
    np.testing.assert_allclose(result.true_positives, true)
    assert auc.n == accuracy.n == len(pairs)
    assert (auc.primary, accuracy.primary, result.undefined) == (True, False, "")


def test_intervals_hold_the_figures_and_shrink() -> None:
    rng = np.random.default_rng(0)
    widths = []
    for count in (100, 2500):
        labels = rng.integers(0, 2, count)
        auc, accuracy = pair_classification(
            labelled(labels), labels + rng.normal(size=count)
        ).figures
        assert auc.low < auc.value < auc.high
        assert accuracy.low < accuracy.value < accuracy.high
        widths.append(auc.high - auc.low)
    assert widths[1] == pytest.approx(widths[0] / 5, rel=0.4)


def test_two_encoders_are_compared_by_their_right_answers() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 300)
    better, worse = (labels + noise * rng.normal(size=300) for noise in (0.3, 3))
    better[7] = np.nan
    first, second = (
        pair_classification(labelled(labels), similarities) for similarities in (better, worse)
    )
    assert first.figures[0].n == 299
    assert np.isnan(first.items["accuracy"][7])
    comparison = compare(first.items["accuracy"], second.items["accuracy"], resamples=200)
    assert comparison.n == 299
    assert comparison.p_mcnemar < 1e-6


@pytest.mark.parametrize(
    ("labels", "similarities", "why"),
    [
        ([], [], "none of the 0 covered pairs is a similar one"),
        ([0, 0], [0.1, 0.2], "none of the 2 covered pairs is a similar one"),
        ([1, 1, 0], [0.1, 0.2, np.nan], "none of the 2 covered pairs is a dissimilar one"),
    ],
)
def test_sets_of_one_kind_have_no_figures(
    labels: list[int], similarities: list[float], why: str
) -> None:
    result = pair_classification(labelled(labels), np.array(similarities, dtype=float))
    assert result.undefined == why
    for figure in result.figures:
        assert np.isnan([figure.value, figure.low, figure.high]).all()


def test_equal_similarities_tell_nothing() -> None:
    result = pair_classification(labelled([1, 0, 0]), np.full(3, 0.5))
    assert [figure.value for figure in result.figures] == [0.5, pytest.approx(2 / 3)]
    assert result.threshold == np.inf
    assert result.false_positives.tolist() == result.true_positives.tolist() == [0, 1]


def test_scores_that_are_no_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="other than 0 and 1"):
        pair_classification(labelled([0, 2]), np.zeros(2))
    with pytest.raises(ValueError, match="2 pairs"):
        pair_classification(labelled([0, 1]), np.zeros(3))


def test_long_work_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        pair_classification(labelled([0, 1]), np.zeros(2), tick=stop)


@given(st.integers(1, 40), st.integers(1, 40))
def test_pairs_that_are_parted_without_error_have_an_interval_all_the_same(
    similar: int, dissimilar: int
) -> None:
    labels = np.array([1] * similar + [0] * dissimilar)
    figure, _ = pair_classification(labelled(labels), labels.astype(float)).figures
    assert (figure.value, figure.high) == (1, 1)
    covariance_terms = (
        (similar + dissimilar) / 2 - 1
    ) * (  # by Hanley and McNeil, each kind as many
        (1 - figure.low) / (2 - figure.low) + figure.low / (1 + figure.low)
    )
    variance = figure.low * (1 - figure.low) * (1 + covariance_terms) / (similar * dissimilar)
    assert 1 - figure.low == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-4)
    turned, _ = pair_classification(labelled(labels), -labels.astype(float)).figures
    assert (turned.low, turned.value) == (0, 0)
    assert turned.high == pytest.approx(1 - figure.low)


def test_one_pair_of_a_kind_among_many_has_an_interval() -> None:
    scores = np.zeros(2500)
    scores[7] = 1
    terms = tuple(map(str, range(2500)))
    similarities = np.random.default_rng(0).normal(size=2500).astype(np.float32)
    figure, _ = pair_classification(PairSet("one", terms, terms, scores), similarities).figures
    assert 0 <= figure.low <= figure.value <= figure.high <= 1


def test_an_accuracy_is_as_uncertain_as_its_shares_but_never_below_a_half() -> None:
    from scipy.stats import binomtest

    labels = np.array([1] * 9 + [0])
    accuracy = pair_classification(labelled(labels), np.zeros(10)).figures[1]
    exact = binomtest(9, 10).proportion_ci()
    assert (accuracy.value, accuracy.low) == (0.9, pytest.approx(exact.low))
    assert accuracy.high == pytest.approx(exact.high)
    few = pair_classification(labelled(np.array([1] * 5 + [0] * 3)), np.zeros(8)).figures[1]
    assert (few.value, few.low) == (0.625, 0.5)  # exactly it would go down to .245
