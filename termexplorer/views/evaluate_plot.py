"""Curves of figures with their intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent

from termexplorer.services.evaluation_curves import CurvePoint, Curves
from termexplorer.views.plots import curve_pen
from termexplorer.views.run_curves import CurvePlot
from termexplorer.views.theme import Theme

_MARGIN = 0.35  # of a step of the axis, at both ends
_BEAM = 0.08  # of a step
_IN_A_COLUMN = 5  # curves in the legend
_SAMPLE = 52  # pixels that the legend takes besides its texts
_MOST = 0.6  # of the width, for the legend beside the last point


class FigurePlot(CurvePlot):
    """Curves with an interval at each point."""

    def __init__(self, theme: Theme) -> None:
        self._across = ""
        self._ends, self._beside = (0.0, 0.0), 1
        super().__init__(theme, "Figures")
        self._legend.setOffset((-8, -8))  # coverage rises away from there
        self._intervals: list[Any] = []

    def show_figures(self, curves: Curves) -> None:
        """Draws curves."""
        for each in self._intervals:
            self.item.removeItem(each)
        self._across = curves.across
        ticks = sorted({point.x for points in curves.lines.values() for point in points})
        places = {x: _place(x, doubling=curves.doubling) for x in ticks}
        step = (places[ticks[-1]] - places[ticks[0]]) / max(len(ticks) - 1, 1) or 1
        self.show_curves(
            [
                (title, [places[point.x] for point in points], [point.value for point in points])
                for title, points in curves.lines.items()
            ]
        )
        self._intervals = [
            _interval([places[point.x] for point in points], points, number, _BEAM * step)
            for number, points in enumerate(curves.lines.values())
        ]
        for each in self._intervals:
            self.item.addItem(each)
        self.item.getAxis("bottom").setTicks([[(places[x], f"{x:,}") for x in ticks]])
        self._ends = places[ticks[0]] - _MARGIN * step, places[ticks[-1]] + _MARGIN * step
        columns = -(-len(curves.lines) // _IN_A_COLUMN)
        self._legend.setColumnCount(columns)
        self._beside = 1 if curves.doubling else columns  # coverage leaves room below its end
        self._set_range()
        self.item.enableAutoRange(axis="y")
        self.plot.setAccessibleName(curves.title)
        count = len(curves.lines)
        curved = f"{count} curve{'s' if count > 1 else ''}"
        self.plot.setAccessibleDescription(f"{curved} over {curves.across}")
        self.paint_theme()

    @property
    def intervals(self) -> int:
        """How many points have an interval."""
        return sum(len(each.opts["x"]) for each in self._intervals)

    @Slot()
    def paint_theme(self) -> None:
        """Names the axis in the colours of the theme."""
        super().paint_theme()
        self.item.setLabel("bottom", self._across, color=self.theme.colours.quiet)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keeps the room for the legend."""
        super().resizeEvent(event)
        if self.names:
            self._set_range()

    def _set_range(self) -> None:
        """All points, and the legend at the right of them."""
        low, high = self._ends
        metrics, whole = self.fontMetrics(), max(self.plot.width(), 1)
        column = _SAMPLE + max(metrics.horizontalAdvance(name) for name in self.names)
        share = min(self._beside * column / whole, _MOST)
        high += (high - low) * share / (1 - share)
        self.item.setLimits(xMin=low, xMax=high, minXRange=min(1.0, high - low))
        self.item.setXRange(low, high, padding=0)


def _place(x: int, *, doubling: bool) -> int:
    return x.bit_length() - 1 if doubling else x  # what doubles are powers of two


def _interval(places: list[int], points: Sequence[CurvePoint], number: int, beam: float) -> Any:
    pen = curve_pen(number, 1.2)
    pen.setStyle(Qt.PenStyle.SolidLine)
    return pg.ErrorBarItem(
        x=np.array(places),
        y=np.array([point.value for point in points]),
        top=np.array([point.high - point.value for point in points]),
        bottom=np.array([point.value - point.low for point in points]),
        beam=beam,
        pen=pen,
    )
