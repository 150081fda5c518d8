"""Plots in the colours of the theme. Imports pyqtgraph: only for pages that draw."""

import re
from pathlib import Path
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSizeF, Qt, Slot
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)  # fmt: skip
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.texts import separated, tr
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.theme import Theme

_PICTURES = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"

# Okabe and Ito's colours, those that show on both grounds; never without a dash or label as well
CURVES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_POINTS, _PNG_DOTS = 72, 300  # to an inch
_INCH = 0.0254  # metres
_NOT_SCALED = re.compile(rb'<g [^>]*>(?=\s*<\w+ [^>]*vector-effect="non-scaling-stroke")')
_STROKE = re.compile(rb'(stroke-(?:width|dasharray)=")([^"]*)"')
_NUMBER = re.compile(rb"[\d.]+")
_INSET = 12  # pixels that a title of an axis has around it
_ROUND = 12  # pens before colours and dashes meet again


class _Axis(pg.AxisItem):  # type: ignore[misc]
    """Writes numbers as the language in use does, and its title as far as there is room."""

    labelText: str  # noqa: N815 - so that its type is known

    def labelString(self) -> str:  # noqa: N802
        """Return the title in HTML, shortened to the length of the axis."""
        whole, room = self.labelText, self.size()
        length = room.height() if self.orientation in ("left", "right") else room.width()
        metrics = QFontMetricsF(small_font())
        self.labelText = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, length - _INSET)
        self.setToolTip("" if self.labelText == whole else whole)
        try:
            return str(super().labelString())
        finally:
            self.labelText = whole

    def resizeEvent(self, event: Any = None) -> None:  # noqa: N802
        """Shorten the title anew, then lay it out."""
        if self.label is not None:
            self.label.setHtml(self.labelString())
        super().resizeEvent(event)

    def tickStrings(self, *args: Any) -> list[str]:  # noqa: N802
        return [separated(tick_string) for tick_string in super().tickStrings(*args)]

    def wheelEvent(self, event: Any) -> None:  # noqa: N802
        """Leaves the wheel to the page where it zooms nothing."""
        super().wheelEvent(event)
        if not any(self.linkedView().mouseEnabled()):
            event.ignore()


class Plot(QWidget):
    """One plot; `self.plot` is pyqtgraph's widget.

    Args:
        theme: gives colours.
        title: for screen readers, and as the heading.
        bottom: what is along the x axis.
        left: what is along the y axis.
    """

    def __init__(self, theme: Theme, title: str, bottom: str = "", left: str = "") -> None:
        super().__init__()
        self.theme = theme
        self._labels = {"bottom": bottom, "left": left}
        self.plot: Any = pg.PlotWidget(axisItems={side: _Axis(side) for side in ("left", "bottom")})
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setAccessibleName(title)
        self.plot.setFrameShape(self.plot.Shape.NoFrame)
        self.plot.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.item: Any = self.plot.getPlotItem()
        self.item.setMouseEnabled(x=False, y=False)  # nothing could bring back what was moved away
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        self._add_saving(title)
        theme.changed.connect(self.paint_theme)
        self.paint_theme()

    def save(self, path: Path) -> None:
        """Write the picture, as large as on the screen: SVG, PDF, or PNG of 300 dpi, by the ending.

        Raises:
            UserError: another ending, or the file cannot be written.
        """
        draw = {".png": self._png, ".svg": self._svg, ".pdf": self._pdf}.get(path.suffix.lower())
        if draw is None:
            raise UserError(tr("{path}: name the file .png, .svg or .pdf", path=path))
        with atomic_write(path) as fresh:
            fresh.write_bytes(draw())

    def _svg(self) -> bytes:
        buffer, generator = QBuffer(), QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setResolution(self._dots)
        generator.setSize(self.plot.size())
        generator.setViewBox(self.plot.rect())
        with QPainter(generator) as painter:
            self.plot.render(painter)
        return bytes(buffer.data().data())

    def _pdf(self) -> bytes:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(self.plot.accessibleName())
        writer.setResolution(self._dots)
        size = QSizeF(self.plot.size()) * _POINTS / self._dots
        writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        with QPainter(writer) as painter:
            self.plot.render(painter)
        return bytes(buffer.data().data())

    def _png(self) -> bytes:
        image = QImage(self.plot.size() * _PNG_DOTS / self._dots, QImage.Format.Format_RGB32)
        image.fill(self.theme.colours.panel)
        drawn = _widen_lines(self._svg(), _PNG_DOTS / self._dots)
        with QPainter(image) as painter:
            QSvgRenderer(QByteArray(drawn)).render(painter)
        for set_dots in (image.setDotsPerMeterX, image.setDotsPerMeterY):
            set_dots(round(_PNG_DOTS / _INCH))
        buffer = QBuffer()
        QImageWriter(buffer, QByteArray(b"png")).write(image)
        return bytes(buffer.data().data())

    @property
    def _dots(self) -> int:
        """Return the dots to an inch of the screen: axes are drawn for them, and scaled else."""
        return int(self.plot.logicalDpiX())

    def _add_saving(self, title: str) -> None:
        self._save = QAction(tr("Save picture…"), self.plot)
        self._save.setShortcut("Ctrl+S")
        self._save.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._save.triggered.connect(self._on_save)
        self.plot.addAction(self._save)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.plot.setWhatsThis(
            tr("{plot}; the menu key or Ctrl+S saves it as a picture", plot=title)
        )

    @Slot()
    def _on_save(self) -> None:
        name = f"{self.plot.accessibleName()}.png"
        if path := ask_save_path(self, "pictures", tr("Save picture"), name, _PICTURES):
            self.save(path)

    @Slot()
    def paint_theme(self) -> None:
        """Takes colours and text size from the theme."""
        colours = self.theme.colours
        self.plot.setBackground(colours.panel)
        font = small_font()
        for name in ("left", "bottom"):
            axis = self.item.getAxis(name)
            axis.enableAutoSIPrefix(False)  # or 0.5 would be 500 of "mAP (x0.001)"
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.quiet))
            axis.setTickFont(font)
            axis.setStyle(tickLength=-4)
        style = {"color": colours.quiet, "font-size": f"{font.pointSizeF():.1f}pt"}
        for name, text in self._labels.items():
            if text:
                self.item.setLabel(name, text, **style)
        self.item.showGrid(y=True, alpha=0.12)


def _widen_lines(svg: bytes, by: float) -> bytes:
    """Return a picture whose lines are wider where a larger picture would leave them as they are.

    Args:
        svg: as Qt writes it.
        by: how much larger the picture is to be drawn.
    """

    def widen(group: re.Match[bytes]) -> bytes:
        return _STROKE.sub(
            lambda match: (
                match[1] + _NUMBER.sub(lambda n: b"%g" % (float(n[0]) * by), match[2]) + b'"'
            ),
            group[0],
        )

    return _NOT_SCALED.sub(widen, svg)


def small_font() -> QFont:
    """The font of what stands at a plot."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * 0.9)
    return font


def curve_pen(number: int, width: float = 1.8) -> Any:
    """The pen of the n-th curve; 24 are unlike each other."""
    colour, dash = CURVES[number % len(CURVES)], number + number // _ROUND
    return pg.mkPen(colour, width=width, style=_DASHES[dash % len(_DASHES)])
