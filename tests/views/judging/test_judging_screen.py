"""The judging screen by keyboard: what is shown, what is kept, what comes back."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from judging_windows import judging, make_pack, press, settle, terms
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from toy_studies import opened
from toy_window import LONG

from termexplorer.errors import UserError
from termexplorer.services.studies.answer_lines import read_answers
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.presets import Scale
from termexplorer.services.studies.status import judgements
from termexplorer.services.verdicts.log import check_log
from termexplorer.store.judging.studies import AnswerChoice, Entry, LookUp
from termexplorer.views.judging.answer_buttons import AnswerButtons
from termexplorer.views.judging.attention_clock import LONGEST_THOUGHT, AttentionClock
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.judging.term_cards import TermCards

ENTER, BACK, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Escape
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path)


@pytest.fixture
def screen(qapp: QApplication, pack: Path, tmp_path: Path) -> Iterator[JudgingScreen]:
    with judging(qapp, pack, tmp_path) as shown:
        yield shown


def kept(tmp_path: Path) -> list[tuple[int, str, str, bool]]:
    """What a program that starts now would find: place, answer, note, looked up."""
    with opened(tmp_path / "clinic") as workspace:
        answers = Judging(workspace, 1, "Anna Berg").said
        return [
            (turn.place, answer.answer, answer.note, bool(answer.details["looked_up"]))
            for turn, answer in answers.items()
        ]


def test_a_key_a_pair(qtbot: QtBot, screen: JudgingScreen, tmp_path: Path) -> None:
    assert "Anna Berg" in screen.sheet.words.text()
    assert "consultation note" in screen.sheet.text.toPlainText()
    assert str(tmp_path / "clinic") in screen.sheet.words.text()
    press(qtbot, screen, ENTER)
    first = terms(screen)
    assert screen.head.message.text() == "Practice: 0 of 2"
    press(qtbot, screen, "1")
    assert terms(screen) != first
    assert screen.message.text() == "Kept: same"
    press(qtbot, screen, "n")
    assert screen.sheet.heading.text() == "Practice is over"
    assert screen.head.message.text().startswith("0 of 9 · ")
    press(qtbot, screen, "1")  # there is nothing that this could be said of
    assert kept(tmp_path) == [(0, "same", "", False), (1, "not same", "", False)]
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "d")
    assert kept(tmp_path)[-1] == (2, "don't know", "", False)
    assert screen.head.message.text().startswith("1 of 9 · ")


def test_a_message_leaves_free_what_was_kept(qtbot: QtBot, screen: JudgingScreen) -> None:
    screen.notices.error("something long " * 20, "Do it", lambda: None)
    qtbot.waitUntil(screen.notice.isVisible)
    qtbot.waitUntil(lambda: not screen.notice.geometry().intersects(screen.message.geometry()))
    screen.window().resize(900, 640)
    qtbot.waitUntil(lambda: screen.rect().contains(screen.notice.geometry()))
    qtbot.waitUntil(lambda: not screen.notice.geometry().intersects(screen.message.geometry()))


def test_nothing_tells_where_a_pair_came_from(screen: JudgingScreen, pack: Path) -> None:
    shown = json.loads(pack.read_text("utf-8"))["content"]
    assert set(shown) == {
        "study", "title", "question", "level", "guidelines", "answers", "annotator", "practice",
        "pairs",
    }  # fmt: skip
    assert screen.window().windowTitle().startswith("A study")


def test_all_is_taken_back_and_brought_back(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    press(qtbot, screen, ENTER)
    first = terms(screen)
    press(qtbot, screen, "1")
    press(qtbot, screen, "2")
    press(qtbot, screen, BACK)
    press(qtbot, screen, "z", CONTROL)
    assert (terms(screen), kept(tmp_path)) == (first, [])
    press(qtbot, screen, BACK)
    assert screen.message.text() == "Nothing to undo"
    assert terms(screen) == first
    press(qtbot, screen, "z", CONTROL | SHIFT)
    press(qtbot, screen, "z", CONTROL | SHIFT)
    assert [row[:2] for row in kept(tmp_path)] == [(0, "same"), (1, "not same")]
    press(qtbot, screen, "z", CONTROL | SHIFT)
    assert screen.message.text() == "Nothing to redo"


def test_a_comment_goes_with_the_answer_and_is_never_lost(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "1")
    press(qtbot, screen, "c")
    qtbot.keyClicks(screen.pair.comment, "12 l")
    press(qtbot, screen, BACK)  # of the comment, not of the answer
    assert screen.pair.comment.text() == "12 "
    assert len(kept(tmp_path)) == 1
    press(qtbot, screen, ENTER)
    press(qtbot, screen, BACK)
    assert screen.pair.comment.text() == ""
    press(qtbot, screen, "1")
    assert screen.pair.comment.text() == "12 "
    press(qtbot, screen, "2")
    assert kept(tmp_path)[-1] == (1, "not same", "12 ", False)
    press(qtbot, screen, BACK)
    assert screen.pair.comment.text() == "12 "


def test_what_is_put_off_comes_back(qtbot: QtBot, screen: JudgingScreen, tmp_path: Path) -> None:
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "1")
    press(qtbot, screen, "1")
    press(qtbot, screen, ENTER)
    put_off = terms(screen)
    press(qtbot, screen, "l")
    for _ in range(8):
        assert screen.pair.isVisible()
        press(qtbot, screen, "2")
    assert screen.sheet.heading.text() == "All were shown once"
    assert "8 of 9 pairs are judged; 1 put off" in screen.sheet.words.text()
    press(qtbot, screen, ENTER)
    assert terms(screen) == put_off
    press(qtbot, screen, "l")
    assert terms(screen) == put_off
    press(qtbot, screen, "3")
    assert screen.sheet.heading.text().startswith("All is judged")
    press(qtbot, screen, BACK)
    assert terms(screen) == put_off
    assert len(kept(tmp_path)) == 11


def test_guidelines_are_one_key_away(qtbot: QtBot, screen: JudgingScreen) -> None:
    press(qtbot, screen, ENTER)
    pair = terms(screen)
    for back in (Qt.Key.Key_F1, ENTER, ESCAPE):
        press(qtbot, screen, Qt.Key.Key_F1)
        assert screen.sheet.text.isVisible()
        press(qtbot, screen, "1")
        press(qtbot, screen, back)
        assert terms(screen) == pair
    press(qtbot, screen, "1")
    assert terms(screen) != pair


def test_guidelines_are_one_key_away_where_no_pair_waits(
    qtbot: QtBot, screen: JudgingScreen
) -> None:
    for key in (ENTER, "1", "1", ENTER, *"111111111"):
        press(qtbot, screen, key)  # type: ignore[arg-type]
    heading = screen.sheet.heading.text()
    assert heading.startswith("All is judged")
    assert not screen.sheet.text.isVisible()
    press(qtbot, screen, Qt.Key.Key_F1)
    assert screen.sheet.text.isVisible()
    press(qtbot, screen, ENTER)
    assert (screen.sheet.heading.text(), screen.sheet.text.isVisible()) == (heading, False)
    press(qtbot, screen, BACK)
    assert screen.pair.isVisible()


def test_the_screen_is_filled_and_left(qtbot: QtBot, screen: JudgingScreen) -> None:
    press(qtbot, screen, ENTER)
    press(qtbot, screen, Qt.Key.Key_F11)
    assert screen.window().isFullScreen()
    press(qtbot, screen, Qt.Key.Key_F11)
    assert not screen.window().isFullScreen()


def test_what_cannot_be_written_stays_to_be_tried_again(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "1")
    pair = terms(screen)
    path = tmp_path / "clinic" / "workspace.sqlite"

    def full(*_: object) -> None:
        raise UserError(f"{path}: no room left on the disk; make room and try again")

    with monkeypatch.context() as patch:
        patch.setattr("termexplorer.services.studies.judging.give_verdict", full)
        press(qtbot, screen, "2")
        assert "Not kept yet" in screen.notice.text
        assert "make room and try again" in screen.notice.text
        assert (terms(screen), len(kept(tmp_path))) == (pair, 1)
    assert screen.notice.isVisible()
    press(qtbot, screen, "2")
    assert not screen.notice.isVisible()
    assert screen.sheet.heading.text() == "Practice is over"
    assert [row[:2] for row in kept(tmp_path)] == [(0, "same"), (1, "not same")]


def test_it_goes_on_where_it_stopped(
    qtbot: QtBot, qapp: QApplication, pack: Path, tmp_path: Path
) -> None:
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "1")
        pair = terms(screen)
        with pytest.raises(UserError, match="judged there in another window"):  # noqa: SIM117
            with judging(qapp, pack, tmp_path):
                pass
    with judging(qapp, pack, tmp_path) as screen:
        assert "You go on where you stopped" in screen.sheet.words.text()
        press(qtbot, screen, ENTER)
        assert terms(screen) == pair


def test_answers_go_back_as_a_file(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def choose(_parent: object, _title: str, usual: str, *_: str) -> tuple[str, str]:
        asked.append(usual)
        return usual, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "1")
    press(qtbot, screen, "s", CONTROL)
    qtbot.waitUntil(lambda: "Saved as" in screen.notice.text, timeout=LONG)
    assert asked == [str(tmp_path / "Anna Berg.termanswers")]
    assert "0 of 9 pairs are judged" in screen.notice.text
    with opened(tmp_path / "author") as author:
        (merged,) = merge_answers(author, [Path(asked[0])])
        assert (merged.annotator, merged.new_rows) == ("Anna Berg", 1)
        assert check_log(author) == 1
    taken = tmp_path / "taken.termanswers"
    taken.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(taken), ""))
    press(qtbot, screen, "s", CONTROL)
    qtbot.waitUntil(lambda: "is a folder; name a file" in screen.notice.text, timeout=LONG)
    press(qtbot, screen, "1")
    assert len(kept(tmp_path)) == 2


def test_a_verdict_is_on_the_disk_before_the_next_pair_shows(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    press(qtbot, screen, ENTER)
    counts = []

    def look(_text: str = "") -> None:
        with closing(sqlite3.connect(tmp_path / "clinic" / "workspace.sqlite")) as other:
            counts.append(other.execute("SELECT count(*) FROM verdict").fetchone()[0])

    shown = screen.pair.cards.show_terms
    screen.pair.cards.show_terms = lambda *texts: (look(), shown(*texts))  # type: ignore
    press(qtbot, screen, "1")
    assert counts == [1]


def choices(*answers: str) -> list[AnswerChoice]:
    return [AnswerChoice(answer) for answer in answers]


def test_answers_of_the_author_have_their_keys_and_hints_while_practising(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    lines = ["e: equal = 2 (alike) [both in one note]", "partly = 1", "no = 0", "x: cannot tell"]
    scale = Scale("How near?", "interval", "Look twice.", read_answers(lines, "interval"), "partly")
    pack = make_pack(tmp_path, scale=scale, practice=1)
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        assert screen.pair.hints.text() == "equal: both in one note"
        assert screen.pair.hints.isVisible()
        press(qtbot, screen, "x")
        press(qtbot, screen, ENTER)
        assert not screen.pair.hints.isVisible()
        press(qtbot, screen, "e")
        press(qtbot, screen, "2")
    with opened(tmp_path / "clinic") as clinic:
        answers = [judgement.answer.answer for judgement in judgements(clinic, 1)]
    assert answers == ["cannot tell", "equal", "partly"]


def test_what_was_right_in_practice_goes_with_its_pair(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    with judging(qapp, make_pack(tmp_path, tell_practice=True), tmp_path) as screen:
        press(qtbot, screen, ENTER)
        first = terms(screen)
        right, wrong = ("1", "2") if " s" in first[0] else ("2", "1")
        press(qtbot, screen, wrong)
        assert screen.sheet.isVisible()
        assert screen.sheet.heading.text().startswith("✗")
        assert screen.sheet.words.text().split("\n") == list(first)
        assert not screen.message.text()
        press(qtbot, screen, BACK)
        assert terms(screen) == first
        press(qtbot, screen, right)
        assert screen.sheet.heading.text().startswith("✓")
        press(qtbot, screen, ENTER)
        assert terms(screen) != first
        assert screen.pair.isVisible()
        press(qtbot, screen, "1")
        press(qtbot, screen, ENTER)
        assert screen.sheet.heading.text() == "Practice is over"
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "1")
        assert screen.pair.isVisible()  # nothing is told of pairs that count


def test_buttons_say_their_keys_and_keep_in_a_narrow_window(qtbot: QtBot) -> None:
    choices = [AnswerChoice("0", "not related"), AnswerChoice("don't know"), AnswerChoice("R&D")]
    buttons = AnswerButtons(choices)
    qtbot.addWidget(buttons)
    assert [button.text() for button in buttons.buttons.values()] == [
        "0  not related", "Don't know   (D)", "R&&D   (R)",
    ]  # fmt: skip
    buttons.resize(200, 300)
    buttons.show()
    qtbot.waitUntil(lambda: len({button.y() for button in buttons.buttons.values()}) == 3)
    with qtbot.waitSignal(buttons.answered) as signal:
        buttons.buttons["R&D"].click()
    assert signal.args == ["R&D"]


@pytest.mark.parametrize("size", [(592, 110), (592, 200), (1080, 320), (2400, 900)])
@pytest.mark.parametrize(
    "text", ["RSV", "Acute bronchiolitis due to RSV", "a" * 300, "lung disease " * 150]
)
def test_terms_are_never_cut(qtbot: QtBot, text: str, size: tuple[int, int]) -> None:
    cards = TermCards()
    qtbot.addWidget(cards)
    cards.resize(*size)
    cards.show_terms(text, "another term")
    cards.show()
    qtbot.waitUntil(lambda: cards.seen, timeout=LONG)
    for label in (cards.left, cards.right):
        assert label.height() >= label.heightForWidth(label.width())
        assert label.mapTo(cards, label.rect().bottomRight()).x() <= cards.width()


def test_only_the_time_counts_in_which_somebody_was_there() -> None:
    at = [100.0]
    clock = AttentionClock(lambda: at[0])
    at[0] += 3
    clock.be_there(False)
    at[0] += 50
    clock.be_there(True)
    at[0] += 2
    assert (clock.active_ms, clock.wall_ms) == (5_000, 55_000)
    clock.touch()
    at[0] += 10 * LONGEST_THOUGHT
    assert clock.active_ms == 5_000 + LONGEST_THOUGHT * 1_000
    clock.start()
    assert (clock.active_ms, clock.wall_ms) == (0, 0)


def test_a_screen_reader_is_told_what_is_asked(qtbot: QtBot, screen: JudgingScreen) -> None:
    window = QAccessible.queryAccessibleInterface(screen.window())
    assert window.role() is QAccessible.Role.Window, "Orca is silent in anything else"
    focused = screen.window().focusWidget()
    assert focused is not None
    read = focused.accessibleDescription()
    assert read.startswith("A study\nYou judge as ")
    assert read.endswith(screen.sheet.text.toPlainText())
    press(qtbot, screen, ENTER)
    settle(qtbot, screen)
    description = screen.pair.accessibleDescription()
    assert all(term in description for term in terms(screen))
    assert "Do these two terms mean the same? 1 same, 2 not same, 3 don't know" in description
    assert screen.pair.cards.left.accessibleName() == terms(screen)[0]
    assert screen.pair.hasFocus()


def test_nothing_can_be_looked_up_unless_the_study_allows_it(screen: JudgingScreen) -> None:
    assert not screen.pair.look_up.keys
    assert not screen.pair.look_up.isVisibleTo(screen.pair)


def test_that_a_term_was_looked_up_is_kept(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_pages: list[str] = []

    def open_page(url: QUrl) -> bool:
        opened_pages.append(url.url())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_page)
    allowed = LookUp(True, (Entry("left", "not right"), Entry("nothing", "of the sort")))
    pack = make_pack(tmp_path, look_up=allowed)
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        left, right = terms(screen)
        press(qtbot, screen, "w")
        press(qtbot, screen, "w", SHIFT)
        assert [page.partition("q=")[2].replace("+", " ") for page in opened_pages] == [left, right]
        press(qtbot, screen, "1")
        press(qtbot, screen, "2")
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "g")
        assert screen.pair.look_up.text.toPlainText() == "left: not right"
        press(qtbot, screen, "l")
        assert not screen.pair.look_up.text.isVisible()
        press(qtbot, screen, BACK)
        press(qtbot, screen, "3")
        press(qtbot, screen, "3")
    assert kept(tmp_path) == [
        (0, "same", "", True), (1, "not same", "", False), (2, "don't know", "", True),
        (3, "don't know", "", False),
    ]  # fmt: skip


def test_what_no_browser_could_look_up_is_said_and_not_kept(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    pack = make_pack(tmp_path, look_up=LookUp(True, ()))
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "w")
        assert "No web browser" in screen.message.text()
        press(qtbot, screen, "1")
    assert kept(tmp_path) == [(0, "same", "", False)]


def test_time_in_the_browser_that_was_opened_counts() -> None:
    at = [0.0]
    clock = AttentionClock(lambda: at[0])
    clock.go_elsewhere()
    at[0] += 2
    clock.be_there(False)  # the browser is in front
    at[0] += 30
    clock.be_there(True)
    at[0] += 1
    assert clock.active_ms == 33_000
    clock.be_there(False)  # something else is
    at[0] += 30
    clock.be_there(True)
    assert (clock.active_ms, clock.wall_ms) == (33_000, 63_000)
    clock.go_elsewhere()
    clock.be_there(False)
    at[0] += 10 * LONGEST_THOUGHT  # nobody is believed to read so long
    clock.be_there(True)
    assert clock.active_ms == 33_000 + LONGEST_THOUGHT * 1_000
    clock.go_elsewhere()
    clock.start()
    clock.be_there(False)  # another pair is on show, of which nothing was looked up
    at[0] += 5
    assert clock.active_ms == 0


def test_the_browser_in_front_counts_for_the_pair(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [0.0]
    monkeypatch.setattr(
        "termexplorer.views.judging.timed_screen.AttentionClock",
        partial(AttentionClock, lambda: at[0]),
    )
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    pack = make_pack(tmp_path, look_up=LookUp(True, ()))
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "w")
        browser = QWidget()
        qtbot.addWidget(browser)
        browser.show()
        browser.activateWindow()
        qtbot.waitUntil(browser.isActiveWindow, timeout=LONG)
        at[0] += 20
        press(qtbot, screen, "1")
    with opened(tmp_path / "clinic") as clinic:
        (answer,) = Judging(clinic, 1, "Anna Berg").said.values()
    assert answer.details["active_ms"] == 20_000


def test_no_time_counts_while_another_window_is_looked_at(
    qtbot: QtBot, screen: JudgingScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    presences: list[bool] = []
    monkeypatch.setattr(AttentionClock, "be_there", lambda _clock, now: presences.append(now))
    press(qtbot, screen, ENTER)
    presences.clear()
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: presences[-1:] == [False], timeout=LONG)
    screen.window().activateWindow()
    qtbot.waitUntil(lambda: presences[-1:] == [True], timeout=LONG)


def test_letters_follow_the_zoom(qtbot: QtBot, screen: JudgingScreen) -> None:
    press(qtbot, screen, ENTER)
    before = screen.pair.cards.left.font().pointSizeF()
    press(qtbot, screen, "+", CONTROL)
    qtbot.waitUntil(lambda: screen.pair.cards.left.font().pointSizeF() > before, timeout=LONG)
    press(qtbot, screen, "0", CONTROL)
    qtbot.waitUntil(lambda: screen.pair.cards.left.font().pointSizeF() == before, timeout=LONG)
    press(qtbot, screen, "1")
    assert screen.message.text() == "Kept: same"
