"""Names that stand beside each other are told apart wherever they are shortened."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.models.rankings import MoveColours, RankingsModel
from termexplorer.services.compare.rankings import (
    Query,
    RankingColumn,
    RankingRequest,
    Rankings,
    RankingScope,
    Task,
)
from termexplorer.services.evaluate.curves import CurvePoint, Curves
from termexplorer.views.evaluate.plot import FigurePlot
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.tables.group_header import GroupHeader
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.widgets.ui_state import UiState

_BEGIN, _END = "few-shot encoder, fifteen names a class", "of the International Classification"
NAMES = [f"{_BEGIN}, level {level} {_END} of Diseases" for level in (1, 2, 3)]


class NameTable(Table):
    def columns(self) -> list[Column]:
        return [Column("name", share=1)]


def pictures(widget: QWidget, places: Iterable[QRect]) -> list[QImage]:
    return [widget.grab(rectangle).toImage() for rectangle in places]


def are_told_apart(shown: list[QImage]) -> bool:
    return all(first != second for first, second in combinations(shown, 2))


def test_in_a_table(qtbot: QtBot, tmp_path: Path) -> None:
    model = PlainTableModel()
    table = NameTable("Names", model, UiState(tmp_path / "user.ini", tmp_path))
    model.setParent(table)
    qtbot.addWidget(table)
    table.setAlternatingRowColors(False)
    table.resize(240, 300)
    table.show()
    model.show_rows(("name",), [(name,) for name in NAMES])
    cells = [table.visualRect(model.index(row, 0)) for row in range(len(NAMES))]
    assert are_told_apart(pictures(table.viewport(), cells))
    model.show_rows(("name",), [(NAMES[0],), (f"{NAMES[0]}s",)])
    assert are_told_apart(pictures(table.viewport(), cells[:2]))


def test_in_a_table_of_two_lines(qtbot: QtBot, tmp_path: Path) -> None:
    model = PlainTableModel()
    table = NameTable("Names", model, UiState(tmp_path / "user.ini", tmp_path))
    model.setParent(table)
    qtbot.addWidget(table)
    table.setAlternatingRowColors(False)
    table.setWordWrap(True)
    table.resize(240, 300)
    table.show()
    names = [f"{name}, {_BEGIN} #{number}" for number, name in enumerate(NAMES)]
    names += [f"{NAMES[0]}, {_BEGIN} #1{number}" for number in range(2)]
    model.show_rows(("name",), [(name,) for name in names])
    cells = [table.visualRect(model.index(row, 0)) for row in range(len(names))]
    assert are_told_apart(pictures(table.viewport(), cells))


def test_in_a_list_of_ticks(qtbot: QtBot) -> None:
    rows = TickList("Encoders", 9)
    qtbot.addWidget(rows)
    rows.show_rows([(number, name, name) for number, name in enumerate(NAMES)], ())
    rows.setFixedWidth(260)
    rows.show()
    rows.setCurrentRow(-1)
    places = [rows.visualItemRect(rows.item(row)) for row in range(len(NAMES))]
    assert are_told_apart(pictures(rows.viewport(), places))


def test_in_a_choice(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.addItems(NAMES)
    box.resize(200, 28)
    box.show()
    shown = []
    for row in range(len(NAMES)):
        box.setCurrentIndex(row)
        shown.append(box.grab().toImage())
    assert are_told_apart(shown)


def test_a_choice_of_none_says_what_it_is_for(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.addItems(NAMES)
    box.setCurrentIndex(-1)
    box.resize(200, 28)
    box.show()
    empty = box.grab().toImage()
    box.setPlaceholderText("Kept maps")
    assert box.grab().toImage() != empty


@pytest.mark.parametrize("width", [500, 700])
def test_in_the_legend_of_a_plot(qtbot: QtBot, desk: WindowController, width: int) -> None:
    plot = FigurePlot(desk.shared.theme)
    qtbot.addWidget(plot)
    plot.show()
    plot.resize(width, 300)
    points = [CurvePoint(level, 0.5, 0.4, 0.6, 9) for level in (1, 2, 3)]
    plot.show_figures(Curves("mAP", "level", "mAP", dict.fromkeys(NAMES, points)))
    texts = {label.text for _, label in plot.item.legend.items}
    assert len(texts) == len(NAMES)
    assert not texts & set(NAMES)  # they are shortened


def test_over_the_columns_of_encoders(qtbot: QtBot) -> None:
    request = RankingRequest(
        Query("x"), tuple(range(len(NAMES))), Task.NEIGHBOURS, RankingScope((1,))
    )
    columns = tuple(
        RankingColumn(number, name, (), 2, 5, "", False) for number, name in enumerate(NAMES)
    )
    model = RankingsModel(MoveColours(*["#000000"] * 4))
    model.show_rankings(Rankings(request, columns))
    header = GroupHeader(model)
    qtbot.addWidget(header)
    header.setModel(model)
    titles = [header.shorten_title(number, 150) for number in range(len(NAMES))]
    assert len({title.partition("\n")[0] for title in titles}) == len(NAMES)
