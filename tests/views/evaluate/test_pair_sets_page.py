"""Pair sets on the Evaluate page: chosen by folder, figures, ROC curves, and the hardest pairs."""

import csv
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import idle, open_page
from toy_workspace import LEXICAL, TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.models.hardest_pairs import WRONG, HardestPairsModel
from termexplorer.services.evaluate.evaluation import (
    Difference,
    Evaluated,
    FigureInfo,
    list_evaluations,
)
from termexplorer.services.evaluate.pair_details import HardPair, PairDetails, read_pair_details
from termexplorer.views.evaluate.page import EvaluatePage
from termexplorer.views.evaluate.words import metric_tip

ORGANS = ("lung", "heart", "skin")
Opened = tuple[WindowController, EvaluatePage]


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> Opened:
    desk, page = open_page(open_desk, trained, tmp_path, "evaluate")
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.form.encoders.count() > 0)
    return desk, page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    folder.mkdir()
    rows = [(f"{organ} disease", f"disease of the {organ}", 1) for organ in ORGANS]
    rows += [
        (f"{first} disease", f"{second} tumour", 0)
        for first, second in product(ORGANS, ORGANS)
        if first != second
    ]
    text = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n" + "".join(
        f"{left}\t{right}\t{label}\t\t\t5\n" for left, right, label in rows
    )
    for name in ("b-hard", "a-easy"):
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    return folder


def cells(model: HardestPairsModel) -> list[list[str]]:
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_a_folder_of_pair_sets_from_the_form_to_curves_and_pairs(
    qtbot: QtBot,
    opened: Opened,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, page = opened
    form, results = page.form, page.results
    form.tasks.choose("pairs")
    form.encoders.tick((LEXICAL, VECTORS))
    assert "labels 1 and 0" in form.evaluate.toolTip()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    form.pairs.folder.click()
    assert [asked.pairs for asked in form.requests()] == [(folder,)]
    form.evaluate.click()
    idle(qtbot, desk)
    stored = list_evaluations(desk.shared.workspace)
    assert len(stored) == 1, "equal sets are one"
    qtbot.waitUntil(lambda: results.list.current == stored[0])
    assert desk.window.notice.text.endswith(" · a-easy")
    assert results.model.metrics == ("AUC", "accuracy")
    curves = results.curves
    qtbot.waitUntil(lambda: len(curves.pairs.plot.names) == 2)
    details = read_pair_details(desk.shared.workspace, stored[0])
    labels = {encoder.id: encoder.label for encoder in page._state.encoders}
    for detail in details:
        start = f"{labels[detail.encoder_id]}, AUC "
        (named,) = (name for name in curves.pairs.plot.names if name.startswith(start))
        assert curves.pairs.plot.points(named) == len(detail.curve[0])
    assert curves.pairs.plot.isVisible()
    assert not curves.pairs.encoder.isVisible()
    offered = [curves.which.itemText(row) for row in range(curves.which.count())]
    assert offered == ["ROC curves", "Hardest pairs", "Over k-shot"]

    curves.which.setFocus()
    qtbot.keyClick(curves.which, Qt.Key.Key_Down)
    assert curves.pairs.table.isVisible()
    model = curves.pairs.model
    assert [row[0] for row in cells(model)[:3]] == ["1", "1", "2"]
    assert [row[3] for row in cells(model)[:3]] == ["similar", "dissimilar", "similar"]
    curves.pairs.encoder.setCurrentIndex(1)
    hardest = details[1].hardest
    assert [tuple(row[1:3]) for row in cells(model)] == [(p.left, p.right) for p in hardest]
    path = tmp_path / "pairs.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    curves.pairs.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)  # the left term
    assert str(curves.pairs.model.rowCount()) in curves.export.text()
    curves.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        shown = [row["left"] for row in csv.DictReader(file)]
    assert shown == [pair.left for _, pair in curves.pairs.model.rows]
    curves.export.other_formats.menu().actions()[1].trigger()
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["left"] for row in rows if row["hardest for"] == labels[VECTORS]] == [
        pair.left for pair in hardest
    ]
    curves.which.setFocus()
    qtbot.keyClick(curves.which, Qt.Key.Key_Up)
    curves.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == sum(
            len(pair_detail.curve[0]) for pair_detail in details
        )
    curves.pairs.plot.save(tmp_path / "roc.svg")
    assert (tmp_path / "roc.svg").stat().st_size > 0


def test_the_hardest_pairs_are_sorted_by_any_column(opened: Opened) -> None:
    _, page = opened
    table, model = page.results.curves.pairs.table, page.results.curves.pairs.model
    pairs = [
        HardPair("one", "other", True, {LEXICAL: 0.1, VECTORS: 0.9}),
        HardPair("mumps", "measles", False, {LEXICAL: 0.8}),
        HardPair("a", "b", True, {LEXICAL: 0.7, VECTORS: 0.4}),
    ]
    both = [
        PairDetails(LEXICAL, "pairs", "hash", 0.75, ([0, 1], [0, 1]), tuple(pairs)),
        PairDetails(VECTORS, "pairs", "hash", None, ([0, 1], [0, 1]), ()),
    ]
    model.show_details(both, LEXICAL, {LEXICAL: "letters", VECTORS: "vectors"})
    shown = [
        ["1", "one", "other", "similar", f"{WRONG} 0.100", f"{WRONG} 0.900"],
        ["1", "mumps", "measles", "dissimilar", f"{WRONG} 0.800", "–"],
        ["2", "a", "b", "similar", f"{WRONG} 0.700", f"{WRONG} 0.400"],
    ]
    assert cells(model) == shown
    header, up, down = table.horizontalHeader(), *Qt.SortOrder
    for column, order, expected in ((4, up, [0, 2, 1]), (5, down, [0, 2, 1]), (-1, up, [0, 1, 2])):
        header.setSortIndicator(column, order)
        assert cells(model) == [shown[row] for row in expected]
    assert "from 0.750 on" in str(model.tips[4])
    assert "no pair" in str(model.tips[5])


def test_differences_are_marked_by_each_metric(opened: Opened) -> None:
    _, page = opened
    values = {"AUC": (0.9, 0.7, 0.8), "accuracy": (0.6, 0.5, 0.8)}
    figures = tuple(
        FigureInfo(encoder_id, "pairs", "hash", metric, value, 0, 1, 50)
        for metric, row in values.items()
        for encoder_id, value in zip((LEXICAL, VECTORS, TRAINED), row, strict=True)
    )
    worse = [
        Difference(LEXICAL, VECTORS, "AUC", 0.2, 0.1, 0.3, 0.01, True, 50, "DeLong", family=6),
        Difference(LEXICAL, TRAINED, "AUC", 0.1, 0, 0.2, 0.4, False, 50, "DeLong", family=6),
        Difference(
            LEXICAL, TRAINED, "accuracy", -0.2, -0.3, 0, 0.02, True, 50, "McNemar", family=6
        ),
    ]
    shown = Evaluated("pairs", "set", "hash", "AUC", figures, tuple(worse))
    page.results.show_evaluations((shown,), {LEXICAL: "one", VECTORS: "two", TRAINED: "three"})
    model = page.results.model
    marked = {
        (model.index(row, 0).data(), model.metrics[column - 1])
        for row in range(3)
        for column in (1, 2)
        if "▼" in model.index(row, column).data()
    }
    assert marked == {("two", "AUC"), ("one", "accuracy")}
    tip = model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "p = 0.02 by McNemar, after Holm over 6 tests" in tip
    assert "in AUC or accuracy by more than chance (p < .05 after Holm over 6 tests)" in (
        page.results.notes.text()
    )
    assert "chance" in metric_tip("AUC", "pairs, fuzzy_jaccard")
    assert metric_tip("accuracy", "pairs") != metric_tip("accuracy")
