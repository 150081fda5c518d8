"""Tests and intervals on worked examples that others have published, to their last digit."""

import numpy as np
import pytest

from termexplorer.trainer.evaluation.comparison import holm, mcnemar
from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications
from termexplorer.trainer.evaluation.pairs.delong import area_interval, spread
from termexplorer.trainer.evaluation.pairs.delong import placements as placements_of
from termexplorer.trainer.evaluation.shares import paired_interval, share_interval
from termexplorer.trainer.files.pairs import PairSet

# Patients with ovarian cancer of DeLong, DeLong and Clarke-Pearson 1988: albumin, total protein,
# K-G score, and whether the bowel was obstructed for another reason than to be operated on. As the
# SAS/STAT User's Guide has them (LOGISTIC procedure, "Comparing Receiver Operating Characteristic
# Curves"), with the figures that are tested here.
_ROWS = """
    3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0
    1.6 5.6 5 1  3.8 5.7 5 1  3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1
    4.3 7.0 4 1  3.6 6.7 4 0  2.3 4.4 6 1  4.2 7.6 4 0  4.0 6.6 6 0  3.5 5.8 6 1  3.8 6.8 7 1
    3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1  3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1  4.3 6.5 4 1
    3.2 5.1 5 1  2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0  3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1
    3.5 6.2 5 1  2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0  4.0 7.0 7 1  3.3 5.7 6 1  3.7 6.9 5 1
    3.6 6.6 5 1
"""
PATIENTS = np.array(_ROWS.split(), float).reshape(-1, 4)
LABELS = PATIENTS[:, 3]
SCORES = {"albumin": PATIENTS[:, 0], "protein": PATIENTS[:, 1], "K-G": -PATIENTS[:, 2]}


@pytest.mark.parametrize(
    ("score", "area", "error", "low", "high"),
    [
        ("albumin", 0.7366, 0.0927, 0.5549, 0.9182),
        ("K-G", 0.7258, 0.1028, 0.5243, 0.9273),
        ("protein", 0.6478, 0.1000, 0.4518, 0.8439),
    ],
)
def test_areas_under_curves_have_the_spread_and_interval_of_delong(
    score: str, area: float, error: float, low: float, high: float
) -> None:
    placements = placements_of(LABELS, SCORES[score])
    assert placements[LABELS == 1].mean() == pytest.approx(area, abs=5e-5)
    assert spread(LABELS, placements) == pytest.approx(error, abs=5e-5)
    assert area_interval(LABELS, placements) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("score", "difference", "low", "high", "p"),
    [
        ("albumin", 0.0108, -0.1761, 0.1976, 0.9102),
        ("protein", -0.0780, -0.2830, 0.1271, 0.4561),
    ],
)
def test_two_areas_differ_as_delongs_test_says(
    score: str, difference: float, low: float, high: float, p: float
) -> None:
    pairs = PairSet("patients", ("",) * len(LABELS), ("",) * len(LABELS), LABELS)
    comparison = compare_classifications(pairs, SCORES[score], SCORES["K-G"], resamples=1)["AUC"]
    assert (comparison.difference, comparison.low, comparison.high, comparison.p) == pytest.approx(
        (difference, low, high, p), abs=5.1e-5
    )


@pytest.mark.parametrize(
    ("hits", "items", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0, 0.1684),
     (1, 29, 0.0009, 0.1776)],
)  # fmt: skip
def test_shares_have_the_interval_of_clopper_and_pearson(
    hits: int, items: int, low: float, high: float
) -> None:
    """Newcombe 1998, Statistics in Medicine 17, 857 to 872, table I, method 5."""
    assert share_interval(hits, items) == pytest.approx((low, high), abs=5e-5)


def test_ratings_of_a_prime_minister_are_apart_as_mcnemars_test_says() -> None:
    """Agresti 2002, *Categorical Data Analysis*, 10.1: of 1,600 people 150 and 86 changed.

    He gives .021 to .059; the exact p, 3.716e-05, is that of the R package exact2x2.
    """
    assert mcnemar(150, 86) == pytest.approx(3.716e-05, abs=5e-9)
    assert paired_interval(150, 86, 1600) == pytest.approx((0.021, 0.059), abs=5e-4)


def test_four_hypotheses_are_rejected_in_turn_as_holm_says() -> None:
    """The example of the article *Holm-Bonferroni method* in Wikipedia: H4 and H1 at .05."""
    corrected = holm([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(corrected, [0.03, 0.06, 0.06, 0.02])
    assert (corrected < 0.05).tolist() == [True, False, False, True]
