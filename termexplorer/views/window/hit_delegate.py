"""Draws a search hit: code, text with the hit in bold, and what is said aside."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from termexplorer.models.hits import HitsModel
from termexplorer.services.explore.browsing import Hit
from termexplorer.views.widgets.theme import Theme

_PAD = 12
_CODE_WIDTH = 88
_BOLD = QTextCharFormat()
_BOLD.setFontWeight(QFont.Weight.Bold)
_ONE_LINE = QTextOption()
_ONE_LINE.setWrapMode(QTextOption.WrapMode.NoWrap)


def hit_formats(hit: Hit) -> list[QTextLayout.FormatRange]:
    """The bold pieces of a hit's text.

    Python counts characters, Qt counts UTF-16 units: characters beyond the first plane take two.
    """
    formats = []
    for start, end in hit.spans:
        piece = QTextLayout.FormatRange()
        piece.start = _utf16_length(hit.text[:start])
        piece.length = _utf16_length(hit.text[start:end])
        piece.format = _BOLD
        formats.append(piece)
    return formats


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class HitDelegate(QStyledItemDelegate):
    """Draws rows of a `HitsModel`."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line, whatever it holds."""
        return QSize(0, option.fontMetrics.height() + 12)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws a row."""
        model = index.model()
        if not isinstance(model, HitsModel):
            return
        hit = model.hit(index.row())
        colours = self._theme.colours
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selected))
        painter.setFont(option.font)
        area = QRectF(option.rect).adjusted(_PAD, 0, -_PAD, 0)
        code_width = max(_CODE_WIDTH, option.fontMetrics.horizontalAdvance(hit.code) + 16)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, hit.code)
        area.setLeft(area.left() + code_width)
        painter.setPen(QColor(colours.quiet if hit.obsolete else colours.text))
        area.setLeft(area.left() + self._draw_text(painter, option, area, hit) + 16)
        painter.setPen(QColor(colours.quiet))
        aside = option.fontMetrics.elidedText(
            model.aside(index.row()), Qt.TextElideMode.ElideRight, int(max(area.width(), 0))
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, aside)
        painter.restore()

    def _draw_text(
        self, painter: QPainter, option: QStyleOptionViewItem, area: QRectF, hit: Hit
    ) -> float:
        layout = QTextLayout(hit.text, option.font)
        layout.setTextOption(_ONE_LINE)
        layout.setFormats(hit_formats(hit))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        top = area.top() + (area.height() - line.height()) / 2
        painter.setClipRect(area)
        layout.draw(painter, QPointF(area.left(), top))
        painter.setClipping(False)
        return line.naturalTextWidth()
