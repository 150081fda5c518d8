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
    likelihood, true = (np.array(column) for column in zip(*pairs, strict=True))
    result = calibration(likelihood, true)
    share, mean = calibration_curve(true, likelihood, n_bins=10, pos_label=True)
    assert [calibration_bin.share for calibration_bin in result.bins] == pytest.approx(share)
    assert [calibration_bin.likelihood for calibration_bin in result.bins] == pytest.approx(mean)
    assert result.brier == pytest.approx(brier_score_loss(true, likelihood, pos_label=True))
    constant = np.full(len(true), true.mean())
    assert result.brier_of_chance == pytest.approx(np.mean((constant - true) ** 2))
    counts = [calibration_bin.n for calibration_bin in result.bins]
    assert sum(counts) == len(true)
    assert result.error == pytest.approx(np.average(np.abs(share - mean), weights=counts))
    for calibration_bin in result.bins:
        assert (
            calibration_bin.low - 1e-9 <= calibration_bin.likelihood <= calibration_bin.high + 1e-9
        )


def test_drawn_by_their_likelihoods_they_are_calibrated() -> None:
    rng = np.random.default_rng(0)
    likelihood = rng.random(20_000)
    result = calibration(likelihood, rng.random(20_000) < likelihood)
    assert result.error < 0.02
    assert result.brier == pytest.approx(1 / 6, abs=0.01)
    assert result.brier_of_chance == pytest.approx(1 / 4, abs=0.01)


@pytest.mark.parametrize("likelihood", [[], [1.1], [float("nan")], [-0.1, 0.5]])
def test_what_are_no_likelihoods_is_refused(likelihood: list[float]) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        calibration(np.array(likelihood), np.zeros(len(likelihood), np.bool_))
