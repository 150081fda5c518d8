"""Starts the program's window; what it needs besides Qt is imported when it is on the screen."""

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QIcon
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
_PERIOD = 500  # milliseconds
_MOST_YOUNG = 10_000  # objects; a search takes a millisecond for these
_OLDER_EVERY = 20  # periods
_LONGEST = 600.0  # seconds without a search through all


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
        with collect_quietly(application):
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


class GarbageTimer(QObject):
    """Searches for cycles among new objects now and then, through all while nobody is there.

    Python would do so at any moment and in any thread, and hold up all others: the window stood
    for 65 ms while a job's thread made many objects.

    Args:
        application: for which it is done.
    """

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__()
        self._periods = 0
        self._last_whole = time.monotonic()
        application.applicationStateChanged.connect(self._on_state_changed)
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        timer.timeout.connect(self._on_period)
        timer.start(_PERIOD)

    @Slot()
    def _on_period(self) -> None:
        self._periods += 1
        if time.monotonic() - self._last_whole > _LONGEST:
            self._search_all()
        elif gc.get_count()[0] < _MOST_YOUNG:  # so many new ones are a result that stays
            gc.collect(1 if self._periods % _OLDER_EVERY == 0 else 0)

    @Slot(Qt.ApplicationState)
    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive:
            self._search_all()

    def _search_all(self) -> None:
        gc.collect()
        self._last_whole = time.monotonic()


@contextmanager
def collect_quietly(application: QGuiApplication) -> Iterator[None]:
    """Have a `GarbageTimer` do meanwhile what Python does by itself."""
    gc.disable()
    gc.freeze()  # the window and what it is made of stay
    timer = GarbageTimer(application)
    try:
        yield
    finally:
        timer.deleteLater()
        gc.unfreeze()
        gc.enable()
