"""A press counts once, and only as an answer to what could be seen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from judging_windows import judging, make_pack, press, set_pause, terms
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from toy_studies import opened
from toy_window import show
from toy_workspace import opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.studies.judging import Judging
from termexplorer.services.verdicts.log import judged
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.judging.answer_guard import PAUSE_KEY, AnswerGuard, PauseTick
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.widgets.ui_state import UiState

ENTER, SPACE, NONE = Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier
FOR_EVER = 600_000  # milliseconds that no pair is on show in a test
PRESS, RELEASE = QEvent.Type.ShortcutOverride, QEvent.Type.KeyRelease


@pytest.fixture
def session(tmp_path: Path) -> UiState:
    return UiState(tmp_path / "user.ini", tmp_path)


class Guarded(QWidget):
    """A button, and what its keys have done."""

    def __init__(self, session: UiState) -> None:
        super().__init__()
        self.clock, self.done, self.refused = 10.0, [], []  # type: ignore[var-annotated]
        self.button = QPushButton()
        self.button.clicked.connect(lambda: self.done.append("click"))
        QVBoxLayout(self).addWidget(self.button)
        self.guard = AnswerGuard(self, session, lambda: self.clock)
        self.guard.refused.connect(self.refused.append)

    def key(
        self, kind: QEvent.Type, key: Qt.Key, at: int, repeated: bool = False, code: int = 0
    ) -> None:
        """A key event as the window gets it, at a time of the X server."""
        event = QKeyEvent(kind, key, NONE, code or int(key), 0, 0, "", repeated)
        event.setTimestamp(at)
        QApplication.sendEvent(self.windowHandle(), event)
        if kind == PRESS:
            self.guard.press_answer(lambda: self.done.append(key))


@pytest.fixture
def guarded(qtbot: QtBot, session: UiState) -> Guarded:
    widget = Guarded(session)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_a_key_that_is_held_down_is_pressed_once(guarded: Guarded) -> None:
    key = Qt.Key.Key_1
    guarded.key(PRESS, key, 1_000)
    for at in (1_656, 1_697, 1_738):  # as X tells it where Qt does not see that it repeats
        guarded.key(RELEASE, key, at)
        guarded.key(PRESS, key, at)
    guarded.key(PRESS, key, 1_780, repeated=True)  # and as Qt tells it elsewhere
    guarded.key(RELEASE, key, 1_800)
    assert (guarded.done, guarded.refused) == ([key], [])
    guarded.key(PRESS, key, 1_900)
    assert guarded.done == [key, key]


def test_a_key_counts_after_the_one_before_was_released(guarded: Guarded) -> None:
    first, second = Qt.Key.Key_1, Qt.Key.Key_2
    guarded.key(PRESS, first, 1_000)
    guarded.key(PRESS, second, 1_300)
    assert guarded.done == [first]
    assert "Release all keys" in guarded.refused[0]
    guarded.key(RELEASE, first, 1_400)
    guarded.key(RELEASE, second, 1_500)
    guarded.key(PRESS, second, 1_600)
    assert guarded.done == [first, second]


def test_a_release_that_never_came_does_not_lock_the_keys(guarded: Guarded) -> None:
    first, second = Qt.Key.Key_1, Qt.Key.Key_2
    guarded.key(PRESS, first, 1_000)
    guarded.key(PRESS, second, 9_000)
    assert guarded.done == [first, second]
    QApplication.sendEvent(guarded, QEvent(QEvent.Type.WindowDeactivate))
    guarded.key(PRESS, first, 9_100)
    assert guarded.done == [first, second, first]


def test_a_key_is_one_key_whatever_is_held_with_it(guarded: Guarded) -> None:
    guarded.key(PRESS, Qt.Key.Key_Exclam, 1_000, code=10)
    guarded.key(RELEASE, Qt.Key.Key_1, 1_100, code=10)
    guarded.key(PRESS, Qt.Key.Key_Shift, 1_150, code=50)
    guarded.done.clear()
    guarded.key(PRESS, Qt.Key.Key_1, 1_200, code=10)
    assert guarded.done == [Qt.Key.Key_1]


def test_a_button_with_the_keys_is_pressed_once_too(qtbot: QtBot, guarded: Guarded) -> None:
    guarded.activateWindow()
    guarded.button.setFocus()
    qtbot.waitUntil(guarded.button.hasFocus)

    def space(*kinds: QEvent.Type, at: int) -> None:
        for kind in kinds:
            event = QKeyEvent(kind, SPACE, NONE, 65, 0, 0, " ")
            event.setTimestamp(at)
            QApplication.sendEvent(guarded.windowHandle(), event)

    space(PRESS, QEvent.Type.KeyPress, at=1_000)
    for at in (1_660, 1_700, 1_740):
        space(RELEASE, PRESS, QEvent.Type.KeyPress, at=at)
    space(RELEASE, at=1_760)
    assert guarded.done == ["click"]


def test_what_came_just_now_is_not_answered_yet(guarded: Guarded, session: UiState) -> None:
    assert not guarded.guard.allows_answer(None)
    assert not guarded.guard.allows_answer(guarded.clock - 0.249)
    assert guarded.guard.allows_answer(guarded.clock - 0.250)
    assert len(guarded.refused) == 2
    assert "250 ms" in guarded.refused[0]
    session.keep_look(PAUSE_KEY, "0")
    assert guarded.guard.allows_answer(guarded.clock)
    assert not guarded.guard.allows_answer(None)


def test_the_pause_is_switched_off_for_all_pages_and_kept(qtbot: QtBot, session: UiState) -> None:
    first, second = PauseTick(session), PauseTick(session)
    for button in (first, second):
        qtbot.addWidget(button)
    assert first.isChecked()
    first.click()
    second.show()
    assert not second.isChecked()
    assert session.look(PAUSE_KEY) == "0"
    second.click()
    assert session.look(PAUSE_KEY) == "250"


@pytest.fixture
def screen(qapp: QApplication, tmp_path: Path) -> Iterator[JudgingScreen]:
    with judging(qapp, make_pack(tmp_path), tmp_path) as shown:
        yield shown


def count_said(tmp_path: Path) -> int:
    with opened(tmp_path / "clinic") as clinic:
        return len(Judging(clinic, 1, "Anna Berg").said)


def test_no_pair_is_judged_or_put_off_unseen(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    set_pause(tmp_path, FOR_EVER)
    press(qtbot, screen, ENTER)
    pair = terms(screen)
    for key in ("1", "l"):
        screen.message.clear()
        press(qtbot, screen, key)
        assert "Not counted" in screen.message.text()
    screen.pair.answers.buttons["same"].click()
    assert (terms(screen), count_said(tmp_path)) == (pair, 0)
    assert screen.pair.pause.isChecked()
    screen.pair.pause.click()
    assert not screen.pair.pause.isChecked()
    press(qtbot, screen, "1")
    assert (screen.message.text(), count_said(tmp_path)) == ("Kept: same", 1)


def test_no_suggestion_is_judged_unseen(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    from suggestions_page_steps import keep, open_part

    with opened_copy(toy, tmp_path) as workspace:
        add_person(workspace, "Anna")
        keep(workspace)
    desk, part = open_part(qtbot, open_desk(workspace.folder))
    desk.shared.session.keep_look(PAUSE_KEY, str(FOR_EVER))
    QTest.keyClick(part.desk.table, "c")  # type: ignore[call-overload]
    assert "Not counted" in part.desk.shown.progress.text()
    assert not part.desk.writer.writing
    assert judged(desk.shared.workspace) == []


def test_no_pair_is_decided_unseen(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    from adjudication_screen_steps import kept, settle, two_who_differ

    with opened(tmp_path / "judged") as workspace:
        two_who_differ(workspace)
        add_person(workspace, "Dora")
    desk = open_desk(tmp_path / "judged")
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.adjudicate.isEnabled)
    page.studies.later.adjudicate.click()
    screen = page.studies.adjudication
    qtbot.waitUntil(screen.sheet.go_on.isVisible)
    screen.sheet.go_on.click()
    settle(qtbot, screen)
    desk.shared.session.keep_look(PAUSE_KEY, str(FOR_EVER))
    for button in (screen.pair.answers.buttons["same"], screen.pair.skip):
        screen.message.clear()
        button.click()
        assert "Not counted" in screen.message.text()
    assert kept(desk) == [None] * 4
