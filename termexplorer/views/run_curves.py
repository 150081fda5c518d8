"""Curves of runs over their epochs."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from termexplorer.models.epochs import EpochCurves
from termexplorer.services.recipe_words import metric_text, part_text
from termexplorer.texts import tr
from termexplorer.views.plots import Plot, curve_pen
from termexplorer.views.theme import Theme

_LOWEST = 90  # pixels of a plot that can be read
_FEWEST = 10  # epochs on the axis, so that its ticks are whole numbers
_TOP_RIGHT, _BOTTOM_RIGHT = (-8, 8), (-8, -8)


class CurvePlot(Plot):
    """Named curves over epochs, told apart by colour, dash and legend.

    Args:
        theme: gives colours.
        title: for screen readers.
        legend: how far it is from the left and top, or where negative from the right and bottom.
    """

    def __init__(self, theme: Theme, title: str, legend: tuple[int, int] = _TOP_RIGHT) -> None:
        self._legend: Any = None
        super().__init__(theme, title, tr("epoch"))
        self._curves: dict[str, Any] = {}
        self._legend = self.item.addLegend(offset=legend)
        self.item.getAxis("left").setWidth(52)
        self.item.setLimits(xMin=0, minXRange=_FEWEST)
        self.paint_theme()

    def show_curves(self, curves: Sequence[tuple[str, Sequence[float], Sequence[float]]]) -> None:
        """Shows (name, epochs, values); curves that were there are moved, not made anew."""
        if [name for name, _, _ in curves] != list(self._curves):
            self._remake([name for name, _, _ in curves])
        for name, epochs, values in curves:
            short = len(epochs) < 2
            self._curves[name].setData(epochs, values, symbol="o" if short else None, symbolSize=5)

    def points(self, name: str) -> int:
        """How many points a curve has."""
        if name not in self._curves:
            return 0
        x, _ = self._curves[name].getData()
        return 0 if x is None else len(x)

    @property
    def names(self) -> list[str]:
        """The curves that are drawn."""
        return list(self._curves)

    @Slot()
    def paint_theme(self) -> None:
        """Takes the legend's colours from the theme too."""
        super().paint_theme()
        if self._legend is not None:
            colours = self.theme.colours
            self._legend.setLabelTextColor(colours.text)
            for _, label in self._legend.items:
                label.setText(label.text)  # or it keeps the colour that it was written in
            ground = pg.mkColor(colours.panel)
            ground.setAlpha(200)
            self._legend.setBrush(ground)

    def _remake(self, names: list[str]) -> None:
        self.item.clear()
        self._legend.clear()
        self._legend.setVisible(len(names) > 1)  # it may lie on a curve's end
        self._curves = {}
        for number, name in enumerate(names):
            pen = curve_pen(number)
            drawn = self.item.plot([], [], pen=pen, name=name, symbolBrush=pen.color())
            drawn.curve.setSegmentedLineMode("off")  # or dashes would begin anew at every point
            self._curves[name] = drawn
        if names:
            self.item.enableAutoRange()
        else:  # or the axes of what was drawn before would stay
            self.item.setRange(xRange=(0, _FEWEST), yRange=(0, 1), padding=0)


class CurvePair(QWidget):
    """Loss at the left, validation at the right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # a loss falls, and what is validated rises: there the legend is out of the way
        self.loss = CurvePlot(theme, tr("Loss"))
        self.validation = CurvePlot(theme, tr("Validation"), _BOTTOM_RIGHT)
        self._metric = QLabel(tr("Validation"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for label, plot in ((QLabel(tr("Loss")), self.loss), (self._metric, self.validation)):
            label.setProperty("quiet", True)
            plot.setMinimumHeight(_LOWEST)
            column = QVBoxLayout()
            column.setSpacing(4)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignLeft)
            column.addWidget(plot, 1)
            row.addLayout(column, 1)

    def show_run(self, curves: EpochCurves, metric: str) -> None:
        """Shows one run: each part of its loss, and its validation."""
        self.name_metric(metric_text(metric))
        epochs = curves.numbers()
        self.loss.show_curves(
            [(part_text(part), epochs, curves.losses(part)) for part in curves.parts()]
        )
        self.validation.show_curves(
            [(metric_text(metric) or tr("Validation"), epochs, curves.validation())]
            if epochs
            else []
        )

    def show_runs(self, runs: Sequence[tuple[str, EpochCurves, str]]) -> None:
        """Shows several runs (name, epochs, validation metric): the sum of their loss parts."""
        metrics = list(dict.fromkeys(metric_text(metric) for _, _, metric in runs))
        self.name_metric(" / ".join(metrics))
        self.loss.show_curves([(name, each.numbers(), each.total()) for name, each, _ in runs])
        self.validation.show_curves(
            [
                (_labelled(name, metric_text(m), metrics), c.numbers(), c.validation())
                for name, c, m in runs
            ]
        )

    def name_metric(self, metric: str) -> None:
        """Says what the validation measures."""
        self._metric.setText(metric[:1].upper() + metric[1:] if metric else tr("Validation"))


def _labelled(name: str, metric: str, metrics: list[str]) -> str:
    return name if len(metrics) == 1 else f"{name}: {metric}"
