"""Pair sets on the Judge page: made, looked at, sorted, exported, and taken to Evaluate."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, show

from termexplorer.desk import WindowController
from termexplorer.services.pairs.folders import made_folders
from termexplorer.services.pairs.sets import easy_by_threshold
from termexplorer.views.evaluate.page import EvaluatePage
from termexplorer.views.judge.page import JudgePage
from termexplorer.views.judge.pair_sets import PairSetsPart

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def pair_sets(desk: WindowController) -> PairSetsPart:
    page = show(desk, "judge")
    assert isinstance(page, JudgePage)
    page.show_part("Pair sets")
    return page.pair_sets


def rows(part: PairSetsPart) -> list[list[str]]:
    model = part.results.model
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def make(qtbot: QtBot, desk: WindowController) -> PairSetsPart:
    part = pair_sets(desk)
    qtbot.waitUntil(part.form.make.isEnabled)
    part.form.sources.setFocus()
    qtbot.keyClick(part.form.sources, Qt.Key.Key_Return, CONTROL)
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: part.results.folder is not None)
    return part


def test_an_empty_workspace_says_what_to_do_first(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    part = pair_sets(open_desk(tmp_path / "empty"))
    assert "Import an ontology first (Ctrl+I)" in part.results.table.hint
    assert part.form.make.toolTip() == "Import an ontology first (Ctrl+I)"
    assert not part.form.make.isEnabled()
    assert not part.results.evaluate.isEnabled()
    assert part.results.evaluate.toolTip() == "Make pair sets first"


def test_sets_are_made_by_keys_and_come_back(
    qtbot: QtBot,
    desk: WindowController,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = make(qtbot, desk)
    (folder,) = made_folders(desk.shared.workspace)
    assert part.results.folder == folder
    shown = rows(part)
    preferred = "preferred or fully specified name – synonym"
    assert {row[0] for row in shown} >= {preferred, "replaced by"}
    assert "no pairs: possibly equivalent to, consider; same as" in part.results.facts.text()
    assert "Made" in desk.window.notice.text

    table = part.results.table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(table, Qt.Key.Key_Right)
    qtbot.keyClick(table, Qt.Key.Key_S, CONTROL | SHIFT)
    assert [row[1] for row in rows(part)] == sorted(row[1] for row in shown)

    path = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    part.results.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        result = list(csv.DictReader(file))
    assert [row["difficulty"] for row in result] == [row[1].lower() for row in rows(part)]

    part.form.threshold.setValue(7)
    workspace_folder = desk.shared.workspace.folder
    desk.close()
    again = pair_sets(open_desk(workspace_folder))
    qtbot.waitUntil(lambda: again.results.folder == folder)
    assert rows(again) == shown
    assert again.form.threshold.value() == 7


def test_a_folder_that_was_removed_since_is_not_missed(
    qtbot: QtBot, desk: WindowController, open_desk: Callable[[Path], WindowController]
) -> None:
    folder = make(qtbot, desk).results.folder
    assert folder is not None
    workspace_folder = desk.shared.workspace.folder
    desk.close()
    shutil.rmtree(folder)
    again, messages = open_desk(workspace_folder), []
    again.shared.notices.notice_shown.connect(lambda notice: messages.append(notice.text))
    part = make(qtbot, again)
    assert part.results.folder == folder
    assert messages
    assert not [text for text in messages if "no pair sets" in text]


def test_the_effect_of_a_threshold_is_drawn_before_anything_is_made(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    part = pair_sets(desk)
    qtbot.waitUntil(part.form.count.isEnabled)
    results = part.results
    assert not results.plot.isVisible()
    part.form.count.click()
    assert not part.form.make.isEnabled()
    idle(qtbot, desk)
    qtbot.waitUntil(results.plot.isVisible)
    assert made_folders(desk.shared.workspace) == []
    assert "preferred or fully specified name – synonym" in results.plot.names
    texts = set()
    for threshold in (0, 12, 40):
        part.form.threshold.setValue(threshold)
        texts.add(results.effect.text())
        assert results.effect.text() == results.plot.plot.accessibleDescription()
    assert len(texts) == 3
    assert "Easy up to 40 edits: 100% of" in results.effect.text()
    results.plot.save(tmp_path / "effect.svg")
    assert (tmp_path / "effect.svg").stat().st_size > 0


def test_the_curve_is_that_of_what_was_made(qtbot: QtBot, desk: WindowController) -> None:
    part = make(qtbot, desk)
    shown = part.results._shown
    assert shown is not None
    for name in part.results.plot.names:
        assert part.results.plot.points(name) == 31
    assert easy_by_threshold(shown.pair_sets, "preferred_synonym")[-1] == 1


def test_encoders_are_evaluated_on_what_was_made(qtbot: QtBot, desk: WindowController) -> None:
    part = make(qtbot, desk)
    part.results.evaluate.click()
    page = desk.window.page("evaluate")
    assert isinstance(page, EvaluatePage)
    assert page.isVisible()
    assert page.form.tasks.tasks == ("pairs",)
    assert page.form.pairs.paths == (part.results.folder,)


def test_what_was_cancelled_can_be_made_again(qtbot: QtBot, desk: WindowController) -> None:
    part = pair_sets(desk)
    qtbot.waitUntil(part.form.make.isEnabled)
    part.form.make.click()
    assert "below" in part.form.make.toolTip()
    qtbot.waitUntil(lambda: bool(desk.shared.jobs.running()))
    desk.window.job_bar.cancel.click()
    idle(qtbot, desk)
    assert "Stopped" in desk.window.notice.text
    part.form.make.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: part.results.folder is not None, timeout=LONG)


def test_a_folder_that_holds_something_else_is_told(
    qtbot: QtBot, desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = pair_sets(desk)
    qtbot.waitUntil(part.form.make.isEnabled)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    part.form.choose.click()
    assert part.form.folder == tmp_path
    part.form.make.click()
    idle(qtbot, desk)
    assert "holds other files" in desk.window.notice.text
    assert part.form.make.isEnabled()
    part.results.open.click()
    qtbot.waitUntil(lambda: "no pair sets" in desk.window.notice.text)
    part.form.usual.click()
    assert part.form.folder != tmp_path


def test_pairs_of_a_set_are_looked_at_and_left_out_of_the_export(
    qtbot: QtBot, desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = make(qtbot, desk)
    workspace_folder = part.results.folder
    assert workspace_folder is not None
    titles = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n"
    rows = ("measles\trubeola\t1\tT:1\tT:1\t6\n", "measles\tflu NOS\t0\tT:1\tT:2\t7\n")
    for path in workspace_folder.glob("*.tsv"):
        path.write_text(titles + "".join(rows), encoding="utf-8")
    part.results.pairs.click()
    view = part.pairs
    source = view.sets.currentData()
    whole = _read_pairs(source)
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    assert [tuple(row[:2]) for row in view.model.rows] == [(r["left"], r["right"]) for r in whole]

    assert part.entrance() is view.sets
    assert not part.form.isVisible(), "the pairs have the room of the page"
    view.filter.text.setText("nos")
    qtbot.waitUntil(lambda: [row[1] for row in view.model.rows] == ["rubeola"])
    assert "1 pair left out" in view.message.text()
    view.left_out.click()
    qtbot.waitUntil(lambda: [row[1] for row in view.model.rows] == ["flu NOS"])
    assert view.model.rows[0][-1] == "a text in it"

    out = tmp_path / "fewer.tsv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    view.export.click()
    qtbot.waitUntil(lambda: "fewer.tsv" in desk.window.notice.text)
    assert "1 pair left out" in desk.window.notice.text
    assert [row["right"] for row in _read_pairs(out)] == ["rubeola"]
    assert _read_pairs(source) == whole
    out.unlink()
    view.filter.text.setText("no such term")
    view.export.click()  # before the table shows what was typed
    qtbot.waitUntil(out.exists)
    assert [row["right"] for row in _read_pairs(out)] == ["rubeola"]
    qtbot.waitUntil(lambda: view.model.rowCount() == 0)
    view.filter.text.setText("nos")
    qtbot.waitUntil(lambda: view.model.rowCount() == 1)

    folder = tmp_path / "all"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    view.export_all.click()
    qtbot.waitUntil(lambda: str(folder) in desk.window.notice.text)
    exported = [_read_pairs(path) for path in folder.glob("*.tsv")]
    assert len(exported) == view.sets.count()
    assert all([row["right"] for row in pairs] == ["rubeola"] for pairs in exported)
    view.export_all.click()
    qtbot.waitUntil(lambda: "is there already" in desk.window.notice.text)
    qtbot.keyClick(view.table, Qt.Key.Key_Escape)
    assert part.results.isVisible()


def _read_pairs(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
