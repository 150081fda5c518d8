"""The tables of all pages: rows by keys, widths that come back, room for names and codes."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot
from view_fakes import rankings_of
from window_steps import page_of

from termexplorer.desk import WindowController
from termexplorer.models.class_table import CODE, LABEL
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.models.rankings import ColumnPart
from termexplorer.services.compare.rankings import (
    Query,
    RankingRequest,
    Rankings,
    RankingScope,
    Task,
)
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState


class Letters(Table):
    def columns(self) -> list[Column]:
        return [Column("a", "000"), Column("b", share=1), Column("c", share=2)]


def make_table(qtbot: QtBot, session: UiState) -> Letters:
    model = PlainTableModel()
    table = Letters("Letters", model, session)
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(800, 300)
    table.show()
    model.show_rows(("a", "b", "c"), [("1", "x", "y"), ("2", "x", "y"), ("3", "x", "y")])
    return table


def widths(table: QTableView) -> list[int]:
    return [table.columnWidth(column) for column in range(table.model().columnCount())]


def session_in(folder: Path) -> UiState:
    return UiState(folder / "user.ini", folder)


def test_columns_share_the_room(qtbot: QtBot, tmp_path: Path) -> None:
    table = make_table(qtbot, session_in(tmp_path))
    first, second, third = widths(table)
    room = table.viewport().width()
    assert 0 <= room - first - second - third <= 2
    assert abs(third - 2 * second) <= 2
    table.resize(1100, 300)
    assert sum(widths(table)) > room
    assert widths(table)[0] == first


def test_a_column_has_room_for_its_title(qtbot: QtBot, tmp_path: Path) -> None:
    table = make_table(qtbot, session_in(tmp_path))
    narrow, title = widths(table)[0], "Bezeichnungen"
    model = table.model()
    assert isinstance(model, PlainTableModel)
    model.show_rows((title, "b", "c"), [("1", "x", "y")])
    header = table.horizontalHeader()
    assert widths(table)[0] > max(narrow, header.fontMetrics().horizontalAdvance(title))
    title = f"{title} {title}"
    table.resize(400, 300)
    model.show_rows(("a", title, "c"), [("1", "x", "y")])
    assert widths(table)[1] > header.fontMetrics().horizontalAdvance(title)
    assert sum(widths(table)) <= table.viewport().width()


def test_a_width_that_was_dragged_stays_comes_back_and_can_be_undone(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = session_in(tmp_path)
    table = make_table(qtbot, session)
    usual = widths(table)
    table.horizontalHeader().resizeSection(1, 333)
    qtbot.waitUntil(lambda: session.widths("columns/letters") == {"b": 333})
    table.resize(1000, 300)
    assert widths(table)[:2] == [usual[0], 333]
    session.sync()
    again = make_table(qtbot, session_in(tmp_path))
    assert widths(again)[:2] == [usual[0], 333]
    again.horizontalHeader().sectionHandleDoubleClicked.emit(1)
    assert widths(again) == usual
    assert session_in(tmp_path).widths("columns/letters") == {}


def test_who_comes_by_tab_stands_in_the_first_row(qtbot: QtBot, tmp_path: Path) -> None:
    table = make_table(qtbot, session_in(tmp_path))
    qtbot.waitUntil(table.isActiveWindow)
    table.clearFocus()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(table.hasFocus)
    assert [index.row() for index in table.selectionModel().selectedRows()] == [0]
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert [index.row() for index in table.selectionModel().selectedRows()] == [1]
    table.setFocus(Qt.FocusReason.OtherFocusReason)
    assert table.currentIndex().row() == 1


def test_an_empty_table_paints_its_hint(qtbot: QtBot, tmp_path: Path) -> None:
    table = make_table(qtbot, session_in(tmp_path))
    table.model().show_rows(("a", "b", "c"), [])
    empty = table.viewport().grab().toImage()
    table.hint = "Nothing yet"
    table.viewport().update()
    assert table.viewport().grab().toImage() != empty


def show_encoders(desk: WindowController, count: int, width: int) -> None:
    pane = page_of(desk).rankings.pane
    request = RankingRequest(Query("q"), Task.NEIGHBOURS, tuple(range(count)), RankingScope((1,)))
    answer: Rankings = rankings_of(request)
    pane.table.setFixedWidth(width)
    QApplication.processEvents()
    pane.model.show_rankings(answer)


def test_codes_show_where_there_is_room_and_names_take_two_lines_where_there_is_little(
    desk: WindowController,
) -> None:
    table = page_of(desk).rankings.pane.table

    def shown(part: ColumnPart) -> list[bool]:
        model = page_of(desk).rankings.pane.model
        places = [n for n in range(model.columnCount()) if model.part(n)[1] is part]
        return [not table.isColumnHidden(column) for column in places]

    show_encoders(desk, 2, 900)
    assert shown(ColumnPart.CODE) == [True, True]
    assert not table.wordWrap()
    line = table.verticalHeader().defaultSectionSize()
    show_encoders(desk, 3, 640)
    assert shown(ColumnPart.CODE) == [False, False, False]
    assert shown(ColumnPart.NAME) == [True, True, True]
    assert table.wordWrap()
    assert table.verticalHeader().defaultSectionSize() > line
    right = table.columnViewportPosition(table.model().columnCount() - 1)
    assert right < table.viewport().width()  # nothing is out of sight


def open_levels(qtbot: QtBot, desk: WindowController) -> LevelsPage:
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    page.side.rules.lowest.setValue(1)
    qtbot.waitUntil(lambda: page.content.classes.rowCount() == 2)
    return page


def test_space_leaves_classes_out_one_after_the_other(qtbot: QtBot, desk: WindowController) -> None:
    page = open_levels(qtbot, desk)
    table, model = page.content.table, page.content.classes
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(table.hasFocus)
    table.setCurrentIndex(model.index(0, LABEL))
    label = model.index(0, LABEL).data()
    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: model.has_left_out)
    assert model.index(1, LABEL).data() == label
    assert table.currentIndex().row() == 0
    assert model.index(0, CODE).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not model.has_left_out)


def test_a_class_that_is_chosen_elsewhere_is_marked(qtbot: QtBot, desk: WindowController) -> None:
    page = open_levels(qtbot, desk)
    go_to = page.content.classes.row(1).concept_id
    desk.shared.selection.go_to_concept(go_to)
    assert page.content.table.currentIndex().row() == 1
    desk.shared.selection.back()
    assert not page.content.table.selectionModel().hasSelection()
