"""New terms are checked in the window, and each finding is judged."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from checked_gate import CHEAP
from checked_terms import list_known_terms, make_term, write_obo
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import LONG, show

from termexplorer.desk import WindowController
from termexplorer.services.check.background import FAIL_AT, CheckRequest, check_apart
from termexplorer.services.check.finding_verdicts import NO_FAULT, name_finding, read_answers
from termexplorer.services.verdicts.people import add_person
from termexplorer.trainer.checking.findings import TermFinding
from termexplorer.views.curate.check_part import CheckPart
from termexplorer.workers.process.supervision import JobControl


@dataclass(frozen=True, slots=True)
class NewAndOld:
    """Two files: in the new one a term has the name of a known one, another one's parent is none.

    Attributes:
        table: the first of these as a proposal.
    """

    new: Path
    old: Path
    table: Path


@pytest.fixture
def files(tmp_path: Path) -> NewAndOld:
    known = list_known_terms()
    added = (
        make_term("N:1", "renal cyst", parents=["T:1"]),
        make_term("N:2", "b", parents=["X:9"]),
    )
    pair = NewAndOld(*(tmp_path / name for name in ("new.obo", "old.obo", "proposed.csv")))
    pair.old.write_text(write_obo(known), "utf-8")
    pair.new.write_text(write_obo([*known, *added]), "utf-8")
    pair.table.write_text("name,parent\nrenal cyst,kidney disease\n", "utf-8")
    return pair


@pytest.fixture
def part(qtbot: QtBot, desk: WindowController) -> CheckPart:
    """The tab, with somebody who judges."""
    anna = add_person(desk.shared.workspace, "Anna")
    page = show(desk, "curate")
    page.show_part("Check")
    qtbot.waitUntil(lambda: page.check.judge.box.findText("Anna") >= 0)
    page.check.judge.show_people([anna])
    return page.check  # type: ignore[no-any-return]


def check(qtbot: QtBot, part: CheckPart, new: Path, old: Path) -> tuple[TermFinding, ...]:
    """Choose two files, press the button, and wait for what is found."""
    part.form.new.choose_file(new)
    part.form.known.choose_file(old)
    part.form.start.click()
    assert not part.form.start.isEnabled()
    qtbot.waitUntil(lambda: part.report is not None, timeout=LONG)
    assert part.report is not None
    return part.report.result.findings


def test_only_the_rules_that_are_ticked_are_looked_for(
    qtbot: QtBot, part: CheckPart, files: NewAndOld
) -> None:
    part.form.rules.tick(["unknown-parent"])
    findings = check(qtbot, part, files.new, files.old)
    assert {finding.rule for finding in findings} == {"unknown-parent"}
    part.form.rules.tick([])
    assert not part.form.start.isEnabled()
    assert part.form.start.toolTip()


def answer_of(part: CheckPart, row: int) -> str:
    return str(part.model.index(row, 0).data())


def test_a_finding_is_judged_by_keys_and_taken_back(
    qtbot: QtBot, desk: WindowController, part: CheckPart, files: NewAndOld
) -> None:
    findings = check(qtbot, part, files.new, files.old)
    assert part.model.rowCount() == len(findings) > 1
    assert part.form.start.isEnabled()
    qtbot.keyClick(part.table, Qt.Key.Key_W)
    assert answer_of(part, 0) == "✗ no fault"
    assert part.table.currentIndex().row() == 1
    qtbot.keyClick(part.table, Qt.Key.Key_C)
    assert answer_of(part, 1) == "✓ fault"
    part.undo.click()
    assert (answer_of(part, 0), answer_of(part, 1)) == ("✗ no fault", "")
    judge = part.judge.judge
    assert judge is not None
    answers = read_answers(desk.shared.workspace, judge)
    assert answers == {name_finding(findings[0]): NO_FAULT}


def test_findings_are_shown_by_rule_and_written_without_what_is_no_fault(
    qtbot: QtBot, part: CheckPart, files: NewAndOld, tmp_path: Path
) -> None:
    findings = check(qtbot, part, files.new, files.old)
    part.rule.setCurrentIndex(part.rule.findData(findings[0].rule))
    assert {finding.rule for finding in part.model.rows} == {findings[0].rule}
    qtbot.keyClick(part.table, Qt.Key.Key_W)
    part.write(tmp_path / "check.sarif")
    (run,) = json.loads((tmp_path / "check.sarif").read_text("utf-8"))["runs"]
    assert len(run["results"]) == len(findings) - 1
    for end in ("md", "xml", "csv"):
        part.write(tmp_path / f"check.{end}")
        assert (tmp_path / f"check.{end}").stat().st_size


def test_a_table_of_proposed_terms_is_checked(
    qtbot: QtBot, part: CheckPart, files: NewAndOld
) -> None:
    findings = check(qtbot, part, files.table, files.old)
    assert {finding.term.label for finding in findings} == {"renal cyst"}
    assert "name-taken" in {finding.rule for finding in findings}


def test_thresholds_say_what_is_grave_and_what_is_told(
    qtbot: QtBot, part: CheckPart, files: NewAndOld
) -> None:
    assert part.form.fail_at.value() == round(100 * FAIL_AT)
    part.form.more.click()
    assert part.form.fail_at.isVisible()
    part.form.at_least.setValue(90)
    part.form.fail_at.setValue(100)
    findings = check(qtbot, part, files.new, files.old)
    assert findings
    assert all(finding.probability >= 0.9 for finding in findings)
    assert part.report is not None
    assert part.report.fail_at == 1


def test_a_check_is_cancelled(
    qtbot: QtBot, desk: WindowController, part: CheckPart, files: NewAndOld
) -> None:
    part.form.new.choose_file(files.new)
    part.form.known.choose_file(files.old)
    part.form.start.click()
    jobs = desk.shared.jobs
    qtbot.waitUntil(lambda: bool(jobs.running()), timeout=LONG)
    jobs.cancel(jobs.running()[0])
    qtbot.waitUntil(part.form.start.isEnabled, timeout=LONG)
    assert part.report is None
    assert part.model.rowCount() == 0


def test_files_are_offered_beside_releases(qtbot: QtBot, part: CheckPart, tmp_path: Path) -> None:
    form = part.form
    qtbot.waitUntil(lambda: form.new.box.count() > 0)
    assert not form.start.isEnabled()  # the same on both sides
    form.new.choose_file(tmp_path / "new.obo")
    assert form.start.isEnabled()
    with qtbot.waitSignal(form.wanted) as asked:
        form.start.click()
    assert asked.args is not None
    assert asked.args[:2] == [str(tmp_path / "new.obo"), form.known.key]


def test_it_is_checked_in_a_child(tmp_path: Path, files: NewAndOld) -> None:
    request = CheckRequest(tmp_path, str(files.new), str(files.old), settings=CHEAP)
    messages: list[object] = []
    report = check_apart(request, JobControl(), messages.append)
    assert "name-taken" in {finding.rule for finding in report.result.findings}
    assert messages
