"""What a notice lies over."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget


def lies_over(notice: QWidget, widget: QWidget) -> bool:
    """Whether a notice hides a widget, or a part of it."""
    around = notice.parentWidget()
    shown = QRect(widget.mapTo(around, QPoint(0, 0)), widget.size())
    parent = widget.parentWidget()
    while parent is not around:  # a scroll area may hide it anyway
        shown &= QRect(parent.mapTo(around, QPoint(0, 0)), parent.size())
        parent = parent.parentWidget()
    return notice.geometry().intersects(shown)


def covered_buttons(notice: QWidget) -> list[str]:
    """The texts of the buttons on show that a notice lies over."""
    around = notice.parentWidget()
    buttons = [*around.findChildren(QPushButton), *around.findChildren(QToolButton)]
    return [
        button.text()
        for button in buttons
        if button.isVisible()
        and button.window() == notice.window()
        and not notice.isAncestorOf(button)
        and lies_over(notice, button)
    ]
