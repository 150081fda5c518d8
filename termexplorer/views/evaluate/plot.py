"""Curves of figures with their intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent

from termexplorer.services.evaluate.curves import CurvePoint, Curves
from termexplorer.texts import number, tr, translated, trn
from termexplorer.views.widgets.plots import curve_pen, small_font
from termexplorer.views.widgets.run_curves import CurvePlot
from termexplorer.views.widgets.side_legend import SideLegend
from termexplorer.views.widgets.theme import Theme

_MARGIN = 0.5  # of a step of the axis, at both ends
_BEAM = 0.08  # of a step


class LegendPlot(CurvePlot):
    """Curves with a legend beside them.

    Args:
        theme: gives colours.
        title: for screen readers.
        across: what is along the x axis, as long as nothing else is said.
        up: what is along the y axis.
    """

    def __init__(self, theme: Theme, title: str, across: str = "", up: str = "") -> None:
        self._across, self._up = across, up
        self._beside: SideLegend | None = None
        super().__init__(theme, title)
        self._beside = SideLegend(self.item)

    @Slot()
    def paint_theme(self) -> None:
        """Names the axes in the colours of the theme, and fits the legend to its text size."""
        super().paint_theme()
        for axis, text in (("bottom", self._across), ("left", self._up)):
            self.item.setLabel(axis, text, color=self.theme.colours.quiet)
        self._fit_legend()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lays the legend out anew."""
        super().resizeEvent(event)
        self._fit_legend()

    def _fit_legend(self) -> None:
        if self._beside is not None:
            self._beside.fit(self.plot.width(), self.plot.height(), small_font())


class FigurePlot(LegendPlot):
    """Curves with an interval at each point."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Figures"))
        self._intervals: list[Any] = []

    def show_figures(self, curves: Curves) -> None:
        """Draws curves."""
        for interval in self._intervals:
            self.item.removeItem(interval)
        self._across, self._up = translated(curves.across), translated(curves.metric)
        ticks = sorted({point.x for points in curves.lines.values() for point in points})
        places = {x: _position_of(x, doubling=curves.doubling) for x in ticks}
        step = (places[ticks[-1]] - places[ticks[0]]) / max(len(ticks) - 1, 1) or 1
        self.show_curves(
            [
                (title, [places[point.x] for point in points], [point.value for point in points])
                for title, points in curves.lines.items()
            ]
        )
        self._intervals = [
            _interval_item([places[point.x] for point in points], points, number, _BEAM * step)
            for number, points in enumerate(curves.lines.values())
        ]
        for interval in self._intervals:
            self.item.addItem(interval)
        self.item.getAxis("bottom").setTicks([[(places[x], number(x)) for x in ticks]])
        low, high = places[ticks[0]] - _MARGIN * step, places[ticks[-1]] + _MARGIN * step
        self.item.setLimits(xMin=low, xMax=high, minXRange=min(1.0, high - low))
        self.item.setXRange(low, high, padding=0)
        self.item.enableAutoRange(axis="y")
        self.plot.setAccessibleName(curves.title)
        self.plot.setAccessibleDescription(
            trn(
                "{n} curve over {across}",
                "{n} curves over {across}",
                len(curves.lines),
                across=self._across,
            )
        )
        self.paint_theme()

    @property
    def intervals(self) -> int:
        """How many points have an interval."""
        return sum(len(interval.opts["x"]) for interval in self._intervals)


def _position_of(x: int, *, doubling: bool) -> int:
    return x.bit_length() - 1 if doubling else x  # what doubles are powers of two


def _interval_item(
    places: list[int], points: Sequence[CurvePoint], number: int, beam: float
) -> Any:
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
