"""Pair sets of an ontology: made in the background, looked at, and handed on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from termexplorer.jobs import Job, Work
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.pairs.folders import MadeFolder, made_folders, read_made
from termexplorer.services.pairs.sets import Estimated, PairSets, count_pairs, make_pair_sets
from termexplorer.texts import duration_text, mark, tr, translated, trn
from termexplorer.views.judge.pair_set_form import NO_ONTOLOGY, PairSetForm
from termexplorer.views.judge.pair_set_pairs import PairSetPairs
from termexplorer.views.judge.pair_set_results import PairSetResults
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import FORM_WIDTHS
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

LANE = "pair_sets"
_FOLDER = "pair sets/folder"
_RUNNING = mark("Pair sets are being made; progress and Stop are below")
_WHAT = mark(
    "Pair sets are pairs of terms that mean the same and pairs that do not, made from an ontology: "
    "encoders are measured on them, and people judge them in studies."
)
_IDLE = mark("Choose at the left where the pairs come from, and press Make pair sets (Ctrl+Enter).")
_ONE_NAME = mark(
    "In {ontology} no concept has a second name, and most pairs are of synonyms: what there can be "
    "comes from concepts that are not in use. Import an ontology with synonyms, or try."
)


@dataclass(frozen=True, slots=True)
class PairSetsState:
    """What there is to make sets of, and where some are."""

    ontologies: tuple[Ontology, ...]
    folders: tuple[Path, ...]


class PairSetsPart(QWidget):
    """A form and what came of it.

    Signals:
        study_wanted: a study is to be drawn from a folder (its path).
    """

    study_wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = PairSetsState((), ())
        self._running = False
        self._first = (
            Path(remembered) if (remembered := shared.session.own_place(_FOLDER)) else None
        )
        self._folder: Path | None = None
        self.form, self.results = PairSetForm(shared), PairSetResults(shared)
        self.pairs, self._stack = PairSetPairs(shared), QStackedWidget()
        self._reading = StoreReading(shared, self, self._question)
        self._opening = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._show_hint()

    def close_part(self) -> None:
        """Keeps what is chosen and the sizes, and ends the threads."""
        self.form.keep()
        self._shared.session.keep_own_place(_FOLDER, str(self.results.folder or ""))
        self.results.close_results()
        self.pairs.close_pairs()
        self.splitter.keep()
        self._reading.close()
        self._opening.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The sources, or the choice of a set whose pairs are looked at."""
        looking = self._stack.currentWidget() is self.pairs
        return self.pairs.entrance() if looking else self.form.sources

    def _lay_out(self) -> None:
        self.splitter = KeptSplitter(
            self._shared.session, "pair sets/splitter", Qt.Orientation.Horizontal
        )
        self.splitter.fill(FORM_WIDTHS, self.form, self.results)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.form, self.results)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.splitter)
        self._stack.addWidget(self.pairs)
        row.addWidget(self._stack)

    def _connect(self) -> None:
        shared = self._shared
        self.form.changed.connect(self._on_changed)
        self.form.wanted.connect(self._on_wanted)
        self.form.count_wanted.connect(self._on_count)
        self.results.chosen.connect(self._open)
        self.results.evaluate_wanted.connect(self._on_evaluate)
        self.results.study_wanted.connect(self.study_wanted)
        self.results.pairs_wanted.connect(self._on_pairs)
        self.pairs.left.connect(self._on_back)
        self.results.queue_wanted.connect(shared.errands.queue_pairs)
        self._reading.answered.connect(self._on_state)
        self._opening.answered.connect(self._on_opened)
        self._opening.failed.connect(shared.notices.error)
        shared.selection.ontology_changed.connect(self._show_ontology)

    def _question(self) -> Callable[[], PairSetsState]:
        return partial(_read_state, self._shared.workspace)

    @Slot(object)
    def _on_state(self, state: PairSetsState) -> None:
        before, self._state = self._state, state
        self._show_ontology()
        if state.folders != before.folders:
            self.results.offer_folders(state.folders, self.results.folder)
        wanted, self._first = self._first, None
        is_there = wanted is not None and wanted.is_dir()  # it may have been removed since
        chosen = wanted if is_there else next(reversed(state.folders), None)
        if self.results.folder is None and chosen is not None:
            self._open(chosen)

    @Slot()
    def _show_ontology(self) -> None:
        current = self._shared.selection.ontology_id
        ontology = next(
            (candidate for candidate in self._state.ontologies if candidate.id == current), None
        )
        self.form.show_ontology(ontology)
        self._show_hint()

    def _show_hint(self) -> None:
        ontology = self.form.chosen_ontology
        now = translated(_IDLE)
        if self._running:
            now = f"{translated(_RUNNING)}."
        elif ontology is None:
            now = f"{translated(NO_ONTOLOGY)}."
        elif ontology.names <= ontology.concepts:
            now = translated(_ONE_NAME, ontology=ontology.label)
        self.results.table.hint = f"{translated(_WHAT)}\n\n{now}"
        self.results.table.viewport().update()

    @Slot()
    def _on_changed(self) -> None:
        self.results.show_threshold(self.form.threshold.value())

    @Slot(object)
    def _open(self, folder: Path) -> None:
        self._opening.ask(partial(read_made, folder))

    @Slot(object)
    def _on_opened(self, pair_folder: MadeFolder) -> None:
        folders = list(self._state.folders)
        if pair_folder.folder not in folders:
            folders.append(pair_folder.folder)
        self.results.offer_folders(folders, pair_folder.folder)
        self.results.show_made(pair_folder)
        self.results.show_threshold(self.form.threshold.value())

    @Slot()
    def _on_wanted(self) -> None:
        ontology, folder = self.form.chosen_ontology, self.form.folder
        if ontology is None or folder is None or self._running:
            return
        work = partial(make_pair_sets, self._shared.workspace, ontology, self.form.plan, folder)
        self._folder = folder
        title = tr("Pair sets of {ontology}", ontology=ontology.label)
        self._begin(title, work).succeeded.connect(self._on_made)

    @Slot()
    def _on_count(self) -> None:
        ontology = self.form.chosen_ontology
        if ontology is not None:
            work = partial(count_pairs, self._shared.workspace, ontology, self.form.plan)
            title = tr("Similar pairs of {ontology}", ontology=ontology.label)
            job = self._begin(title, work)
            job.succeeded.connect(self._on_counted)

    def _begin(self, title: str, work: Work) -> Job:
        self._running = True
        self.form.show_running(translated(_RUNNING))
        self._show_hint()
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.reported.connect(self._on_reported)
        job.failed.connect(self._on_over)
        job.cancelled.connect(self._on_cancelled)
        job.succeeded.connect(self._on_over)
        return job

    @Slot(object)
    def _on_reported(self, message: object) -> None:
        if isinstance(message, Estimated):
            self._shared.notices.tell(
                tr(
                    "The nearest of {terms:,} terms will take about {time}",
                    terms=message.terms,
                    time=duration_text(message.seconds),
                )
            )

    @Slot(object)
    def _on_made(self, pair_sets: PairSets) -> None:
        self._shared.notices.tell(
            trn("Made {n:,} pair set", "Made {n:,} pair sets", len(pair_sets.sets))
        )
        if self._folder is not None:
            self._open(self._folder)
        self._reading.renew()

    @Slot(object)
    def _on_counted(self, counted: PairSets) -> None:
        self.results.show_effect(counted)
        self.results.show_threshold(self.form.threshold.value())

    @Slot()
    def _on_cancelled(self) -> None:
        self._shared.notices.tell(
            tr("Stopped; the same sets go on where they were when made again")
        )
        self._on_over()

    @Slot()
    def _on_over(self) -> None:
        self._running = False
        self.form.show_running("")
        self._show_hint()

    @Slot(object)
    def _on_pairs(self, pair_folder: MadeFolder) -> None:
        self.pairs.show_folder(pair_folder)
        self._stack.setCurrentWidget(self.pairs)
        self.pairs.entrance().setFocus()

    @Slot()
    def _on_back(self) -> None:
        self._stack.setCurrentWidget(self.splitter)
        self.results.pairs.setFocus()

    @Slot(object)
    def _on_evaluate(self, folder: Path) -> None:
        self._shared.errands.show_page.emit("evaluate")
        self._shared.errands.evaluate_pairs.emit(folder)


def _read_state(workspace: Workspace) -> PairSetsState:
    return PairSetsState(tuple(list_ontologies(workspace)), tuple(made_folders(workspace)))
