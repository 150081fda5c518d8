"""A study of three annotators, each at a window by keyboard, from the packs to the report."""

import json
from pathlib import Path
from typing import Any

import pytest
from judging_windows import judging, make_pack, press, set_pause, settle, terms
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, opened, write_set
from toy_window import LONG
from typer.testing import CliRunner
from x_bot import ScreenBot

from termexplorer.cli.commands import app
from termexplorer.services.studies.judging import Judging
from termexplorer.views.judging.screen import JudgingScreen

CLEO = "Cleo"
ENTER, BACK = Qt.Key.Key_Return, Qt.Key.Key_Backspace
CONTROL = Qt.KeyboardModifier.ControlModifier


def meant(screen: JudgingScreen) -> str:
    """The key of what is right: the toy's similar terms say so."""
    return "1" if " s" in terms(screen)[0] else "2"


def judge(qtbot: QtBot, screen: JudgingScreen, key: str = "", most: int = 100) -> int:
    """Judges what is right, or all by one key, until nothing is left or for so many pairs."""
    for count in range(most):
        if not screen.pair.isVisible():
            if not screen.sheet.go_on.isVisible():
                return count
            press(qtbot, screen, ENTER)
        press(qtbot, screen, key or meant(screen))
    return most


def save(qtbot: QtBot, screen: JudgingScreen, path: Path, patch: pytest.MonkeyPatch) -> Path:
    """Saves the answers by the key; which file, the dialog of the system would ask."""
    patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(qtbot, screen, "s", CONTROL)
    qtbot.waitUntil(lambda: str(path) in screen.notice.text, timeout=LONG)
    return path


def test_keys_that_are_held_down_judge_one_pair(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    if not isinstance(qtbot, ScreenBot):
        pytest.skip("only an X server repeats keys")
    pack = make_pack(tmp_path)
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        for index, key in enumerate(("1", "2"), 1):  # also with no pause
            shown = terms(screen)
            qtbot.keyHold(screen.pair, key, repeats=12)
            settle(qtbot, screen)
            assert said_of(tmp_path) == index
            if index == 1:
                assert terms(screen) != shown
        press(qtbot, screen, ENTER)
        first = screen.pair.answers.buttons["same"]
        first.setFocus()
        qtbot.keyHold(first, Qt.Key.Key_Space, repeats=12)
        settle(qtbot, screen)
        assert said_of(tmp_path) == 3
        qtbot.keyHold(screen.pair, BACK, repeats=12)
        settle(qtbot, screen)
        assert said_of(tmp_path) == 2


def test_two_presses_in_a_row_judge_one_pair(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    pack = make_pack(tmp_path)
    with judging(qapp, pack, tmp_path) as screen:
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "1")
        set_pause(tmp_path, 600_000)
        press(qtbot, screen, "1")
        assert said_of(tmp_path) == 1
        assert "Not counted" in screen.message.text()


def said_of(folder: Path) -> int:
    """How many answers are on the disk."""
    with opened(folder / "clinic") as clinic:
        return len(Judging(clinic, 1, ANNA).said)


def test_three_annotators_judge_by_keyboard_and_their_study_is_reported(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def author(*words: object) -> dict[str, Any]:
        workspace_option = ["--workspace", str(tmp_path / "author"), "--json"]
        done = CliRunner().invoke(app, [*map(str, words), *workspace_option])
        assert done.exit_code == 0, done.output
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    # the author draws eight pairs, two to practise and one twice, and sends three packs
    sets = tmp_path / "sets"
    sets.mkdir()
    new: list[object] = [
        "--each",
        2,
        "--practice",
        2,
        "--repeat",
        0.125,
        "--seed",
        1,
        "--title",
        "A study",
    ]
    for name in ("one", "two"):
        new += ["--pairs", write_set(sets, name, 6, 6)]
    for name in (ANNA, BEN, CLEO):
        new += ["--annotator", name]
    answer = author("study", "new", *new)
    assert answer["annotators"] == [
        {"annotator": name, "questions": 11} for name in (ANNA, BEN, CLEO)
    ]
    packs = {name: tmp_path / f"{name}.termstudy" for name in (ANNA, BEN, CLEO)}
    for name, pack in packs.items():
        assert author("study", "export", 1, "--annotator", name, "--out", pack)["questions"] == 11

    # Anna is right; she practises, takes one back, comments, puts one off, closes, and goes on
    with judging(qapp, packs[ANNA], tmp_path) as screen:
        assert judge(qtbot, screen, most=4) == 4
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
    with judging(qapp, packs[ANNA], tmp_path) as screen:
        press(qtbot, screen, ENTER)
        assert judge(qtbot, screen) == 7
        assert screen.sheet.heading.text().startswith("All is judged")
        assert "9 of 9 pairs are judged" in screen.sheet.words.text()
        anna = save(qtbot, screen, tmp_path / "anna.termanswers", monkeypatch)

    # Ben does not know anything, by the letter; to Cleo all is the same
    with judging(qapp, packs[BEN], tmp_path / "ben") as screen:
        judge(qtbot, screen, "d")
        ben = save(qtbot, screen, tmp_path / "ben.termanswers", monkeypatch)
    with judging(qapp, packs[CLEO], tmp_path / "cleo") as screen:
        judge(qtbot, screen, "1")
        cleo = save(qtbot, screen, tmp_path / "cleo.termanswers", monkeypatch)

    # the author merges all files, one of them an early one: what was said is there once
    merged = author("study", "merge", cleo, anna, ben, early)["files"]
    assert [merged_file["new_rows"] for merged_file in merged] == [11, 14, 11, 0]
    assert author("verdicts", "check") == {"rows": 36}
    (study,) = author("study", "show", 1)["studies"]
    assert [seat["judged"] for seat in study["annotators"]] == [9, 9, 9]
    assert study["complete"] == study["pairs"] == 8
    author("verdicts", "export", "--study", 1, "--out", tmp_path / "said.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    assert [row["note"] for row in rows if row["note"]] == ["1 or 2"]
    for row in rows:
        right = "same" if " s" in row["subject"] else "not same"
        assert row["answer"] == {ANNA: right, BEN: "don't know", CLEO: "same"}[row["annotator"]]

    # no majority on what is not the same, until Dora decides; then the labels are all right
    open_ones = author("study", "adjudicate", 1, "--list")
    assert (open_ones["found"], open_ones["decided"]) == (4, 0)
    for pair in open_ones["pairs"]:
        assert " d" in pair["terms"][0]
        decide = ["--pair", pair["pair"], "--answer", "not same", "--adjudicator", "Dora"]
        content = author("study", "adjudicate", 1, *decide)
    assert (content["decided"], content["pairs"]) == (4, [])
    page = tmp_path / "report.html"
    report = author("study", "report", 1, "--out", page)
    assert (report["without_majority"], report["without_truth"]) == (4, 0)
    assert {decision["adjudicator"] for decision in report["decisions"]} == {"Dora"}
    figures = {figure["metric"]: figure["value"] for figure in report["labels"][0]["figures"]}
    assert (figures["accuracy"], figures["recall"], figures["precision"]) == (1, 1, 1)
    assert "Dora" in page.read_text("utf-8")
