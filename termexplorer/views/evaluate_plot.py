"""Figures as curves with their intervals: coverage over k, and a metric over levels."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot

from termexplorer.services.evaluation import Evaluated, FigureInfo
from termexplorer.views.plots import curve_pen
from termexplorer.views.run_curves import CurvePlot
from termexplorer.views.theme import Theme

_AT_K = re.compile(r"coverage@(\d+)")
_MARGIN = 0.35  # of a step of the axis, at both ends
_BEAM = 0.08
_FOR_LEGEND = 0.16  # of the axis, beside the last point


@dataclass(frozen=True, slots=True)
class Curves:
    """What is drawn.

    Attributes:
        title: over it.
        across: what is along the x axis.
        ticks: a place on that axis and what stands there.
        points: by encoder, a place on that axis and the figure there.
    """

    title: str
    across: str
    ticks: tuple[tuple[int, str], ...]
    points: Mapping[int, Sequence[tuple[int, FigureInfo]]]


def curves_of(evaluated: Evaluated, others: Sequence[Evaluated]) -> Curves | None:
    """The curves that an evaluation is part of; None where a table says it all.

    Args:
        evaluated: what is on show.
        others: all evaluations; those of other levels of the same split make a curve with it.
    """
    if evaluated.task == "coverage":
        return _over_k(evaluated)
    return _over_levels(evaluated, others)


def _over_k(evaluated: Evaluated) -> Curves:
    points: dict[int, list[tuple[int, FigureInfo]]] = {}
    ticks = {}
    for figure in evaluated.figures:
        found = _AT_K.fullmatch(figure.metric)
        if found:
            k = int(found[1])
            place = k.bit_length() - 1  # each k is a power of two
            ticks[place] = f"{k:,}"
            points.setdefault(figure.encoder_id, []).append((place, figure))
    return Curves("Coverage at k", "k", tuple(sorted(ticks.items())), points)


def _over_levels(evaluated: Evaluated, others: Sequence[Evaluated]) -> Curves | None:
    points: dict[int, list[tuple[int, FigureInfo]]] = {}
    levels = set()
    for other in others:
        level = other.level
        same = (other.task, other.split_id) == (evaluated.task, evaluated.split_id)
        if level is None or not same:
            continue
        for figure in other.figures:
            if figure.metric == evaluated.metric:
                levels.add(level)
                points.setdefault(figure.encoder_id, []).append((level, figure))
    if len(levels) < 2:
        return None
    ticks = tuple((level, str(level)) for level in sorted(levels))
    return Curves(
        f"{evaluated.metric} on each level of split {evaluated.split_id}", "level", ticks, points
    )


class FigurePlot(CurvePlot):
    """A curve an encoder, with an interval at each point."""

    def __init__(self, theme: Theme) -> None:
        self._across = ""
        super().__init__(theme, "Figures")
        self._legend.setOffset((-8, -8))  # coverage rises away from there
        self._intervals: list[Any] = []

    def show_figures(self, curves: Curves, labels: Mapping[int, str]) -> None:
        """Draws curves, the encoders in the order of their ids."""
        for each in self._intervals:
            self.item.removeItem(each)
        self._across = curves.across
        ordered = {
            encoder_id: sorted(points, key=lambda point: point[0])
            for encoder_id, points in sorted(curves.points.items())
        }
        self.show_curves(
            [
                (labels[encoder_id], [x for x, _ in points], [f.value for _, f in points])
                for encoder_id, points in ordered.items()
            ]
        )
        self._intervals = [
            _interval(points, number) for number, points in enumerate(ordered.values())
        ]
        for each in self._intervals:
            self.item.addItem(each)
        self._set_axes(curves)
        self.plot.setAccessibleName(curves.title)
        self.plot.setAccessibleDescription(f"{len(ordered)} encoders over {curves.across}")
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

    def _set_axes(self, curves: Curves) -> None:
        places = [place for place, _ in curves.ticks]
        low = places[0] - _MARGIN
        high = places[-1] + _MARGIN + _FOR_LEGEND * (places[-1] - places[0])
        self.item.getAxis("bottom").setTicks([list(curves.ticks)])
        self.item.setLimits(xMin=low, xMax=high, minXRange=min(1.0, high - low))
        self.item.setXRange(low, high, padding=0)
        self.item.enableAutoRange(axis="y")


def _interval(points: Sequence[tuple[int, FigureInfo]], number: int) -> Any:
    pen = curve_pen(number, 1.2)
    pen.setStyle(Qt.PenStyle.SolidLine)
    return pg.ErrorBarItem(
        x=np.array([x for x, _ in points]),
        y=np.array([figure.value for _, figure in points]),
        top=np.array([figure.high - figure.value for _, figure in points]),
        bottom=np.array([figure.value - figure.low for _, figure in points]),
        beam=_BEAM,
        pen=pen,
    )
