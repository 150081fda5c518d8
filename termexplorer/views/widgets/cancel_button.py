"""The button that gives work up; asks first where that loses what is hard to make anew."""

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from termexplorer.texts import tr


class CancelButton(QPushButton):
    """Cancel, with the question in a menu below or above it, so that nothing moves.

    Signals:
        cancelled: it was pressed and, where it asks, confirmed.

    Attributes:
        asks: whether it asks first.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Cancel"), parent)
        self.asks = False
        self.question = QMenu(self)
        self.question.addAction(tr("Discard what was done so far")).triggered.connect(
            self.cancelled
        )
        self.question.addAction(tr("Go on"))
        self.clicked.connect(self._on_clicked)

    def withdraw(self) -> None:
        """Asks no more, as what would be cancelled is another or over."""
        self.question.close()

    @Slot()
    def _on_clicked(self) -> None:
        if not self.asks:
            self.cancelled.emit()
            return
        self.question.popup(self.mapToGlobal(QPoint(0, self.height())))
        self.question.setActiveAction(self.question.actions()[0])
