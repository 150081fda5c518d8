"""A window in which pairs are judged, and nothing else is done."""

from functools import partial

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow

from termexplorer.plain_text import show_line
from termexplorer.texts import tr
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.widgets.file_dialogs import FileDialogs
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState

_PLACE = "judging/window"


class JudgingWindow(QMainWindow):
    """The judging screen with the keys of a window, which screen readers take for one.

    Attributes:
        judging: what is in it.
    """

    def __init__(self, screen: JudgingScreen, title: str, session: UiState, theme: Theme) -> None:
        super().__init__()
        FileDialogs(self, session, screen.notices)
        self.judging = screen
        self._session, self._theme = session, theme
        self._leaves = False
        self.setWindowTitle(show_line(f"{title} – termexplorer"))
        self.setCentralWidget(screen)
        for keys, steps in {"Ctrl++": 1, "Ctrl+=": 1, "Ctrl+-": -1, "Ctrl+0": 0}.items():
            add_key(keys, self, partial(self._zoom, steps))
        add_key("Ctrl+Q", self, self.close)
        session.place_window(self, _PLACE)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Wait for what is being written; say once what is not kept, or not in the file."""
        if self.judging.writer.is_unsaved() and not self._leaves:
            self._leaves = True
            event.ignore()
            self.judging.writer.warn_before_closing()
            return
        outdated = self.judging.answers.outdated
        if outdated is not None and not self._leaves:
            self._leaves = True
            event.ignore()
            self.judging.notices.tell(
                tr(
                    "{path} lacks what you said since you saved it. Save it anew before you send "
                    "it; all answers stay in the workspace. Closing again leaves it so.",
                    path=outdated,
                ),
                tr("Save and close"),
                partial(self.judging.answers.save_again, self.leave),
            )
            return
        self._session.keep_window(self, _PLACE)
        self.judging.close_screen()
        super().closeEvent(event)

    def leave(self) -> None:
        """Close, even if the file of answers lacks something."""
        self._leaves = True
        self.close()

    def _zoom(self, steps: int) -> None:
        self._theme.zoom_by(steps)
        self._session.keep_look("zoom", str(self._theme.zoom))
