"""Pairs without a majority are decided in the window, by keyboard alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from adjudication_screen_steps import kept, settle, two_who_differ
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, SEEN, make, opened
from toy_window import LONG, show

from termexplorer.desk import WindowController
from termexplorer.services.studies.adjudication.disputed_pairs import DONT_KNOW, PairChoice
from termexplorer.services.studies.answer_lines import read_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.presets import Scale
from termexplorer.services.verdicts.log import check_log
from termexplorer.views.judging.adjudication import AdjudicationScreen

ENTER, BACK, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Escape
F1, F2 = Qt.Key.Key_F1, Qt.Key.Key_F2
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with opened(tmp_path / "judged") as workspace:
        two_who_differ(workspace)
    return tmp_path / "judged"


def terms(screen: AdjudicationScreen) -> tuple[str, str]:
    assert screen.pair.isVisible()
    return screen.pair.cards.left.text(), screen.pair.cards.right.text()


def test_decided_by_keys_alone(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk = open_desk(folder)
    page = show(desk, "judge")
    page.show_part("Studies")
    part, window = page.studies, desk.window
    qtbot.waitUntil(part.later.adjudicate.isEnabled, timeout=LONG)
    before = check_log(desk.shared.workspace)

    def press(key: Qt.Key | str, held: Qt.KeyboardModifier = NONE) -> None:
        window.activateWindow()
        qtbot.keyClick(window.focusWidget(), key, held)
        if part.adjudication is not None:
            settle(qtbot, part.adjudication)

    part.later.adjudicate.setFocus()
    press(Qt.Key.Key_Space)
    screen = part.adjudication
    assert screen is not None
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    assert "4 pairs have no majority" in screen.sheet.words.text()
    press(ENTER)  # nobody is known who could decide
    assert window.focusWidget() is screen.judge.name
    assert screen.message.text()
    for letter in "Dora 1":
        press(letter)
    press(ENTER)
    qtbot.waitUntil(lambda: screen.judge.judge is not None, timeout=LONG)
    assert not screen.message.text()  # which had asked for the name
    press(ENTER)  # the keys are with what is read, not with the name

    first = terms(screen)
    assert not screen.said_pane.text.isVisible()
    press("1")
    second = terms(screen)
    assert second != first
    assert screen.head.message.text() == "1 of 4"
    press("v")
    assert ANNA in screen.said_pane.text.toPlainText()
    assert "by Ben" in screen.said_pane.text.toPlainText()
    press("v")
    press("c")
    for letter in "a reason":
        press(letter)
    press(ENTER)
    press("n")
    assert kept(desk)[:2] == [
        ("Dora 1", "same", "", False), ("Dora 1", "not same", "a reason", True),
    ]  # fmt: skip
    third = terms(screen)
    press("l")
    press(BACK)
    assert terms(screen) == second
    assert screen.pair.comment.text() == "a reason"
    assert kept(desk)[1] is None
    press("z", CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert kept(desk)[1] == ("Dora 1", "not same", "a reason", True)
    press(F1)
    assert screen.sheet.text.isVisible()
    assert "consultation" in screen.sheet.text.toPlainText()
    press(ESCAPE)
    press("1")
    assert terms(screen) == third  # it was put off
    press("d")
    assert screen.sheet.heading.text() == "All is decided"
    assert [decision is not None for decision in kept(desk)] == [True] * 4
    assert check_log(desk.shared.workspace) == before + 6
    press(ESCAPE)
    assert part.adjudication is None
    assert window.focusWidget() is part.later.adjudicate


def test_what_is_no_rating_is_called_as_the_study_calls_it(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    lines = ["equal", "wider", "cannot tell = ?"]
    scale = Scale("How?", "nominal", "", read_answers(lines, "nominal", "equal"), "equal")
    with opened(tmp_path / "judged") as workspace:
        make(workspace, scale=scale, repeat=0)
        for annotator in (ANNA, BEN):
            judging = Judging(workspace, 1, annotator)
            for turn in judging.turns:
                judging.judge(turn, "equal" if annotator == ANNA else "cannot tell", SEEN)
    desk = open_desk(tmp_path / "judged")
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.adjudicate.isEnabled, timeout=LONG)
    page.studies.later.adjudicate.click()
    screen = page.studies.adjudication
    assert screen is not None
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    screen.pairs.choose(PairChoice(DONT_KNOW))
    screen.pairs.changed.emit()
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    words = (screen.sheet.words.text(), screen.votes.text(), screen.pairs.which.currentText())
    assert all("“cannot tell”" in text for text in words)


def test_a_decision_that_cannot_be_written_stays_on_the_screen(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from termexplorer.errors import UserError
    from termexplorer.services.verdicts.people import add_person

    desk = open_desk(folder)
    add_person(desk.shared.workspace, "Dora")
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.adjudicate.isEnabled, timeout=LONG)
    page.studies.later.adjudicate.click()
    screen = page.studies.adjudication
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    screen.sheet.go_on.click()
    settle(qtbot, screen)
    pair = terms(screen)

    def full(*_: object) -> None:
        raise UserError("no room left on the disk; make room and try again")

    with monkeypatch.context() as patch:
        patch.setattr("termexplorer.services.studies.adjudication.decisions.append", full)
        screen.pair.answers.buttons["same"].click()
        settle(qtbot, screen)
    assert "make room" in desk.window.notice.text
    assert (terms(screen), kept(desk)) == (pair, [None] * 4)
    screen.pair.answers.buttons["same"].click()
    settle(qtbot, screen)
    assert terms(screen) != pair


def test_an_earlier_decision_is_changed_and_no_other(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    from termexplorer.services.verdicts.people import add_person

    desk = open_desk(folder)
    add_person(desk.shared.workspace, "Dora")
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.adjudicate.isEnabled, timeout=LONG)
    page.studies.later.adjudicate.click()
    screen, window = page.studies.adjudication, desk.window
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)

    def press(key: Qt.Key | str) -> None:
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None, timeout=LONG)
        qtbot.keyClick(QApplication.focusWidget(), key)
        settle(qtbot, screen)

    screen.sheet.go_on.setFocus()
    press(ENTER)
    first = terms(screen)
    for key in ("1", "1", "c"):
        press(key)
    for letter in "a draft":
        press(letter)
    press(ENTER)
    pending = terms(screen)
    press(F2)
    model = screen.list.table.model()
    assert [model.index(row, 1).data() for row in range(model.rowCount())][1:] == [first[0]]
    press(Qt.Key.Key_Down)
    press(ENTER)
    assert terms(screen) == first
    assert "Your decision: same" in screen.message.text()
    press(ESCAPE)
    assert terms(screen) == pending
    press(F2)
    press(Qt.Key.Key_Down)
    press(ENTER)
    press("2")
    assert (terms(screen), screen.pair.comment.text()) == (pending, "a draft")
    assert [decision and decision[1] for decision in kept(desk)] == ["not same", "same", None, None]
    assert "Esc" in screen.head.save.text()
    for key in (F2, F1):  # Esc goes back to the pair there
        press(key)
        assert "Esc" not in screen.head.save.text()
        press(ESCAPE)
        assert "Esc" in screen.head.save.text()
    assert page.studies.adjudication is screen
    assert terms(screen) == pending
