"""Fields that the wheel changes only while they have the keys; else it scrolls what is around."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QSpinBox, QWidget

from termexplorer.plain_text import plain_tip, show_line


class NumberBox(QSpinBox):
    """A field for a whole number; `number_box` makes one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _leave_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leaves the wheel to what is around, without the keys."""
        _scroll_or_ignore(self, event, super().wheelEvent)


class ChoiceBox(QComboBox):
    """A choice of one among some, whose texts are shown as they are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _leave_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leaves the wheel to what is around, without the keys."""
        _scroll_or_ignore(self, event, super().wheelEvent)

    def addItem(self, text: str, data: object = None) -> None:  # type: ignore[override]  # noqa: N802
        """Offer one more."""
        super().addItem(show_line(text), data)

    def setItemText(self, row: int, text: str) -> None:  # noqa: N802
        """Call a row something else."""
        super().setItemText(row, show_line(text))

    def setItemData(  # noqa: N802
        self, row: int, value: object, role: int = Qt.ItemDataRole.UserRole
    ) -> None:
        """Keep something with a row; a tooltip is shown as it is."""
        is_tip = role == Qt.ItemDataRole.ToolTipRole and isinstance(value, str)
        super().setItemData(row, plain_tip(str(value)) if is_tip else value, role)

    def setToolTip(self, text: str) -> None:  # noqa: N802
        """Have another tooltip."""
        super().setToolTip(plain_tip(text))


class Slider(QSlider):
    """A slider from left to right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        _leave_wheel(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leaves the wheel to what is around, without the keys."""
        _scroll_or_ignore(self, event, super().wheelEvent)


def _scroll_or_ignore(
    field: QWidget, event: QWheelEvent, usual: Callable[[QWheelEvent], None]
) -> None:
    if field.hasFocus():
        usual(event)
    else:
        event.ignore()


def _leave_wheel(field: QWidget) -> None:
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own has the wheel give the keys too
