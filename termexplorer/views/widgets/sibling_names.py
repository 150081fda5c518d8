"""Names in tables, lists and boxes, shortened so that those beside each other are told apart."""

from collections.abc import Iterable

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from termexplorer.plain_text import plain_tip
from termexplorer.short_names import MeasureText, shorten_name

_AROUND = 12  # rows above and below that a name is told from
_TALL = 10_000  # pixels, higher than any cell
_TIP = Qt.ItemDataRole.ToolTipRole
_Index = QModelIndex | QPersistentModelIndex


def fit_name(name: str, siblings: Iterable[str], room: float, metrics: QFontMetrics) -> str:
    """Shorten a name to a room in pixels, so that it is told from those that it stands beside."""
    return shorten_name(name, siblings, room, metrics.horizontalAdvance)


class SiblingDelegate(QStyledItemDelegate):
    """Draws cells; a name that has no room is told from those in the rows around it."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._shortened: dict[tuple[int, int, str, float], str] = {}
        self._model: QObject | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a cell with as much of its name as there is room for."""
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        style = self._view.style()
        measure, room = _measure_cell(style, shown, self._view)
        if _may_be_shortened(shown) and measure(shown.text) > room:
            shown.text = self.shorten_cell(index, shown.text, room, measure)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, self._view)

    def helpEvent(  # noqa: N802
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: _Index,
    ) -> bool:
        """Tell a name whole that is shortened, where its row tells nothing else."""
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        measure, room = _measure_cell(self._view.style(), shown, self._view)
        cut = measure(shown.text) > room
        if event.type() == QEvent.Type.ToolTip and cut and not index.data(_TIP):
            QToolTip.showText(event.globalPos(), plain_tip(shown.text), view)
            return True
        return super().helpEvent(event, view, option, index)

    def shorten_cell(self, index: _Index, text: str, room: float, measure: MeasureText) -> str:
        """Return a cell's text, shortened to what there is room for by a measure of it."""
        self._watch(index.model())
        width = self._view.visualRect(index.sibling(index.row(), index.column())).width()
        key = (index.row(), index.column(), text, width)
        if key not in self._shortened:
            self._shortened[key] = shorten_name(text, self._siblings(index), room, measure)
        return self._shortened[key]

    def _siblings(self, index: _Index) -> list[str]:
        first = max(index.row() - _AROUND, 0)
        last = min(index.row() + _AROUND + 1, index.model().rowCount(index.parent()))
        rows = (index.sibling(row, index.column()) for row in range(first, last))
        return [str(row.data() or "") for row in rows]

    def _watch(self, model: QAbstractItemModel) -> None:
        """Forget what is shown when other rows come."""
        if model is self._model:
            return
        self._model = model
        for signal in (
            model.modelReset,
            model.dataChanged,
            model.layoutChanged,
            model.rowsInserted,
            model.rowsRemoved,
        ):
            signal.connect(self._forget)
        self._forget()

    @Slot()
    def _forget(self) -> None:
        self._shortened.clear()


def _measure_cell(
    style: QStyle, option: QStyleOptionViewItem, widget: QWidget
) -> tuple[MeasureText, int]:
    """Return how much a text takes of a cell, and how much there is: its width, or its height.

    The text of a cell that has several lines is broken between words.
    """
    text = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, widget)
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, widget) + 1
    width, metrics = text.width() - 2 * margin, option.fontMetrics
    if not option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
        return metrics.horizontalAdvance, width
    room, wrap = QRect(0, 0, max(width, 1), _TALL), Qt.TextFlag.TextWordWrap
    return lambda words: metrics.boundingRect(room, wrap, words).height(), text.height()


def _may_be_shortened(option: QStyleOptionViewItem) -> bool:
    return option.textElideMode == Qt.TextElideMode.ElideMiddle and "\n" not in option.text
