"""The text of a help topic, with its pictures as wide as there is room."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QImage, QPainter, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QStyle, QTextBrowser, QWidget

from termexplorer.resources import FOLDER
from termexplorer.texts import language

_PICTURES = FOLDER / "help"
_FORMAT = QImage.Format.Format_RGB32  # in which it can be scaled smoothly, and drawn upon


def find_picture(name: str) -> Path:
    """Return the file of a picture, in the language in use where there is such a one."""
    translated_path: Path = _PICTURES / language() / name
    return translated_path if translated_path.is_file() else _PICTURES / name


class HelpText(QTextBrowser):
    """Shows Markdown; pictures are scaled when it is laid out, so that their text stays sharp."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._markdown = ""
        self._width = 0
        self._resized = QTimer(self, singleShot=True, interval=100)
        self._resized.timeout.connect(self._lay_out)

    def show_markdown(self, text: str) -> None:
        """Shows a text from its beginning."""
        self._markdown = text
        self._width = self._room()
        self.setMarkdown(text)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        """A picture that the text names, no wider than the text."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        picture = QImage(str(find_picture(QUrl(name).path()))).convertToFormat(_FORMAT)
        sharp = self.devicePixelRatioF()
        width = min(round(self._room() * sharp), picture.width())
        shown = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        with QPainter(shown) as painter:
            painter.setPen(self.palette().mid().color())
            painter.drawRect(shown.rect().adjusted(0, 0, -1, -1))  # else it has no edge
        shown.setDevicePixelRatio(sharp)
        return shown

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Scales the pictures anew, when the size stays for a moment."""
        super().resizeEvent(event)
        if self._markdown and self._room() != self._width:
            self._resized.start()

    def _room(self) -> int:
        """The width of the text, with a scroll bar or without: else it might come and go."""
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return self.contentsRect().width() - bar - 2 * round(self.document().documentMargin())

    @Slot()
    def _lay_out(self) -> None:
        """Shows the same place of the text with pictures of another size."""
        bar = self.verticalScrollBar()
        part = bar.value() / max(bar.maximum(), 1)
        self.show_markdown(self._markdown)
        bar.setValue(round(part * bar.maximum()))
