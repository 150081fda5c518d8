"""Class sizes as sorted bars on a logarithmic scale."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QToolTip

from termexplorer.plain_text import plain_tip
from termexplorer.services.levels.lens import LevelLens
from termexplorer.texts import number, tr, trn
from termexplorer.views.widgets.plots import Plot
from termexplorer.views.widgets.theme import Theme

_FOOT = np.log10(0.6)  # a class of one name still has a bar
_ROOM = 1.06
_MARK_SHARE = 250  # the marked bar is at least so many times narrower than the plot
_FEWEST = 5  # bars that can be seen at the largest
_WIDE_BARS = 240  # more bars than that stand without gaps


class ClassChart(Plot):
    """Bars, the largest class first.

    Signals:
        chosen: the concept id of the class that was clicked.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self._bars: Any = pg.BarGraphItem(x=[], height=[], width=1)
        self._mark: Any = pg.BarGraphItem(x=[], height=[], width=1)
        super().__init__(theme, tr("Class sizes"), left=tr("names per class"))
        self._lens: LevelLens | None = None
        self._places: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sizes: NDArray[np.int64] = np.zeros(0, np.int64)
        self.item.addItem(self._bars)
        self.item.addItem(self._mark)
        self.item.hideAxis("bottom")
        self.item.getAxis("left").setWidth(72)
        self.item.setMouseEnabled(x=True, y=False)
        scene = self.plot.scene()
        scene.sigMouseMoved.connect(self._on_moved)
        scene.sigMouseClicked.connect(self._on_clicked)

    @property
    def bars(self) -> int:
        """How many bars are drawn."""
        return len(self._sizes)

    def show_sizes(
        self, lens: LevelLens, places: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> None:
        """Shows (k,) classes with their sizes."""
        order = np.argsort(-sizes, kind="stable")
        self._lens, self._places, self._sizes = lens, places[order], sizes[order]
        count, top = len(sizes), max(int(sizes.max(initial=0)), 1)
        self._draw(self._bars, np.flatnonzero(self._sizes))
        self.mark(None)
        high = _FOOT + max(np.log10(top) - _FOOT, 0.5) * _ROOM
        right, least = max(count, 1) - 0.5, min(max(count, 1), _FEWEST)
        self.item.setLimits(xMin=-0.5, xMax=right, yMin=_FOOT, yMax=high, minXRange=least)
        self.item.setRange(xRange=(-0.5, right), yRange=(_FOOT, high), padding=0)
        self.item.getAxis("left").setTicks([_decade_ticks(top)])
        self.plot.setAccessibleDescription(
            trn(
                "{n:,} classes, the largest of {top:,} names",
                "{n:,} classes, the largest of {top:,} names",
                count,
                top=top,
            )
        )

    def mark(self, concept_id: int | None) -> None:
        """Draws the bar of a concept, if it is a class, in another colour."""
        lens, places = self._lens, self._places.tolist()
        rows = (n for n, at in enumerate(places) if lens and lens.concept_id(at) == concept_id)
        at = next(rows, -1) if concept_id is not None else -1
        self._draw(self._mark, np.array([at] if at >= 0 else [], np.int64), self.bars / _MARK_SHARE)

    @Slot()
    def paint_theme(self) -> None:
        """Takes the colours of bars from the theme too."""
        super().paint_theme()
        colours = self.theme.colours
        self._bars.setOpts(brush=pg.mkBrush(colours.accent), pen=pg.mkPen(None))
        self._mark.setOpts(brush=pg.mkBrush(colours.down), pen=pg.mkPen(None))

    def _draw(self, bars: Any, at: NDArray[np.int64], narrowest: float = 0.0) -> None:
        width = max(0.8 if self.bars <= _WIDE_BARS else 1.0, narrowest)
        heights = np.log10(np.maximum(self._sizes[at], 1)) - _FOOT
        bars.setOpts(x=at.astype(float), height=heights, width=width, y0=np.full(len(at), _FOOT))

    def _under(self, position: QPointF) -> int:
        """The bar at a place of the scene, or -1."""
        box = self.item.getViewBox()
        if not box.sceneBoundingRect().contains(position):
            return -1
        number = round(box.mapSceneToView(position).x())
        return number if 0 <= number < self.bars else -1

    @Slot(object)
    def _on_moved(self, position: QPointF) -> None:
        number = self._under(position)
        QToolTip.showText(QCursor.pos(), plain_tip(self._told(number)), self.plot)

    @Slot(object)
    def _on_clicked(self, event: Any) -> None:
        number = self._under(event.scenePos())
        if number >= 0 and self._lens and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._lens.concept_id(int(self._places[number])))

    def _told(self, number: int) -> str:
        if number < 0 or self._lens is None:
            return ""
        row = self._lens.row(int(self._places[number]), int(self._sizes[number]))
        level_text = tr(
            "{names:,} names, {place:,} of {bars:,}",
            names=row.names,
            place=number + 1,
            bars=self.bars,
        )
        return f"{row.code} {row.label}\n{level_text}"


def _decade_ticks(top: int) -> list[tuple[float, str]]:
    return [(power, number(10**power)) for power in range(len(str(top)))]
