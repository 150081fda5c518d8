"""What a report says below a table turns with the figures of the table."""

import re
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_blocks import render_blocks

from termexplorer.replicate.example_words import choice_text, first_right, right_text
from termexplorer.replicate.item_tables import (
    UNTRAINED,
    ItemCell,
    cells_table,
    conclude_cells,
)
from termexplorer.replicate.report import Value
from termexplorer.replicate.table_conclusions import (
    TF_IDF,
    RawDifference,
    ShownColumn,
    conclude_table,
    make_conclusion,
)
from termexplorer.services.evaluate.conclusion_words import listed
from termexplorer.trainer.evaluation.comparison import holm

ENCODERS = (UNTRAINED, "one", "two", "three")
COLUMNS = ("first set", "second set")

rows = st.lists(st.integers(1, 9), min_size=len(ENCODERS), max_size=len(ENCODERS))


def cells_of(
    table: dict[str, list[float]], p: float = 0.001, n: int = 100, of: int = 100
) -> dict[tuple[str, str], ItemCell]:
    """Cells of encoders and columns; each gain has the same p."""
    cells = {}
    for column, values in table.items():
        for encoder, value in zip(ENCODERS, values, strict=True):
            gain = None
            if encoder != UNTRAINED:
                apart = value - values[0]
                gain = RawDifference(apart, apart - 0.01, apart + 0.01, p, n, 2.0 ** (1 - n))
            cells[encoder, column] = ItemCell(
                Value(value, value - 0.01, value + 0.01, count=n, of=of), gain
            )
    return cells


def said_of(html: str) -> dict[str, str]:
    """The sentences of each column."""
    lines = re.findall(r"<li>([^<]*)</li>", html)
    return dict(line.split(": ", 1) for line in lines if line.split(": ", 1)[0] in COLUMNS)


@given(rows, rows)
def test_each_column_names_its_own_best_whatever_way_the_figures_are_turned(
    first: list[float], second: list[float]
) -> None:
    table = dict(zip(COLUMNS, (first, second), strict=True))
    html = render_blocks(cells_table(cells_of(table), "", "mAP", times=False))
    best = {
        column: [e for e, value in zip(ENCODERS, row, strict=True) if value == max(row)]
        for column, row in table.items()
    }
    for column, conclusion in said_of(html).items():
        headline = conclusion.split(".")[0]
        if len(best[column]) > 1:
            assert (
                headline == f"Equal in mAP: {', '.join(best[column][:-1])} and {best[column][-1]}"
            )
        else:
            assert headline.startswith((f"Leading in mAP: {best[column][0]},", "Best in mAP: "))
            assert best[column][0] in headline
        top = max(table[column])
        if best[column][0] != UNTRAINED:
            lead = (
                f"{best[column][0]} against {UNTRAINED}: mAP {top - table[column][0]:+.3f} (shown)"
            )
            assert lead in conclusion
    in_all = [
        encoder
        for encoder in ENCODERS
        if all(encoder in best_encoders for best_encoders in best.values())
    ]
    assert ("favour different encoders" in html) == (not in_all)
    if in_all:
        assert f"Leading in every column: {listed(in_all)}." in html


@pytest.mark.parametrize("values", list(permutations([0.1, 0.4, 0.6, 0.8]))[::5])
@pytest.mark.parametrize(("p", "word"), [(0.001, "(shown)"), (0.2, "(not shown)")])
def test_a_lead_is_called_shown_where_it_is_and_signs_are_the_same(
    values: tuple[float, ...], p: float, word: str
) -> None:
    cells = cells_of({COLUMNS[0]: list(values)}, p)
    html = render_blocks(cells_table(cells, "", "mAP", times=False))
    (conclusion,) = said_of(html).values()
    if max(values) != values[0]:
        assert f"(+{max(values) - values[0]:.3f}"[2:] in conclusion
        assert word in conclusion
    ahead = sum(value > values[0] for value in values)
    shown = p < 0.05
    signed = re.findall(r'class="number">(?:<b>)?0\.\d+([*†?]?)', html)
    assert signed.count("*") == (ahead if shown else 0)
    assert signed.count("†") == (3 - ahead if shown else 0)


def test_p_is_corrected_over_exactly_the_cells_that_are_shown() -> None:
    table = {column: [0.1, 0.2, 0.3, 0.4] for column in COLUMNS}
    concluded = conclude_cells(cells_of(table, 0.01), "mAP")
    assert concluded.family == 6
    assert {comparison.p for comparison in concluded.differences.values()} == {holm([0.01] * 6)[0]}
    first_column = {at: cell for at, cell in cells_of(table, 0.01).items() if at[1] == COLUMNS[0]}
    assert conclude_cells(first_column, "mAP").family == 3


def test_a_column_of_one_encoder_names_no_leader() -> None:
    alone = {TF_IDF: Value(0.8, 0.7, 0.9, count=100, of=100)}
    concluded = conclude_table([ShownColumn(name, {"mAP": alone}, {}) for name in COLUMNS])
    assert (concluded.headlined, concluded.best) == ([], ())
    assert "Leading" not in render_blocks(make_conclusion(concluded))


@pytest.mark.parametrize("n", [9, 10])
def test_of_fewer_than_ten_items_nothing_is_tested_named_or_marked(n: int) -> None:
    cells = cells_of({COLUMNS[0]: [0.1, 0.2, 0.3, 0.4]}, n=n)
    html = render_blocks(cells_table(cells, "", "mAP", times=False))
    (conclusion,) = said_of(html).values()
    assert ("Too few items" in conclusion) == (n < 10)
    assert ("three" in conclusion) == (n >= 10)
    assert (re.search(r"0\.400\*", html) is not None) == (n >= 10)
    assert ("<b>" in html) == (n >= 10)


def test_so_few_items_that_nothing_can_be_shown_are_called_undecided() -> None:
    table = {f"set {number}": [0.1, 0.2, 0.3, 0.4] for number in range(20)}
    html = render_blocks(cells_table(cells_of(table, p=2.0**-9, n=10), "", "mAP", times=False))
    assert html.count("?") == 60 + html.count("? so few")  # 2^-9 times 60 is above .05
    assert "(too few items to tell)" in html


@pytest.mark.parametrize(("known", "warned"), [(79, True), (80, False)])
def test_a_column_says_how_many_items_count_and_warns_of_few(known: int, warned: bool) -> None:
    cells = cells_of({COLUMNS[0]: [0.1, 0.2, 0.3, 0.4]}, n=known)
    (conclusion,) = said_of(render_blocks(cells_table(cells, "", "mAP", times=False))).values()
    assert "100 items" not in conclusion.replace("of 100 items", "")
    assert ("⚠" in conclusion) == warned
    assert f"{known} of 100" in conclusion


@pytest.mark.parametrize("sign", [1, -1])
def test_nobody_leads_below_chance_nor_is_the_best_marked(sign: int) -> None:
    values = [sign * size for size in (0.1, 0.2, 0.3, 0.4)]
    html = render_blocks(cells_table(cells_of({COLUMNS[0]: values}), "", "spearman", times=False))
    (conclusion,) = said_of(html).values()
    assert ("No encoder is better than chance" in conclusion) == (sign < 0)
    both = cells_of(dict.fromkeys(COLUMNS, values))
    whole = render_blocks(cells_table(both, "", "spearman", times=False))
    assert ("Leading in every column: three." in whole) == (sign > 0)


def test_figures_of_different_items_have_no_best() -> None:
    cells = cells_of({COLUMNS[0]: [0.1, 0.2, 0.3, 0.4]})
    cell = cells["two", COLUMNS[0]]
    cells["two", COLUMNS[0]] = ItemCell(Value(0.3, 0.2, 0.4, count=60, of=100), cell.gain)
    (conclusion,) = said_of(render_blocks(cells_table(cells, "", "mAP", times=False))).values()
    assert conclusion.startswith("The figures are of different items, n = 60 to 100")


@given(rows, rows)
def test_metrics_of_a_set_and_tfidf_are_told(first: list[float], second: list[float]) -> None:
    encoders = (TF_IDF, *ENCODERS[1:])
    shown = ShownColumn(
        COLUMNS[0],
        {
            metric: {
                encoder: Value(value, value - 1, value + 1, count=50, of=50)
                for encoder, value in zip(encoders, row, strict=True)
            }
            for metric, row in (("mAP", first), ("accuracy", second))
        },
        {},
    )
    concluded = conclude_table([shown])
    (conclusion,) = said_of(render_blocks(make_conclusion(concluded))).values()
    best = [
        {encoder for encoder, value in zip(encoders, row, strict=True) if value == max(row)}
        for row in (first, second)
    ]
    assert ("favour different" in conclusion) == (not best[0] & best[1])
    leader = encoders[first.index(max(first))]
    assert (f"{leader} against {TF_IDF}: mAP {max(first) - first[0]:+.3f}" in conclusion) == (
        leader != TF_IDF
    )
    assert "TF-IDF was not measured" not in render_blocks(make_conclusion(concluded))
    assert "TF-IDF was not measured" in render_blocks(
        cells_table(cells_of({COLUMNS[0]: [1, 2, 3, 4]}), "", "mAP", times=False)
    )


@pytest.mark.parametrize(
    ("before", "after", "message"), [(1, 3, "gained most"), (2, 2, "no test"), (3, 1, "lost least")]
)
def test_an_example_says_what_its_rankings_show(before: int, after: int, message: str) -> None:
    def ranking(right: int) -> list[tuple[str, bool]]:
        return [("a name", index >= 5 - right) for index in range(5)]

    assert message in choice_text(before, after, "test mention")
    counts = re.findall(r"(\d) of 5", right_text(ranking(before), ranking(after)))
    assert counts == [str(before), str(after)]
    assert first_right(ranking(before)) == 6 - before
    assert first_right(ranking(0)) == 0
