"""The Train page: a form, the run that trains, and all runs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QWidget

from termexplorer.errors import UserError
from termexplorer.models.runs_table import RunsTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.replicate.search.attended import LeftSeries, list_left_series
from termexplorer.replicate.search.hidden import HIDDEN_SEARCH, SearchRequest, begin_search
from termexplorer.replicate.search.recommended import RECOMMENDED, begin_recommended
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.recommended import Recommended
from termexplorer.services.train.runs import RunInfo, check_deletion, note_run
from termexplorer.services.train.training import list_devices
from termexplorer.services.workspace.safe_removal import back_up_and_delete_runs
from termexplorer.texts import tr, trn
from termexplorer.views.train.form import TrainForm
from termexplorer.views.train.hidden_search import HiddenSearch
from termexplorer.views.train.live import TrainLive
from termexplorer.views.train.recommended_runs import RecommendedRuns
from termexplorer.views.train.run_card import RunCard
from termexplorer.views.train.run_jobs import RunJobs
from termexplorer.views.train.run_list import RunList
from termexplorer.views.train.run_series import RunSeries, SeriesList
from termexplorer.views.train.state import Chosen, TrainState, read_chosen, read_state
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import FORM_WIDTHS
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.run_curves import CurvePair
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import PageWidget, Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_HEIGHTS = (480, 280)
_SERIES: Mapping[str, type[RunSeries]] = {
    HIDDEN_SEARCH: HiddenSearch,
    RECOMMENDED: RecommendedRuns,
}


class TrainPage(PageWidget):
    """Trains encoders."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = TrainState((), {}, (), ())
        self.jobs = RunJobs(shared.workspace, shared.jobs, self)
        self._series = SeriesList(shared, self.jobs, self)
        self.form = TrainForm(shared)
        self.live = TrainLive(self.jobs, shared.jobs, shared.theme)
        self.curves = CurvePair(shared.theme)
        self.hint = PlainLabel(
            tr("Select one run below, or several to lay their curves over each other.")
        )
        self.hint.setProperty("quiet", True)
        self.curves.hide()
        self.card = RunCard(shared.notices, shared.theme)
        self.model = RunsTableModel(self)
        self.runs = RunList(self.model, shared.session)
        self._reading = StoreReading(shared, self, self._question)
        self._reading.answered.connect(self._on_state)
        self._choosing = LatestQueryWorker(self)
        self._choosing.answered.connect(self._on_chosen)
        self._lay_out()
        self._connect()
        self._ask_devices()

    def close_page(self) -> None:
        """Keeps the widths and ends the threads; a run that trains can go on another time."""
        self.jobs.leave()
        self._series.leave()
        self.form.keep()
        self.splitter.keep()
        self.halves.keep()
        self.live.close_live()
        self.form.learned.close_choices()
        self.form.recommended.close_choices()
        self._reading.close()
        self._choosing.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Takes the choice of the page Levels, and reads what has changed."""
        super().showEvent(event)
        self.form.learned.level.take_kept(self._shared.selection.ontology_id)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The form, from its beginning."""
        return self.form.three_lines.source

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName(tr("What is shown of runs"))
        around = QWidget()
        inside = QHBoxLayout(around)
        inside.setContentsMargins(16, 12, 16, 8)
        inside.addWidget(self.hint, 1, Qt.AlignmentFlag.AlignTop)
        inside.addWidget(self.curves, 1)
        for widget, title in (
            (self.live, tr("Training")),
            (around, tr("Curves of selected runs")),
            (self.card, tr("Run card")),
        ):
            self.tabs.addTab(widget, title)
        session, way = self._shared.session, Qt.Orientation
        self.halves = KeptSplitter(session, "train/halves", way.Vertical)
        self.splitter = KeptSplitter(session, "train/splitter", way.Horizontal)
        self.halves.fill(_HEIGHTS, self.tabs, self.runs)
        self.splitter.fill(FORM_WIDTHS, self.form, self.halves)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.form, self.tabs, self.runs)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)

    def _connect(self) -> None:
        shared = self._shared
        shared.selection.ontology_changed.connect(self._on_ontology)
        shared.errands.go_on.connect(self._on_all_go_on)
        shared.errands.train_class.connect(self.form.choose_list)
        shared.errands.train_judged.connect(self.form.choose_study)
        self.form.wanted.connect(self._on_wanted)
        self.form.search_wanted.connect(self._on_search_wanted)
        self.form.recommended_wanted.connect(self._on_recommended_wanted)
        self.form.learned.level.levels_wanted.connect(self._on_levels)
        self.form.beneath.form.encoder_made.connect(self._on_vectors)
        self.jobs.changed.connect(self._on_jobs)
        self.jobs.failed.connect(self.form.show_error)
        self.model.edited.connect(self._on_edited)
        self.runs.selected.connect(self._on_selected)
        self.runs.go_on.connect(self._on_go_on)
        self.runs.again.connect(self._on_again)
        self.runs.deletion.connect(self._on_deletion)
        self.runs.delete.connect(self._on_delete)

    def _ask_devices(self) -> None:
        work = partial(_list_devices_found, self._shared.workspace)
        job = self._shared.jobs.add(tr("Looking for devices"), work, "devices")
        job.succeeded.connect(self.form.show_devices)

    def _question(self) -> Callable[[], TrainState]:
        return partial(read_state, self._shared.workspace, self._shared.selection.ontology_id)

    @Slot(object)
    def _on_state(self, state: TrainState) -> None:
        if state == self._state:
            return
        if state.encoders != self._state.encoders:
            self.form.show_encoders(state.encoders)
        self._state = state
        labels = {ontology.id: ontology.label for ontology in state.ontologies}
        self.model.show_runs(state.runs, state.figures, labels)
        self._show_ontology()
        self.form.learned.level.lists.show_lists(state.lists)
        self._on_selected(self.runs.chosen())

    def _show_ontology(self) -> None:
        current = self._shared.selection.ontology_id
        ontology = next((o for o in self._state.ontologies if o.id == current), None)
        self.form.learned.show_ontology(
            ontology.label if ontology else "", bool(ontology and ontology.is_a)
        )
        for chooser in (self.form.beneath.form.making, self.form.recommended):
            chooser.show_ontologies(self._state.ontologies, current)
        self.form.learned.show_further(
            [other for other in self._state.ontologies if other.id != current]
        )
        self.form.show_expected(ontology, self._state.seconds)
        self.form.three_lines.show_language(self._state.language)
        self.live.show_hint(self.form.why_not)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        self.form.learned.level.forget()
        self.form.learned.level.take_kept(ontology_id)
        self._show_ontology()
        self._reading.renew()

    @Slot(object)
    def _on_wanted(self, request: RunRequest) -> None:
        self._begin(partial(self.jobs.add, request))

    @Slot(object, int)
    def _on_search_wanted(self, request: RunRequest, largest: int) -> None:
        self._begin(partial(self._begin_search, request, largest))

    @Slot(object)
    def _on_recommended_wanted(self, wanted: Recommended) -> None:
        self._begin(partial(self._begin_recommended, wanted))

    def _begin_search(self, request: RunRequest, largest: int) -> None:
        wanted = SearchRequest(request, largest)
        folder = begin_search(self._shared.workspace, wanted, in_window=True)
        self._series.begin(folder, HiddenSearch)

    def _begin_recommended(self, wanted: Recommended) -> None:
        folder = begin_recommended(self._shared.workspace, wanted, in_window=True)
        self._series.begin(folder, RecommendedRuns)

    def _begin(self, begin: Callable[[], object]) -> None:
        try:
            begin()
        except UserError as error:
            self.form.show_error(str(error))
        else:
            self.form.recommended.opener.close_chooser()
            self.tabs.setCurrentWidget(self.live)
            self._reading.renew()

    @Slot()
    def _on_levels(self) -> None:
        self._shared.errands.show_page.emit("levels")

    @Slot(object)
    def _on_vectors(self, encoder: EncoderInfo) -> None:
        self.form.show_encoders(list_encoders(self._shared.workspace))
        self.form.beneath.choose(encoder.id)
        self.form.beneath.more.setChecked(False)

    @Slot()
    def _on_jobs(self) -> None:
        self.runs.show_busy(self.jobs.busy)  # one just added is not in the table yet
        self._reading.renew()

    @Slot(object, str, str)
    def _on_edited(self, run_id: int, title: str, notes: str) -> None:
        note_run(self._shared.workspace, run_id, title=title, notes=notes)
        self._reading.renew()

    @Slot(object)
    def _on_selected(self, runs: list[RunInfo]) -> None:
        ids = [run.id for run in runs]
        self._choosing.ask(partial(read_chosen, self._shared.workspace, ids))

    @Slot(object)
    def _on_chosen(self, chosen: Chosen) -> None:
        self.hint.setVisible(not chosen.curves)
        self.curves.setVisible(bool(chosen.curves))
        if len(chosen.curves) == 1:
            _, curves, metric = chosen.curves[0]
            self.curves.show_run(curves, metric)
        else:
            self.curves.show_runs(chosen.curves)
        self.card.show_card(chosen.card)

    @Slot(object)
    def _on_go_on(self, run: RunInfo) -> None:
        self._begin(partial(self._go_on_with, [run], list_left_series(self._shared.workspace)))

    @Slot(object)
    def _on_all_go_on(self, runs: Sequence[RunInfo]) -> None:
        left = list_left_series(self._shared.workspace)
        self._begin(partial(self._go_on_with, runs, left, all_series=True))

    def _go_on_with(
        self, runs: Sequence[RunInfo], left: list[LeftSeries], *, all_series: bool = False
    ) -> None:
        """Goes on with runs, by the series that they are of, so that the next ones follow."""
        of_series: set[int] = set()
        for series in left:
            if all_series or any(run.id in series.runs for run in runs):
                of_series |= series.runs
                self._series.begin(series.folder, _SERIES[series.kind], is_new=False)
        for run in runs:
            if run.id not in of_series and self.jobs.of(run.id) is None:
                self.jobs.start(run.id, resume=run.status == "interrupted")

    @Slot(object)
    def _on_again(self, run: RunInfo) -> None:
        self._on_wanted(RunRequest.read(run.request))

    @Slot(object)
    def _on_deletion(self, runs: list[RunInfo]) -> None:
        try:
            check_deletion(self._shared.workspace, runs)
        except UserError as error:
            self._shared.notices.error(str(error))
        else:
            self.runs.ask(runs)

    @Slot(object)
    def _on_delete(self, runs: list[RunInfo]) -> None:
        workspace, run_ids = self._shared.workspace, [run.id for run in runs]

        def work(_control: JobControl, on_message: Callable[[object], None]) -> None:
            back_up_and_delete_runs(workspace, run_ids, on_message)

        title = trn("Deleting {n:,} run", "Deleting {n:,} runs", len(runs))
        job = self._shared.jobs.add(title, work, "removal")
        job.finished.connect(self._reading.renew)


def _list_devices_found(workspace: Workspace, control: JobControl, _on_message: object) -> object:
    return list_devices(workspace, control)
