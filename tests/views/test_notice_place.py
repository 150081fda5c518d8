"""Notices and jobs come and go, and no part of a page moves under the mouse."""

from collections.abc import Mapping

import pytest
from notice_places import covered_buttons, lies_over
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot
from toy_window import show

from termexplorer.desk import WindowController


def places(desk: WindowController) -> Mapping[int, QRect]:
    """Where the buttons of the page and of the rail are in the window."""
    parts = (desk.window.stack, desk.window.rail, desk.window.top_bar)
    buttons = [button for part in parts for button in part.findChildren(QAbstractButton)]
    return {
        id(button): QRect(button.mapTo(desk.window, QPoint(0, 0)), button.size())
        for button in buttons
        if button.isVisible()
    }


@pytest.mark.parametrize(
    "key", ["explore", "levels", "train", "evaluate", "compare", "judge", "curate"]
)
def test_a_notice_moves_nothing(qtbot: QtBot, desk: WindowController, key: str) -> None:
    show(desk, key)
    qtbot.wait(300)
    stack, before = desk.window.stack.geometry(), places(desk)
    for text in ("something", "something long " * 40):
        desk.shared.notices.error(text, "Do it", lambda: None)
        qtbot.wait(50)
        assert desk.window.stack.geometry() == stack
        now = places(desk)
        assert {setting_key: now[setting_key] for setting_key in before if setting_key in now} == {
            setting_key: before[setting_key] for setting_key in before if setting_key in now
        }
        notice = desk.window.notice
        assert notice.isVisible()
        assert desk.window.centralWidget().rect().contains(notice.geometry())
        assert not notice.geometry().intersects(desk.window.job_bar.geometry())
        assert notice.height() >= notice.heightForWidth(notice.width())


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_a_job_moves_nothing(qtbot: QtBot, desk: WindowController, zoom: float) -> None:
    desk.shared.theme.use(desk.shared.theme.scheme, zoom)
    assert show(desk, "explore").rankings  # made now, if they were not yet
    qtbot.wait(50)
    before = desk.window.stack.geometry()
    bar = desk.window.job_bar
    for button in (bar.pause, bar.stop, bar.cancel, bar.bar):
        button.show()
    qtbot.wait(50)
    assert desk.window.stack.geometry() == before


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
@pytest.mark.parametrize(
    "key", ["explore", "levels", "train", "evaluate", "compare", "judge", "curate"]
)
def test_a_notice_lies_over_no_button(
    qtbot: QtBot, desk: WindowController, key: str, size: tuple[int, int]
) -> None:
    desk.window.resize(*size)
    show(desk, key)
    desk.shared.notices.tell("Imported 3 names of the ontology", "Show", lambda: None)
    notice = desk.window.notice
    qtbot.waitUntil(lambda: not covered_buttons(notice))
    assert notice.height() >= notice.heightForWidth(notice.width())


@pytest.mark.parametrize("text", ["something", "something long " * 40])
def test_a_notice_leaves_the_main_button_of_each_page_free(
    qtbot: QtBot, desk: WindowController, text: str
) -> None:
    desk.window.resize(1024, 700)
    notice = desk.window.notice
    for key, form in (("evaluate", "evaluate"), ("train", "train"), ("map", "draw")):
        button = getattr(show(desk, key).form, form)
        qtbot.waitUntil(button.isVisible)
        desk.shared.notices.error(text, "Do it", lambda: None)
        qtbot.waitUntil(lambda button=button: not lies_over(notice, button))
        assert notice.height() >= notice.heightForWidth(notice.width())
    first = show(desk, "evaluate").form.evaluate  # the notice is there when the page comes
    qtbot.waitUntil(lambda: not lies_over(desk.window.notice, first))
