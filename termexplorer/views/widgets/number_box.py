"""A field for a whole number."""

from PySide6.QtWidgets import QSpinBox

from termexplorer.views.widgets.inputs import NumberBox

# without buttons the arrow keys do; Qt's own switch for that leaves no room for the digits
_SHEET = "QSpinBox::up-button, QSpinBox::down-button { width: 0; border: 0; image: none; }"
_DIGITS = "border: 0; padding: 0 6px; min-height: 0; background: transparent;"


def number_box(low: int, high: int, value: int, tip: str = "") -> QSpinBox:
    """A field from `low` to `high`; arrow keys change it too, and the wheel while it has them."""
    box = NumberBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setToolTip(tip)
    box.setGroupSeparatorShown(True)
    box.setStyleSheet(_SHEET)
    box.lineEdit().setStyleSheet(_DIGITS)
    return box


def percent_box(value: int, name: str) -> QSpinBox:
    """A field for per cents, from 0 to 100."""
    box = number_box(0, 100, value, name)
    box.setSuffix(" %")
    box.setAccessibleName(name)
    return box
