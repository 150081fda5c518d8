"""Earlier answers are changed one by one, and a saved file that lacks something is told."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from judging_windows import judging, make_pack, press, terms
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, SEEN, make, opened
from toy_window import LONG

from termexplorer.services.studies.judging import Judging, Turn
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import check_log
from termexplorer.store.judging.verdicts import Judge, history
from termexplorer.views.judging.answers_file import name_answers_file
from termexplorer.views.judging.attention_clock import AttentionClock
from termexplorer.views.judging.screen import JudgingScreen

ENTER, BACK, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Escape
DOWN, F1, F2 = Qt.Key.Key_Down, Qt.Key.Key_F1, Qt.Key.Key_F2
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path)


@pytest.fixture
def screen(qapp: QApplication, pack: Path, tmp_path: Path) -> Iterator[JudgingScreen]:
    with judging(qapp, pack, tmp_path) as shown:
        yield shown


def said(tmp_path: Path) -> dict[int, str]:
    """What counts, by the places of the turns."""
    with opened(tmp_path / "clinic") as clinic:
        counts = Judging(clinic, 1, ANNA).said
        return {turn.place: answer.answer for turn, answer in sorted(counts.items(), key=place_of)}


def place_of(item: tuple[Turn, object]) -> int:
    return item[0].place


def rows(tmp_path: Path) -> int:
    with opened(tmp_path / "clinic") as clinic:
        return check_log(clinic)


def listed(screen: JudgingScreen) -> list[tuple[object, ...]]:
    model = screen.list.table.model()
    return [
        tuple(model.index(row, column).data() for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]


def answer_first(qtbot: QtBot, screen: JudgingScreen, count: int) -> list[tuple[str, str]]:
    """Judges so many pairs, practice too, all the same; returns their terms."""
    shown = []
    while len(shown) < count:
        if not screen.pair.isVisible():
            press(qtbot, screen, ENTER)
        shown.append(terms(screen))
        press(qtbot, screen, "1")
    if not screen.pair.isVisible():
        press(qtbot, screen, ENTER)
    return shown


def test_one_answer_of_long_ago_is_changed_and_no_other(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    shown = answer_first(qtbot, screen, 6)
    pending = terms(screen)
    press(qtbot, screen, "c")
    qtbot.keyClicks(screen.pair.comment, "a draft")
    press(qtbot, screen, ENTER)
    press(qtbot, screen, F2)
    assert [row[1:3] for row in listed(screen)] == shown[::-1]
    assert {row[3] for row in listed(screen)} == {"same"}
    for _ in range(4):
        press(qtbot, screen, DOWN)
    press(qtbot, screen, ENTER)
    assert terms(screen) == shown[1]
    assert "Your answer: same" in screen.message.text()
    press(qtbot, screen, "c")
    qtbot.keyClicks(screen.pair.comment, "I erred")
    press(qtbot, screen, ENTER)
    press(qtbot, screen, "2")
    assert screen.message.text() == "Changed: same → not same"
    assert (terms(screen), screen.pair.comment.text()) == (pending, "a draft")
    assert said(tmp_path) == {0: "same", 1: "not same", **dict.fromkeys(range(2, 6), "same")}
    assert rows(tmp_path) == 7
    press(qtbot, screen, BACK)  # takes back the change alone
    assert terms(screen) == shown[1]
    assert said(tmp_path) == dict.fromkeys(range(6), "same")
    press(qtbot, screen, "3")
    assert (terms(screen), screen.pair.comment.text()) == (pending, "a draft")
    assert said(tmp_path)[1] == "don't know"


def test_what_is_looked_at_again_may_stay_as_it_is(
    qtbot: QtBot, screen: JudgingScreen, tmp_path: Path
) -> None:
    shown = answer_first(qtbot, screen, 4)
    pending = terms(screen)
    for leave in (ESCAPE, F2):
        press(qtbot, screen, F2)
        assert screen.list.isVisible()
        press(qtbot, screen, "1")  # there is no pair that this could be said of
        press(qtbot, screen, BACK)
        press(qtbot, screen, leave)
        assert terms(screen) == pending
    press(qtbot, screen, F2)
    press(qtbot, screen, ENTER)
    assert terms(screen) == shown[-1]
    press(qtbot, screen, F1)
    press(qtbot, screen, F1)
    assert terms(screen) == shown[-1]
    press(qtbot, screen, ESCAPE)
    assert terms(screen) == pending
    assert rows(tmp_path) == 4


def test_answers_are_changed_after_the_last_one_and_after_a_restart(
    qtbot: QtBot, qapp: QApplication, pack: Path, tmp_path: Path
) -> None:
    with judging(qapp, pack, tmp_path) as screen:
        while screen.pair.isVisible() or screen.sheet.go_on.isVisible():
            press(qtbot, screen, "1" if screen.pair.isVisible() else ENTER)
        assert screen.sheet.heading.text().startswith("All is judged")
        press(qtbot, screen, F2)
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "l")
        assert screen.sheet.heading.text() == "All were shown once"
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "2")
        assert screen.sheet.heading.text().startswith("All is judged")
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, F2)
        screen.list.text.setText("not same")
        assert len(listed(screen)) == 1
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "1")
        assert screen.sheet.heading.text().startswith("All is judged")
    assert set(said(tmp_path).values()) == {"same"}


def test_nobody_sees_what_they_said_of_a_pair_while_it_is_asked_again(tmp_path: Path) -> None:
    with opened(tmp_path / "place") as workspace:
        make(workspace)
        work = Judging(workspace, 1, ANNA)
        again = next(turn for turn in work.turns if turn.showing > 1)
        first = next(
            turn for turn in work.turns
            if turn.showing == 1 and {turn.left, turn.right} == {again.left, again.right}
        )  # fmt: skip
        while (turn := work.current()) != again:
            assert turn is not None
            work.judge(turn, "same", SEEN)
        before = work.turns[work.turns.index(again) - 1]
        assert first in work.changeable(before)
        assert first not in work.changeable(again)
        work.judge(again, "not same", SEEN)
        assert again in work.changeable(work.current())
        assert first not in work.changeable(work.current())


def test_only_the_time_at_a_pair_counts_for_it(
    qtbot: QtBot, qapp: QApplication, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [1_000.0]
    clock = partial(AttentionClock, lambda: at[0])
    monkeypatch.setattr("termexplorer.views.judging.timed_screen.AttentionClock", clock)
    with judging(qapp, pack, tmp_path) as screen:
        answer_first(qtbot, screen, 3)
        at[0] += 5
        press(qtbot, screen, F2)
        at[0] += 50
        press(qtbot, screen, ENTER)
        at[0] += 7
        press(qtbot, screen, "2")
        at[0] += 1
        press(qtbot, screen, "1")
    with opened(tmp_path / "clinic") as clinic, clinic.store.reading() as connection:
        key = Judging(clinic, 1, ANNA).study.head.key
        *_, changed, then = history(connection, key, Judge(ANNA))
    assert changed.answer.details["active_ms"] == 7_000
    assert then.answer.details["active_ms"] == 6_000


def save(qtbot: QtBot, screen: JudgingScreen, path: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(qtbot, screen, "s", CONTROL)
    qtbot.waitUntil(lambda: "Saved as" in screen.notice.text, timeout=LONG)


def test_closing_tells_that_the_saved_file_lacks_something(
    qtbot: QtBot, qapp: QApplication, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.termanswers"
    with judging(qapp, pack, tmp_path) as screen:
        answer_first(qtbot, screen, 3)
        save(qtbot, screen, path, monkeypatch)
        assert screen.answers.outdated is None
    with judging(qapp, pack, tmp_path) as screen:  # also on another day
        press(qtbot, screen, ENTER)
        press(qtbot, screen, BACK)
        assert screen.answers.outdated == path
        window = screen.window()
        assert not window.close()
        assert "mine.termanswers lacks what you said" in screen.notice.text
        before = path.read_bytes()
        screen.notice._act.click()
        qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
        assert path.read_bytes() != before
    with judging(qapp, pack, tmp_path) as screen:
        assert screen.answers.outdated is None
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "2")
        assert not screen.window().close()
        assert screen.window().close()
    with judging(qapp, pack, tmp_path) as screen:
        assert screen.window().close() is False


def test_who_never_saved_closes_at_once(qtbot: QtBot, screen: JudgingScreen) -> None:
    answer_first(qtbot, screen, 3)
    assert screen.window().close()


def test_a_workspace_names_no_file_that_is_written_without_asking(
    qtbot: QtBot, qapp: QApplication, pack: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "precious"
    victim.write_text("precious", "utf-8")
    with judging(qapp, pack, tmp_path) as screen:
        answer_first(qtbot, screen, 3)
    with opened(tmp_path / "clinic") as clinic:
        key = f"judging/saved/{find_study(clinic, 1).head.key}"
    saved = QSettings(str(tmp_path / "clinic" / "window.ini"), QSettings.Format.IniFormat)
    saved.setValue(key, f"{ANNA}\t1\t{victim}")
    saved.sync()
    with judging(qapp, pack, tmp_path) as screen:
        assert screen.answers.outdated is None
        assert screen.window().close()
    assert victim.read_text("utf-8") == "precious"


@pytest.mark.parametrize(
    ("pack", "answers"),
    [
        ("x.termstudy", "x.termanswers"),
        ("x.termstudy.json", "x.termanswers"),
        ("X.TermStudy.JSON", "X.termanswers"),
        ("x.json", "x.termanswers"),
        ("A. Berg.termstudy", "A. Berg.termanswers"),
        ("round 1.2", "round 1.2.termanswers"),
    ],
)
def test_answers_are_named_as_their_pack_is(pack: str, answers: str) -> None:
    assert name_answers_file(Path("/packs", pack)) == Path("/packs", answers)
