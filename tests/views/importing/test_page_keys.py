"""What a page says of a key is what the key does, wherever on the page the focus is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from toy_window import show
from view_fakes import write_diseases

from termexplorer.desk import WindowController
from termexplorer.views.importing.panel import ImportPanel
from termexplorer.views.window.command_palette import CommandPalette

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PAGES = ("explore", "levels", "train", "evaluate", "compare", "map", "judge", "curate")


@pytest.fixture
def active(qtbot: QtBot, desk: WindowController) -> WindowController:
    """A window that has the keys."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    return desk


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier = CONTROL) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key, modifier)


def pressed(button: QPushButton) -> list[bool]:
    """Collects the presses of a button, which can be pressed from now on."""
    presses: list[bool] = []
    button.clicked.disconnect()
    button.clicked.connect(lambda: presses.append(True))
    button.setEnabled(True)
    return presses


def tab_bars(page: QWidget) -> list[QTabBar]:
    return [bar for bar in page.findChildren(QTabBar) if bar.isVisible()]


def open_palette(qtbot: QtBot, desk: WindowController) -> CommandPalette:
    qtbot.keyClick(desk.window, Qt.Key.Key_P, CONTROL | SHIFT)
    return desk.window.palette_


def offered(palette: CommandPalette) -> list[str]:
    model = palette.view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.mark.parametrize("modifier", [CONTROL, CONTROL | Qt.KeyboardModifier.KeypadModifier])
def test_control_enter_presses_what_a_page_is_for_from_its_tabs(
    qtbot: QtBot, active: WindowController, modifier: Qt.KeyboardModifier
) -> None:
    key = Qt.Key.Key_Return if modifier == CONTROL else Qt.Key.Key_Enter
    page = show(active, "curate")
    presses = pressed(page.suggestions.search.look)
    page.tabs.setFocus()
    press(qtbot, key, modifier)
    assert len(presses) == 1


def test_control_enter_on_new_search_finds_and_does_not_hide_the_search(
    qtbot: QtBot, active: WindowController
) -> None:
    page = show(active, "curate")
    page.show_part("Duplicates")
    part = page.suggestions
    part.fresh.setChecked(True)
    presses = pressed(part.search.look)
    part.fresh.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert len(presses) == 1
    assert part.search.isVisible()


@pytest.mark.parametrize(("key", "button"), [("train", "train"), ("evaluate", "evaluate")])
def test_control_enter_in_the_results_or_the_rail_starts_the_form_beside_them(
    qtbot: QtBot, active: WindowController, key: str, button: str
) -> None:
    page = show(active, key)
    presses = pressed(getattr(page.form, button))
    outside = [
        child
        for child in page.findChildren(QWidget)
        if child.isVisible()
        and child.isEnabled()
        and child.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not page.form.isAncestorOf(child)
    ]
    for number, widget in enumerate((*outside[:3], active.window.rail.button(2))):
        widget.setFocus()
        getattr(page.form, button).setEnabled(True)  # whatever the page has read meanwhile
        press(qtbot, Qt.Key.Key_Return)
        assert len(presses) == number + 1, widget


@pytest.mark.parametrize("key", PAGES)
def test_control_tab_goes_through_the_tabs_of_every_page(
    qtbot: QtBot, active: WindowController, key: str
) -> None:
    page = show(active, key)
    if key == "explore":
        assert page.rankings
    for bar in tab_bars(page):
        bar.setFocus()
        begun, seen = bar.currentIndex(), set()
        for _ in range(bar.count()):
            press(qtbot, Qt.Key.Key_Tab)
            seen.add(bar.currentIndex())
        assert bar.currentIndex() == begun
        assert len(seen) == bar.count()
        press(qtbot, Qt.Key.Key_Tab, CONTROL | SHIFT)
        assert bar.currentIndex() == (begun - 1) % bar.count()


def test_control_tab_takes_the_tabs_nearest_to_the_focus(
    qtbot: QtBot, active: WindowController
) -> None:
    page = show(active, "explore")
    rankings = page.rankings
    rankings.pane.query.setFocus()
    press(qtbot, Qt.Key.Key_Tab)
    assert rankings.tabs.currentIndex() == 1
    page.tree.setFocus()
    press(qtbot, Qt.Key.Key_Tab)
    assert page.side.currentIndex() == 1


def test_the_palette_knows_every_tab_before_its_page_was_made(
    qtbot: QtBot, active: WindowController
) -> None:
    before = offered(open_palette(qtbot, active))
    for key in PAGES:
        page = show(active, key)
        bars = page.whole().findChildren(QTabBar)
        for title in (bar.tabText(index) for bar in bars for index in range(bar.count())):
            known = [name for name in before if ": " in name]
            assert any(title.startswith(name.partition(": ")[2]) for name in known), title


@pytest.mark.parametrize("made_workspace", [True, False])
def test_the_palette_leads_to_a_tab(
    qtbot: QtBot, active: WindowController, made_workspace: bool
) -> None:
    if made_workspace:
        show(active, "curate")
        show(active, "explore")
    palette = open_palette(qtbot, active)
    qtbot.keyClicks(palette.line, "misplaced")
    assert "Curate: Misplaced" in offered(palette)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: active.window.page("curate") is not None)
    page = active.window.page("curate")
    qtbot.waitUntil(lambda: page.suggestions.isVisible())  # type: ignore[union-attr]


def test_the_palette_presses_what_can_be_pressed_on_show(
    qtbot: QtBot, active: WindowController
) -> None:
    page = show(active, "curate")
    page.show_part("Duplicates")
    presses = []
    page.suggestions.fresh.clicked.connect(lambda: presses.append(True))
    palette = open_palette(qtbot, active)
    qtbot.keyClicks(palette.line, "search new")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(presses) == 1)


def test_the_palette_says_so_where_it_has_nothing(qtbot: QtBot, active: WindowController) -> None:
    palette = open_palette(qtbot, active)
    assert not palette.nothing.isVisible()
    qtbot.keyClicks(palette.line, "zzzz")
    assert palette.nothing.isVisible()
    assert not palette.view.isVisible()
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_enter_in_the_name_of_a_terminology_starts_the_import(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "empty")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    desk.window.releases.open_import_of(write_diseases(tmp_path))
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.waitUntil(panel.start.isEnabled)
    panel.terminology.setFocus()
    qtbot.keyClicks(panel.terminology, "mine")
    press(qtbot, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    qtbot.waitUntil(lambda: "Imported mine" in desk.window.notice.text, timeout=30_000)


def test_enter_in_the_title_of_a_study_makes_it(
    qtbot: QtBot, active: WindowController, tmp_path: Path
) -> None:
    page = show(active, "judge")
    page.show_part("Studies")
    page.studies.new_study(tmp_path)
    form = page.studies.form
    presses = pressed(form.make)
    form.title.setFocus()
    press(qtbot, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert len(presses) == 1
