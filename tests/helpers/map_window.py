"""Maps driven by mouse, in windows of tests."""

import numpy as np
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from termexplorer.views.map.plot import MapPlot


def pixel(plot: MapPlot, point: int) -> QPoint:
    """Where a point is."""
    left, top = plot.view.pixels(plot.positions[[point]])
    return QPoint(round(float(left[0])), round(float(top[0])))


def lone_point(plot: MapPlot) -> int:
    """A point that has no other near it."""
    gaps = np.linalg.norm(plot.positions[:, None] - plot.positions[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    return int(gaps.min(axis=1).argmax())


def drag(qtbot: QtBot, plot: MapPlot, held: Qt.KeyboardModifier, *places: QPoint) -> None:
    """Drags the mouse over pixels, a key held."""
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, held, places[0])
    for point in places[1:]:
        qtbot.mouseMove(plot, point)
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, held, places[-1])
