"""Draws a map: points as pixels, what is written there, and rings around what is chosen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from termexplorer.services.map.points import NONE, OTHERS, SEVERAL, PointGroup
from termexplorer.services.map.projection import MapLabel
from termexplorer.views.map.outline import Outline
from termexplorer.views.map.overlay import paint_arrows, paint_hint, paint_outline, paint_rings
from termexplorer.views.map.raster import DrawnPoints, Pixels, count_in_view, diameter, draw
from termexplorer.views.map.view import Float32s, MapView
from termexplorer.views.map.writing import MapWriting
from termexplorer.views.widgets.theme import Theme

_FEW = 3_000  # points in view up to which each is a smooth disc
_EDGE = 8  # pixels
_ON_DARK = {OTHERS: "#7d828c", SEVERAL: "#a5a9b1", NONE: "#4a4f5a"}


_EMPTY = DrawnPoints(np.empty(0, np.int64), np.empty((0, 2), np.float32), (), ())


class MapCanvas(QWidget):
    """Shows points; `MapPlot` moves through them.

    Attributes:
        hint: what it says while there are no points.
        view: what is in view, in pixels of the window.
        positions: (n, 2) float32, where the points are.
        extent: (m, 2) float32 places that are in view when all are; None for the points.

    Signals:
        viewed: another part is in view.
    """

    viewed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.hint = ""
        self.view = MapView()
        self.positions: Float32s = _EMPTY.positions
        self.extent: Float32s | None = None
        self._arrows: Float32s = np.empty((0, 2, 2), np.float32)
        self._hovered: int | None = None
        self._groups: Sequence[PointGroup] = ()
        self._lit: NDArray[np.bool_] | None = None
        self._marked: NDArray[np.int64] = _EMPTY.order
        self._drawn = _EMPTY
        self._pixels: Pixels | None = None
        self._seen = 0
        self._middles: Float32s | None = None
        self._whole = True
        self._outline: Outline | None = None
        self._writing = MapWriting(theme)
        theme.changed.connect(self._on_theme)

    @property
    def groups(self) -> Sequence[PointGroup]:
        """The points by colour."""
        return self._groups

    @property
    def lit(self) -> NDArray[np.bool_] | None:
        """(n,) which points have their colours; None for all."""
        return self._lit

    @property
    def labels(self) -> Sequence[MapLabel]:
        """What is written on it where there is room."""
        return self._writing.labels

    @property
    def marked(self) -> NDArray[np.int64]:
        """Which points have rings."""
        return self._marked

    @property
    def outline(self) -> Outline | None:
        """What is about to enclose points."""
        return self._outline

    @property
    def middles(self) -> Float32s:
        """(m, 2), of each group the point that is nearest to the median of all its points."""
        if self._middles is None:
            densest = [_densest_point(self.positions[group.points]) for group in self._groups]
            self._middles = np.array(densest, np.float32).reshape(-1, 2)
        return self._middles

    @property
    def picture(self) -> Pixels:
        """What is drawn of the points, (height, width) colours 0xffrrggbb."""
        if self._pixels is None:
            ratio = self.devicePixelRatio()
            view = self.view.sharper(ratio)
            left, top = view.pixels(self._drawn.positions)
            self._seen = count_in_view(left, top, view)
            wide, ground = diameter(self._seen, ratio), QColor(self.theme.colours.panel).rgb()
            self._pixels = draw(left, top, self._drawn.layers(), view, ground, wide)
        return self._pixels

    def show_points(self, positions: Float32s, groups: Sequence[PointGroup]) -> None:
        """Shows other points, all of them in view; small classes are drawn over large ones."""
        self.positions, self._groups = positions, groups
        self._writing.labels = ()
        self._lit, self._marked, self._hovered = None, _EMPTY.order, None
        self._sort()
        self.show_all()

    def show_groups(self, groups: Sequence[PointGroup]) -> None:
        """Shows the same points in other colours."""
        self._groups = groups
        self._sort()

    def move_points(self, positions: Float32s) -> None:
        """Shows where the same points are by now; there may have been none before."""
        self.positions, self._middles = positions, None
        if len(positions) == len(self._drawn.order):
            self._drawn = replace(self._drawn, positions=positions[self._drawn.order])
        else:
            self._sort()
        if self._whole:
            self.show_all()
        self.redraw()

    def light(self, lit: NDArray[np.bool_] | None) -> None:
        """Leaves these points their colours and draws the others grey; None lights all."""
        self._lit = lit
        self._sort()

    def show_labels(self, labels: Sequence[MapLabel]) -> None:
        """Writes these on the map, the first before the others where there is no room for all."""
        self._writing.labels = labels
        self.update()

    def mark(self, points: NDArray[np.int64]) -> None:
        """Draws rings around points."""
        self._marked = points
        self.update()

    @property
    def whole(self) -> bool:
        """Whether all points are in view, and stay there when the window gets another size."""
        return self._whole

    @Slot()
    def show_all(self) -> None:
        """Has all points in view, also when the window gets another size."""
        self._look(self._all_of(self.view), True)

    def look(self, view: MapView) -> None:
        """Shows another part of the map."""
        self._look(view, False)

    def _look(self, view: MapView, whole: bool) -> None:
        if (view, whole) != (self.view, self._whole):
            self.view, self._whole = view, whole
            self.redraw()
            self.viewed.emit()

    def redraw(self) -> None:
        """Draws the points anew, soon."""
        self._pixels = None
        self.update()

    def show_arrows(self, arrows: Float32s) -> None:
        """Draws (m, 2, 2) lines from places to places."""
        self._arrows = arrows
        self.update()

    def hover(self, point: int) -> None:
        """Draws a ring around a point that is pointed at elsewhere; -1 for none."""
        self._hovered = point if 0 <= point < len(self.positions) else None
        self.update()

    def show_outline(self, outline: Outline | None) -> None:
        """Shows what is about to enclose points."""
        self._outline = outline
        self.update()

    def colour_of(self, group: PointGroup) -> str:
        """The colour of a group on the ground of the theme."""
        return _ON_DARK.get(group.colour, group.colour) if self.theme.dark else group.colour

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keeps the middle of what is in view."""
        super().resizeEvent(event)
        view = replace(self.view, width=max(self.width(), 1), height=max(self.height(), 1))
        self._look(self._all_of(view) if self._whole else view, self._whole)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws it."""
        with QPainter(self) as painter:
            if len(self.positions):
                self._paint_points(painter)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._paint_writing(painter)
                self._paint_over(painter)
            else:
                painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
                paint_hint(painter, self.palette(), self.rect(), self.hint)
            if self.hasFocus():
                painter.setPen(QPen(QColor(self.theme.colours.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _all_of(self, view: MapView) -> MapView:
        return view.around(self.positions if self.extent is None else self.extent)

    def _sort(self) -> None:
        """Puts points in the order of drawing: those not lit, the grey ones, smaller classes."""
        self._middles = None
        if not len(self.positions):
            self._drawn = _EMPTY
            self.redraw()
            return
        groups = sorted(self._groups, key=lambda group: (bool(group.mark), -len(group.points)))
        rank = np.zeros(len(self.positions), np.uint8)
        for number, group in enumerate(groups, 1):
            rank[group.points] = number
        if self._lit is not None:
            rank[~self._lit] = 0
        order = np.argsort(rank, kind="stable")
        dim = QColor(self.theme.colours.line).name()
        self._drawn = DrawnPoints(
            order,
            self.positions[order],
            (dim, *(self.colour_of(group) for group in groups)),
            tuple(np.cumsum(np.bincount(rank, minlength=len(groups) + 1)).tolist()),
        )
        self.redraw()

    def _paint_points(self, painter: QPainter) -> None:
        pixels = self.picture
        if self._seen > _FEW:
            around = np.asarray(pixels.base)
            height, width = around.shape
            edge = (width - pixels.shape[1]) // 2
            kind = QImage.Format.Format_RGB32
            image = QImage(around.data, width, height, 4 * width, kind)
            source = QRect(edge, edge, width - 2 * edge, height - 2 * edge)
            painter.drawImage(self.rect(), image, source)
            return
        left, top = self.view.pixels(self._drawn.positions)
        seen = (left >= -_EDGE) & (left < self.view.width + _EDGE)
        seen &= (top >= -_EDGE) & (top < self.view.height + _EDGE)
        painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for layer in self._drawn.layers():
            part = slice(layer.start, layer.stop)
            is_inside = seen[part]
            places = zip(left[part][is_inside].tolist(), top[part][is_inside].tolist(), strict=True)
            pen = QPen(QColor.fromRgb(layer.colour), diameter(self._seen))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in places]))

    def _paint_writing(self, painter: QPainter) -> None:
        places = [(x, y) for x, y in self.middles.tolist()]
        badges = zip(self._groups, places, strict=True)
        shown = [badge for badge in badges if badge[0].mark and self._lit is None]
        self._writing.paint(painter, self.view, self.positions, shown)

    def _paint_over(self, painter: QPainter) -> None:
        paint_arrows(painter, self.theme, self.view, self._arrows)
        ringed = self._marked if self._hovered is None else [*self._marked, self._hovered]
        left, top = self.view.pixels(self.positions[ringed])
        paint_rings(painter, self.theme, zip(left.tolist(), top.tolist(), strict=True))
        paint_outline(painter, self.theme, self._outline)

    @Slot()
    def _on_theme(self) -> None:
        self._sort()


def _densest_point(positions: Float32s) -> Float32s:
    beside = positions - np.median(positions, axis=0)
    point: Float32s = positions[np.einsum("ij,ij->i", beside, beside).argmin()]
    return point
