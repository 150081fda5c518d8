"""Draws a concept in a tree: its name, and dimmed behind it the code and the descendants."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from termexplorer.models.concept_tree import ConceptTreeModel
from termexplorer.plain_text import show_signs
from termexplorer.texts import number

_GAP = "   "  # between a name, its code and its count
_Index = QModelIndex | QPersistentModelIndex


class TreeDelegate(QStyledItemDelegate):
    """Draws rows of a `ConceptTreeModel`.

    Attributes:
        codes: whether codes stand behind the names.
    """

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view
        self.codes = True

    def aside(self, index: _Index) -> str:
        """Return what is dimmed behind the name of a row."""
        code, count = index.data(ConceptTreeModel.CODE), index.data(ConceptTreeModel.DESCENDANTS)
        texts = [show_signs(code)] if code and self.codes else []
        texts += [f"({number(count)})"] if count else []
        return "".join(f"{_GAP}{text}" for text in texts)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        """Room for the name and all that stands behind it."""
        size = super().sizeHint(option, index)
        width = option.fontMetrics.horizontalAdvance(self.aside(index))
        return QSize(size.width() + width, size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a row."""
        super().paint(painter, option, index)
        aside = self.aside(index)
        if not aside:
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        style = self._view.style()
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, self._view)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, shown, self._view) + 1
        area.setLeft(area.left() + margin + shown.fontMetrics.horizontalAdvance(shown.text))
        painter.save()
        painter.setFont(shown.font)
        painter.setPen(self._view.palette().placeholderText().color())
        painter.drawText(area, shown.displayAlignment, aside)
        painter.restore()
