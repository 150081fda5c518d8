"""What is put in order behind a window: runs that broke off, ontologies half there or half gone."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from termexplorer.questions import Questions
from termexplorer.texts import tr
from termexplorer.views.page import Shared
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.runs import RunInfo

_PUT_OFF = "runs/put_off"
_LATER_MS = 300  # what is asked of the window comes first


@dataclass(frozen=True, slots=True)
class _Found:
    runs: "tuple[RunInfo, ...]"
    imports: bool


class Upkeep(QObject):
    """Looks once, behind the window: some time after `begin`.

    Signals:
        looked: that is done.
    """

    looked = Signal()

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._questions = Questions(self)
        self._questions.answered.connect(self._on_found)
        self._questions.failed.connect(shared.notices.error)
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self._ask)

    @Slot()
    def begin(self) -> None:
        """The window is there now."""
        self._timer.start()

    def close(self) -> None:
        """Looks no more."""
        self._timer.stop()
        self._questions.close()

    @Slot()
    def _ask(self) -> None:
        self._questions.ask(partial(_look, self._shared.workspace))

    @Slot(object)
    def _on_found(self, found: _Found) -> None:
        if found.imports:
            from termexplorer.services.importing import sweep

            work = partial(sweep, self._shared.workspace)
            self._shared.jobs.add(
                tr("Clearing away an import or a removal that broke off"), work, "import"
            )
        put_off = self._shared.session.place(_PUT_OFF).split()
        runs = tuple(run for run in found.runs if _break(run) not in put_off)
        if runs:
            act, later = partial(self._go_on, runs), partial(self._put_off, found.runs)
            self._shared.notices.tell(_told(runs), tr("Go on"), act, later)
        self.looked.emit()

    def _put_off(self, runs: "tuple[RunInfo, ...]") -> None:
        """Offers these no more; the table of runs still does."""
        self._shared.session.keep_place(_PUT_OFF, " ".join(map(_break, runs)))

    def _go_on(self, runs: "tuple[RunInfo, ...]") -> None:
        self._shared.errands.show_page.emit("train")
        self._shared.errands.go_on.emit(runs)


def _look(workspace: Workspace) -> _Found:
    from termexplorer.services.importing import has_leftovers

    # brings in SQLAlchemy
    from termexplorer.services.runs import CAN_GO_ON, list_runs, mark_interrupted

    mark_interrupted(workspace)
    runs = [run for run in list_runs(workspace) if run.status in CAN_GO_ON]
    return _Found(tuple(reversed(runs)), has_leftovers(workspace))


def _break(run: "RunInfo") -> str:
    """A run and when it broke off: the same run may do so again."""
    return f"{run.id}@{run.finished_at}"


def _told(runs: "tuple[RunInfo, ...]") -> str:
    if len(runs) > 1:
        return tr(
            "{runs:,} runs have not ended: they were interrupted, or still wait", runs=len(runs)
        )
    title, run = runs[0].title, runs[0].id
    if runs[0].status == "interrupted":
        return tr("{title}, run {run}, was interrupted", title=title, run=run)
    return tr("{title}, run {run}, still waits to be trained", title=title, run=run)
