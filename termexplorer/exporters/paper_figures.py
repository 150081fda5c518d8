"""The figures of a report as files, each as SVG, PDF and PNG at 300 dpi."""

from collections.abc import Sequence
from pathlib import Path

from termexplorer.exporters.paper_parts import Chart, paper_parts
from termexplorer.exporters.picture_page import page_font
from termexplorer.exporters.pictures import application
from termexplorer.files import atomic_write

_WIDTH = 499  # points across, as in the paper
_POINTS, _PNG_DOTS = 72, 300  # to an inch
_INCH = 0.0254  # metres


def write_figures(folder: Path, title: str, sections: Sequence[str], page: str) -> list[Path]:
    """Write each chart of a report to three files, and return these.

    Args:
        folder: where they go; made if it is not there.
        title: of the report.
        sections: of it, HTML as `replicate.report` makes it.
        page: the page that a browser would be given, whose style says what charts look like.

    Raises:
        UserError: the place cannot be written to.
    """
    application()
    parts = paper_parts(title, sections, page, page_font(7, False).family())
    charts = [part for part in parts if isinstance(part, Chart)]
    written = []
    for number, chart in enumerate(charts, 1):
        files = {
            "svg": chart.svg.encode(),
            "pdf": _chart_pdf(chart, f"{title} · {number}"),
            "png": _chart_png(chart),
        }
        for ending, content in files.items():
            path = folder / f"figure-{number}.{ending}"
            with atomic_write(path) as fresh:
                fresh.write_bytes(content)
            written.append(path)
    return written


def _chart_pdf(chart: Chart, title: str) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QPageSize, QPainter, QPdfWriter
    from PySide6.QtSvg import QSvgRenderer

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("termexplorer")
    writer.setResolution(_POINTS)
    size = QSizeF(_WIDTH, _WIDTH * chart.height / chart.width)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    with QPainter(writer) as painter:
        QSvgRenderer(QByteArray(chart.svg.encode())).render(painter)
    return bytes(buffer.data().data())


def _chart_png(chart: Chart) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray, QSize
    from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    width = _WIDTH * _PNG_DOTS / _POINTS
    size = QSize(round(width), round(width * chart.height / chart.width))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        QSvgRenderer(QByteArray(chart.svg.encode())).render(painter)
    for set_dots in (image.setDotsPerMeterX, image.setDotsPerMeterY):
        set_dots(round(_PNG_DOTS / _INCH))
    buffer = QBuffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())
