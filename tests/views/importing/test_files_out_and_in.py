"""Files that leave the window, and files that fall on it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from view_fakes import write_diseases

from termexplorer.desk import WindowController
from termexplorer.errors import UserError
from termexplorer.views.importing.panel import ImportPanel
from termexplorer.views.importing.report import ImportReport
from termexplorer.views.widgets.run_curves import CurvePlot


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Answers the next question for a file."""

    def answer_with(path: Path) -> None:
        json_answer = (str(path), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: json_answer)

    return answer_with


def test_a_file_dropped_on_the_window_is_looked_into(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(write_diseases(tmp_path)))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    event = QDropEvent(QPoint(600, 400), actions, data, left, none)
    desk.window.dropEvent(event)
    assert event.dropAction() == Qt.DropAction.CopyAction  # nobody is to think that it has gone
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.waitUntil(panel.start.isEnabled)
    assert panel.file_label.text() == "OBO"


def test_the_import_report_goes_into_a_spreadsheet(
    desk: WindowController, tmp_path: Path, answer: Callable[[Path], None]
) -> None:
    desk.window.releases.open_report()
    report = desk.window.stack.currentWidget()
    assert isinstance(report, ImportReport)
    path = tmp_path / "report.xlsx"
    answer(path)
    report._rows.append(["counted", "", 3, "names cut"])
    report._on_export()
    rows = list(load_workbook(path).active.values)
    assert rows[0] == ("what", "line", "count", "reason")
    assert rows[-1][2:] == (3, "names cut")


def test_a_plot_is_saved_as_png_and_svg(
    qtbot: QtBot, desk: WindowController, tmp_path: Path, answer: Callable[[Path], None]
) -> None:
    plot = CurvePlot(desk.shared.theme, "Loss")
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    plot.show_curves([("run 1", [1, 2, 3], [0.5, 0.25, 0.125])])
    plot.show()
    answer(tmp_path / "loss.png")
    plot.plot.setFocus()
    qtbot.waitUntil(plot.plot.hasFocus)
    qtbot.keyClick(plot.plot, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    picture = QImage(str(tmp_path / "loss.png"))
    dots = plot.plot.logicalDpiX()  # of a screen, to an inch: all are as large as there
    assert picture.width() == round(plot.plot.width() * 300 / dots)
    assert round(picture.dotsPerMeterX() * 0.0254) == 300
    plot.save(tmp_path / "loss.pdf")
    (page,) = PdfReader(tmp_path / "loss.pdf").pages
    assert abs(float(page.mediabox.width) - plot.plot.width() * 72 / dots) < 1
    plot.save(tmp_path / "loss.svg")
    assert b"<svg" in (tmp_path / "loss.svg").read_bytes()
    with pytest.raises(UserError, match="cannot be written"):
        plot.save(tmp_path / "nowhere" / "loss.png")


def test_axes_of_a_saved_plot_are_where_its_curves_are(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    plot = CurvePlot(desk.shared.theme, "Loss")
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    plot.show_curves([("run 1", [0, 10], [0.0, 1.0])])
    plot.show()
    qtbot.waitUntil(lambda: plot.item.getViewBox().height() > 50)
    plot.save(tmp_path / "loss.png")
    picture, screen = QImage(str(tmp_path / "loss.png")), plot.plot.grab().toImage()

    def lowest(image: QImage) -> float:
        """Where the lowest pixel is that is no ground, of the height."""
        ground = image.pixelColor(image.width() - 1, image.height() - 1).lightness()
        rows = (
            row for row in reversed(range(image.height()))
            if any(abs(image.pixelColor(x, row).lightness() - ground) > 60
                   for x in range(0, image.width(), 2))
        )  # fmt: skip
        return next(rows) / image.height()

    assert abs(lowest(picture) - lowest(screen)) < 0.03
