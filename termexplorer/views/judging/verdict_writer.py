"""Writing verdicts: one at a time, and what cannot be kept is tried again or saved elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, Self, TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.errors import StoreError, StoreGoneError
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.workspace.store_rescue import save_elsewhere
from termexplorer.texts import tr
from termexplorer.views.widgets.file_dialogs import ask_folder
from termexplorer.views.widgets.notices import Notice, NoticeAction, Notices
from termexplorer.views.window.leaving import PendingWork
from termexplorer.workspace import Workspace


class CopiedWork(Protocol):
    """Somebody's work, which can go on in a copy of its workspace."""

    def go_on_in(self, copy: Workspace) -> Self:
        """Return the same work in a copy of its workspace."""
        ...


Work = TypeVar("Work", bound=CopiedWork)


@dataclass(frozen=True, slots=True)
class PendingVerdict:
    """What is to be kept.

    Attributes:
        named: what it is, for people.
        write: writes it, and returns what comes of it.
        write_to: writes it to a copy of the workspace.
    """

    named: str
    write: Callable[[], object]
    write_to: Callable[[Workspace], object]

    @classmethod
    def of(cls, work: Work, step: Callable[[Work], object], named: str) -> "PendingVerdict":
        """Return a step of somebody's work, which can be taken in a copy of its workspace."""

        def step_in_copy(copy: Workspace) -> object:
            return step(work.go_on_in(copy))

        return cls(named, partial(step, work), step_in_copy)


class VerdictWriter(PendingWork):
    """Keeps one verdict after the other, in a thread of its own.

    Args:
        workspace: where they go.
        notices: where it is told what could not be kept.
        screen: over which people are asked for a folder.
        go_there: shows another workspace, where the window can.

    Signals:
        written: what came of it, which is on the disk.
        unwritten: it could not be kept.

    Attributes:
        writing: whether something is on its way to the disk.
        pending: what could not be kept, and is nowhere else either.
    """

    written = Signal(object)
    unwritten = Signal()

    def __init__(
        self,
        workspace: Workspace,
        notices: Notices,
        screen: QWidget,
        go_there: Callable[[Path], None] | None = None,
    ) -> None:
        super().__init__(screen)
        self._workspace, self._notices = workspace, notices
        self._screen, self._go_there = screen, go_there
        self._notice: Notice | None = None
        self._last: PendingVerdict | None = None
        self.pending: PendingVerdict | None = None
        self.writing = False
        self._keeping, self._saving = LatestQueryWorker(self), LatestQueryWorker(self)
        self._keeping.answered.connect(self._on_written)
        self._keeping.failed.connect(self._on_unwritten)
        self._saving.answered.connect(self._on_saved)
        self._saving.failed.connect(self._on_not_saved)

    def close_writer(self) -> None:
        """Wait for what is being written, and end the threads."""
        self._keeping.close()
        self._saving.close()

    def write(self, verdict: PendingVerdict) -> None:
        """Keep a verdict; `written` or `unwritten` tells of it."""
        self.writing = True
        self._last = verdict
        self._keeping.ask(verdict.write)

    def tell_pending(self) -> None:
        """Tell again what could not be kept."""
        if self._notice is not None:
            self._notices.notice_shown.emit(self._notice)

    def is_unsaved(self) -> bool:
        """Tell whether a verdict could not be kept."""
        return self.pending is not None

    def warn_before_closing(self) -> None:
        """Tell it again, and that closing again loses it."""
        if self._notice is not None:
            lost = tr("{told} Closing the window again loses it.", told=self._notice.text)
            self._notices.outdated.emit(self._notice, None)
            self._notice = replace(self._notice, text=lost)
            self.tell_pending()

    @Slot(object)
    def _on_written(self, result: object) -> None:
        self.writing, self.pending = False, None
        if self._notice is not None:
            self._notices.outdated.emit(self._notice, None)
            self._notice = None
        self.written.emit(result)

    @Slot(str)
    def _on_unwritten(self, why: str) -> None:
        self.writing, self.pending = False, self._last
        named = self._last.named if self._last else ""
        save = NoticeAction(tr("Save a copy elsewhere…"), self._on_save)
        cause = self._keeping.cause
        if isinstance(cause, StoreGoneError):
            text = tr(
                "Not kept yet ({what}): {why}. It stays on the screen: save a copy of all with it "
                "elsewhere, or put the file back and try again.",
                what=named,
                why=cause.why,
            )
        else:
            text = tr(
                "Not kept yet ({what}): {why}. It stays on the screen, and all before it is kept.",
                what=named,
                why=why,
            )
        further = save if isinstance(cause, StoreError) else None
        self._notice = Notice(text, True, tr("Try again"), self._on_again, further=further)
        self.tell_pending()
        self.unwritten.emit()

    def _on_again(self) -> None:
        if self.pending is not None and not self.writing:
            self.write(self.pending)

    def _on_save(self) -> None:
        pending = self.pending
        if pending is None:
            return
        folder = ask_folder(self._screen, "rescue", tr("Save a copy of the workspace in"))
        if folder is None:
            self.tell_pending()
        else:
            self._saving.ask(partial(save_elsewhere, self._workspace, folder, pending.write_to))

    @Slot(object)
    def _on_saved(self, path: Path) -> None:
        self.pending = None
        text = tr(
            "All that is open, with what was not kept, is in the workspace {folder}. Go on there.",
            folder=path,
        )
        if self._go_there is None:
            self._notices.tell(text)  # a program that is called with the workspace's folder
        else:
            self._notices.tell(text, tr("Open it"), partial(self._go_there, path))

    @Slot(str)
    def _on_not_saved(self, why: str) -> None:
        if self._notice is None:
            return
        text = tr("No copy was saved: {why}. Choose another place.", why=why)
        self._notice = replace(self._notice, text=text)
        self.tell_pending()
