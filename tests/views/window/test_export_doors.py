"""Each export of the window: what its button says, the types it offers, and where it may go."""

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot
from suggestions_page_steps import keep, open_part
from toy_judged import judge_all, queued_study
from toy_studies import ANNA, BEN
from toy_window import LONG, show
from toy_workspace import LEXICAL, TRAINED, VECTORS, opened_copy, quiet

from termexplorer.desk import WindowController
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.services.explore.ontologies import Remark, find_ontology
from termexplorer.views.importing.report import ImportReport
from termexplorer.workers.process.supervision import JobControl

BEGINS = {
    ".csv": rb"[^\t\n]+,", ".tsv": rb"[^\n]*\t", ".sssom.tsv": b"#", ".robot.tsv": rb"concept\b",
    ".xlsx": b"PK", ".jsonl": rb"\{", ".json": rb"\{", ".txt": b"[^<{]", ".pdf": b"%PDF",
    ".png": b"\x89PNG", ".svg": rb"<\?xml", ".tex": rb"[\\%]", ".html": b"<!(?i:doctype) html",
    ".termstudy": rb"\{", ".parquet": b"PAR1",
    ".conceptmap.json": rb"\{", ".usagi.csv": b"sourceCode,", ".kgcl": b"",
}  # fmt: skip
Door = Callable[[QtBot, WindowController], Any]
"""Goes to an export; returns what opens its dialog."""


@pytest.fixture(scope="module")
def full(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with figures, suggestions, and a study that two judged."""
    with opened_copy(trained, tmp_path_factory.mktemp("full")) as workspace:
        keep(workspace)
        encoders = LEXICAL, VECTORS, TRAINED
        request = EvaluationRequest(workspace.folder, "ranking", encoders, ontology_id=1)
        for task in ("ranking", "coverage"):
            evaluate(workspace, replace(request, task=task), JobControl(), quiet)
        number = queued_study(workspace)
        for annotator in (ANNA, BEN):
            judge_all(workspace, number, annotator)
        return workspace.folder


def ranking(qtbot: QtBot, desk: WindowController) -> Any:
    page = show(desk, "explore")
    export = page.rankings.findChildren(QPushButton)
    (button,) = [
        action for action in export if action.text().startswith("Export") and action.isVisible()
    ]
    qtbot.waitUntil(button.isEnabled, timeout=LONG)
    return button.click


def level(qtbot: QtBot, desk: WindowController) -> Any:
    page = show(desk, "levels")
    qtbot.waitUntil(lambda: page.summary is not None)
    page.content.slider.slider.setValue(1)
    qtbot.waitUntil(lambda: page.summary.level == 1)
    page.content.filter.setText("disease")
    return page.content.export.click


def figures(qtbot: QtBot, desk: WindowController) -> Any:
    results = show(desk, "evaluate").results
    qtbot.waitUntil(lambda: results.list.model().rowCount() > 1, timeout=LONG)
    return results.export.click


def points(qtbot: QtBot, desk: WindowController) -> Any:
    figures(qtbot, desk)
    curves = show(desk, "evaluate").results.curves
    qtbot.waitUntil(curves.export.isEnabled)
    return curves.export.click


def picture(qtbot: QtBot, desk: WindowController) -> Any:
    points(qtbot, desk)
    return show(desk, "evaluate").results.curves.plot._save.trigger


def matrix(qtbot: QtBot, desk: WindowController) -> Any:
    figures(qtbot, desk)
    results = show(desk, "evaluate").results
    qtbot.waitUntil(lambda: results.matrix.model.rowCount() == 3)
    results.at_one_sight.click()
    return results.matrix.export.click


def suggestions(qtbot: QtBot, desk: WindowController) -> Any:
    _, part = open_part(qtbot, desk)
    part.desk.shown.text.setText("TOY:2")
    return part.files.write.click


def card(qtbot: QtBot, desk: WindowController) -> Any:
    page = show(desk, "train")
    qtbot.waitUntil(lambda: page.model.rowCount() > 0, timeout=LONG)
    page.runs.choose(1)
    qtbot.waitUntil(page.card.export.isEnabled, timeout=LONG)
    return page.card.export.click


def studies(qtbot: QtBot, desk: WindowController) -> Any:
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.verdicts.isEnabled, timeout=LONG)
    return page.studies


def agreement(qtbot: QtBot, desk: WindowController) -> Any:
    detail = studies(qtbot, desk).detail
    qtbot.waitUntil(detail.export.isEnabled, timeout=LONG)
    return detail.export.click


def verdicts(qtbot: QtBot, desk: WindowController) -> Any:
    part = studies(qtbot, desk)
    part.later.verdicts.click()
    table = part.verdicts.table
    qtbot.waitUntil(lambda: table.model().rowCount() > 0, timeout=LONG)
    everything = table.model().rowCount()
    part.verdicts.search.setText("heart")
    qtbot.waitUntil(lambda: table.model().rowCount() < everything)
    return part.verdicts.export.click


def pack(qtbot: QtBot, desk: WindowController) -> Any:
    part = studies(qtbot, desk)
    part.detail.seats.selectRow(1)
    return part.files.pack.click


def report(qtbot: QtBot, desk: WindowController) -> Any:
    remarks = [Remark(True, 3, 1, "no name"), Remark(False, 0, 2, "counted")]
    ontology = find_ontology(desk.shared.workspace, "1")
    panel = ImportReport(ontology, remarks, desk.shared.notices, desk.window)
    qtbot.addWidget(panel)
    panel.show()
    (button,) = [e for e in panel.findChildren(QPushButton) if e.text().startswith("Export")]
    return button.click


DOORS: dict[str, Door] = {
    dialog.__name__: dialog
    for dialog in (
        ranking, level, figures, points, picture, matrix, suggestions, card, agreement, verdicts,
        pack, report,
    )
}  # fmt: skip
COUNTED = "ranking", "level", "figures", "points", "suggestions", "agreement", "verdicts", "report"


@pytest.mark.parametrize("door", DOORS)
def test_an_export_is_of_the_type_chosen_and_of_what_is_shown(
    door: str,
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    full: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = open_desk(full)
    seen: list[str] = []
    desk.shared.notices.notice_shown.connect(lambda notice: seen.append(notice.text))
    press: Any = DOORS[door](qtbot, desk)
    offered, answer = "", ("", "")

    def ask(_parent: object, _title: str, _name: str, types: str, *_: str) -> tuple[str, str]:
        nonlocal offered
        offered = types
        return answer

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    press()
    kinds = re.findall(r"([^;]+\((?:\*([.\w]+))[^)]*\))", offered)
    assert kinds
    for kind, ending in kinds:
        path = tmp_path / f"out{ending}"
        answer = str(tmp_path / "out"), kind  # the name does not say which
        press()
        qtbot.waitUntil(path.exists, timeout=LONG)
        assert re.match(BEGINS[ending], path.read_bytes().lstrip(b"\xef\xbb\xbf")), kind
    assert sorted(output.name for output in tmp_path.glob("out*")) == sorted(
        f"out{ending}" for _, ending in kinds
    )
    if door in COUNTED:
        with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = len(list(csv.DictReader(file)))
        assert re.findall(r"\d+", press.__self__.text()) == [str(rows)]

    ending = kinds[0][1]
    for inside in (full / f"own{ending}", full / "runs" / f"own{ending}"):
        answer = str(inside), kinds[0][0]
        seen.clear()
        press()
        assert any("belongs to the workspace" in message for message in seen)
        assert not inside.exists()
