"""What is put in order behind a window: runs that broke off, ontologies half there or half gone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.texts import tr
from termexplorer.views.widgets.notices import Notice
from termexplorer.views.window.page import Shared
from termexplorer.views.workspace.daily_backup import DailyBackup
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.train.runs import RunInfo

_PUT_OFF = "runs/put_off"
_LATER_MS = 300  # what is asked of the window comes first


@dataclass(frozen=True, slots=True)
class _Found:
    runs: "tuple[RunInfo, ...]"
    imports: bool
    series: tuple[str, ...] = ()  # those left that none of these runs is of


class StartupMaintenance(QObject):
    """Looks once, behind the window: some time after `begin`.

    The notice of runs that have not ended goes by what becomes of them.

    Signals:
        looked: that is done.
    """

    looked = Signal()

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_found)
        self._questions.failed.connect(shared.notices.error)
        self._offered: tuple[RunInfo, ...] = ()
        self._notice = Notice("")
        self._later = LatestQueryWorker(self)  # what became of those
        self._later.answered.connect(self._on_later)
        shared.watch.changed.connect(self._ask_later)
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self._ask)
        self.daily_backup = DailyBackup(shared, self)

    @Slot()
    def begin(self) -> None:
        """The window is there now."""
        self._timer.start()
        if why := self._shared.workspace.read_only:
            self._shared.notices.tell(
                tr(
                    "This workspace is open for reading only, since nothing can be written there "
                    "({why}): you can search, browse, rank and export elsewhere, but what you "
                    "change or judge is not kept",
                    why=why,
                )
            )
        else:
            self.daily_backup.begin()

    def close(self) -> None:
        """Looks no more."""
        self._timer.stop()
        self.daily_backup.close()
        self._questions.close()
        self._later.close()

    @Slot()
    def _ask(self) -> None:
        self._questions.ask(partial(_look_for_leftovers, self._shared.workspace))

    @Slot(object)
    def _on_found(self, faults: _Found) -> None:
        if faults.imports:
            from termexplorer.services.importing.releases import sweep

            work = partial(sweep, self._shared.workspace)
            self._shared.jobs.add(
                tr("Cleaning up an interrupted import or removal"), work, "import"
            )
        put_off = self._shared.session.place(_PUT_OFF).split()
        self._offered = tuple(run for run in faults.runs if _break_key(run) not in put_off)
        if self._offered:
            later = partial(self._put_off, faults.runs)
            self._notice = self._offer(self._offered, later)
            self._shared.notices.notice_shown.emit(self._notice)
        elif not set(faults.series).issubset(put_off):
            act, later = partial(self._go_on, ()), partial(self._put_off_series, faults.series)
            text = tr("A series of runs was interrupted between two of them")
            self._shared.notices.notice_shown.emit(
                Notice(text, action=tr("Go on"), act=act, dismissed=later)
            )
        self.looked.emit()

    @Slot()
    def _ask_later(self) -> None:
        if self._offered:
            self._later.ask(partial(_unended_runs, self._shared.workspace))

    @Slot(object)
    def _on_later(self, unended: "tuple[RunInfo, ...]") -> None:
        """Those that have gone on meanwhile, or are gone, are offered no more."""
        ids = {run.id for run in self._offered}
        left = tuple(run for run in unended if run.id in ids)
        if left == self._offered:
            return
        before, self._offered = self._notice, left
        if left:
            self._notice = self._offer(left, before.dismissed)
        self._shared.notices.outdated.emit(before, self._notice if left else None)

    def _offer(self, runs: "tuple[RunInfo, ...]", dismissed: Callable[[], None] | None) -> Notice:
        act = partial(self._go_on, runs)
        return Notice(_describe_runs(runs), action=tr("Go on"), act=act, dismissed=dismissed)

    def _put_off(self, runs: "tuple[RunInfo, ...]") -> None:
        """Offers these no more; the table of runs still does."""
        self._shared.session.keep_place(_PUT_OFF, " ".join(map(_break_key, runs)))

    def _put_off_series(self, series: tuple[str, ...]) -> None:
        self._shared.session.keep_place(_PUT_OFF, " ".join(series))

    def _go_on(self, runs: "tuple[RunInfo, ...]") -> None:
        self._shared.errands.show_page.emit("train")
        self._shared.errands.go_on.emit(runs)


def _look_for_leftovers(workspace: Workspace) -> _Found:
    from termexplorer.replicate.search.attended import list_left_series
    from termexplorer.services.encoders.built_in import ensure_built_in
    from termexplorer.services.importing.releases import has_leftovers
    from termexplorer.services.train.runs import mark_interrupted  # brings in SQLAlchemy

    if not workspace.read_only:
        mark_interrupted(workspace)
        ensure_built_in(workspace)
    runs = _unended_runs(workspace)
    ids = {run.id for run in runs}
    series = tuple(
        f"series/{left.folder.name}" for left in list_left_series(workspace) if not left.runs & ids
    )
    return _Found(runs, has_leftovers(workspace), series)


def _unended_runs(workspace: Workspace) -> "tuple[RunInfo, ...]":
    """The oldest first."""
    from termexplorer.services.train.runs import CAN_GO_ON, list_runs

    return tuple(run for run in reversed(list_runs(workspace)) if run.status in CAN_GO_ON)


def _break_key(run: "RunInfo") -> str:
    """A run and when it broke off: the same run may do so again."""
    return f"{run.id}@{run.finished_at}"


def _describe_runs(runs: "tuple[RunInfo, ...]") -> str:
    if len(runs) > 1:
        return tr(
            "{runs:,} runs have not ended: they were interrupted, or still wait", runs=len(runs)
        )
    title, run = runs[0].title, runs[0].id
    if runs[0].status == "interrupted":
        return tr("{title}, run {run}, was interrupted", title=title, run=run)
    return tr("{title}, run {run}, still waits to be trained", title=title, run=run)
