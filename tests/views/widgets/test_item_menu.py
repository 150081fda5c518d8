"""Rows are copied as text with tabs, and lead to the pages of their concepts."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QTableView
from pytestqt.qtbot import QtBot
from window_steps import go, page_of

from termexplorer.desk import WindowController
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.views.widgets.tables.item_menu import ItemMenu
from termexplorer.views.widgets.web_address import open_address

ROWS = [
    ("DOID:4", "disease", "skos:exactMatch", "NCIT:C2991", "Disease\tor\ndisorder"),
    ("DOID:7", "anatomical", "skos:exactMatch", "my:2", "Other"),
]


@pytest.fixture
def table(qtbot: QtBot) -> QTableView:
    view = QTableView()
    qtbot.addWidget(view)
    model = PlainTableModel(view)
    model.show_rows(("concept", "name", "predicate", "other", "other name"), ROWS)
    view.setModel(model)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    return view


def list_entries(menu: ItemMenu, index: QModelIndex) -> dict[str, Callable[[], None]]:
    """Return what a menu offers, and what each entry does."""
    actions = menu.make_menu(index).actions()
    return {action.text(): action.trigger for action in actions if action.text()}


def test_selected_rows_are_copied_with_tabs(table: QTableView, qtbot: QtBot) -> None:
    menu = ItemMenu(table)
    table.setColumnHidden(2, True)
    table.selectAll()
    with qtbot.waitExposed(table):
        table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text.split("\n") == [
        "DOID:4\tdisease\tNCIT:C2991\tDisease or disorder", "DOID:7\tanatomical\tmy:2\tOther",
    ]  # fmt: skip
    assert menu.copy.isEnabled()


@pytest.mark.parametrize(
    ("column", "curie", "name"),
    [
        (0, "DOID:4", "disease"),
        (1, "DOID:4", "disease"),
        (4, "NCIT:C2991", "Disease\tor\ndisorder"),
    ],
)
def test_what_is_copied_is_of_the_cell_pressed(
    table: QTableView, column: int, curie: str, name: str
) -> None:
    menu = ItemMenu(table)
    entries = list_entries(menu, table.model().index(0, column))
    copied = []
    for title in ("Copy code", "Copy IRI", "Copy name"):
        entries[title]()
        copied.append(QGuiApplication.clipboard().text())
    assert copied[0] == curie
    assert copied[1].startswith("http")
    assert copied[2] == name


def test_a_page_is_offered_only_where_one_is_known(
    table: QTableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    menu = ItemMenu(table)
    known = list_entries(menu, table.model().index(0, 0))
    known["Open in OLS"]()
    assert opened[0].toString().startswith("https://www.ebi.ac.uk/ols4/ontologies/doid/")
    unknown = list_entries(menu, table.model().index(1, 3))
    assert not any("OLS" in text or text == "Copy IRI" for text in unknown)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "", "mailto:a@b"])
def test_nothing_but_the_web_is_opened(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    assert not open_address(address)
    assert opened == []


def test_tree_and_bookmarks_have_the_menu(qtbot: QtBot, desk: WindowController) -> None:
    go(qtbot, desk, "TOY:4")
    page = page_of(desk)
    qtbot.waitUntil(page.tree.currentIndex().isValid)
    list_entries(page.tree.menu, page.tree.currentIndex())["Copy row"]()
    assert QGuiApplication.clipboard().text() == "viral pneumonia\tTOY:4"
    page.concept.star.click()
    index = page.bookmarks.list.model().index(0, 0)
    list_entries(page.bookmarks.menu, index)["Copy code"]()
    assert QGuiApplication.clipboard().text() == "TOY:4"
