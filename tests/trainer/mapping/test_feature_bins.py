"""Bins of features that are learned from."""

import numpy as np

from termexplorer.trainer.mapping.decision_model import FeatureBins


def test_bins_have_about_the_same_weight_and_keep_the_order() -> None:
    random = np.random.default_rng(4)
    features = random.normal(size=(5000, 2)).astype(np.float32)
    features[:, 1] = random.integers(0, 4, 5000)  # few values: a bin for each
    weights = random.choice([1.0, 3.0, 20.0], 5000)
    bins = FeatureBins.fit(features, weights)
    numbers = bins.number(features)
    for column, numbered in zip(features.T, numbers.T, strict=True):
        order = np.argsort(column)
        assert (np.diff(numbered[order].astype(int)) >= 0).all()
    share = np.bincount(numbers[:, 0], weights) / weights.sum()
    assert len(share) == 255
    assert 0.5 / 255 < share.min() <= share.max() < 2 / 255
    assert len(np.unique(numbers[:, 1])) == len(np.unique(features[:, 1]))


def test_what_is_beyond_all_that_was_seen_is_in_the_bins_at_the_ends() -> None:
    features = np.arange(1000, dtype=np.float32)[:, None]
    bins = FeatureBins.fit(features, np.ones(1000))
    assert bins.number(np.array([[-5], [5000]], np.float32)).ravel().tolist() == [0, 254]
