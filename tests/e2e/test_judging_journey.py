"""A study judged by two annotators, each in a window, wholly by keyboard, and merged."""

from pathlib import Path

import pytest
from judging_windows import judging, make_pack, press, terms
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, opened, sent
from toy_window import LONG

from termexplorer.services.study_answers import merge_answers
from termexplorer.services.study_status import judgements, study_status
from termexplorer.services.verdicts import check_log
from termexplorer.views.judging import JudgingScreen

ENTER, BACK = Qt.Key.Key_Return, Qt.Key.Key_Backspace
CONTROL = Qt.KeyboardModifier.ControlModifier


def meant(screen: JudgingScreen) -> str:
    """The key of what is right: the toy's similar terms say so."""
    return "1" if " s" in terms(screen)[0] else "2"


def judge(qtbot: QtBot, screen: JudgingScreen, most: int = 100) -> int:
    """Judges what is right until there is nothing more, or long enough; returns how much."""
    for count in range(most):
        if not screen.pair.isVisible():
            if not screen.sheet.go_on.isVisible():
                return count
            press(qtbot, screen, ENTER)
        press(qtbot, screen, meant(screen))
    return most


def save(qtbot: QtBot, screen: JudgingScreen, path: Path, patch: pytest.MonkeyPatch) -> Path:
    """Saves the answers by the key; which file, the dialog of the system would ask."""
    patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(qtbot, screen, "s", CONTROL)
    qtbot.waitUntil(lambda: str(path) in screen.notice.text, timeout=LONG)
    return path


def test_two_annotators_judge_by_keyboard(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = make_pack(tmp_path)

    # Anna practises, takes one back, comments, puts one off, closes, and goes on
    with judging(qapp, pack, tmp_path) as screen:
        assert judge(qtbot, screen, 4) == 4
        last = terms(screen)
        press(qtbot, screen, BACK)
        assert terms(screen) != last
        press(qtbot, screen, "c")
        qtbot.keyClicks(screen.pair.comment, "1 or 2")
        press(qtbot, screen, ENTER)
        press(qtbot, screen, meant(screen))
        assert terms(screen) == last
        press(qtbot, screen, "l")
        early = save(qtbot, screen, tmp_path / "early.termanswers", monkeypatch)
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        assert judge(qtbot, screen) == 7
        assert screen.sheet.heading.text().startswith("All is judged")
        assert "9 of 9 pairs are judged" in screen.sheet.words.text()
        anna = save(qtbot, screen, tmp_path / "anna.termanswers", monkeypatch)

    # Ben does not know anything, by the letter
    with opened(tmp_path / "author") as author:
        pack = sent(author, 1, BEN, tmp_path)
    with judging(qapp, pack, tmp_path / "ben") as screen:
        while screen.sheet.isVisible() and screen.sheet.go_on.isVisible():
            press(qtbot, screen, ENTER)
            while screen.pair.isVisible():
                press(qtbot, screen, "d")
        ben = save(qtbot, screen, tmp_path / "ben.termanswers", monkeypatch)

    # the author merges all three files; what was said is there once, and right
    with opened(tmp_path / "author") as author:
        merged = merge_answers(author, [anna, ben, early])
        assert [each.new_rows for each in merged] == [14, 11, 0]
        assert check_log(author) == 25
        assert [(seat.annotator, seat.judged) for seat in study_status(author, 1).seats] == [
            (ANNA, 9), (BEN, 9),
        ]  # fmt: skip
        said = [each for each in judgements(author, 1) if each.annotator == ANNA]
        assert [each.answer.note for each in said if each.answer.note] == ["1 or 2"]
        for each in said:
            right = "same" if " s" in each.pair.subject else "not same"
            assert each.answer.answer == right
