"""Maps as pictures: PNG, or SVG and PDF whose text stays text, told by the file's ending.

The only exporter that draws. It takes Qt's painter, which has one way of drawing for all three,
and imports it where something is drawn: no window is needed, and none is opened.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.exporters.files import beside

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QGuiApplication, QPainter

PICTURES = (".png", ".svg", ".pdf")

_WIDTH, _HEIGHT = 1_240, 920
_MARGIN, _HEADER, _SIDE = 24, 76, 800  # pixels; the side of the square with the map
_LEGEND = _MARGIN + _SIDE + 28  # where it begins
_ROW, _DOT, _BADGE = 26, 10, 9
_SHARPER = 2  # pixels of a PNG to one of the page
_TEXT, _QUIET, _LINE = "#1b1f27", "#667085", "#dfe3e8"
_LARGEST, _SMALLEST = 8.0, 1.6  # diameters of a point
_FAMILIES = ["Inter", "DejaVu Sans", "Sans Serif"]


@dataclass(frozen=True, eq=False)
class Series:
    """Points that are drawn alike.

    Attributes:
        label: in the legend.
        colour: as #rrggbb.
        positions: (m, 2) of any scale; y goes up.
        mark: what stands in their middle, and before the label, so that colour does not tell alone;
            empty for none.
    """

    label: str
    colour: str
    positions: NDArray[np.float32]
    mark: str = ""


@dataclass(frozen=True, eq=False)
class MapPicture:
    """What is drawn.

    Attributes:
        title: the first line.
        facts: the second.
        legend: over the labels of the series.
        series: in the order of the legend; the first are drawn last, over the others.
    """

    title: str
    facts: str
    legend: str
    series: tuple[Series, ...]


def write_picture(path: Path, picture: MapPicture) -> None:
    """Draws a map beside its final place, then moves it there.

    Raises:
        UserError: another ending than .png, .svg or .pdf, or a place that cannot be written to.
    """
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise UserError(f"{path}: name the file .png, .svg or .pdf")
    _application()
    with beside(path) as fresh:
        fresh.write_bytes(write(picture))


@cache
def _application() -> "QGuiApplication | None":
    """What fonts need: the one of the window, or one without a screen."""
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.instance() is not None:
        return None
    return QGuiApplication(["termexplorer", "-platform", "offscreen"])


def _png(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray
    from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter

    image = QImage(_WIDTH * _SHARPER, _HEIGHT * _SHARPER, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(_SHARPER, _SHARPER)
    _Page(painter).draw(picture)
    painter.end()
    buffer = QBuffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def _svg(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QRect, QSize
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setTitle(picture.title)
    generator.setDescription(picture.facts)
    generator.setSize(QSize(_WIDTH, _HEIGHT))
    generator.setViewBox(QRect(0, 0, _WIDTH, _HEIGHT))
    painter = QPainter(generator)
    _Page(painter).draw(picture)
    painter.end()
    return bytes(buffer.data().data())


def _pdf(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(picture.title)
    writer.setCreator("termexplorer")
    writer.setResolution(72)  # a pixel is a point
    writer.setPageSize(QPageSize(QSizeF(_WIDTH, _HEIGHT), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    _Page(painter).draw(picture)
    painter.end()
    return bytes(buffer.data().data())


_WRITERS: dict[str, Callable[[MapPicture], bytes]] = {".png": _png, ".svg": _svg, ".pdf": _pdf}


class _Page:
    """One page, in pixels."""

    def __init__(self, painter: "QPainter") -> None:
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        self._painter = painter

    def draw(self, picture: MapPicture) -> None:
        """Draws title, map and legend."""
        width = _WIDTH - 2 * _MARGIN
        self._text(_MARGIN, 38, width, picture.title, _TEXT, 20, bold=True)
        self._text(_MARGIN, 62, width, picture.facts, _QUIET, 13)
        self._frame()
        shown = [each for each in picture.series if len(each.positions)]
        places = _on_page([each.positions for each in shown])
        size = _diameter(sum(map(len, places)))
        for series, own in reversed(list(zip(shown, places, strict=True))):
            self._points(series.colour, own, size)
        for series, own in zip(shown, places, strict=True):
            if series.mark:
                x, y = _middle(own)
                self._badge(series.mark, series.colour, x, y)
        self._draw_legend(picture.legend, shown)

    def _frame(self) -> None:
        from PySide6.QtCore import QRectF
        from PySide6.QtGui import QColor, QPen

        self._painter.setPen(QPen(QColor(_LINE), 1))
        self._painter.drawRect(QRectF(_MARGIN, _HEADER, _SIDE, _SIDE))

    def _points(self, colour: str, places: NDArray[np.float64], size: float) -> None:
        from PySide6.QtCore import QPointF, Qt
        from PySide6.QtGui import QColor, QPen, QPolygonF

        pen = QPen(QColor(colour), size)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._painter.setPen(pen)
        self._painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in places.tolist()]))

    def _draw_legend(self, title: str, shown: list[Series]) -> None:
        y = float(_HEADER + 14)
        room = _WIDTH - _MARGIN - _LEGEND
        self._text(_LEGEND, y, room, title, _TEXT, 14, bold=True)
        for series in shown:
            y += _ROW
            middle = _LEGEND + _BADGE
            if series.mark:
                self._badge(series.mark, series.colour, middle, y - 5)
            else:
                self._points(series.colour, np.array([[middle, y - 5]]), _DOT)
            self._text(_LEGEND + 28, y, room - 28, series.label, _TEXT, 13)

    def _badge(self, mark: str, colour: str, x: float, y: float) -> None:
        """A mark in a ring of the colour."""
        from PySide6.QtCore import QPointF
        from PySide6.QtGui import QColor, QFontMetricsF, QPen

        self._painter.setPen(QPen(QColor(colour), 2.5))
        self._painter.setBrush(QColor("white"))
        self._painter.drawEllipse(QPointF(x, y), _BADGE, _BADGE)
        font = self._font(12, bold=True)
        width = QFontMetricsF(font).horizontalAdvance(mark)
        self._text(x - width / 2, y + 4.4, 2 * _BADGE, mark, _TEXT, 12, bold=True)

    def _text(
        self, x: float, y: float, room: float, text: str, colour: str, size: int, bold: bool = False
    ) -> None:
        """A line of text from a place on its ground line, elided where there is no room."""
        from PySide6.QtCore import QPointF, Qt
        from PySide6.QtGui import QColor, QFontMetricsF

        font = self._font(size, bold)
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        elided = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        self._painter.drawText(QPointF(x, y), elided)

    def _font(self, size: int, bold: bool = False) -> "QFont":
        from PySide6.QtGui import QFont

        font = QFont(_FAMILIES)
        font.setPixelSize(size)
        font.setBold(bold)
        # Inter's other brackets and dashes beside figures cannot be read back from a PDF
        font.setFeature(QFont.Tag("calt"), 0)
        return font


def _on_page(positions: list[NDArray[np.float32]]) -> list[NDArray[np.float64]]:
    """Positions within the frame, both axes on one scale."""
    everything = np.concatenate(positions).astype(np.float64)
    low, high = everything.min(axis=0), everything.max(axis=0)
    inner = _SIDE - 4 * _BADGE
    scale = inner / max(float((high - low).max()), 1e-12)
    centre = np.array([_MARGIN + _SIDE / 2, _HEADER + _SIDE / 2])
    turned = np.array([scale, -scale])  # on a page y goes down
    return [centre + (each - (low + high) / 2) * turned for each in positions]


def _diameter(points: int) -> float:
    return float(np.clip(220 / np.sqrt(points), _SMALLEST, _LARGEST))


def _middle(places: NDArray[np.float64]) -> tuple[float, float]:
    """The point that is nearest to the median of all: among them, and not in a gap."""
    squares = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    x, y = places[int(squares.argmin())]
    return float(x), float(y)
