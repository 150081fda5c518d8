"""Reports as PDF, fit for the appendix of a paper: A4, text that stays text, charts as vectors.

With `pictures` the only exporter that draws; Qt is imported where it does.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.exporters.paper_parts import paper_parts
from termexplorer.exporters.paper_setting import (
    DrawnChart,
    Mark,
    Ruled,
    Style,
    WrittenLine,
    set_paper,
)
from termexplorer.exporters.picture_page import page_font
from termexplorer.exporters.pictures import application
from termexplorer.files import atomic_write

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter

_PAGE = (595, 842)  # A4 in points
_MARGIN, _FOOT = 48, 30
_WIDTH, _HEIGHT = _PAGE[0] - 2 * _MARGIN, _PAGE[1] - 2 * _MARGIN
_TEXT, _QUIET, _LINE = "#000000", "#5b6472", "#b8bfc9"
_RUNNING = Style(7, quiet=True)


def write_paper(path: Path, title: str, sections: Sequence[str], page: str) -> None:
    """Writes a report as PDF, beside its final place first.

    Args:
        path: the file.
        title: of the report.
        sections: of it, HTML as `replicate.report` makes it.
        page: the page that a browser would be given, whose style says what charts look like.

    Raises:
        UserError: the place cannot be written to.
    """
    application()
    parts = paper_parts(title, sections, page, _page_font_of(_RUNNING).family())
    written = _write_pdf(title, set_paper(parts, _WIDTH, _HEIGHT, _measure_text))
    _page_font_of.cache_clear()  # fonts are not to outlive the application
    with atomic_write(path) as fresh:
        fresh.write_bytes(written)


def _write_pdf(title: str, pages: Sequence[Sequence[Mark]]) -> bytes:
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("termexplorer")
    writer.setResolution(72)  # a pixel is a point
    writer.setPageSize(QPageSize(QSizeF(*_PAGE), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    with QPainter(writer) as painter:
        for number, marks in enumerate(pages):
            if number:
                writer.newPage()
            for mark in (*marks, *_running_foot(title, number + 1, len(pages))):
                _draw_mark(painter, mark)
    return bytes(buffer.data().data())


def _running_foot(title: str, number: int, pages: int) -> tuple[WrittenLine, WrittenLine]:
    """What stands at the foot of each page."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QFontMetricsF

    count, y = f"{number} of {pages}", _PAGE[1] - _MARGIN - _FOOT
    wide = _measure_text(count, _RUNNING)
    metrics = QFontMetricsF(_page_font_of(_RUNNING))
    short = metrics.elidedText(title, Qt.TextElideMode.ElideRight, _WIDTH - 2 * wide)
    return WrittenLine(0, y, short, _RUNNING), WrittenLine(_WIDTH - wide, y, count, _RUNNING)


def _draw_mark(painter: "QPainter", mark: Mark) -> None:
    from PySide6.QtCore import QByteArray, QLineF, QPointF, QRectF
    from PySide6.QtGui import QColor, QPen
    from PySide6.QtSvg import QSvgRenderer

    if isinstance(mark, WrittenLine):
        painter.setFont(_page_font_of(mark.style))
        painter.setPen(QColor(_QUIET if mark.style.quiet else _TEXT))
        painter.drawText(QPointF(_MARGIN + mark.x, _MARGIN + mark.y), mark.text)
    elif isinstance(mark, Ruled):
        y = _MARGIN + mark.y
        painter.setPen(QPen(QColor(_LINE), mark.thick))
        painter.drawLine(QLineF(_MARGIN, y, _MARGIN + _WIDTH, y))
    elif isinstance(mark, DrawnChart):
        painter.setFont(_page_font_of(_RUNNING))  # what a chart does not say of its letters
        place = QRectF(_MARGIN, _MARGIN + mark.y, _WIDTH, mark.height)
        QSvgRenderer(QByteArray(mark.chart.svg.encode())).render(painter, place)


def _measure_text(text: str, style: Style) -> float:
    from PySide6.QtGui import QFontMetricsF

    return float(QFontMetricsF(_page_font_of(style)).horizontalAdvance(text))


@cache
def _page_font_of(style: Style) -> "QFont":
    from PySide6.QtGui import QFont

    font = page_font(style.size, style.bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
