"""Maps as pictures: PNG, or SVG and PDF whose text stays text, told by the file's ending.

With `picture_page` the only exporter that draws. It takes Qt's painter, which has one way of
drawing for all three, and imports it where something is drawn: no window is needed, and none is
opened.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.exporters.picture_page import MapPicture, PicturePage
from termexplorer.files import atomic_write
from termexplorer.texts import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

PICTURES = (".png", ".svg", ".pdf")

_POINTS, _PNG_DOTS = 72, 300  # to an inch
_INCH = 0.0254  # metres
_NO_SCREEN = "offscreen"  # a platform of Qt


def write_picture(path: Path, picture: MapPicture) -> None:
    """Draws a map beside its final place, then moves it there.

    Raises:
        UserError: another ending than .png, .svg or .pdf, or a place that cannot be written to.
    """
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise UserError(tr("{path}: name the file .png, .svg or .pdf", path=path))
    application()
    with atomic_write(path) as fresh:
        fresh.write_bytes(write(picture))


@cache
def application() -> "QApplication | None":
    """Make what fonts need, where it is not there: an application without a screen.

    It is one that windows can be made in as well, since a process has only one.
    """
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtWidgets import QApplication

    if QCoreApplication.instance() is not None:
        return None
    chosen = os.environ.get("QT_QPA_PLATFORM", "").startswith(_NO_SCREEN)
    return QApplication(["termexplorer", *([] if chosen else ["-platform", _NO_SCREEN])])


def _map_png(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray, QSize
    from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter

    sharper = _PNG_DOTS / _POINTS  # as large in print as the PDF
    image = QImage(QSize(*picture.size) * sharper, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        painter.scale(sharper, sharper)
        PicturePage(painter).draw(picture)
    for set_dots in (image.setDotsPerMeterX, image.setDotsPerMeterY):
        set_dots(round(_PNG_DOTS / _INCH))
    buffer = QBuffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def _map_svg(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QRect, QSize
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setTitle(picture.title)
    generator.setDescription(picture.facts)
    generator.setSize(QSize(*picture.size))
    generator.setViewBox(QRect(0, 0, *picture.size))
    with QPainter(generator) as painter:
        PicturePage(painter).draw(picture)
    return bytes(buffer.data().data())


def _map_pdf(picture: MapPicture) -> bytes:
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(picture.title)
    writer.setCreator("termexplorer")
    writer.setResolution(72)  # a pixel is a point
    writer.setPageSize(QPageSize(QSizeF(*picture.size), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    with QPainter(writer) as painter:
        PicturePage(painter).draw(picture)
    return bytes(buffer.data().data())


_WRITERS: dict[str, Callable[[MapPicture], bytes]] = {
    ".png": _map_png,
    ".svg": _map_svg,
    ".pdf": _map_pdf,
}
