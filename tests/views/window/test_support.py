"""Reports for somebody who helps: of the machine, of an error, of a crash."""

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.views.widgets.report_panel import ReportPanel


def shown(desk: WindowController) -> ReportPanel:
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ReportPanel)
    return panel


def test_a_diagnosis_names_versions_devices_and_no_term(
    qtbot: QtBot, desk: WindowController
) -> None:
    desk.window.support.diagnose()
    qtbot.waitUntil(
        lambda: isinstance(desk.window.stack.currentWidget(), ReportPanel), timeout=60_000
    )
    panel = shown(desk)
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert "PySide6-Essentials: 6." in text
    assert "GFLOP/s in float32" in text
    assert "no fault was found" in text
    assert "workspace: 1 ontologies" in text
    assert str(desk.shared.workspace.folder) not in text


def test_an_error_of_ours_offers_a_report_without_its_message(
    desk: WindowController, bugs: list[BaseException]
) -> None:
    try:
        int("lobar pneumonia")
    except ValueError:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    assert "ValueError" in desk.window.notice.text
    assert "lobar" not in desk.window.notice.text  # a notice is copied into a report as well
    desk.window.notice._act.click()
    report = shown(desk).text.toPlainText()
    assert "lobar" not in report
    assert report.splitlines()[-1] == "builtins.ValueError"
    assert "test_support.py:" in report.splitlines()[-2]
    assert [type(error) for error in bugs] == [ValueError]
    bugs.clear()


def test_a_crash_is_told_at_the_next_start_and_an_end_is_not(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    crash = folder / "crash.txt"
    crash.write_text("Fatal Python error: Segmentation fault\n", "utf-8")
    desk = open_desk(folder)
    qtbot.waitUntil(lambda: "crashed last time" in desk.window.notice.text)
    desk.window.notice._act.click()
    assert "Segmentation fault" in shown(desk).text.toPlainText()
    assert crash.read_text("utf-8") == ""
    desk.close()
    assert not crash.exists()
