"""Taking what another program drags onto a window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def accept_drop_as_copy(event: QDropEvent) -> None:
    """Takes it as a copy: of what was taken as moved, the other program may delete its own."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
