"""Help when something is wrong: a diagnosis, and reports of errors; panels come when they open."""

import faulthandler
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from termexplorer.store.private_files import make_private_file
from termexplorer.texts import mark, tr, translated
from termexplorer.views.window.page import Shared

if TYPE_CHECKING:
    from termexplorer.services.workspace.diagnosis import Diagnosis


_CRASH = "crash.txt"  # in the workspace
_LATER_MS = 400  # the window shows first
_FOR_HELP = mark("Copy this into a message to support. It contains no terms, persons or paths.")


class Support(QObject):
    """Reports on the machine, the workspace and errors.

    Signals:
        panel_wanted: a panel to be shown in the place of the page.
    """

    panel_wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._crash_file = shared.workspace.folder / _CRASH
        self._crashes: TextIO | None = None
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self._look_back)
        self._timer.start()

    def close(self) -> None:
        """Everything ended well: nothing is left to be told at the next start."""
        self._timer.stop()
        if self._crashes is not None:
            faulthandler.disable()
            self._crashes.close()
            self._crash_file.unlink(missing_ok=True)

    @Slot()
    def diagnose(self) -> None:
        """Measures and checks in the background, then shows the report."""
        from termexplorer.services.workspace.diagnosis import diagnose

        work = partial(diagnose, self._shared.workspace)
        job = self._shared.jobs.add(tr("Diagnosing"), work, "diagnosis")
        job.succeeded.connect(self._on_diagnosed)

    def tell_bug(
        self, kind: type[BaseException], _error: BaseException, trace: TracebackType | None
    ) -> None:
        """Tells of an error of ours, and offers the report."""
        from termexplorer.services.workspace.bug_report import bug_report
        from termexplorer.workers.process.bug_place import locate_bug

        text = tr("Something went wrong here: {bug}", bug=locate_bug(kind, trace))
        show = partial(self._show, tr("Error report"), bug_report(kind, trace))
        self._shared.notices.error(text, tr("Show report"), show)

    @Slot()
    def _look_back(self) -> None:
        """Tells of a crash of the window before, and listens for one of this."""
        from termexplorer.services.workspace.bug_report import crash_report

        if left := crash_report(self._crash_file):
            self._shared.notices.error(
                tr("The program crashed last time; everything it had confirmed is kept"),
                tr("Show report"),
                partial(self._show, tr("Crash report"), left),
            )
        try:
            make_private_file(self._crash_file)
            self._crashes = self._crash_file.open("w", encoding="utf-8")
        except OSError:
            return  # a disk without room is told where it matters
        faulthandler.enable(self._crashes)

    @Slot(object)
    def _on_diagnosed(self, diagnosis: "Diagnosis") -> None:
        from termexplorer.services.workspace.diagnosis import report

        self._show(tr("Diagnosis"), report(diagnosis))

    def _show(self, title: str, text: str) -> None:
        from termexplorer.views.widgets.report_panel import ReportPanel

        self.panel_wanted.emit(
            ReportPanel(title, translated(_FOR_HELP), text, self._shared.notices)
        )
