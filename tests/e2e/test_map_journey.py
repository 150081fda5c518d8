"""The Map page in the real window with real children, by mouse and keys."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from map_window import drag, lone_point, pixel
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import LONG, desks, idle, open_page, pick, show
from toy_workspace import TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.views.map.page import MapPage
from termexplorer.views.map.plot import MapPlot

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
SUBTREE = 94


@pytest.fixture
def open_desk(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[Path], WindowController]]:
    with desks(qapp, tmp_path / "settings") as open_one:
        yield open_one


def around(plot: MapPlot, point: int) -> list[QPoint]:
    """A lasso around a point and nothing else."""
    gaps = np.linalg.norm(plot.positions - plot.positions[point], axis=1)
    reach = 0.6 * float(np.partition(gaps, 1)[1]) * plot.view.scale
    turns = np.linspace(0, 2 * np.pi, 17)
    middle = pixel(plot, point)
    steps = zip((reach * np.cos(turns)).tolist(), (reach * np.sin(turns)).tolist(), strict=True)
    return [middle + QPoint(round(right), round(down)) for right, down in steps]


def test_draw_look_keep_and_compare(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, _ = open_page(open_desk, trained, tmp_path, "explore")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.keyClick(desk.window, Qt.Key.Key_6, CONTROL)
    page = desk.window.page("map")
    assert isinstance(page, MapPage)
    form, area = page.form, page.area

    # a subtree that is found by its name, drawn while one looks on
    qtbot.waitUntil(lambda: form.encoder.count() == 2, timeout=LONG)
    pick(qtbot, form.encoder, VECTORS)
    pick(qtbot, form.points.kind, "below")
    root = form.points.root.search
    root.setFocus()
    qtbot.keyClicks(root, "lung disease")
    qtbot.waitUntil(lambda: root.hits.rowCount() > 0, timeout=LONG)
    qtbot.keyClick(root, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: form.points.count.text().startswith(f"{SUBTREE} of"), timeout=LONG)
    qtbot.waitUntil(form.draw.isEnabled, timeout=LONG)
    qtbot.keyClick(form.names, Qt.Key.Key_Return, CONTROL)
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: area.shown is not None and bool(area.plot.labels), timeout=LONG)
    idle(qtbot, desk)

    # a lasso around one point; it is selected everywhere, and let go by Escape
    plot = area.plot
    point = lone_point(plot)
    for _ in range(12):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    plot.look(plot.view.moved(*(plot.rect().center() - pixel(plot, point)).toTuple()))
    drag(qtbot, plot, SHIFT, *around(plot, point))
    assert area.enclosed.rows == [point]
    area.enclosed.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(area.enclosed.table, Qt.Key.Key_Down)
    assert plot.marked.tolist() == [point]
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.lit is None
    qtbot.keyClick(plot, Qt.Key.Key_Home)

    # a rectangle by keys, kept as a list, which is a map of its own
    qtbot.keyClick(plot, Qt.Key.Key_R)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down) * (plot.width() // 40):
        qtbot.keyClick(plot, key, SHIFT)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    enclosed_count = len(area.enclosed.rows)
    assert 3 < enclosed_count < SUBTREE
    qtbot.keyClicks(area.enclosed.keep.title, "corner")
    qtbot.keyClick(area.enclosed.keep.title, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "put on the list corner" in desk.window.notice.text, timeout=LONG)
    pick(qtbot, form.points.kind, "list")
    qtbot.waitUntil(
        lambda: form.points.count.text().startswith(f"{enclosed_count} of"), timeout=LONG
    )

    # another encoder beside it, over the names of the list
    form.beside.tick([TRAINED])
    qtbot.waitUntil(form.draw.isEnabled, timeout=LONG)
    qtbot.waitUntil(lambda: "No such map" in area.plot.hint, timeout=LONG)
    qtbot.mouseClick(form.draw, LEFT)
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: len(area.panels.plots) == 2, timeout=LONG)
    idle(qtbot, desk)
    first, second = (plot.positions for plot in area.panels.plots)
    assert len(first) == len(second) == enclosed_count

    # taken along, and opened again by others
    for name in ("maps.svg", "maps.pdf", "maps.csv"):
        out = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, out=out: (str(out), ""))
        qtbot.mouseClick(area.head.export, LEFT)
        qtbot.waitUntil(lambda out=out: str(out) in desk.window.notice.text, timeout=LONG)
    assert QSvgRenderer(str(tmp_path / "maps.svg")).isValid()
    (sheet,) = PdfReader(tmp_path / "maps.pdf").pages
    assert "the list corner by 2 encoders" in " ".join(sheet.extract_text().split())
    with (tmp_path / "maps.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    places = np.array([(row["x"], row["y"]) for row in rows], np.float32)
    np.testing.assert_array_equal(places, first)

    # the same maps when the window is opened again
    folder = desk.shared.workspace.folder
    desk.close()
    again = show(open_desk(folder), "map")
    qtbot.waitUntil(lambda: len(again.area.panels.plots) == 2, timeout=LONG)
    for plot, before in zip(again.area.panels.plots, (first, second), strict=True):
        np.testing.assert_array_equal(plot.positions, before)
