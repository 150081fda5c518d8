from __future__ import annotations

import numpy as np
import pytest
from trainer_toy import Toy

from trainer.evaluation.bootstrap import bootstrap_interval, mean_figure
from trainer.evaluation.hypernyms import hypernym_detection
from trainer.evaluation.similarity_ranking import similarity_ranking
from trainer.names import LabelledNames


def units(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_similarity_ranking_is_what_a_plain_loop_finds(toy: Toy) -> None:
    membership = toy.labels.membership().toarray()
    mentions, candidates = np.arange(0, 240, 8), np.flatnonzero(np.arange(240) % 8)
    precisions, reciprocals = [], []
    for mention in mentions:
        scores = units(toy.vectors)[candidates] @ units(toy.vectors)[mention]
        order = candidates[np.argsort(-scores, kind="stable")]
        ranks = np.flatnonzero((membership[order] & membership[mention]).any(1)) + 1
        precisions.append(np.mean(np.arange(1, len(ranks) + 1) / ranks))
        reciprocals.append(1 / ranks[0])
    primary, accuracy, mrr = similarity_ranking(toy.labels, toy.vectors, mentions, candidates)
    assert (primary.metric, primary.primary, primary.n) == ("mAP", True, 30)
    assert primary.value == pytest.approx(np.mean(precisions), abs=1e-6)
    assert primary.low < primary.value < primary.high
    assert mrr.value == pytest.approx(np.mean(reciprocals))
    assert accuracy.value == pytest.approx(np.mean(np.array(reciprocals) == 1))


def test_hypernyms_count_the_best_name_of_any_own_class() -> None:
    labels = LabelledNames(
        ("a", "b", "c"), ("x", "y", "z"), np.array([0, 1, 1]), np.array([0, 1, 2])
    )
    vectors = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    level = np.array([[0.9, 0.5], [1, 0.1], [-1, 0], [0.5, 0.9]], dtype=np.float32)
    classes = np.array([0, 1, 2, 2])  # class z has two names
    mrr, accuracy = hypernym_detection(labels, vectors, np.array([0, 1, 2]), classes, level)
    assert (mrr.value, mrr.n, mrr.primary) == (0.75, 2, True)  # name c has no class
    assert accuracy.value == 0.5


def test_bootstrap_intervals_are_those_of_the_mean() -> None:
    values = np.random.default_rng(0).normal(3, 2, 400)
    low, high = bootstrap_interval(values, seed=1)
    assert (low, high) == bootstrap_interval(values, seed=1)
    error = values.std() / 20
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.03)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.03)


def test_values_that_are_missing_are_not_counted() -> None:
    figure = mean_figure("m", np.array([1.0, np.nan, 1.0]), 0, primary=True)
    assert (figure.value, figure.low, figure.high, figure.n) == (1, 1, 1, 2)
    nothing = mean_figure("m", np.array([np.nan]), 0, primary=True)
    assert nothing.n == 0
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()
