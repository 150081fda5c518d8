"""Labels held against a ground truth, and beside raters, as one would reckon them by hand."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.agreement import (
    NO_MAJORITY,
    BesideRaters,
    Ratings,
    agreement_beside,
    majority,
    measure_agreement,
    measure_labels,
    measure_sets,
    ratings_of,
)

CELLS = st.sampled_from(["", "no", "yes"])


def rated(rows: list[list[str]]) -> Ratings:
    return ratings_of(rows, ["A", "B", "C"], labels=["no", "yes"])


def with_label(ratings: Ratings, codes: np.ndarray) -> dict[str, BesideRaters]:
    return {
        comparison.raters.metric: comparison
        for comparison in agreement_beside(ratings, codes, resamples=20)
    }


@given(st.lists(st.lists(CELLS, min_size=4, max_size=4), min_size=1, max_size=12))
def test_means_over_couples_are_those_of_each_couple(rows: list[list[str]]) -> None:
    """What stands in the fourth column is the label; items without one count nowhere."""
    labelled = [row for row in rows if row[3]]
    ratings = ratings_of(labelled, ["A", "B", "C", "label"], labels=["no", "yes"])
    couples = measure_agreement(ratings, resamples=1).pairs
    codes = np.array([["no", "yes"].index(row[3]) if row[3] else -1 for row in rows])
    result = with_label(rated([row[:3] for row in rows]), codes)
    for metric, comparison in result.items():
        means = []
        for beside in (False, True):
            values = [
                figure.value
                for pair in couples
                for figure in pair.figures
                if ("label" in pair.raters) == beside and figure.metric == metric
            ]
            known = [value for value in values if value == value]
            means.append(sum(known) / len(known) if known else np.nan)
        assert [comparison.raters.value, comparison.labels.value] == pytest.approx(
            means, nan_ok=True
        )
        assert comparison.difference.value == pytest.approx(means[1] - means[0], nan_ok=True)
        assert bool(comparison.labels.undefined) == np.isnan(means[1])


def test_labels_of_one_rater_agree_with_all_as_the_others_do() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    columns = [np.where(rng.random(60) < 0.15, 1 - truth, truth) for _ in range(4)]
    rows = [[["no", "yes"][code] for code in row] for row in np.stack(columns[:3], axis=1)]
    same, wrong = (with_label(rated(rows), codes) for codes in (columns[3], 1 - truth))
    low, high = same["cohen"].difference.low, same["cohen"].difference.high
    assert low < 0 < high
    assert wrong["cohen"].difference.high < 0
    assert same["agreement"].raters.value == pytest.approx(
        np.mean([(a == b).mean() for a, b in combinations(columns[:3], 2)])
    )
    assert (same["alpha"].raters.n, same["alpha"].labels.n) == (60, 60)


def test_agreement_of_ten_in_ten_has_an_interval_with_a_width() -> None:
    """Clopper and Pearson: of 10 in 10 the share is .6915 at least; of 0 in 10, .3085 at most."""
    ratings = ratings_of([["no", "no"], ["yes", "yes"]] * 5, ["A", "B"])
    codes = np.array([0, 1] * 5)
    for comparison in with_label(ratings, codes).values():
        for figure in (comparison.raters, comparison.labels):
            assert figure.low < figure.value == figure.high == 1
        assert (
            comparison.difference.low
            < comparison.difference.value
            == 0
            < comparison.difference.high
        )
    same, other = (
        with_label(ratings, rater_codes)["agreement"] for rater_codes in (codes, 1 - codes)
    )
    assert (same.raters.low, same.labels.low) == pytest.approx((0.6915, 0.6915), abs=1e-4)
    assert (other.labels.low, other.labels.high) == pytest.approx((0, 0.3085), abs=1e-4)
    assert other.difference.low == -1 < other.difference.high < 0


def test_agreement_that_is_the_same_on_all_items_has_a_width() -> None:
    """Two of three agree on each item, the least that they can: a third, as of 10 in 30 items."""
    ratings = rated([["no", "no", "yes"]] * 30)
    agreement = {figure.metric: figure for figure in measure_agreement(ratings).figures}[
        "agreement"
    ]
    assert agreement.value == pytest.approx(1 / 3)
    assert agreement.low == pytest.approx(1 / 3)
    assert agreement.high == pytest.approx(0.528, abs=1e-3)


def test_one_rater_has_nobody_to_agree_with() -> None:
    (first, *_) = agreement_beside(ratings_of([["no"], ["yes"]], ["A"]), np.array([0, 1]))
    assert (first.labels.value, first.raters.n) == (1, 0)
    assert "no two of them" in first.raters.undefined


def test_a_truth_that_was_decided_counts_as_one_of_a_majority() -> None:
    rows = [["yes", "yes", ""], ["no", "yes", ""], ["no", "no", "yes"]]
    ratings, automatic = rated(rows), ["yes", "no", ""]
    votes = majority(ratings)
    assert votes.tolist() == [1, NO_MAJORITY, 0]
    (alone,) = measure_sets(ratings, None, automatic, "yes", resamples=1)
    figures = measure_labels(ratings, votes, automatic, "yes")
    assert [(figure.metric, figure.value, figure.n) for figure in figures] == [
        (vote.metric, vote.value, vote.n) for vote in alone.votes[1:]
    ]
    decided = measure_labels(ratings, np.array([1, 1, 0]), automatic, "yes")
    assert [(figure.value, figure.n) for figure in decided] == [(0.5, 2), (0.5, 2), (1, 1)]
    nothing = measure_labels(ratings, np.full(3, NO_MAJORITY), automatic, "yes")
    assert all(np.isnan(figure.value) and figure.n == 0 for figure in nothing)
