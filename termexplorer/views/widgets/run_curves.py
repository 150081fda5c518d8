"""Curves of runs over their epochs."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from termexplorer.models.epochs import EpochCurves
from termexplorer.plain_text import plain_html
from termexplorer.services.recipes.words import metric_text, part_text
from termexplorer.texts import tr
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.plots import Plot, curve_pen
from termexplorer.views.widgets.theme import Theme

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
        self._pens: list[int] = []
        self._legend = self.item.addLegend(offset=legend)
        self.item.getAxis("left").setWidth(52)
        self.item.setLimits(xMin=0, minXRange=_FEWEST)
        self.paint_theme()

    def show_curves(
        self,
        curves: Sequence[tuple[str, Sequence[float], Sequence[float]]],
        pens: Sequence[int] = (),
    ) -> None:
        """Shows (name, epochs, values); curves that were there are moved, not made anew.

        Args:
            curves: what is drawn.
            pens: the number of each one's pen; in their order without.
        """
        pens = pens or range(len(curves))
        if ([name for name, _, _ in curves], list(pens)) != (self.names, self._pens):
            self._remake([name for name, _, _ in curves], pens)
        for name, epochs, values in curves:
            short = len(epochs) < 2
            self._curves[name].setData(epochs, values, symbol="o" if short else None, symbolSize=5)

    def points(self, name: str) -> int:
        """How many points a curve has."""
        if name not in self._curves:
            return 0
        x, _ = self._curves[name].getData()
        return 0 if x is None else len(x)

    def name_left(self, text: str) -> None:
        """Says what is along the y axis."""
        if text != self._labels["left"]:
            self._labels["left"] = text
            self.paint_theme()

    @property
    def left(self) -> str:
        """What is written along the y axis."""
        text: str = self.item.getAxis("left").labelText
        return text

    def colour(self, name: str) -> str:
        """The colour of a curve."""
        text: str = self._curves[name].opts["pen"].color().name()
        return text

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

    def _remake(self, names: list[str], pens: Sequence[int]) -> None:
        self.item.clear()
        self._legend.clear()
        self._legend.setVisible(len(names) > 1)  # it may lie on a curve's end
        self._curves, self._pens = {}, list(pens)
        for number, name in zip(pens, names, strict=True):
            pen = curve_pen(number)
            drawn = self.item.plot([], [], pen=pen, name=plain_html(name), symbolBrush=pen.color())
            drawn.curve.setSegmentedLineMode("off")  # or dashes would begin anew at every point
            self._curves[name] = drawn
        if names:
            self.item.enableAutoRange()
        else:  # or the axes of what was drawn before would stay
            self.item.setRange(xRange=(0, _FEWEST), yRange=(0, 1), padding=0)


class CurvePair(QWidget):
    """Loss at the left, validation at the right; a plot of its own for each validation metric."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self._headings: list[QLabel] = []
        # a loss falls, and what is validated rises: there the legend is out of the way
        self.loss = self._add_plot(tr("Loss"), _TOP_RIGHT)
        self.loss.name_left(tr("Loss"))
        self.validations = [self._add_plot(tr("Validation"), _BOTTOM_RIGHT)]

    @property
    def validation(self) -> CurvePlot:
        """The plot of the first validation metric."""
        return self.validations[0]

    def show_run(self, curves: EpochCurves, metric: str) -> None:
        """Shows one run: each part of its loss, and its validation."""
        self._show_metrics([metric_text(metric)])
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
        metrics = list(dict.fromkeys(metric for _, _, metric in runs)) or [""]
        self._show_metrics([metric_text(metric) for metric in metrics])
        self.loss.show_curves(
            [(name, curves.numbers(), curves.total()) for name, curves, _ in runs]
        )
        for metric, plot in zip(metrics, self.validations, strict=False):
            measured = [number for number, run in enumerate(runs) if run[2] == metric]
            plot.show_curves(
                [(runs[n][0], runs[n][1].numbers(), runs[n][1].validation()) for n in measured],
                measured,  # a run has the same pen in all plots
            )

    def _show_metrics(self, metrics: Sequence[str]) -> None:
        """Show a plot for each validation metric, named after it at its axis and above it."""
        while len(self.validations) < len(metrics):
            self.validations.append(self._add_plot(tr("Validation"), _BOTTOM_RIGHT))
        for number, plot in enumerate(self.validations):
            metric = metrics[number] if number < len(metrics) else ""
            title = metric[:1].upper() + metric[1:] if metric else tr("Validation")
            self._headings[number + 1].setText(title)
            plot.name_left(title)
            for widget in (self._headings[number + 1], plot):
                widget.setVisible(number < max(len(metrics), 1))

    def _add_plot(self, title: str, legend: tuple[int, int]) -> CurvePlot:
        heading, plot = PlainLabel(title), CurvePlot(self._theme, title, legend)
        heading.setProperty("quiet", True)
        plot.setMinimumHeight(_LOWEST)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(heading, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(plot, 1)
        self._row.addLayout(column, 1)
        self._headings.append(heading)
        return plot
