"""What is seen at once: a window in its place and colours, while the rest is being loaded."""

import time

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from termexplorer.plain_text import show_line
from termexplorer.texts import tr
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.ui_state import UiState

_PATIENCE = 0.3  # seconds; a display that takes longer shall not hold us up


class OpeningWindow(QWidget):
    """Stands where the window will be, and says what is being opened."""

    def __init__(self, session: UiState, workspace_name: str) -> None:
        super().__init__()
        self.setWindowTitle(show_line(f"{workspace_name} – termexplorer"))
        words = PlainLabel(
            tr("Opening {workspace} …", workspace=workspace_name),
            alignment=Qt.AlignmentFlag.AlignCenter,
        )
        words.setProperty("quiet", True)
        QVBoxLayout(self).addWidget(words)
        session.place_window(self)

    def show_now(self) -> None:
        """Shows it, painted, before anything else is done."""
        self.show()
        deadline = time.monotonic() + _PATIENCE
        while not self._is_exposed() and time.monotonic() < deadline:
            QApplication.processEvents()
        self.repaint()

    def _is_exposed(self) -> bool:
        handle = self.windowHandle()
        return handle is not None and handle.isExposed()
