"""Judging a study pack from the window: in a program of its own, that has nothing else in it."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.window.page import Shared

_PACKS = mark("Study packs (*.termstudy);;All files (*)")


class PackJudging(QObject):
    """Opens the judging screen beside the window, on a pack or on a study that is here."""

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
        self._open(pack.name, [str(pack)])

    @Slot(int, str)
    def judge_here(self, study_id: int, annotator: str) -> None:
        """Opens the judging screen on a study of this workspace."""
        name = tr("Study {number}, as {annotator}", number=study_id, annotator=annotator)
        self._open(name, ["--study", str(study_id), "--as", annotator])

    def _open(self, name: str, asked: Sequence[str]) -> None:
        words = ["judge", *asked, "--workspace", str(self._shared.workspace.folder)]
        if not getattr(sys, "frozen", False):  # a built program is its own interpreter
            words = ["-c", "from termexplorer.cli.main import run; run()", *words]
        begun, _ = QProcess.startDetached(sys.executable, words)
        if begun:
            self._shared.notices.tell(tr("{pack} opens in a window of its own", pack=name))
        else:
            self._shared.notices.error(
                tr("{pack}: the judging screen could not be started", pack=name)
            )
