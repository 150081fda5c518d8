"""The Map page: a form, and names laid out on a plane."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.errors import UserError
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.levels.default_level import LevelOffer
from termexplorer.services.map.choice import PointCount
from termexplorer.services.map.kept_maps import KeptMap
from termexplorer.services.map.projection import NameMap, ProjectionRequest
from termexplorer.services.train.renaming import rename_map
from termexplorer.texts import mark, tr, translated
from termexplorer.views.map.area import MapArea
from termexplorer.views.map.form import NO_ENCODER, NO_ONTOLOGY, MapForm
from termexplorer.views.map.job import MapJob
from termexplorer.views.map.jobs import MapJobs
from termexplorer.views.map.labelling import MapLabelling
from termexplorer.views.map.live import MapLive
from termexplorer.views.map.reading import MapReading
from termexplorer.views.map.shown import Laid, Shown
from termexplorer.views.map.state import MapState, read_choice, read_state
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import FORM_WIDTHS
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import PageWidget, Shared
from termexplorer.views.window.store_reading import StoreReading

LANE = "map"
_KEY = "map/splitter"
_THERE = mark("This map is drawn already: it is the one on show")
_LOOKING = mark("Looking for the map…")
_WAITS = mark("It is drawn when the one before it is done.")
_NOT_YET = mark(
    "No such map is kept yet.\n\nDraw map (Ctrl+Enter) makes it; it is kept from then on."
)


class MapPage(PageWidget):
    """Draws maps, and shows those that are kept."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = MapState()
        self._jobs = MapJobs(shared, LANE, self)
        self._labelling = MapLabelling(shared, LANE, self)
        self.form, self.area = MapForm(shared), MapArea(shared)
        self.live = MapLive(shared.jobs)
        self._reading = StoreReading(shared, self, self._question)
        self._counting = LatestQueryWorker(self)
        self._maps = MapReading(shared.workspace, self)
        self._lay_out()
        self._connect()

    def close_page(self) -> None:
        """Keeps what is chosen and the sizes, and ends the threads."""
        self.form.close_form()
        self.area.close_area()
        self.splitter.keep()
        for questions in (self._reading, self._counting, self._maps):
            questions.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The encoders."""
        return self.form.encoder

    def _lay_out(self) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.live)
        column.addWidget(self.area, 1)
        horizontal = Qt.Orientation.Horizontal
        self.splitter = KeptSplitter(self._shared.session, _KEY, horizontal)
        self.splitter.fill(FORM_WIDTHS, self.form, right)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.form, right)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)

    def _connect(self) -> None:
        shared, form = self._shared, self.form
        shared.selection.ontology_changed.connect(self._show_ontology)
        form.changed.connect(self._look)
        form.coloured.connect(self._ask)
        form.points_changed.connect(self._count)
        form.wanted.connect(self._on_wanted)
        self.area.picked.connect(self._on_picked)
        self.area.opened.connect(self._on_opened)
        self._jobs.chosen.connect(self._on_changed)
        self._jobs.moved.connect(self._on_moved)
        self._jobs.over.connect(self._on_changed)
        self.area.unlabelled.connect(self._on_unlabelled)
        self.area.kept_maps.opened.connect(self._on_kept)
        self.area.kept_maps.renamed.connect(self._on_renamed)
        self._labelling.labelled.connect(self.area.label)
        self._reading.answered.connect(self._on_state)
        self._counting.answered.connect(self._on_choice)
        self._maps.looking.answered.connect(self._on_found)
        self._maps.looking.failed.connect(self._on_failed)
        self._maps.laying.answered.connect(self._on_laid)
        for questions in (self._counting, self._maps.laying):
            questions.failed.connect(shared.notices.error)

    @property
    def _job(self) -> MapJob | None:
        """What makes one of the maps that are chosen."""
        return self._jobs.find(self.form.requests)

    def _question(self) -> Callable[[], MapState]:
        return partial(read_state, self._shared.workspace)

    @Slot(object)
    def _on_state(self, state: MapState) -> None:
        before, self._state = self._state, state
        self.form.points.show_lists(state.lists)
        if state.encoders != before.encoders:
            self.form.show_encoders(state.encoders)
        self._show_ontology()
        if state.encoders != before.encoders or self.form.request is None:
            self._count()

    @Slot()
    def _show_ontology(self) -> None:
        current = self._shared.selection.ontology_id
        ontology = next(
            (candidate for candidate in self._state.ontologies if candidate.id == current), None
        )
        self.form.show_ontology(ontology)
        self.area.kept_maps.show_maps([m for m in self._state.maps if m.info.release_id == current])
        self._allow()

    @Slot()
    def _count(self) -> None:
        """Counts the names and the levels; then it looks for the map."""
        self._counting.forget()
        request = self.form.request
        if request is None:
            self.form.points.show_count(None)
            self._look()
        else:
            self._say_looking(request)
            self._counting.ask(partial(read_choice, self._shared.workspace, request))

    @Slot(object)
    def _on_choice(self, counted: tuple[LevelOffer, PointCount]) -> None:
        self.form.show_choice(*counted)
        self._look()

    @Slot()
    def _look(self) -> None:
        """Shows the maps that are chosen: those that are kept, and the one that is made."""
        self._maps.forget()
        request = self.form.request
        if request is None:
            self.area.show_none(self._why_not())
        else:
            self._say_looking(request)
            self._ask()
        self._allow()

    def _say_looking(self, request: ProjectionRequest) -> None:
        shown = self.area.shown
        if shown is None or shown.request != request:
            self._show_none(translated(_LOOKING))

    def _show_none(self, hint: str) -> None:
        """Says how far each map is that is made, or something else."""
        if self._job is None:
            self.area.show_none(hint)
        else:
            self.area.show_none(*self._hints, encoders=self.form.encoders)

    @property
    def _hints(self) -> list[str]:
        """What is said in the place of each map that is not there."""
        jobs = [self._jobs.find([request]) for request in self.form.requests]
        return [_hint_of(job) for job in jobs]

    @Slot()
    def _ask(self) -> None:
        requests, job = self.form.requests, self._job
        if requests:
            self._maps.look(requests, self.form.colouring, job.moving if job else None)

    @Slot(object)
    def _on_found(self, shown: Shown | None) -> None:
        form = self.form
        if shown is None:
            self._show_none(translated(_NOT_YET))
        else:
            self.area.show_map(shown, self._hints, form.title, form.part, form.encoders)
            self._draw_live()
        self._allow()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self.area.show_none(f"{why[:1].upper()}{why[1:]}.")

    def _why_not(self) -> str:
        if not self._state.ontologies:
            return f"{translated(NO_ONTOLOGY)}."
        if not self._state.encoders:
            return f"{translated(NO_ENCODER)}."
        return f"{self.form.missing or tr('Choose an ontology above')}."

    def _allow(self) -> None:
        """Allows drawing, and shows what can be done with the map that is made."""
        job, requests = self._job, self.form.requests
        if self.form.request is None:
            self.form.allow(self._why_not().rstrip("."))
        else:
            shown = self.area.shown
            is_shown = shown is not None and shown.whole and shown.requests == requests
            there_already = translated(_THERE) if is_shown else ""
            self.form.allow(tr("It is being drawn") if job else there_already)
        number = requests.index(job.request) if job else 0
        self.live.show_job(job, number, len(requests))

    @Slot()
    def _on_wanted(self) -> None:
        shown = self.area.shown
        for request, encoder in zip(self.form.requests, self.form.encoders, strict=False):
            if shown is None or not shown.has(request):
                self._jobs.begin(request, self.form.title_of(encoder))
        self._look()

    @Slot(object)
    def _on_moved(self, job: MapJob) -> None:
        if job is self._job:
            self._allow()
            self._draw_live()

    def _draw_live(self) -> None:
        """Shows where the points are by now, or how far the map is that has none."""
        job, shown = self._job, self.area.shown
        moving = job.moving if job else None
        if moving is None or shown is None or shown.moving is None or moving.positions is None:
            if job is not None:
                self.area.say(self.form.requests.index(job.request), job.text)
        elif moving.name_ids is shown.moving.name_ids:
            self._maps.lay(shown, moving)

    @Slot(object)
    def _on_laid(self, laid: Laid | None) -> None:
        if laid is not None:
            self.area.show_live(laid)

    @Slot(object)
    def _on_changed(self, job: MapJob) -> None:
        """Looks again: it is known which names are on a map, or it is over."""
        if job.request in self.form.requests:
            self._look()

    @Slot(object)
    def _on_kept(self, stored_map: KeptMap) -> None:
        if stored_map.request is not None:
            self.form.use_request(stored_map.request, stored_map.root_text)

    @Slot(object, str)
    def _on_renamed(self, stored_map: KeptMap, title: str) -> None:
        try:
            rename_map(self._shared.workspace, stored_map.info, title)
        except UserError as error:
            self._shared.notices.error(str(error))
        self._shared.watch.look()

    @Slot(object)
    def _on_unlabelled(self, name_map: NameMap) -> None:
        self._labelling.label(name_map, self.form.title)

    @Slot(object)
    def _on_picked(self, concept_id: int) -> None:
        self._shared.selection.go_to_concept(concept_id)

    @Slot()
    def _on_opened(self) -> None:
        selection = self._shared.selection
        self._shared.errands.show_concept(selection.ontology_id, selection.concept_id)


def _hint_of(job: MapJob | None) -> str:
    """What is said in the place of a map that is not there, by what makes it."""
    if job is None:
        return translated(_NOT_YET)
    return job.text if job.job.begun else translated(_WAITS)
