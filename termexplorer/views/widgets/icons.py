"""Icons in the colours of the theme, drawn from one file of outlines."""

import re
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from termexplorer.resources import FOLDER

_SIZES = (16, 22, 32, 44, 96)  # those of buttons and the rail, twice each, and for denser screens
_PATH = re.compile(r'<path id="([^"]+)" d="([^"]+)"/>')
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><path d="{}" fill="{}"/></svg>'
)


@cache
def icon(name: str, colour: str, checked: str = "") -> QIcon:
    """An icon by its name in `resources/icons.svg`.

    Args:
        name: the id of its outline.
        colour: `#rrggbb`.
        checked: the colour while a button is checked; the same by default.
    """
    result = QIcon()
    _add_pixmap(result, name, colour, QIcon.State.Off)
    if checked:
        _add_pixmap(result, name, checked, QIcon.State.On)
    return result


def _add_pixmap(target: QIcon, name: str, colour: str, state: QIcon.State) -> None:
    renderer = QSvgRenderer(QByteArray(_SVG.format(_read_outlines()[name], colour).encode()))
    for size in _SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            renderer.render(painter, QRectF(0, 0, size, size))
        target.addPixmap(pixmap, QIcon.Mode.Normal, state)


@cache
def _read_outlines() -> dict[str, str]:
    file = FOLDER / "icons.svg"
    return dict(_PATH.findall(file.read_text("utf-8")))
