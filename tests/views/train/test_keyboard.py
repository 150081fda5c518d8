"""All by keys: where they go, that they come back, and that nothing is out of their reach."""

from collections.abc import Callable
from pathlib import Path

import pytest
from keyboard_steps import make_run
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget, QWidgetAction
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from view_fakes import rankings_of, write_diseases
from window_steps import page_of, ranked, shown

from termexplorer.desk import WindowController
from termexplorer.models.rankings import ColumnPart
from termexplorer.services.compare.rankings import Query, RankingRequest, RankingScope, Task
from termexplorer.views.compare.page import ComparePage
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.importing.panel import ImportPanel
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.train.page import TrainPage
from termexplorer.views.widgets.focus import put_last

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def active(qtbot: QtBot, desk: WindowController) -> WindowController:
    """A window that has the keys."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    return desk


def here() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Presses a key where the keys go now."""
    qtbot.keyClick(here(), key, modifier or Qt.KeyboardModifier.NoModifier)


def open_page(qtbot: QtBot, desk: WindowController, number: int) -> QWidget:
    qtbot.keyClick(desk.window, getattr(Qt.Key, f"Key_{number}"), CONTROL)
    page = desk.window.stack.currentWidget()
    if isinstance(page, TrainPage):
        page.form.everything.setChecked(True)
    return page


def tabs_from(widget: QWidget, until: QWidget) -> list[QWidget]:
    """What Tab meets."""
    met = []
    while widget is not until:
        widget = widget.nextInFocusChain()
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            met.append(widget)
    return met


def test_a_page_takes_the_keys_and_gives_them_back_where_they_were(
    qtbot: QtBot, active: WindowController
) -> None:
    explore = page_of(active)
    assert here() is explore.tree
    explore.rankings.pane.query.setFocus()
    levels = open_page(qtbot, active, 2)
    assert isinstance(levels, LevelsPage)
    levels.side.rules.lowest.setValue(1)
    qtbot.waitUntil(lambda: here() is levels.content.slider.slider)
    train = open_page(qtbot, active, 3)
    assert isinstance(train, TrainPage)
    assert here() is train.form.three_lines.source
    open_page(qtbot, active, 1)
    assert here() is explore.rankings.pane.query
    active.window._on_about()
    press(qtbot, Qt.Key.Key_Escape)
    assert here() is explore.rankings.pane.query


def test_a_hit_of_the_search_is_shown_from_every_page(
    qtbot: QtBot, active: WindowController
) -> None:
    open_page(qtbot, active, 3)
    qtbot.keyClick(active.window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(here(), "bacterial")
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(active) == "bacterial pneumonia")
    assert active.window.stack.currentWidget() is page_of(active)
    assert here() is page_of(active).tree
    press(qtbot, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: shown(active) == "viral pneumonia")


def test_f6_goes_through_the_parts_and_comes_back_where_it_was(
    qtbot: QtBot, active: WindowController
) -> None:
    page = page_of(active)
    assert page.rankings  # made now, if they were not yet
    active.shared.notices.tell("something", "Do it", lambda: None)
    page.tree.setFocus()
    press(qtbot, Qt.Key.Key_F6)
    assert page.concept.isAncestorOf(here())
    press(qtbot, Qt.Key.Key_F6)
    assert page.rankings.isAncestorOf(here())
    page.rankings.pane.query.setFocus()
    press(qtbot, Qt.Key.Key_F6)
    assert active.window.notice.isAncestorOf(here())
    press(qtbot, Qt.Key.Key_F6, SHIFT)
    assert here() is page.rankings.pane.query
    for _ in range(2):
        press(qtbot, Qt.Key.Key_F6, SHIFT)
    assert here() is page.tree
    press(qtbot, Qt.Key.Key_F6, SHIFT)
    assert active.window.top_bar.isAncestorOf(here())


def test_menus_of_the_bars_have_an_order_of_their_own(active: WindowController) -> None:
    window = active.window
    menu, inside = QMenu(window.job_bar), QWidget()
    button = QPushButton("Cancel", inside)
    held = QWidgetAction(menu)
    held.setDefaultWidget(inside)
    menu.addAction(held)
    assert button in window.job_bar.findChildren(QPushButton)
    put_last(window, window.notice, window.job_bar)  # Qt warns where it is another window's
    menu.deleteLater()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_tab_goes_through_the_page_before_the_notice_and_the_jobs(
    qtbot: QtBot, active: WindowController, number: int
) -> None:
    page, window = open_page(qtbot, active, number), active.window
    active.shared.notices.tell("something", "Do it", lambda: None)
    for button in (window.job_bar.pause, window.job_bar.cancel):
        button.show()
    parts = [window.rail, window.top_bar, page, window.notice, window.job_bar]

    def part() -> int:
        return next(n for n, form_part in enumerate(parts) if form_part.isAncestorOf(here()))

    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    for key, step in ((Qt.Key.Key_Tab, 1), (Qt.Key.Key_Backtab, -1)):
        start, met = here(), [part()]
        press(qtbot, key)
        while here() is not start:
            if part() != met[-1]:
                met.append(part())
            press(qtbot, key)
        assert met[:5] == [(1 + step * n) % 5 for n in range(5)]
        assert met[5:] in ([], [1])  # what comes before the search box


def test_nothing_is_taken_for_gone_that_the_keys_went_by(
    qtbot: QtBot, active: WindowController
) -> None:
    encoders = page_of(active).rankings.encoders
    for key in [Qt.Key.Key_Tab] * 30 + [Qt.Key.Key_F6] * 8:
        press(qtbot, key)
    encoders.add.setFocus()
    press(qtbot, Qt.Key.Key_Space)  # the boxes are made anew
    encoders.remove(1)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert all(isValid(widget) for widget in active.window.findChildren(QWidget))
    assert isValid(active.window.top_bar.search._sign)


def test_what_hides_gives_the_keys_back(qtbot: QtBot, active: WindowController) -> None:
    query = page_of(active).rankings.pane.query
    query.setFocus()
    active.shared.notices.tell("something")
    active.window.notice._dismiss.setFocus()
    press(qtbot, Qt.Key.Key_Escape)
    assert not active.window.notice.isVisible()
    assert here() is query
    active.window._on_palette()
    assert here() is active.window.palette_.line
    press(qtbot, Qt.Key.Key_Escape)
    assert here() is query


def test_enter_presses_a_button(qtbot: QtBot, active: WindowController) -> None:
    done = []
    active.shared.notices.tell("something", "Do it", lambda: done.append(True))
    active.window.notice._act.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert done == [True]


def test_a_file_is_imported_by_keys(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "empty")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    assert here() is page_of(desk).welcome.embedded
    qtbot.keyClick(desk.window, Qt.Key.Key_I, CONTROL)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.keyClicks(here(), str(tmp_path / "nowhere.obo"))
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "nowhere.obo" in panel.start.toolTip())
    assert here() is panel.file
    panel.file.selectAll()
    qtbot.keyClicks(here(), str(write_diseases(tmp_path)))
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: here() is panel.start)
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Imported toy" in desk.window.notice.text, timeout=30_000)
    assert here() is page_of(desk).tree


@pytest.mark.parametrize("field", ["terminology", "browse"])
def test_control_enter_imports_from_anywhere_in_the_panel(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path, field: str
) -> None:
    desk = open_desk(tmp_path / "empty")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.keyClick(desk.window, Qt.Key.Key_I, CONTROL)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    press(qtbot, Qt.Key.Key_Return, CONTROL)
    assert here() is panel.file  # there is nothing to import yet
    qtbot.keyClicks(here(), str(write_diseases(tmp_path)))
    press(qtbot, Qt.Key.Key_Return, CONTROL)
    assert not panel.start.isEnabled()
    qtbot.waitUntil(lambda: here() is panel.start)
    widget = getattr(panel, field)
    widget.setFocus()
    assert here() is widget
    press(qtbot, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: "Imported toy" in desk.window.notice.text, timeout=30_000)


@pytest.mark.parametrize("recipe", ["few-shot", "dan", "conceptual-grounding"])
def test_tab_goes_through_the_form_of_a_run_as_it_stands(
    qtbot: QtBot, active: WindowController, recipe: str
) -> None:
    page = open_page(qtbot, active, 3)
    assert isinstance(page, TrainPage)
    form = page.form
    form.recipe.choose("dan")
    form.recipe.choose(recipe)
    qtbot.waitUntil(form.hyperparameters.editors[-1].isVisible)
    met = tabs_from(form.recipe, form.train)
    places = [widget.mapTo(form, widget.rect().topLeft()) for widget in met]
    assert form.hyperparameters.editor("hidden") in met
    assert form.seed in met
    rows = [(point.y(), point.x()) for point in places[:-1]]  # the button does not scroll
    assert rows == sorted(rows)


def boxes_seen(encoders: EncoderChoice) -> int:
    return sum(box.box.isVisible() for box in encoders._boxes)


def test_tab_meets_the_encoders_where_they_stand(qtbot: QtBot, active: WindowController) -> None:
    page = open_page(qtbot, active, 5)
    assert isinstance(page, ComparePage)
    form, mentions = page.encoders.form, page.encoders.mentions
    for columns in (2, 3):
        qtbot.waitUntil(lambda n=columns: boxes_seen(form.encoders) == n)
        met = tabs_from(form.compare, mentions.table)
        boxes = [met.index(box.box) for box in form.encoders._boxes]
        assert boxes == sorted(boxes)
        assert boxes[-1] < met.index(form.encoders.add)
        qtbot.mouseClick(form.encoders.add, Qt.MouseButton.LeftButton)  # the boxes are made anew


def test_control_enter_trains_from_anywhere_in_the_form(
    qtbot: QtBot, active: WindowController
) -> None:
    page = open_page(qtbot, active, 3)
    assert isinstance(page, TrainPage)
    form = page.form
    form.train.setEnabled(True)
    form.hyperparameters.editor("hidden").setFocus()
    press(qtbot, Qt.Key.Key_Return, CONTROL)
    assert "vectors first" in form.error.text()  # it was asked for, though it cannot be done


def test_the_only_run_is_selected_by_keys_and_stays_selected(
    qtbot: QtBot, active: WindowController
) -> None:
    first = make_run(active.shared.workspace)
    page = open_page(qtbot, active, 3)
    assert isinstance(page, TrainPage)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    page.runs.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert [run.id for run in page.runs.chosen()] == [first]
    second = make_run(active.shared.workspace)
    active.shared.watch.look()
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)
    assert [run.id for run in page.runs.chosen()] == [first]
    press(qtbot, Qt.Key.Key_Up)
    assert [run.id for run in page.runs.chosen()] == [second]
    press(qtbot, Qt.Key.Key_F2)
    qtbot.keyClicks(here(), "organs")
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.model.run(0).title == "organs")


def test_on_the_way_back_the_keys_are_in_the_row_that_was_followed(
    qtbot: QtBot, active: WindowController
) -> None:
    pane = ranked(qtbot, active, "TOY:4")
    pane.table.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Qt.Key.Key_Down)
    press(qtbot, Qt.Key.Key_Down)
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(active) == "infection")
    assert here() is pane.table
    press(qtbot, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: shown(active) == "viral pneumonia")
    qtbot.waitUntil(lambda: pane.table.currentIndex().row() == 2)
    assert here() is pane.table


def test_arrows_lead_from_encoder_to_encoder(qtbot: QtBot, active: WindowController) -> None:
    pane = ranked(qtbot, active, "TOY:4")
    request = RankingRequest(Query("q"), Task.NEIGHBOURS, (1, 2), RankingScope((1,)))
    pane.model.show_rankings(rankings_of(request))
    pane.table.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Qt.Key.Key_Down)
    followed = [pane.table.currentIndex()]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        press(qtbot, key)
        followed.append(pane.table.currentIndex())
    assert [pane.model.part(index.column()) for index in followed] == [
        (number, ColumnPart.NAME) for number in (0, 1, 1, 0, 0)
    ]
    assert [index.data() for index in followed[:2]] == ["name 1", "name 2"]
