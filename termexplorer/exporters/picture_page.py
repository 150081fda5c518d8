"""The page of a picture of maps: titles, the maps in frames, their labels, and a legend.

Drawn by Qt's painter, in pixels of the page; with `pictures`, which says in what form, it is the
only exporter that draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.label_places import Box, place_labels
from termexplorer.short_names import shorten_name

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter

_MARGIN, _HEADER, _GAP = 24, 76, 28  # pixels
_SIDE, _SIDE_OF_MANY = 800, 600  # of the square with a map
_CAPTION = 26  # over and under each of several maps
_LEGEND_WIDTH = 364
_ROW, _DOT, _BADGE = 26, 10, 9
_TEXT, _QUIET, _LINE, _ARROW = "#1b1f27", "#667085", "#dfe3e8", "#3b414d"
_LARGEST, _SMALLEST = 8.0, 1.6  # diameters of a point
_LABEL = 12
_FAMILIES = ["Inter", "DejaVu Sans", "Sans Serif"]

Float32s = NDArray[np.float32]
Places = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Series:
    """Points that are drawn alike.

    Attributes:
        label: in the legend.
        colour: as #rrggbb.
        points: (m,) int64, which of them.
        mark: what stands in their middle, and before the label, so that colour does not tell alone;
            empty for none.
    """

    label: str
    colour: str
    points: NDArray[np.int64]
    mark: str = ""


@dataclass(frozen=True, eq=False)
class PictureMap:
    """One map.

    Attributes:
        positions: (n, 2) of any scale, one for all panels; y goes up.
        title: over it, where there are several.
        facts: under it, where there are several.
        labels: points and what is written there, the most important first.
        arrows: (m, 2, 2), each from a place to a place.
    """

    positions: Float32s
    title: str = ""
    facts: str = ""
    labels: tuple[tuple[int, str], ...] = ()
    arrows: Float32s = field(default_factory=lambda: np.empty((0, 2, 2), np.float32))


@dataclass(frozen=True, eq=False)
class MapPicture:
    """What is drawn.

    Attributes:
        title: the first line.
        facts: the second.
        legend: over the labels of the series.
        series: in the order of the legend; the first are drawn last, over the others.
        panels: one to four maps of the same points.
    """

    title: str
    facts: str
    legend: str
    series: tuple[Series, ...]
    panels: tuple[PictureMap, ...]

    @property
    def side(self) -> int:
        """Of each map, in pixels."""
        return _SIDE if len(self.panels) == 1 else _SIDE_OF_MANY

    @property
    def caption(self) -> int:
        """How high the lines over and under a map are."""
        return 0 if len(self.panels) == 1 else _CAPTION

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page, in pixels."""
        columns = min(len(self.panels), 2)
        rows = (len(self.panels) + 1) // 2
        width = _MARGIN + columns * (self.side + _GAP) + _LEGEND_WIDTH + _MARGIN
        height = _HEADER + rows * (self.side + 2 * self.caption) + (rows - 1) * _GAP
        return width, height + 2 * _MARGIN - 4


class PicturePage:
    """One page, in pixels."""

    def __init__(self, painter: "QPainter") -> None:
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        self._painter = painter

    def draw(self, picture: MapPicture) -> None:
        """Draws title, maps and legend."""
        width, side = picture.size[0] - 2 * _MARGIN, picture.side
        self._text(_MARGIN, 38, width, picture.title, _TEXT, 20, bold=True)
        self._text(_MARGIN, 62, width, picture.facts, _QUIET, 13)
        shown = [series for series in picture.series if len(series.points)]
        titles = [picture_panel.title for picture_panel in picture.panels]
        middle, scale = _map_window(picture)
        for number, panel in enumerate(picture.panels):
            left = _MARGIN + (number % 2) * (side + _GAP)
            row = side + 2 * picture.caption + _GAP
            top = _HEADER + (number // 2) * row + picture.caption
            turned = np.array([scale, -scale])  # on a page y goes down
            centre = np.array([left + side / 2, top + side / 2])
            frame = Box(left, top, side, side)
            self._frame(frame)
            self._map(panel, shown, centre - middle * turned, turned, frame)
            if picture.caption:
                self._text(left, top - 9, side, panel.title, _TEXT, 14, bold=True, beside=titles)
                self._text(left, top + side + 18, side, panel.facts, _QUIET, 12)
        left = _MARGIN + min(len(picture.panels), 2) * (side + _GAP)
        self._draw_legend(left, picture.legend, shown)

    def _map(
        self, panel: PictureMap, shown: list[Series], shift: Places, scale: Places, frame: Box
    ) -> None:
        places = panel.positions.astype(np.float64) * scale + shift
        size = float(np.clip(220 / np.sqrt(len(places)), _SMALLEST, _LARGEST))
        for series in reversed(shown):
            self._points(series.colour, places[series.points], size)
        self._arrows(panel.arrows.astype(np.float64) * scale + shift)
        badges = [
            (series, *_densest_point(places[series.points])) for series in shown if series.mark
        ]
        taken = [Box(x - _BADGE, y - _BADGE, 2 * _BADGE, 2 * _BADGE) for _, x, y in badges]
        self._labels(
            [(text, *places[point].tolist()) for point, text in panel.labels], taken, frame
        )
        for series, x, y in badges:
            self._badge(series.mark, series.colour, x, y)

    def _arrows(self, arrows: Places) -> None:
        from PySide6.QtCore import QLineF, QPointF
        from PySide6.QtGui import QColor, QPen

        self._painter.setPen(QPen(QColor(_ARROW), 0.8))
        for (x, y), (to_x, to_y) in arrows.tolist():
            self._painter.drawLine(QLineF(x, y, to_x, to_y))
        self._painter.setBrush(QColor(_ARROW))
        for _, (to_x, to_y) in arrows.tolist():
            self._painter.drawEllipse(QPointF(to_x, to_y), 2, 2)

    def _labels(self, labels: list[tuple[str, float, float]], taken: list[Box], frame: Box) -> None:
        """Those for which there is room in a frame, on a ground that lets points shine through."""
        from PySide6.QtCore import QRectF, Qt
        from PySide6.QtGui import QColor, QFontMetricsF

        metrics = QFontMetricsF(page_font(_LABEL, bold=True))
        sizes = [(metrics.horizontalAdvance(text) + 6, metrics.height()) for text, _, _ in labels]
        ground = QColor("white")
        ground.setAlpha(205)
        edge, end = frame.left + _BADGE, frame.left + frame.width - _BADGE
        places = [
            (min(max(x, edge + width / 2), end - width / 2), y)
            for (_, x, y), (width, _) in zip(labels, sizes, strict=True)
        ]
        for number, box in place_labels(places, sizes, taken):
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(ground)
            self._painter.drawRoundedRect(QRectF(box.left, box.top, box.width, box.height), 3, 3)
            line, text = box.top + metrics.ascent(), labels[number][0]
            self._text(box.left + 3, line, box.width, text, _TEXT, _LABEL, bold=True)

    def _frame(self, frame: Box) -> None:
        from PySide6.QtCore import QRectF, Qt
        from PySide6.QtGui import QColor, QPen

        self._painter.setPen(QPen(QColor(_LINE), 1))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(QRectF(frame.left, frame.top, frame.width, frame.height))

    def _points(self, colour: str, places: NDArray[np.float64], size: float) -> None:
        from PySide6.QtCore import QPointF, Qt
        from PySide6.QtGui import QColor, QPen, QPolygonF

        pen = QPen(QColor(colour), size)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._painter.setPen(pen)
        self._painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in places.tolist()]))

    def _draw_legend(self, left: float, title: str, shown: list[Series]) -> None:
        y, labels = float(_HEADER + 14), [series.label for series in shown]
        self._text(left, y, _LEGEND_WIDTH, title, _TEXT, 14, bold=True)
        for series in shown:
            y += _ROW
            middle = left + _BADGE
            if series.mark:
                self._badge(series.mark, series.colour, middle, y - 5)
            else:
                self._points(series.colour, np.array([[middle, y - 5]]), _DOT)
            width = _LEGEND_WIDTH - 28
            self._text(left + 28, y, width, series.label, _TEXT, 13, beside=labels)

    def _badge(self, mark: str, colour: str, x: float, y: float) -> None:
        """A mark in a ring of the colour."""
        from PySide6.QtCore import QPointF
        from PySide6.QtGui import QColor, QFontMetricsF, QPen

        self._painter.setPen(QPen(QColor(colour), 2.5))
        self._painter.setBrush(QColor("white"))
        self._painter.drawEllipse(QPointF(x, y), _BADGE, _BADGE)
        font = page_font(12, bold=True)
        width = QFontMetricsF(font).horizontalAdvance(mark)
        self._text(x - width / 2, y + 4.4, 2 * _BADGE, mark, _TEXT, 12, bold=True)

    def _text(
        self,
        x: float,
        y: float,
        room: float,
        text: str,
        colour: str,
        size: int,
        bold: bool = False,
        beside: Sequence[str] = (),
    ) -> None:
        """A line of text from a place on its ground line.

        Where there is no room it is shortened, and told from the texts that stand beside it.
        """
        from PySide6.QtCore import QPointF
        from PySide6.QtGui import QColor, QFontMetricsF

        font = page_font(size, bold)
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        shown = shorten_name(text, beside, room, QFontMetricsF(font).horizontalAdvance)
        self._painter.drawText(QPointF(x, y), shown)


def page_font(size: int, bold: bool = False) -> "QFont":
    """The font of pages, so many pixels high; what is drawn by it can be read back."""
    from PySide6.QtGui import QFont

    font = QFont(_FAMILIES)
    font.setPixelSize(size)
    font.setBold(bold)
    # Inter's other brackets and dashes beside figures cannot be read back from a PDF
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _map_window(picture: MapPicture) -> tuple[Places, float]:
    """The middle of all maps and pixels to one, so that all are within their frames."""
    everything = np.concatenate([panel.positions for panel in picture.panels]).astype(np.float64)
    low, high = everything.min(axis=0), everything.max(axis=0)
    inner = picture.side - 4 * _BADGE
    return (low + high) / 2, inner / max(float((high - low).max()), 1e-12)


def _densest_point(places: Places) -> tuple[float, float]:
    """The point that is nearest to the median of all: among them, and not in a gap."""
    squares = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    x, y = places[int(squares.argmin())]
    return float(x), float(y)
