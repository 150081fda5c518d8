"""Judging alone: a study pack, and a window in which its pairs are judged."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtWidgets import QApplication

from termexplorer.app import collect_quietly, make_application, tell_whoever_looks
from termexplorer.errors import UserError
from termexplorer.places import workspace_folder as absolute_folder
from termexplorer.services.files.annotator_files import name_files
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.packs import OpenedPack, open_pack
from termexplorer.services.workspace.automatic_backups import back_up_daily
from termexplorer.services.workspace.bug_report import locate_bug
from termexplorer.texts import tr
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.judging.window import JudgingWindow
from termexplorer.views.widgets.language import speak_as_chosen
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.workspace import Workspace

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StudySeat:
    """What an annotator is asked in a study that the workspace has.

    Attributes:
        study_id: of the study.
        annotator: their name.
    """

    study_id: int
    annotator: str


def run_judging(pack: Path | StudySeat, workspace_folder: Path | None) -> int:
    """Shows the judging screen until it is closed.

    Args:
        pack: what the annotator was sent, or is asked in a study that is there.
        workspace_folder: where verdicts are kept, or None for the usual workspace.

    Returns:
        The exit code.

    Raises:
        UserError: no sound pack, a workspace that cannot be opened, or one where somebody judges
            already.
    """
    application = make_application()
    folder = absolute_folder(workspace_folder)
    speak_as_chosen(application, UiState.of(folder))
    try:
        with (
            judging_window(application, pack, folder) as window,
            collect_quietly(application),
        ):
            window.show()
            return application.exec()
    except UserError as error:
        tell_whoever_looks(application, error)
        raise


@contextmanager
def judging_window(
    application: QApplication,
    pack: Path | StudySeat,
    folder: Path,
    settings: Path | None = None,
) -> Iterator[JudgingWindow]:
    """A window on a pack, whose verdicts go to a workspace; at the end it is closed.

    Args:
        application: the application.
        pack: what the annotator was sent, or is asked in a study that is there.
        folder: of the workspace.
        settings: another folder of settings than the user's, for tests.

    Raises:
        UserError: as `run_judging`.
    """
    workspace = Workspace(folder)
    try:
        with workspace.judging():
            seat = open_pack(workspace, pack) if isinstance(pack, Path) else pack
            judging = Judging(workspace, seat.study_id, seat.annotator)
            session = UiState.of(workspace.folder, settings)
            theme = Theme(application)
            theme.use(*session.theme())
            beside = pack.absolute() if isinstance(pack, Path) else _name_place(seat.annotator)
            screen = JudgingScreen(workspace, judging, theme, session, beside)
            if isinstance(seat, OpenedPack):
                screen.tell_sender(seat.author, seat.doubt)
            window = JudgingWindow(screen, judging.study.head.title, session, theme)
            old_hook, sys.excepthook = sys.excepthook, partial(_on_bug, screen)
            try:
                yield window
            finally:
                sys.excepthook = old_hook
                window.leave()
                back_up_daily(workspace)
                session.sync()
                window.deleteLater()
    finally:
        workspace.close()


def _name_place(annotator: str) -> Path:
    """Return where a pack would be that answers go beside, unless told."""
    return Path.home() / f"{name_files([annotator])[annotator]}.termstudy"


def _on_bug(
    screen: JudgingScreen,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    _log.error("nobody caught this", exc_info=(kind, error, trace))
    if isinstance(error, KeyboardInterrupt):
        screen.window().close()
    else:
        screen.tell_error(tr("Something went wrong here: {bug}", bug=locate_bug(kind, trace)))
