"""New terms are checked in the window, and each finding is judged."""

import json
from pathlib import Path

import pytest
from checked_gate import CHEAP, run_cheap_gate
from checked_terms import list_known_terms, make_term, write_obo
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import show

from termexplorer.desk import WindowController
from termexplorer.services.check.background import CheckRequest, check_apart
from termexplorer.services.check.finding_verdicts import NO_FAULT, name_finding, read_answers
from termexplorer.services.check.gate import GateReport
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.curate.check_part import CheckPart
from termexplorer.workers.process.supervision import JobControl


@pytest.fixture
def report(tmp_path: Path) -> GateReport:
    """A check of two new terms, of which one has the name of a known one."""
    new = (make_term("N:1", "renal cyst", parents=["T:1"]), make_term("N:2", "b", parents=["X:9"]))
    return run_cheap_gate(tmp_path, *new)


@pytest.fixture
def part(qtbot: QtBot, desk: WindowController) -> CheckPart:
    """The tab, with somebody who judges."""
    anna = add_person(desk.shared.workspace, "Anna")
    page = show(desk, "curate")
    page.show_part("Check")
    qtbot.waitUntil(lambda: page.check.judge.box.findText("Anna") >= 0)
    page.check.judge.show_people([anna])
    return page.check  # type: ignore[no-any-return]


def answer_of(part: CheckPart, row: int) -> str:
    return str(part.model.index(row, 0).data())


def test_a_finding_is_judged_by_keys_and_taken_back(
    qtbot: QtBot, part: CheckPart, report: GateReport
) -> None:
    part._on_checked(report)
    assert part.model.rowCount() == len(report.result.findings) > 1
    qtbot.keyClick(part.table, Qt.Key.Key_W)
    assert answer_of(part, 0) == "✗ no fault"
    assert part.table.currentIndex().row() == 1
    qtbot.keyClick(part.table, Qt.Key.Key_C)
    assert answer_of(part, 1) == "✓ fault"
    part.undo.click()
    assert (answer_of(part, 0), answer_of(part, 1)) == ("✗ no fault", "")
    first = report.result.findings[0]
    judge = part.judge.judge
    assert judge is not None
    assert read_answers(part._shared.workspace, judge) == {name_finding(first): NO_FAULT}


def test_what_is_no_fault_is_left_out_of_what_is_written(
    part: CheckPart, report: GateReport, tmp_path: Path, qtbot: QtBot
) -> None:
    part._on_checked(report)
    qtbot.keyClick(part.table, Qt.Key.Key_W)
    part.write(tmp_path / "check.sarif")
    (run,) = json.loads((tmp_path / "check.sarif").read_text("utf-8"))["runs"]
    assert len(run["results"]) == len(report.result.findings) - 1
    part.write(tmp_path / "check.md")
    part.write(tmp_path / "check.xml")
    part.write(tmp_path / "check.csv")
    assert all((tmp_path / f"check.{end}").stat().st_size for end in ("md", "xml", "csv"))


def test_findings_are_shown_by_rule(part: CheckPart, report: GateReport) -> None:
    part._on_checked(report)
    rule = report.result.findings[0].rule
    part.rule.setCurrentIndex(part.rule.findData(rule))
    assert {finding.rule for finding in part.model.rows} == {rule}


def test_files_are_offered_beside_releases(part: CheckPart, tmp_path: Path, qtbot: QtBot) -> None:
    form = part.form
    qtbot.waitUntil(lambda: form.new.count() > 0)
    assert not form.start.isEnabled()  # the same on both sides
    form.choose_file(form.new, tmp_path / "new.obo")
    assert form.start.isEnabled()
    with qtbot.waitSignal(form.wanted) as asked:
        form.wanted.disconnect(part._on_wanted)
        form.start.click()
    assert asked.args == [str(tmp_path / "new.obo"), form.known.currentData()]


def test_it_is_checked_in_a_child(tmp_path: Path) -> None:
    old, new = tmp_path / "old.obo", tmp_path / "new.obo"
    known = list_known_terms()
    old.write_text(write_obo(known), "utf-8")
    new.write_text(write_obo([*known, make_term("N:1", "renal cyst", parents=["T:1"])]), "utf-8")
    request = CheckRequest(tmp_path, str(new), str(old), settings=CHEAP)
    messages: list[object] = []
    report = check_apart(request, JobControl(), messages.append)
    assert "name-taken" in {finding.rule for finding in report.result.findings}
    assert messages
