"""Texts and figures that any column sorts."""

from math import nan

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from termexplorer.models.sorted_table import SortedTableModel

UP, DOWN = Qt.SortOrder
HEADER = ("Name", "Figure", "Count")
ROWS = [("b", 0.25, 3), ("A", None, 1_000), ("c", nan, 2), ("d", -1.0, 10)]


def column(model: SortedTableModel, number: int) -> list[str]:
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_what_is_missing_comes_last_whichever_way_it_is_sorted() -> None:
    model = SortedTableModel(digits=3)
    model.show_rows(HEADER, ROWS, (1, 2))
    assert column(model, 0) == ["b", "A", "c", "d"]
    assert column(model, 1) == ["0.250", "–", "–", "-1.000"]
    model.sort(1, UP)
    assert column(model, 0) == ["d", "b", "A", "c"]
    model.sort(1, DOWN)
    assert column(model, 0) == ["b", "d", "A", "c"]
    model.sort(0, UP)
    assert column(model, 0) == ["A", "b", "c", "d"]
    model.sort(-1, UP)
    assert column(model, 0) == ["b", "A", "c", "d"]


@given(st.lists(st.tuples(st.integers(), st.none() | st.floats(allow_infinity=False))))
def test_other_rows_are_sorted_as_those_before(rows: list[tuple[int, float | None]]) -> None:
    model = SortedTableModel()
    model.sort(1, DOWN)
    model.show_rows(("a", "b"), rows, (0, 1))
    shown = [row[1] for row in model.rows]
    present = [value for _, value in rows if value is not None and value == value]
    assert shown[: len(present)] == sorted(present, reverse=True)
    assert all(value is None or value != value for value in shown[len(present) :])
