from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from agreement_tables import both_rated, labels_of, naive_figures, random_tables

from termexplorer.trainer.agreement import (
    SCALES,
    AgreementFigure,
    Ratings,
    first_ratings,
    measure_agreement,
    ratings_of,
    self_agreement,
)
from termexplorer.trainer.evaluation.bootstrap import samples
from termexplorer.trainer.evaluation.figures import FROM_EXACT, PERCENTILE
from termexplorer.trainer.evaluation.shares import ShareFigure, share_interval

N = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]  # Krippendorff 2011; Gwet 2014, table 2.10


def rated(rows: list[list[float | None]], scale: str = "nominal") -> Ratings:
    return ratings_of(rows, [f"rater {at}" for at in range(len(rows[0]))], scale)


def by_name(ratings: Ratings) -> dict[str, AgreementFigure]:
    return {figure.metric: figure for figure in measure_agreement(ratings, resamples=20).figures}


def two_raters(counts: dict[tuple[str, str], int]) -> Ratings:
    rows = [list(pair) for pair, count in counts.items() for _ in range(count)]
    return ratings_of(rows, ["A", "B"])


def test_all_figures_are_those_of_the_definitions_on_random_tables_with_gaps() -> None:
    undefined = 0
    for scale, table in random_tables(250):
        labels = labels_of(table)
        result = measure_agreement(rated(table, scale), resamples=1)
        tables = [both_rated(table, *pair) for pair in combinations(range(len(table[0])), 2)]
        every = [result.figures, *(pair.figures for pair in result.pairs)]
        for figures, part in zip(every, [table, *tables], strict=True):
            values = [figure.value for figure in figures]
            wanted = naive_figures(scale, part, labels)
            np.testing.assert_allclose(values, wanted, rtol=0, atol=1e-9, err_msg=str(table))
            assert [bool(figure.undefined) for figure in figures] == list(map(math.isnan, wanted))
            undefined += sum(map(math.isnan, wanted))
    assert undefined > 25


@pytest.mark.parametrize(
    ("scale", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_example(scale: str, alpha: float) -> None:
    figure = by_name(rated(np.array(OBSERVERS).T.tolist(), scale))["alpha"]
    assert figure.value == pytest.approx(alpha, abs=0.0005)
    assert (figure.n, figure.low < figure.value < figure.high) == (11, True)


def test_gwets_example() -> None:
    figure_by_name = by_name(rated(np.array(OBSERVERS).T.tolist()))
    assert figure_by_name["agreement"].value == pytest.approx(0.81818, abs=5e-6)
    assert figure_by_name["fleiss"].value == pytest.approx(0.76117, abs=5e-6)
    assert figure_by_name["ac1"].value == pytest.approx(0.77544, abs=5e-6)


def test_gwets_paradox() -> None:
    """Gwet 2002: agreement is high, and kappa below 0, since nearly all is positive."""
    figure_by_name = by_name(two_raters({("+", "+"): 118, ("+", "-"): 5, ("-", "+"): 2}))
    assert figure_by_name["agreement"].value == pytest.approx(0.944)
    assert figure_by_name["cohen"].value == pytest.approx(-0.0234, abs=5e-5)
    assert figure_by_name["ac1"].value == pytest.approx(0.9408, abs=5e-5)


@pytest.mark.parametrize(("counts", "kappa"), [((20, 5, 10, 15), 0.4), ((45, 15, 25, 15), 0.1304)])
def test_cohens_kappa_of_two_by_two(counts: tuple[int, ...], kappa: float) -> None:
    cells = [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")]
    figure = by_name(two_raters(dict(zip(cells, counts, strict=True))))["cohen"]
    assert figure.value == pytest.approx(kappa, abs=5e-5)


def test_fleiss_example_of_fourteen_raters() -> None:
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    rows = [[label for label in range(5) for _ in range(row[label])] for row in counts]
    figure_by_name = by_name(rated([list(map(float, row)) for row in rows]))
    assert figure_by_name["fleiss"].value == pytest.approx(0.210, abs=0.0005)
    assert figure_by_name["agreement"].value == pytest.approx(0.378, abs=0.0005)


@pytest.mark.parametrize("scale", SCALES)
def test_intervals_are_those_of_tables_drawn_again(scale: str) -> None:
    table = next(
        table
        for table_scale, table in random_tables(400, seed=3)
        if table_scale == scale
        and len(table) > 8
        and len(labels_of(table)) > 3
        and len(table[0]) == 3
    )
    single = [next(cell for cell in table[0] if cell is not None), None, None]
    table = [single, *table, single]
    result = measure_agreement(rated(table, scale), seed=5, resamples=40)
    rated_rows = [row for row in table if set(row) != {None}]
    pairable = [row for row in rated_rows if sum(cell is not None for cell in row) > 1]
    found_ends = []
    for within in (pairable, rated_rows):
        values = []
        for times in samples(len(within), 5, 40):
            for drawn in times.astype(int):
                rows = [row for row, count in zip(within, drawn, strict=True) for _ in range(count)]
                values.append(naive_figures(scale, rows, labels_of(table), drawn=True))
        found_ends.append(np.nanquantile(values, [0.025, 0.975], axis=0))
    ends = np.hstack([found_ends[0][:, :3], found_ends[1][:, 3:]])  # chance is of all ratings
    np.testing.assert_allclose([figure.low for figure in result.figures], ends[0], atol=1e-9)
    np.testing.assert_allclose([figure.high for figure in result.figures], ends[1], atol=1e-9)
    assert result == measure_agreement(rated(table, scale), seed=5, resamples=40)
    assert result != measure_agreement(rated(table, scale), seed=6, resamples=40)


@pytest.mark.parametrize("scale", SCALES)
def test_the_interval_of_two_raters_is_that_of_their_couple(scale: str) -> None:
    rng = np.random.default_rng(4)
    codes = [[int(a), int(b)] for a, b in rng.integers(1, 4, (30, 2))]
    alone = [[1, None], [None, 3], [2, None]] * 4
    result = measure_agreement(rated([*alone, *codes], scale), resamples=50)
    (couple,) = result.pairs
    assert result.figures[:3] == couple.figures[:3]
    assert [figure.metric for figure in result.figures[:3]] == ["alpha", "agreement", "cohen"]
    assert result.figures[3].value != couple.figures[3].value  # whose chance is of all ratings


def test_intervals_of_a_large_table_hold_its_figures_and_can_be_stopped() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, (3630, 1))
    codes = np.where(rng.random((3630, 5)) < 0.6, truth, rng.integers(0, 4, (3630, 5)))
    ratings = rated(codes.tolist(), "ordinal")
    for figure in measure_agreement(ratings, resamples=200).figures:
        assert figure.low < figure.value < figure.high
        assert figure.high - figure.low < 0.05

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_agreement(ratings, tick=stop)


def test_why_figures_are_undefined() -> None:
    alone = by_name(ratings_of([["same"], ["other"]], ["Anna"]))
    assert {figure.undefined for figure in alone.values()} == {
        "Anna is the only rater; agreement needs two"
    }
    gaps = by_name(rated([[1, N], [N, 2]]))
    assert {figure.undefined for figure in gaps.values()} == {
        "no item has two ratings; agreement needs some that have"
    }
    one_label = by_name(ratings_of([["same", "same"]] * 5, ["Anna", "Ben"]))
    assert one_label["agreement"].value == 1
    for metric in ("alpha", "cohen", "fleiss", "ac1"):
        assert math.isnan(one_label[metric].value)
        assert math.isnan(one_label[metric].low)
        assert "all ratings that can be compared are 'same'" in one_label[metric].undefined
    all_agree = by_name(ratings_of([["same", "same"], ["other", "other"]] * 3, ["Anna", "Ben"]))
    assert {(figure.value, figure.undefined) for figure in all_agree.values()} == {(1, "")}
    apart = by_name(rated([[1, 1, N, N], [N, N, 2, 2]]))
    assert apart["alpha"].value == 1
    assert "one label alone" in apart["cohen"].undefined
    empty = measure_agreement(rated([[N, N]]))
    assert (empty.missing.value, empty.ratings, math.isnan(empty.dont_know.value)) == (1, 0, True)


@pytest.mark.parametrize("scale", SCALES)
def test_kappa_of_who_gave_one_label_alone_is_undefined_whatever_the_other_said(scale: str) -> None:
    """It would be 0 in every sample, so that neither it nor an interval says anything."""
    other_columns = [[1.0] * 12 + [2.0] * 8, [2.0] * 5 + [3.0] * 15, [2.0] * 20]
    for other in other_columns:
        figure_by_name = by_name(rated([[1.0, value] for value in other], scale))
        kappa = figure_by_name["cohen"]
        assert all(math.isnan(value) for value in (kappa.value, kappa.low, kappa.high))
        assert "one label alone" in kappa.undefined
        assert figure_by_name["alpha"].low < figure_by_name["alpha"].high


def test_a_mean_kappa_says_of_how_many_couples_it_is() -> None:
    constant, ben, cleo = [1.0] * 20, [1.0] * 12 + [2.0] * 8, [1.0] * 13 + [2.0] * 7
    three = by_name(rated([list(row) for row in zip(constant, ben, cleo, strict=True)]))["cohen"]
    two = by_name(rated([list(row) for row in zip(ben, cleo, strict=True)]))["cohen"]
    assert (three.value, three.low, three.high) == (two.value, two.low, two.high)
    assert (three.couples, three.couples_left_out) == (1, 2)
    assert (two.couples, two.couples_left_out) == (1, 0)


def test_a_figure_says_which_method_made_its_interval() -> None:
    mixed = by_name(rated([[1, 1]] * 6 + [[2, 2]] * 5 + [[1, 2]] * 3))
    assert {figure.method for figure in mixed.values()} == {PERCENTILE}
    alike = by_name(rated([[1, 1]] * 6 + [[2, 2]] * 5))
    assert {figure.method for figure in alike.values()} == {FROM_EXACT}
    assert [alike["agreement"].low, alike["agreement"].high] == pytest.approx(
        share_interval(11, 11)
    )
    assert by_name(rated([[1, 1]] * 6))["alpha"].method == ""


def test_what_was_left_out_is_counted_and_dont_know_agrees_with_nothing() -> None:
    rows = [["same", "Don't know"], ["", "don't know"], ["same", "same"], ["not same", None]]
    result = measure_agreement(ratings_of(rows, ["Anna", "Ben"], dont_know="don't know"))
    assert (result.missing, result.dont_know) == (ShareFigure.of(2, 8), ShareFigure.of(2, 6))
    assert result.ratings == 4
    assert [
        (share.rater, share.ratings, share.missing, share.dont_know) for share in result.shares
    ] == [
        ("Anna", 3, ShareFigure.of(1, 4), ShareFigure.of(0, 3)),
        ("Ben", 1, ShareFigure.of(1, 4), ShareFigure.of(2, 3)),
    ]
    assert [figure.n for figure in result.figures] == [1] * 5


def test_labels_are_told_by_their_numbers_and_ordered() -> None:
    ratings = ratings_of([["1.0", "10"], ["2", 1.0], [math.nan, "NA"]], ["A", "B"])
    assert ratings.labels == ("1", "2", "10")
    assert ratings.codes.tolist() == [[0, 2], [1, 0], [-1, -1]]
    assert ratings_of([["b", "a"]], "AB").labels == ("a", "b")
    ids = ["138875005123456789", "138875005123456790"]
    assert ratings_of([ids], "AB").labels == tuple(ids)
    ordered = ratings_of([["0,5", "-1"]], "AB", "interval")
    assert ordered.values.tolist() == [-1, 0.5]


def test_labels_that_nobody_gave_are_on_the_scale() -> None:
    table = [[1.0, 2.0], [2.0, 2.0], [1.0, 1.0], [2.0, 1.0]]
    ratings = ratings_of(table, "AB", "ordinal", labels=["3", 1, 2, 0])
    assert ratings.labels == ("0", "1", "2", "3")
    values = [figure.value for figure in measure_agreement(ratings, resamples=1).figures]
    assert values == pytest.approx(naive_figures("ordinal", table, [0, 1, 2, 3]))  # type: ignore[arg-type]
    assert values != pytest.approx(naive_figures("ordinal", table, [1, 2]))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the scale: 'low' is no number"):
        ratings_of(table, "AB", "ordinal", labels=["low"])


def test_cells_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="item 2: 'low' is no number; a scale that is ordinal"):
        ratings_of([["1", "2"], ["low", "2"]], "AB", "ordinal")
    with pytest.raises(ValueError, match="line 7: -1 is less than nothing"):
        ratings_of([["1", "-1"]], "AB", "ratio", places=["line 7"])
    with pytest.raises(ValueError, match="3 ratings do not fit 2 raters"):
        ratings_of([["1", "2", "3"]], "AB")
    with pytest.raises(ValueError, match="no scale 'likert'; take one of nominal, ordinal"):
        ratings_of([["1", "2"]], "AB", "likert")
    with pytest.raises(ValueError, match="item 1001: this makes more than 2,000 labels"):
        ratings_of([[2 * n, 2 * n + 1] for n in range(1500)], "AB", "interval")


def test_raters_with_themselves() -> None:
    items = ["x", "y", "z", "x", "y", "x"]
    rows = [["1", "1"], ["2", "1"], ["1", "2"], ["1", ""], ["1", "1"], ["2", "2"]]
    ratings = ratings_of(rows, ["Anna", "Ben"])
    anna, ben = self_agreement(ratings, items, resamples=10)
    assert (anna.rater, ben.rater) == ("Anna", "Ben")
    table = [[1, 1, 2], [2, 1, N]]
    wanted = naive_figures("nominal", table, [1, 2])  # type: ignore[arg-type]
    assert [figure.value for figure in anna.figures] == pytest.approx(wanted, nan_ok=True)
    assert [figure.n for figure in (*anna.figures, *ben.figures)] == [2] * 10
    firsts, at = first_ratings(ratings_of([["", "1"], *rows], ["A", "B"]), ["x", *items])
    assert firsts.codes.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert at == [0, 2, 3]
    with pytest.raises(ValueError, match="2 items do not fit 6 rows"):
        self_agreement(ratings, ["x", "y"])
