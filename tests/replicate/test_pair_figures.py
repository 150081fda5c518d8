"""The mean correlation of several encoders, against what one encoder comes to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_blocks import render_blocks
from scipy.stats import spearmanr

from termexplorer.replicate.item_tables import (
    UNTRAINED,
    cells_table,
    listed,
    pair_cells,
    pair_table,
)
from termexplorer.replicate.pair_figures import mean_spearman
from termexplorer.replicate.runs import exact
from termexplorer.trainer.evaluation.comparison import holm
from termexplorer.trainer.evaluation.pairs.relatedness import compare_relatedness, relatedness
from termexplorer.trainer.files.pairs import PairSet


def tick() -> None:
    """Nobody stops."""


def pair_set(scores: np.ndarray) -> PairSet:
    terms = tuple(str(number) for number in range(len(scores)))
    return PairSet("pairs", terms, terms, scores)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_means_and_gains_are_those_of_the_encoders(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = pair_set(rng.integers(0, 9, 30).astype(np.float64))
    samples, base = list(rng.normal(size=(count, 30))), rng.normal(size=30)
    samples[0][3] = np.nan  # one pair that an encoder does not know counts for none
    known = np.arange(30) != 3
    values = [spearmanr(pairs.scores[known], sample[known]).statistic for sample in samples]
    mean = mean_spearman(pairs, samples, None, tick)
    gain = mean_spearman(pairs, samples, base, tick)
    assert mean.value == pytest.approx(np.mean(values))
    before = spearmanr(pairs.scores[known], base[known]).statistic
    assert gain.value == pytest.approx(np.mean(values) - before)
    assert (mean.pairs, mean.samples) == (29, count)
    if count > 1:
        assert mean.spread == pytest.approx(np.std(values, ddof=1))


def test_one_encoder_comes_to_what_relatedness_says() -> None:
    rng = np.random.default_rng(1)
    pairs = pair_set(rng.normal(size=60))
    similarities, base = pairs.scores + rng.normal(size=60), rng.normal(size=60)
    mean = mean_spearman(pairs, [similarities], None, tick)
    figure = relatedness(pairs, similarities).figures[0]
    assert (mean.value, mean.low, mean.high) == (figure.value, figure.low, figure.high)
    both = compare_relatedness(pairs, {1: similarities, 2: base}, [(1, 2)], resamples=10_000)
    compared = both[1, 2]
    gain = mean_spearman(pairs, [similarities], base, tick)
    assert (gain.value, gain.p) == (pytest.approx(compared.difference), pytest.approx(compared.p))


def test_what_is_undefined_is_said() -> None:
    pairs = pair_set(np.arange(5.0))
    records = {
        UNTRAINED: [{"similarities": {"pairs": [0.1, 0.2, 0.3, 0.4, 0.6]}}],
        "constant": [{"similarities": {"pairs": [0.5] * 5}}],
        "unknown": [{"similarities": {"pairs": [None] * 5}}],
    }
    cells = pair_cells(records, [pairs], tick)
    gains = [cells[name, "pairs"].gain for name in ("constant", "unknown")]
    assert all(gain is not None and np.isnan(gain.p) for gain in gains)
    assert (
        render_blocks(cells_table(cells, "Spearman", "spearman", times=False)).count(">undefined<")
        == 2
    )


def test_signs_are_of_the_pairs_that_both_know_and_rows_of_other_pairs_say_how_many() -> None:
    rng = np.random.default_rng(0)
    pairs, known = pair_set(rng.normal(size=200)), np.arange(200) < 100
    base = np.where(known, pairs.scores + rng.normal(size=200) * 0.7, np.nan)
    better = np.where(known, pairs.scores + rng.normal(size=200) * 0.3, rng.normal(size=200))
    records = {
        name: [{"similarities": {"pairs": exact(values)}}]
        for name, values in ((UNTRAINED, base), ("better", better))
    }
    cells = pair_cells(records, [pairs], tick)
    cell = cells["better", "pairs"]
    base = cells[UNTRAINED, "pairs"].value.value
    assert cell.value.value < base  # over pairs that are harder
    assert cell.gain is not None
    assert cell.gain.value > 0
    html = render_blocks(cells_table(cells, "Spearman", "spearman", times=False))
    assert f"{cell.value.value:.3f}*" in html
    assert html.index("n = 100") < html.index("n = 200")
    same = pair_cells({UNTRAINED: records["better"], "better": records["better"]}, [pairs], tick)
    table = render_blocks(cells_table(same, "Spearman", "spearman", times=False)).split("<ul>")[0]
    assert "n = " not in table


def test_a_part_of_the_pairs_is_told_above_a_column_that_is_of_it_in_all_rows() -> None:
    rng = np.random.default_rng(0)
    part, whole = pair_set(rng.normal(size=40)), replace(pair_set(rng.normal(size=40)), name="all")
    known = np.where(np.arange(40) < 28, rng.normal(size=40), np.nan)
    records = {
        name: [{"similarities": {"pairs": exact(known * sign), "all": exact(whole.scores * sign)}}]
        for name, sign in ((UNTRAINED, -1), ("better", 1))
    }
    html = render_blocks(pair_table(pair_cells(records, [part, whole], tick), splits=1))
    assert ">pairs<small>n = 28 of 40</small></th>" in html
    assert ">all</th>" in html
    assert html.split("<ul>")[0].count("n = ") == 1


def test_what_is_of_other_pairs_is_told_in_each_cell_and_none_is_the_best() -> None:
    scores = np.arange(12.0)
    pairs, few = pair_set(scores), [*range(4), *[None] * 8]
    of_few, of_two = ([{"similarities": {"pairs": x}}] for x in (few, [1.0, 2.0, *[None] * 10]))
    of_all = [{"similarities": {"pairs": exact(np.roll(scores, 1))}}]
    cells = pair_cells({UNTRAINED: of_few, "all": of_all, "two": of_two}, [pairs], tick)
    html = render_blocks(pair_table(cells, splits=1))
    assert "<b>" not in html
    assert html.index("n = 4 of 12") < html.index("n = 12<") < html.index("n = 2 of 12")
    cells = pair_cells({UNTRAINED: of_all, "all": of_all, "two": of_two}, [pairs], tick)
    html = render_blocks(pair_table(cells, splits=1))
    assert html.count("<b>") == 2  # what is undefined is in no contest


def test_rows_have_the_p_that_marks_are_made_by_beside_that_of_one_comparison() -> None:
    rng = np.random.default_rng(0)
    pairs = pair_set(rng.normal(size=60))
    noise = {"clear": 0.1, "doubtful": 1.7, "none": 1e9}
    records = {
        name: [{"similarities": {"pairs": exact(pairs.scores + rng.normal(size=60) * scale)}}]
        for name, scale in {UNTRAINED: 3.0, **noise}.items()
    }
    cells = pair_cells(records, [pairs], tick)
    rows = {row["encoder"]: row for row in listed(cells, "relatedness", "spearman")}
    assert rows[UNTRAINED]["p"] is rows[UNTRAINED]["p_corrected"] is None
    p = [rows[name]["p"] for name in noise]
    assert [rows[name]["p_corrected"] for name in noise] == holm(p).tolist()
    assert p[1] < 0.05 < rows["doubtful"]["p_corrected"]
    html = render_blocks(pair_table(cells, splits=1))
    assert html.count("*") - html.count("* better") == 1
    clear = {at: cell for at, cell in cells.items() if at[0] in ("clear", UNTRAINED)}
    shown = listed(cells, "relatedness", "spearman", clear)
    p_by_encoder = {row["encoder"]: row["p_corrected"] for row in shown}
    assert (p_by_encoder["clear"], p_by_encoder["doubtful"]) == (
        rows["clear"]["p"],
        None,
    )  # it is in no table


def test_what_is_clear_is_shown_in_a_table_of_many_comparisons() -> None:
    rng = np.random.default_rng(0)
    pairs = pair_set(rng.normal(size=40))
    clear = [{"similarities": {"pairs": exact(pairs.scores)}}]
    records = {
        UNTRAINED: [{"similarities": {"pairs": exact(rng.normal(size=40))}}],
        **{f"encoder {number}": clear for number in range(120)},
    }
    assert (
        render_blocks(
            cells_table(pair_cells(records, [pairs], tick), "", "spearman", times=False)
        ).count("1.000*")
        == 120
    )
