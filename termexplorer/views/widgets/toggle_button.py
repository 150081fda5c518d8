"""A button that shows a chooser below it."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.views.widgets.forms import reveal


class ToggleButton(QPushButton):
    """Shows a chooser while it is pressed; the keys go there, and come back."""

    def __init__(self, text: str, chooser: QWidget, entrance: QWidget) -> None:
        super().__init__(text)
        self.setCheckable(True)
        self._chooser, self._entrance = chooser, entrance
        chooser.hide()
        self.toggled.connect(self._on_toggled)

    def allow(self, can: bool, tip: str, why_not: str) -> None:
        """Can be pressed, or tells why not."""
        self.setEnabled(can)
        self.setToolTip(plain_tip(tip if can else why_not))
        if not can:
            self.close_chooser()

    @Slot()
    def close_chooser(self) -> None:
        """Hides the chooser."""
        self.setChecked(False)

    @Slot(bool)
    def _on_toggled(self, opened: bool) -> None:
        inside = self._chooser.isAncestorOf(self.window().focusWidget() or self)
        if inside and not opened:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._chooser.setVisible(opened)
        if opened:
            self._entrance.setFocus(Qt.FocusReason.OtherFocusReason)
            reveal(self._chooser)
