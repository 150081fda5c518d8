"""The table of figures marks what is the best, and says of how many items a figure is."""

from collections.abc import Mapping

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from termexplorer.models.figure_table import FigureTableModel
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo

LABELS = {1: "TF-IDF #1", 5: "fastText #5"}


def shown(metrics: Mapping[str, tuple[float, float, int]]) -> FigureTableModel:
    """Two encoders by metric: their values, and of how many items these are."""
    figures = tuple(
        FigureInfo(encoder_id, "pairs", "hash", metric, value, value - 0.1, value + 0.1, n)
        for metric, (*values, n) in metrics.items()
        for encoder_id, value in zip(LABELS, values, strict=True)
    )
    model = FigureTableModel()
    evaluated = Evaluated("pairs", "set", "hash", next(iter(metrics)), figures)
    model.show_evaluated(evaluated, LABELS, {})
    return model


def column_of(model: FigureTableModel, metric: str, role: Qt.ItemDataRole) -> list[object]:
    at = model.metrics.index(metric) + 1
    return [model.data(model.index(row, at), role) for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("values", "n", "marked"),
    [((0.7, 0.6), 10, 1), ((0.7, 0.6), 9, 0), ((0.468, 0.4), 50, 0), ((0.7, 0.7), 50, 2)],
)
def test_the_best_is_bold_only_above_chance_and_of_ten_items(
    qapp: QApplication, values: tuple[float, float], n: int, marked: int
) -> None:
    model = shown({"AUC": (*values, n)})
    bold = column_of(model, "AUC", Qt.ItemDataRole.FontRole)
    assert sum(cell is not None for cell in bold) == marked


def test_the_only_figure_of_a_column_is_not_marked_as_the_best(qapp: QApplication) -> None:
    model = shown({"AUC": (0.7, float("nan"), 50)})
    assert not any(column_of(model, "AUC", Qt.ItemDataRole.FontRole))
    assert not model.has_best
    assert shown({"AUC": (0.7, 0.6, 50)}).has_best


def test_figures_of_other_items_than_the_row_says_tell_of_how_many(qapp: QApplication) -> None:
    model = shown({"accuracy": (0.7, 0.6, 40), "accuracy, no exact match": (0.5, 0.4, 25)})
    texts = {
        metric: column_of(model, metric, Qt.ItemDataRole.DisplayRole) for metric in model.metrics
    }
    assert all(str(text).endswith("; n 25)") for text in texts["accuracy, no exact match"])
    assert not any("n " in str(text) for text in texts["accuracy"])
