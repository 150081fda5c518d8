"""Intervals of shares, at their ends above all."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from termexplorer.trainer.agreement.figures import measure_agreement
from termexplorer.trainer.agreement.ratings import ratings_of
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.calibration import calibration
from termexplorer.trainer.evaluation.comparison import compare
from termexplorer.trainer.evaluation.likelihood import Trial
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.evaluation.shares import paired_interval, share_interval
from termexplorer.trainer.files.pairs import PairSet


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_interval_of_a_share_is_the_exact_one(hits: int, misses: int) -> None:
    if not hits + misses:
        assert np.isnan(share_interval(0, 0)).all()
        return
    exact = binomtest(hits, hits + misses).proportion_ci(method="exact")
    assert share_interval(hits, hits + misses) == pytest.approx((exact.low, exact.high))


def test_ten_of_ten_are_not_certain() -> None:
    right, wrong, tied = np.ones(10), np.zeros(10), np.full(10, 0.5)
    nearly = np.append(np.ones(9), 0.98)  # no share, and as near to the end
    values = {"right": right, "wrong": wrong, "tied": tied, "nearly": nearly}
    figure_by_metric = {figure.metric: figure for figure in mean_figures(values, 0).figures}
    assert figure_by_metric["right"].low == pytest.approx(0.6915, abs=1e-4)
    assert (figure_by_metric["right"].high, figure_by_metric["wrong"].low) == (1, 0)
    assert figure_by_metric["wrong"].high == pytest.approx(1 - figure_by_metric["right"].low)
    assert figure_by_metric["tied"].low < 0.3 < 0.7 < figure_by_metric["tied"].high
    assert figure_by_metric["nearly"].low < 0.7


def test_means_of_other_values_are_drawn_as_before() -> None:
    values = np.random.default_rng(0).normal(5, 1, 200)
    (figure,) = mean_figures({"m": values}, 1).figures
    error = values.std() / np.sqrt(200)
    assert (figure.low, figure.high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.05
    )


@pytest.mark.parametrize("chances", [(0.3, 0.1), (0.05, 0.05), (0.5, 0.02), (0.02, 0.02)])
def test_the_interval_of_a_difference_of_shares_holds_it_as_often_as_said(
    chances: tuple[float, float],
) -> None:
    count, (first, second) = 30, chances
    covered = 0.0
    for better in range(count + 1):
        for worse in range(count + 1 - better):
            low, high = paired_interval(better, worse, count)
            ways = comb(count, better) * comb(count - better, worse)
            chance = (
                first**better * second**worse * (1 - first - second) ** (count - better - worse)
            )
            covered += ways * chance * (low <= first - second <= high)
    assert covered > 0.93


def test_no_difference_of_right_answers_is_certain() -> None:
    right = np.ones(10)
    same, apart = compare(right, right), compare(right, 1 - right)
    assert same.difference == 0
    assert same.low == -same.high < -0.1
    assert apart.difference == 1
    assert apart.low < 0.7


def test_the_best_threshold_is_never_worse_than_one_label_or_half() -> None:
    rng = np.random.default_rng(0)
    for similar in (10, 15):
        labels = np.array([1.0] * similar + [0.0] * (20 - similar))
        terms = tuple(map(str, range(20)))
        _, accuracy = pair_classification(
            PairSet("set", terms, terms, labels), rng.normal(size=20)
        ).figures
        assert accuracy.value >= similar / 20
        assert 0.5 <= accuracy.low <= accuracy.value  # the share is as uncertain as the accuracy


def test_raters_who_agree_on_ten_items_may_not_on_all() -> None:
    rows = [["a", "a"]] * 7 + [["b", "b"]] * 3
    figure_by_metric = {
        figure.metric: figure for figure in measure_agreement(ratings_of(rows, ["x", "y"])).figures
    }
    assert {figure.value for figure in figure_by_metric.values()} == {1}
    assert {figure.high for figure in figure_by_metric.values()} == {1}
    share = figure_by_metric["agreement"].low
    assert share == pytest.approx(0.6915, abs=1e-4)
    by_chance = ((7 + (1 - share) / share * 5) * share / 10) ** 2
    by_chance += (1 - (7 + (1 - share) / share * 5) * share / 10) ** 2
    for metric in ("cohen", "fleiss"):
        assert figure_by_metric[metric].low == pytest.approx((share - by_chance) / (1 - by_chance))
    for figure in figure_by_metric.values():
        assert figure.low < 0.7
    alone = measure_agreement(ratings_of([["a", "a"]] * 10, ["x", "y"])).figures
    assert {own_figure.metric: own_figure.low for own_figure in alone}[
        "agreement"
    ] == pytest.approx(share)


def test_precision_has_the_interval_of_all_copies() -> None:
    of_copies = calibration(np.linspace(0, 1, 90), np.arange(90) > 60)
    trial = Trial({10: (1.0, 1.0, 1.0), 50: (1.0, 0.9, 0.8)}, 0.3, of_copies)
    first, last = trial.precision_figure(10), trial.precision_figure(50)
    assert (first.value, first.n) == (1, 30)
    assert (first.low, first.high) == pytest.approx(share_interval(30, 30))
    assert (last.value, last.n) == (pytest.approx(0.9), 90)  # of 30 candidates in each copy
