"""A choice that shortens a long text in the middle."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter

from termexplorer.views.inputs import ChoiceBox

_PAD = 4


class ElidedBox(ChoiceBox):
    """Shortens its text in the middle, so that numbers at the end are seen."""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws the box with as much of the text as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        complex_, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(complex_, option, field, self).width() - _PAD
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideMiddle, room
        )
        painter = QStylePainter(self)
        with painter:
            painter.drawComplexControl(complex_, option)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
