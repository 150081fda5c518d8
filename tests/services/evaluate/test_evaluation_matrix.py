"""The matrix of encoders by sets says what is stored, however figures are turned round."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.errors import UserError
from termexplorer.services.evaluate.evaluation import Difference, Evaluated, FigureInfo
from termexplorer.services.evaluate.matrix import CellStanding, EvaluationMatrix, make_matrix
from termexplorer.services.evaluate.matrix_tables import (
    MATRIX_ENDINGS,
    cell_tip,
    check_matrix_path,
    matrix_notes,
    write_matrix,
)
from termexplorer.services.figures.metric_kinds import marked_figures

IDS = (1, 5, 6)
LABELS = {1: "TF-IDF #1", 5: "fastText & co_#5", 6: "few-shot <6>"}

columns_of_values = st.lists(
    st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5
)


def ends(apart: float, p: float) -> tuple[float, float]:
    """An interval that says what p says: 0 is in it where no difference is shown."""
    if p > 0.05:
        return -1, 1
    low, high = sorted((0.9 * apart, 1.1 * apart))
    return low, high


def evaluated(
    name: str,
    values: Sequence[float | None],
    p: float = 1e-9,
    task: str = "relatedness",
    metric: str = "spearman",
) -> Evaluated:
    value_by_id = {id_: value for id_, value in zip(IDS, values, strict=True) if value is not None}
    figures = tuple(
        FigureInfo(id_, task, name, metric, value, value - 0.1, value + 0.1, 40)
        for id_, value in value_by_id.items()
    )
    differences = tuple(
        Difference(a, b, metric, apart, *ends(apart, p), p=p, significant=False, n=40, raw_p=p)
        for a, b in combinations(value_by_id, 2)
        for apart in [value_by_id[a] - value_by_id[b]]
    )
    return Evaluated(task, name, name, metric, figures, differences, items=1010)


@given(columns_of_values)
def test_marks_means_and_ranks_are_those_of_the_figures(table: list[list[float]]) -> None:
    matrix = make_matrix([evaluated(f"set {at}", row) for at, row in enumerate(table)])
    assert matrix.family == 3 * len(table)
    assert matrix.missing == 0
    by_id = {row.encoder_id: row for row in matrix.rows}
    for index, id_ in enumerate(IDS):
        column_values = [row[index] for row in table]
        ranks = [
            sum(other > row[index] for other in row) + (row.count(row[index]) + 1) / 2
            for row in table
        ]
        assert by_id[id_].mean == fmean(column_values)
        assert by_id[id_].mean_rank == fmean(ranks)
        for row, cell in zip(table, by_id[id_].cells, strict=True):
            assert cell is not None
            is_best = row[index] == max(row)
            best = CellStanding.BEST if max(row) > 0 else CellStanding.CHANCE  # of a correlation
            assert cell.standing is (best if is_best else CellStanding.WORSE)
    ranked = [row.mean_rank or 0 for row in matrix.rows]
    assert ranked == sorted(ranked)


def test_what_is_shown_besides_is_corrected_for_as_well() -> None:
    sets = [evaluated(f"set {n}", (0.5, 0.4, 0.3), p=0.02) for n in range(4)]
    alone, together = make_matrix(sets[:1], encoder_ids=(1, 5)), make_matrix(sets)
    assert (alone.family, together.family) == (1, 12)
    standings = {row.encoder_id: row.cells[0] for row in alone.rows}
    assert standings[5] is not None
    assert standings[5].standing is CellStanding.WORSE
    cells = [cell for row in together.rows for cell in row.cells if row.encoder_id != 1]
    assert {cell.standing for cell in cells if cell} == {CellStanding.LEVEL}
    assert any("12" in note for note in matrix_notes(together))


def test_cells_that_are_not_evaluated_or_not_tested_are_told() -> None:
    whole = evaluated("a", (0.5, 0.4, 0.3))
    part = evaluated("b", (0.5, 0.4, None))
    untested = Evaluated(
        "pairs", "c", "c", "AUC", evaluated("c", (0.5, 0.6, 0.7), metric="AUC").figures
    )
    matrix = make_matrix([part, whole, untested])
    rows = {row.encoder_id: row for row in matrix.rows}
    assert matrix.missing == 1
    assert rows[6].cells[1] is None
    assert (rows[6].mean, rows[6].mean_rank) == (None, None)
    assert rows[1].mean is None  # over correlations and areas
    assert rows[1].mean_rank is not None
    assert rows[1].cells[2] is not None
    assert rows[1].cells[2].standing is CellStanding.UNTESTED
    assert any(note.startswith("1 of 9 cells") for note in matrix_notes(matrix))
    assert "4% of 1,010" in cell_tip(rows[1].cells[0])
    assert "Not evaluated" in cell_tip(rows[6].cells[1])


def test_the_highest_is_the_best_only_where_its_interval_is_above_chance() -> None:
    below, around, above = (0.468, 0.4, 0.3), (0.55, 0.4, 0.3), (0.65, 0.4, 0.3)
    unshown, best = CellStanding.CHANCE, CellStanding.BEST
    for row, standing in ((below, unshown), (around, unshown), (above, best)):
        matrix = make_matrix([evaluated("a", row, metric="AUC")])
        cells = {table_row.encoder_id: table_row.cells[0] for table_row in matrix.rows}
        assert cells[1] is not None
        assert cells[1].standing is standing
        figures = evaluated("a", row, metric="AUC").figures
        marked = marked_figures(figures, "AUC")
        assert (len(marked) == 1) == (standing is CellStanding.BEST)
        assert ("better than chance" in cell_tip(cells[1])) == (standing is CellStanding.CHANCE)


@pytest.mark.parametrize("n", [9, 10])
def test_no_figure_of_fewer_than_ten_items_is_marked_as_the_best(n: int) -> None:
    figures = [replace(figure, n=n) for figure in evaluated("a", (0.5, 0.4, 0.3)).figures]
    assert [figure.encoder_id for figure in marked_figures(figures, "spearman")] == [1] * (n > 9)


def test_what_so_few_items_cannot_decide_is_not_called_level() -> None:
    few = evaluated("a", (0.5, 0.4, 0.3), p=2.0**-9)
    few = replace(
        few, differences=tuple(replace(d, n=10, least_p=2.0**-9) for d in few.differences)
    )
    other_evaluations = [evaluated(f"set {n}", (0.5, 0.4, 0.3), p=0.5) for n in range(9)]
    for shown, standing in (
        ([few], CellStanding.WORSE),
        ([few, *other_evaluations], CellStanding.UNDECIDED),
    ):
        matrix = make_matrix(shown)
        cells = {row.encoder_id: row.cells[0] for row in matrix.rows}
        assert cells[5] is not None
        assert cells[5].standing is standing
        assert ("Too few" in cell_tip(cells[5])) == (standing is CellStanding.UNDECIDED)


def test_a_column_of_few_items_has_no_best_and_counts_in_no_mean() -> None:
    whole, few = evaluated("a", (0.1, 0.2, 0.3)), evaluated("b", (0.9, 0.5, None))
    few = replace(few, figures=tuple(replace(figure, n=9) for figure in few.figures))
    matrix = make_matrix([whole, few])
    assert [row.encoder_id for row in matrix.rows] == [6, 5, 1]
    assert [row.mean for row in matrix.rows] == [0.3, 0.2, 0.1]
    standings = {cell.standing for row in matrix.rows if (cell := row.cells[1])}
    assert standings == {CellStanding.FEW}
    assert any("fewer than 10" in note for note in matrix_notes(matrix))
    assert matrix.family == make_matrix([whole]).family == 3
    assert {cell.behind for row in matrix.rows for cell in row.cells[1:] if cell} == {None}
    assert not any("beside the best" in cell_tip(row.cells[1]) for row in matrix.rows)


def test_notes_say_which_columns_and_encoders_a_mean_rank_is_over() -> None:
    whole, part = evaluated("a", (0.1, 0.2, 0.2)), evaluated("b", (0.9, 0.5, None))
    few = replace(part, figures=tuple(replace(figure, n=9) for figure in part.figures))
    for sets, columns, encoders in (([whole, few], 1, 3), ([whole, part], 2, 2)):
        matrix = make_matrix(sets)
        ranked = [row for row in matrix.rows if row.mean_rank is not None]
        assert (matrix.counted, len(ranked)) == (columns, encoders)
        (note,) = [
            matrix_note for matrix_note in matrix_notes(matrix) if "mean rank" in matrix_note
        ]
        assert f"the {columns} column" in note
        assert f"the {encoders} encoders" in note
        assert "equal figures share" in note
    assert {row.mean_rank for row in make_matrix([whole]).rows} == {1.5, 3}
    assert any("no mean rank" in matrix_note for matrix_note in matrix_notes(make_matrix([few])))


def of_set(name: str, values: Sequence[float | None], data: str, of: str = "") -> Evaluated:
    """One evaluation of a set of pairs; which of its pairs count is told by `data`."""
    evaluation = evaluated(name, values, task="pairs", metric="AUC")
    figures = tuple(replace(figure, data_hash=data) for figure in evaluation.figures)
    return replace(evaluation, data_hash=data, set_hash=of, figures=figures)


@pytest.mark.parametrize("of", ["content", ""])
def test_a_set_stands_once_by_the_newest_evaluation_with_most_encoders(of: str) -> None:
    newest = of_set("set", (0.8, 0.7, None), "two", of)
    before = of_set("set", (0.6, 0.7, 0.9), "three", of)
    oldest = of_set("set", (0.5, 0.4, 0.3), "others", of)
    matrix = make_matrix([newest, before, oldest])
    assert [column.data_hash for column in matrix.columns] == ["three"]
    assert (matrix.family, matrix.counted, matrix.left_out) == (3, 1, 2)
    assert {row.encoder_id: row.mean for row in matrix.rows} == {1: 0.6, 5: 0.7, 6: 0.9}
    assert any(note.startswith("2 other evaluations") for note in matrix_notes(matrix))
    of_two = make_matrix([newest, before, oldest], encoder_ids=(1, 5))
    assert [column.data_hash for column in of_two.columns] == ["two"]


def test_an_encoder_of_an_evaluation_that_is_left_out_has_a_row() -> None:
    matrix = make_matrix(
        [of_set("set", (None, None, 0.9), "one", "x"), of_set("set", (0.6, 0.7, None), "two", "x")]
    )
    assert {row.encoder_id: row.cells[0] is None for row in matrix.rows} == {
        1: False, 5: False, 6: True,
    }  # fmt: skip


def test_sets_of_other_pairs_or_another_task_stand_each_for_itself(tmp_path: Path) -> None:
    first, second = (of_set("set", (0.6, 0.5, 0.4), of, of) for of in ("a", "b"))
    measured = replace(of_set("set", (0.6, 0.5, 0.4), "a", "a"), task="pairs, euclidean")
    matrix = make_matrix([first, second, measured])
    assert (len(matrix.columns), matrix.left_out) == (3, 0)
    write_matrix(tmp_path / "matrix.csv", matrix, LABELS)
    with (tmp_path / "matrix.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert len(set(header)) == len(header)
    assert {"pairs, set: AUC", "pairs, set (2): AUC"} <= set(header)


def test_a_single_encoder_is_neither_best_nor_ranked(tmp_path: Path) -> None:
    matrix = make_matrix([evaluated("a", (0.5, None, None)), evaluated("b", (0.7, None, None))])
    (row,) = matrix.rows
    assert {cell.standing for cell in row.cells if cell} == {CellStanding.ALONE}
    assert (row.mean, row.mean_rank) == (0.6, None)
    notes = matrix_notes(matrix)
    assert any("no mean rank" in note for note in notes)
    assert not any("best of its column" in note for note in notes)
    write_matrix(tmp_path / "matrix.csv", matrix, LABELS)
    write_matrix(tmp_path / "matrix.html", matrix, LABELS)
    assert "0 tests" not in (tmp_path / "matrix.csv").read_text("utf-8")
    assert "class='best'" not in (tmp_path / "matrix.html").read_text("utf-8")


def test_a_column_of_one_encoder_has_no_best_and_counts_in_no_mean_of_several() -> None:
    matrix = make_matrix([evaluated("a", (0.5, 0.4, None)), evaluated("b", (0.9, None, None))])
    rows = {row.encoder_id: row for row in matrix.rows}
    cell = rows[1].cells[1]
    assert cell is not None
    assert cell.standing is CellStanding.ALONE
    assert (matrix.counted, matrix.alone) == (1, 1)
    assert {id_: (row.mean, row.mean_rank) for id_, row in rows.items()} == {
        1: (0.5, 1), 5: (0.4, 2),
    }  # fmt: skip
    assert not marked_figures(evaluated("b", (0.9, None, None)).figures, "spearman")


def test_files_say_that_p_is_corrected_for_how_many_tests_and_what_it_was(tmp_path: Path) -> None:
    matrix = make_matrix([evaluated(f"set {n}", (0.5, 0.4, 0.3), p=0.004) for n in range(2)])
    write_matrix(tmp_path / "matrix.csv", matrix, LABELS)
    write_matrix(tmp_path / "matrix.jsonl", matrix, LABELS)
    with (tmp_path / "matrix.csv").open(encoding="utf-8", newline="") as file:
        of_csv = list(csv.DictReader(file))
    of_jsonl = [json.loads(line) for line in (tmp_path / "matrix.jsonl").read_text().splitlines()]
    for rows in (of_csv, of_jsonl):
        row = next(table_row for table_row in rows if table_row["encoder"] == LABELS[6])
        assert float(row["relatedness, set 0: p, Holm over 6 tests"]) == pytest.approx(0.024)
        assert float(row["relatedness, set 0: p, uncorrected"]) == pytest.approx(0.004)
        assert int(row["columns in means"]) == 2
    write_matrix(tmp_path / "matrix.html", matrix, LABELS)
    assert "after Holm over 6 tests (0.004 uncorrected)" in (tmp_path / "matrix.html").read_text()


def test_one_task_and_some_encoders_can_be_asked_for() -> None:
    pair_set = evaluated("x", (0.5, 0.6, 0.7), task="pairs", metric="AUC")
    matrix = make_matrix([evaluated("a", (1, 2, 3)), pair_set], task="pairs", encoder_ids=(1, 6))
    assert [column.title for column in matrix.columns] == ["x"]
    assert {row.encoder_id for row in matrix.rows} == {1, 6}
    assert make_matrix([]) == EvaluationMatrix()


def test_every_format_has_every_figure(tmp_path: Path) -> None:
    matrix = make_matrix([evaluated("50% of a_b", (0.5, 0.4, None)), evaluated("b", (1, 2, 3))])
    for ending in MATRIX_ENDINGS:
        write_matrix(tmp_path / f"matrix{ending}", matrix, LABELS)
    with (tmp_path / "matrix.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["encoder"]: row for row in csv.DictReader(file)}
    name = "relatedness, 50% of a_b"
    assert float(rows[LABELS[1]][f"{name}: spearman"]) == 0.5
    assert rows[LABELS[1]][f"{name}: standing"] == "best"
    assert rows[LABELS[6]][f"{name}: standing"] == "not evaluated"
    latex = (tmp_path / "matrix.tex").read_text("utf-8")
    assert r"50\% of a\_b" in latex
    assert r"fastText \& co\_\#5" in latex
    assert r"\textbf{0.500}" in latex
    rows_of_latex = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert len({line.count(" & ") for line in rows_of_latex}) == 1
    page = (tmp_path / "matrix.html").read_text("utf-8")
    assert "few-shot &lt;6&gt;" in page
    assert "<td class='best' title='95 % interval 0.400 to 0.600, n = 40" in page


@pytest.mark.parametrize("name", ["matrix.pdf", "matrix", "nowhere/matrix.tex"])
def test_a_file_that_cannot_be_written_is_refused_first(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=name.split("/")[0]):
        check_matrix_path(tmp_path / name)
