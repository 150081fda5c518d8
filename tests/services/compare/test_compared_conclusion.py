"""What is said of a comparison turns with its ranks."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.services.compare.comparison import Compared, Tally
from termexplorer.services.compare.conclusion import (
    ComparedConclusion,
    Standing,
    comparison_text,
    conclude_comparison,
)
from termexplorer.trainer.evaluation.comparison import mcnemar

BASE, OTHER = 1, 6
TITLES = {BASE: "TF-IDF #1", OTHER: "few-shot #6"}

ranks = st.lists(st.integers(1, 9), min_size=24, max_size=24)


def concluded(baseline: list[int], other: list[int]) -> ComparedConclusion:
    best = np.array([baseline, other], np.float64).T
    moved = best[:, 0] - best[:, 1]
    counts = [int(mask.sum()) for mask in (moved > 0, moved < 0, moved == 0)]
    compared = cast(Compared, SimpleNamespace(best=best, encoder_ids=(BASE, OTHER)))
    return conclude_comparison(compared, BASE, [Tally("", OTHER, *counts)])


@given(ranks, ranks)
def test_who_is_ahead_is_whose_ranks_are(baseline: list[int], other: list[int]) -> None:
    conclusion = concluded(baseline, other)
    (standing,) = conclusion.standings
    wins = sum(b > o for b, o in zip(baseline, other, strict=True))
    losses = sum(b < o for b, o in zip(baseline, other, strict=True))
    expected = Standing.NOT_SHOWN
    if mcnemar(wins, losses) < 0.05:
        expected = Standing.AHEAD if wins > losses else Standing.BEHIND
    assert standing.standing is expected
    text = comparison_text(conclusion, TITLES)
    assert f"wins {wins}, loses {losses}" in text
    assert ("(ahead" in text) == (expected is Standing.AHEAD)
    assert ("(behind" in text) == (expected is Standing.BEHIND)
    turned = concluded(other, baseline).standings[0].standing
    opposite = {Standing.AHEAD: Standing.BEHIND, Standing.BEHIND: Standing.AHEAD}
    assert turned is opposite.get(expected, expected)


def test_a_median_rank_that_says_otherwise_is_told() -> None:
    baseline = [10] * 30 + [1] * 31
    better = concluded(baseline, [9] * 30 + [1] * 31)
    assert better.standings[0].standing is Standing.AHEAD
    assert "says otherwise" not in comparison_text(better, TITLES)
    lower_median = concluded(baseline, [9] * 30 + [5] + [1] * 30)
    assert lower_median.standings[0].standing is Standing.AHEAD
    assert "The median rank of few-shot #6 says otherwise." in comparison_text(lower_median, TITLES)


@pytest.mark.parametrize(("n", "is_told"), [(1, False), (2, True)])
def test_a_single_mention_has_no_median(n: int, is_told: bool) -> None:
    text = comparison_text(concluded([2] * n, [1] * n), TITLES)
    assert ("Median ranks" in text) == is_told


def test_encoders_of_few_mentions_are_in_no_family_and_what_few_cannot_tell_is_said() -> None:
    many, few = Tally("", OTHER, 20, 4, 0), Tally("", 7, 9, 0, 0)
    best = np.ones((24, 3))
    compared = cast(Compared, SimpleNamespace(best=best, encoder_ids=(BASE, OTHER, 7)))
    result = conclude_comparison(compared, BASE, [many, few])
    assert result.tests == 1
    assert result.standings[0].p == pytest.approx(mcnemar(20, 4))
    assert result.standings[1].standing is Standing.TOO_FEW
    assert "Holm over 1 test" in comparison_text(result, TITLES | {7: "dan #7"})
    ids = tuple(range(2, 40))
    compared = cast(Compared, SimpleNamespace(best=np.ones((10, 39)), encoder_ids=(BASE, *ids)))
    ten = conclude_comparison(
        compared, BASE, [Tally("", identifier, 10, 0, 0) for identifier in ids]
    )
    assert {standing.standing for standing in ten.standings} == {Standing.TOO_FEW}  # 2^-9 times 38


@pytest.mark.parametrize(("n", "is_told"), [(9, False), (10, True)])
def test_few_mentions_tell_nothing(n: int, is_told: bool) -> None:
    (standing,) = concluded([2] * n, [1] * n).standings
    assert (standing.standing is Standing.AHEAD) == is_told
