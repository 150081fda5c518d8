"""The pairs of a study with what was said of them, on the Judge page."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractItemView, QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, SEEN, make, opened
from toy_window import LONG, pick, show

from termexplorer.desk import WindowController
from termexplorer.services.pairs.filter import TEXT
from termexplorer.services.studies.adjudication.deciding import decide as decide_pair
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import DISAGREEMENT, disputed
from termexplorer.services.studies.judging import Judging
from termexplorer.views.judge.studies import StudiesPart

CLEO = "Cleo"


def open_part(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path, most: int = 100
) -> tuple[WindowController, StudiesPart]:
    """A study of three, of whom Cleo alone sees a dissimilar pair of set one otherwise."""
    with opened(folder) as workspace:
        make(workspace, repeat=0, annotators=[ANNA, BEN, CLEO])
        for annotator in (ANNA, BEN, CLEO):
            judging = Judging(workspace, 1, annotator)
            for turn in judging.turns[: most if annotator == CLEO else 100]:
                alone = annotator == CLEO and turn.left.startswith("one d")
                judging.judge(turn, "same" if alone or " s" in turn.left else "not same", SEEN)
    desk = open_desk(folder)
    page = show(desk, "judge")
    page.show_part("Studies")
    part = page.studies
    qtbot.waitUntil(part.later.verdicts.isEnabled, timeout=LONG)
    qtbot.waitUntil(part.detail.part.isEnabled, timeout=LONG)  # the figures of before stand there
    part.later.verdicts.click()
    return desk, part


def rows(table: QAbstractItemView) -> list[list[str]]:
    model = table.model()
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def test_pairs_are_chosen_found_exported_and_decided(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, part = open_part(qtbot, open_desk, tmp_path / "judged")
    page = part.verdicts
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8, timeout=LONG)
    model = page.table.model()
    assert model.header[5:8] == (ANNA, BEN, CLEO)
    page.search.setText("two not")
    qtbot.waitUntil(lambda: len(rows(page.table)) == 2)
    assert all(row[5:9] == ["not same"] * 4 for row in rows(page.table))
    page.search.clear()
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8)
    pick(qtbot, page.pairs.which, DISAGREEMENT)
    page.pairs.which.activated.emit(page.pairs.which.currentIndex())
    qtbot.waitUntil(lambda: len(rows(page.table)) == 2, timeout=LONG)
    assert all(row[3:9] == ["one", "0", "not same", "not same", "same", "not same"]
               for row in rows(page.table))  # fmt: skip

    path = tmp_path / "verdicts.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    page.export.click()
    table_rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert [row["majority"] for row in table_rows] == ["not same"] * 2

    page.adjudicate.click()
    screen = part.adjudication
    assert screen is not None
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    assert "2 pairs got different answers" in screen.sheet.words.text()
    pick(qtbot, screen.pairs.sets, "two")
    screen.pairs.sets.activated.emit(screen.pairs.sets.currentIndex())
    qtbot.waitUntil(lambda: "nothing to decide" in screen.sheet.words.text(), timeout=LONG)
    screen.head.save.click()
    assert page.isVisible()
    first, *_ = disputed(desk.shared.workspace, 1, page.pairs.to_decide)
    decide_pair(desk.shared.workspace, 1, first.number, Decision("Dora", "same", "so", "", True))
    desk.shared.watch.look()
    qtbot.waitUntil(lambda: "same" in [row[9] for row in rows(page.table)], timeout=LONG)
    page.back.click()
    detail = part.detail
    qtbot.waitUntil(detail.part.isEnabled, timeout=LONG)
    pick(qtbot, detail.part, "sets")
    qtbot.waitUntil(lambda: "decision on 1 pair" in detail.truth.text(), timeout=LONG)
    assert detail.truth.isVisible()


def test_pairs_are_left_out_before_anybody_judged(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    with opened(tmp_path / "fresh") as workspace:
        make(workspace)
    desk = open_desk(tmp_path / "fresh")
    page_of = show(desk, "judge")
    page_of.show_part("Studies")
    part = page_of.studies
    qtbot.waitUntil(part.later.verdicts.isEnabled, timeout=LONG)
    part.later.verdicts.click()
    page = part.verdicts
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8, timeout=LONG)
    page.table.selectRow(0)
    assert list(page.to_leave.values()) == ["by hand"]
    page.leave.click()
    qtbot.waitUntil(lambda: len(rows(page.table)) == 7, timeout=LONG)
    page.search.setText("two d")
    qtbot.waitUntil(lambda: len(rows(page.table)) == 2)
    page.leave.click()
    qtbot.waitUntil(lambda: rows(page.table) == [], timeout=LONG)
    page.search.clear()
    pick(qtbot, page.terms.kind, "left_out")
    page.terms.kind.activated.emit(page.terms.kind.currentIndex())
    qtbot.waitUntil(lambda: len(rows(page.table)) == 3, timeout=LONG)
    assert sorted(row[9] for row in rows(page.table)) == [
        "left out: a text in it", "left out: a text in it", "left out: by hand",
    ]  # fmt: skip
    page.leave.click()
    qtbot.waitUntil(lambda: rows(page.table) == [], timeout=LONG)
    pick(qtbot, page.terms.kind, "long")
    page.terms.kind.activated.emit(page.terms.kind.currentIndex())
    page.terms.longest.setValue(11)
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8, timeout=LONG)
    judging = Judging(desk.shared.workspace, 1, ANNA)
    judging.judge(judging.turns[0], "same", SEEN)
    page.not_judging.click()
    qtbot.waitUntil(lambda: not page.leave.isEnabled(), timeout=LONG)
    assert "has answers already" in page.leave.toolTip()


def test_each_two_annotators_are_a_matrix_of_a_chosen_figure(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, part = open_part(qtbot, open_desk, tmp_path / "judged")
    part.verdicts.back.click()
    detail = part.detail
    qtbot.waitUntil(detail.part.isEnabled, timeout=LONG)
    assert not detail.couples.isVisible()
    pick(qtbot, detail.part, "pairs")
    assert detail.couples.isVisible()
    assert not detail.agreement.isVisible()
    matrix = rows(detail.couples)
    assert [row[0] for row in matrix] == [ANNA, BEN, CLEO]
    assert [matrix[n][n + 1] for n in range(3)] == ["–"] * 3
    assert matrix[0][2] == matrix[1][1]
    assert matrix[0][2].startswith("1.000 [")
    assert matrix[0][2].endswith("n 8")
    assert matrix[0][3] == matrix[2][1] != matrix[0][2]
    pick(qtbot, detail.figure, "agreement")
    detail.figure.activated.emit(detail.figure.currentIndex())
    assert rows(detail.couples)[0][3].startswith("0.750 [")
    path = tmp_path / "couples.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    detail.export.click()
    table_rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    (row,) = [
        table_row for table_row in table_rows
        if (table_row["figure"], table_row["part"], table_row["rater"])
        == ("agreement", "value", ANNA)
    ]  # fmt: skip
    assert float(row[CLEO]) == 0.75


def test_who_still_judges_here_sees_nothing_unless_it_is_somebody_else(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    _, part = open_part(qtbot, open_desk, tmp_path / "judged", most=4)
    page = part.verdicts
    qtbot.waitUntil(page.not_judging.isVisible, timeout=LONG)
    assert rows(page.table) == []
    assert CLEO in page.table.hint
    assert not page.export.isEnabled()
    page.not_judging.click()
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8, timeout=LONG)
    assert page.export.isEnabled()


def test_what_is_typed_counts_for_an_export_when_it_is_shown(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, part = open_part(qtbot, open_desk, tmp_path / "judged")
    page, path = part.verdicts, tmp_path / "verdicts.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    qtbot.waitUntil(lambda: len(rows(page.table)) == 8, timeout=LONG)
    page.search.setText("two not")
    assert "(8)" in page.export.text()
    page.export.click()
    assert len(list(csv.DictReader(path.read_text("utf-8").splitlines()))) == 8
    qtbot.waitUntil(lambda: len(rows(page.table)) == 2)
    page.export.click()
    assert len(list(csv.DictReader(path.read_text("utf-8").splitlines()))) == 2
    page.search.clear()
    assert set(page.to_leave.values()) == {TEXT}  # of the two on show
    assert len(page.to_leave) == 2
