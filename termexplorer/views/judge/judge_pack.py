"""Judging a study pack from the window: in a program of its own, that has nothing else in it."""

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.window.page import Shared

_PACKS = mark("Study packs (*.termstudy);;All files (*)")


class PackJudging(QObject):
    """Has the user choose a pack, and opens the judging screen on it beside the window."""

    def __init__(self, shared: Shared, window: QWidget) -> None:
        super().__init__(window)
        self._shared = shared
        self._window = window

    @Slot()
    def choose(self) -> None:
        """Asks for the file."""
        title, packs = tr("Judge a study pack"), translated(_PACKS)
        if path := ask_open_path(self._window, "packs", title, packs):
            self.judge(path)

    def judge(self, pack: Path) -> None:
        """Opens the judging screen; verdicts go to this workspace."""
        words = ["judge", str(pack), "--workspace", str(self._shared.workspace.folder)]
        if not getattr(sys, "frozen", False):  # a built program is its own interpreter
            words = ["-c", "from termexplorer.cli.main import run; run()", *words]
        begun, _ = QProcess.startDetached(sys.executable, words)
        if begun:
            self._shared.notices.tell(tr("{pack} opens in a window of its own", pack=pack.name))
        else:
            self._shared.notices.error(
                tr("{pack}: the judging screen could not be started", pack=pack)
            )
