"""A choice that shortens a long text so that it is told from the others."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QHelpEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from termexplorer.plain_text import plain_tip
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.sibling_names import fit_name

_PAD = 4


class ElidedBox(ChoiceBox):
    """Shortens its text so that what tells it from the other choices is seen."""

    _tip = ""  # as it was meant

    def setToolTip(self, text: str) -> None:  # noqa: N802
        """Have another tooltip."""
        self._tip = text
        super().setToolTip(text)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Have room for the longest text whole, where the box is as wide as its texts."""
        whole = self.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToContents
        return super().sizeHint() + QSize(2 * _PAD if whole else 0, 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Have that room at least."""
        whole = self.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToContents
        return self.sizeHint() if whole else super().minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        """Tell a text whole that is shortened, before what it is for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tips = dict.fromkeys(filter(None, (self.currentText(), self._tip)))
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(tips)), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws the box with as much of the text as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() >= 0:
            option.currentText = self.shown_text
        else:
            option.currentText = self.placeholderText()
            quiet = self.palette().placeholderText()
            option.palette.setBrush(QPalette.ColorRole.ButtonText, quiet)
        painter = QStylePainter(self)
        with painter:
            painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @property
    def shown_text(self) -> str:
        """The text of what is chosen, as far as there is room for it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        complex_, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        return self.shorten_text(
            self.style().subControlRect(complex_, option, field, self).width() - _PAD
        )

    def shorten_text(self, room: int) -> str:
        """Return the text of what is chosen, shortened to a room in pixels."""
        texts = (self.itemText(row) for row in range(self.count()))
        return fit_name(self.currentText(), texts, room, self.fontMetrics())
