"""Maps of several encoders side by side, as a user drives them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from map_window import drag, lone_point, pixel
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, open_page, show
from toy_workspace import TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.views.map.page import MapPage

Opened = tuple[WindowController, MapPage]


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> Opened:
    """Two PCAs, drawn in the window."""
    desk, page = open_page(open_desk, trained, tmp_path, "map")
    desk.window.activateWindow()
    form = page.form
    qtbot.waitUntil(lambda: form.encoder.count() == 2, timeout=LONG)
    form.method.setCurrentIndex(form.method.findData("pca"))
    form.encoder.setCurrentIndex(form.encoder.findData(VECTORS))
    form.beside.tick([TRAINED])
    qtbot.waitUntil(lambda: "No such map" in page.area.plot.hint, timeout=LONG)
    form.draw.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: len(page.area.panels.plots) == 2, timeout=LONG)
    qtbot.waitUntil(lambda: all(plot.labels for plot in page.area.panels.plots), timeout=LONG)
    return desk, page


def test_both_are_there_with_their_figures(opened: Opened) -> None:
    _, page = opened
    shown, panels = page.area.shown, page.area.panels.panels
    assert shown is not None
    assert shown.aligned is not None
    for panel, aligned_map in zip(panels, shown.aligned.maps, strict=True):
        assert panel.isVisible()
        np.testing.assert_array_equal(panel.plot.positions, aligned_map.positions)
        assert panel.title.text().endswith(f"#{aligned_map.name_map.info.key.encoder_id}")
        assert panel.facts.text().startswith("trustworthiness 0.")
    assert panels[1].facts.text().endswith(f"{shown.aligned.maps[1].disparity:.2f}")
    assert "50 names that moved most" in page.area.facts.text()
    assert (page.form.draw.isEnabled(), page.form.draw.toolTip()[:8]) == (False, "This map")


def test_what_is_done_with_one_is_done_with_both(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    first, second = page.area.panels.plots
    assert first.view.scale == pytest.approx(second.view.scale, rel=0.02)
    second.setFocus()
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Left):
        qtbot.keyClick(second, key)
    assert (first.view.x, first.view.y, first.view.scale) == (
        second.view.x, second.view.y, second.view.scale,
    )  # fmt: skip
    qtbot.keyClick(first, Qt.Key.Key_Home)
    point = lone_point(second)
    qtbot.mouseMove(second, pixel(second, point))
    before = first.grab().toImage()
    qtbot.mouseMove(second, QPoint(1, 1))
    assert first.grab().toImage() != before  # a ring was where the point is there
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton, pos=pixel(second, point))
    assert first.marked.tolist() == second.marked.tolist() == [point]
    shown = page.area.shown
    assert shown is not None
    assert desk.shared.selection.concept_id == shown.points.concept_ids[point]
    drag(qtbot, second, Qt.KeyboardModifier.ControlModifier, QPoint(1, 1), second.rect().center())
    assert first.lit is not None
    np.testing.assert_array_equal(first.lit, second.lit)
    assert page.area.enclosed.rows == np.flatnonzero(first.lit).tolist()


def test_they_are_taken_along_and_come_back(
    qtbot: QtBot,
    opened: Opened,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, page = opened
    out = tmp_path / "maps.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    page.area.head.export.click()
    qtbot.waitUntil(lambda: str(out) in desk.window.notice.text, timeout=LONG)
    assert (
        out.read_text("utf-8").splitlines()[0].endswith(f"x_{TRAINED},y_{TRAINED},moved_{TRAINED}")
    )
    second = page.area.panels.plots[1].positions
    folder = desk.shared.workspace.folder
    desk.close()
    again = show(open_desk(folder), "map")
    qtbot.waitUntil(lambda: len(again.area.panels.plots) == 2, timeout=LONG)
    np.testing.assert_array_equal(again.area.panels.plots[1].positions, second)
    again.form.beside.tick([])
    qtbot.waitUntil(lambda: len(again.area.panels.plots) == 1, timeout=LONG)
    assert not again.area.panels.panels[0].title.isVisible()
    again.form.beside.tick([TRAINED])
    again.form.seed.setValue(4)
    qtbot.waitUntil(lambda: "No such map" in again.area.plot.hint, timeout=LONG)
