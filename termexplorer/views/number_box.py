"""A field for a whole number."""

from PySide6.QtWidgets import QSpinBox

_PLAIN = "border: 0; padding: 0; min-height: 0; background: transparent;"


def number_box(low: int, high: int, value: int, tip: str = "") -> QSpinBox:
    """A field from `low` to `high`; arrow keys and the wheel change it too."""
    box = QSpinBox(minimum=low, maximum=high, value=value)
    box.setToolTip(tip)
    box.setGroupSeparatorShown(True)
    box.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
    box.lineEdit().setStyleSheet(_PLAIN)  # the frame is the box's own
    return box
