from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from termexplorer.trainer.evaluation.calibration import calibration


@given(
    st.lists(
        st.tuples(st.floats(0, 1) | st.sampled_from([0.1, 0.2, 0.3, 0.7]), st.booleans()),
        min_size=1,
        max_size=60,
    )
)
def test_likelihoods_are_compared_with_the_truth_as_scikit_learn_does(
    pairs: list[tuple[float, bool]],
) -> None:
    likelihood, true = (np.array(each) for each in zip(*pairs, strict=True))
    found = calibration(likelihood, true)
    share, mean = calibration_curve(true, likelihood, n_bins=10, pos_label=True)
    assert [each.share for each in found.bins] == pytest.approx(share)
    assert [each.likelihood for each in found.bins] == pytest.approx(mean)
    assert found.brier == pytest.approx(brier_score_loss(true, likelihood, pos_label=True))
    constant = np.full(len(true), true.mean())
    assert found.brier_of_chance == pytest.approx(np.mean((constant - true) ** 2))
    counts = [each.n for each in found.bins]
    assert sum(counts) == len(true)
    assert found.error == pytest.approx(np.average(np.abs(share - mean), weights=counts))
    for each in found.bins:
        assert each.low - 1e-9 <= each.likelihood <= each.high + 1e-9


def test_drawn_by_their_likelihoods_they_are_calibrated() -> None:
    rng = np.random.default_rng(0)
    likelihood = rng.random(20_000)
    found = calibration(likelihood, rng.random(20_000) < likelihood)
    assert found.error < 0.02
    assert found.brier == pytest.approx(1 / 6, abs=0.01)
    assert found.brier_of_chance == pytest.approx(1 / 4, abs=0.01)


@pytest.mark.parametrize("likelihood", [[], [1.1], [float("nan")], [-0.1, 0.5]])
def test_what_are_no_likelihoods_is_refused(likelihood: list[float]) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        calibration(np.array(likelihood), np.zeros(len(likelihood), np.bool_))
