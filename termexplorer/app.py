"""Starts the program's window; what it needs besides Qt is imported when it is on the screen."""

import gc
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from termexplorer.errors import UserError
from termexplorer.places import workspace_folder as absolute_folder
from termexplorer.plain_text import show_signs
from termexplorer.resources import FOLDER
from termexplorer.views.widgets.language import speak_as_chosen
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.opening import OpeningWindow

_ICON = "termexplorer.svg"
_SWITCH = 0.0001  # seconds; the window's thread waits no longer for another of this process


def run_window(workspace_folder: Path | None, demo: bool) -> int:
    """Shows a workspace in a window until it is closed.

    Args:
        workspace_folder: the workspace, or None for the usual one.
        demo: imports ICD-10-CM first, where it is not there.

    Returns:
        The exit code.

    Raises:
        UserError: the workspace cannot be opened, or another window shows it.
    """
    application = make_application()
    folder = absolute_folder(workspace_folder)
    session = UiState.of(folder)
    speak_as_chosen(application, session)
    theme = last_theme(application, session)
    opening = OpeningWindow(session, folder.name)
    opening.show_now()
    try:
        return _run_application(theme, folder, demo, opening)
    except UserError as error:
        opening.close()
        tell_whoever_looks(application, error)
        raise


def last_theme(application: QApplication, session: UiState) -> Theme:
    """The theme that was chosen last, chosen again; whoever makes a window dresses it."""
    theme = Theme(application)
    theme.choose(*session.theme())
    return theme


def _run_application(theme: Theme, folder: Path, demo: bool, opening: OpeningWindow) -> int:
    from termexplorer.desk import WindowController, claimed

    keep_imported()
    desk = WindowController(theme, claimed(folder))
    if demo:
        desk.import_demo()
    desk.upkeep.looked.connect(keep_imported)  # it has what came in behind the window
    while True:
        desk.window.show()
        opening.close()
        gc.enable()
        code = QApplication.exec()
        following = desk.following
        desk.close()
        if following is None:
            return code
        del desk
        _let_go()
        desk = WindowController(theme, following)


def _let_go() -> None:
    """Has nothing left of a window that was closed, which would be styled with all that follow."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def tell_whoever_looks(application: QApplication, error: UserError) -> None:
    """Shows what went wrong, where nobody reads it in a terminal: after a click in a menu."""
    if not sys.stderr.isatty() and application.platformName() != "offscreen":
        from PySide6.QtWidgets import QMessageBox  # rarely needed, and PySide takes time over it

        box = QMessageBox(QMessageBox.Icon.Critical, "termexplorer", show_signs(str(error)))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.exec()


def keep_imported() -> None:
    """What is imported stays, so that no later search for garbage looks through it and stalls."""
    gc.freeze()


def make_application() -> QApplication:
    """The application, in whose process the window's thread comes first."""
    sys.setswitchinterval(_SWITCH)
    running = QApplication.instance()
    application = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("termexplorer")
    application.setApplicationDisplayName("termexplorer")
    application.setDesktopFileName("termexplorer")
    application.setWindowIcon(QIcon(str(FOLDER / _ICON)))
    return application
