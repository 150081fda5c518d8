"""The Map page: a form, and names laid out on a plane."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.questions import Questions
from termexplorer.services.map_choice import PointCount
from termexplorer.services.projection import NameMap, ProjectionRequest, was_stopped
from termexplorer.views.focus import mark_parts
from termexplorer.views.kept_splitter import KeptSplitter
from termexplorer.views.map_area import MapArea
from termexplorer.views.map_form import NO_ENCODER, NO_ONTOLOGY, MapForm
from termexplorer.views.map_job import MapJob
from termexplorer.views.map_jobs import MapJobs
from termexplorer.views.map_labelling import MapLabelling
from termexplorer.views.map_live import MapLive
from termexplorer.views.map_reading import MapReading
from termexplorer.views.map_state import (
    Shown,
    State,
    read_choice,
    read_state,
)
from termexplorer.views.page import PageWidget, Shared
from termexplorer.views.store_reading import StoreReading

LANE = "map"
_KEY = "map/splitter"
_WIDTHS = (344, 1016)
_THERE = "This map is drawn already: it is the one on show"
_LOOKING = "Looking for the map…"
_NOT_YET = "No such map is kept yet.\n\nDraw map (Ctrl+Enter) makes it; it is kept from then on."


class MapPage(PageWidget):
    """Draws maps, and shows those that are kept."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = State()
        self._jobs = MapJobs(shared, LANE, self)
        self._labelling = MapLabelling(shared, LANE, self)
        self._live: Shown | None = None
        self.form, self.area = MapForm(shared), MapArea(shared)
        self.live = MapLive(shared.jobs)
        self._reading = StoreReading(shared, self, self._question)
        self._counting = Questions(self)
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
        self.splitter.fill(_WIDTHS, self.form, right)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.form, right)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)

    def _connect(self) -> None:
        shared, form = self._shared, self.form
        shared.selection.ontology_changed.connect(self._show_ontology)
        form.changed.connect(self._look)
        form.coloured.connect(self._on_coloured)
        form.points_changed.connect(self._count)
        form.wanted.connect(self._on_wanted)
        self.area.picked.connect(self._on_picked)
        self.area.opened.connect(self._on_opened)
        self._jobs.chosen.connect(self._on_chosen)
        self._jobs.moved.connect(self._on_moved)
        self._jobs.over.connect(self._on_over)
        self.area.unlabelled.connect(self._on_unlabelled)
        self._labelling.labelled.connect(self.area.label)
        self._reading.answered.connect(self._on_state)
        self._counting.answered.connect(self._on_choice)
        self._maps.looking.answered.connect(self._on_found)
        self._maps.looking.failed.connect(self._on_failed)
        self._maps.naming.answered.connect(self._on_named)
        for questions in (self._counting, self._maps.naming):
            questions.failed.connect(shared.notices.error)

    @property
    def _job(self) -> MapJob | None:
        """What makes the first map that is chosen."""
        request = self.form.request
        return None if request is None else self._jobs.find([request])

    def _question(self) -> Callable[[], State]:
        return partial(read_state, self._shared.workspace)

    @Slot(object)
    def _on_state(self, state: State) -> None:
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
        found = next((each for each in self._state.ontologies if each.id == current), None)
        self.form.show_ontology(found)
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
    def _on_choice(self, told: tuple[int, PointCount]) -> None:
        self.form.show_choice(*told)
        self._look()

    @Slot()
    def _look(self) -> None:
        """Shows the map that is chosen: that is made now, or kept."""
        self._maps.looking.forget()
        request, job = self.form.request, self._job
        if request is None:
            self.area.show_map(None, self._why_not())
        elif job is not None:
            self._live = None
            self.area.show_map(None, job.text)
            self._name(job)
        else:
            self._say_looking(request)
            self._ask()
        self._allow()

    def _say_looking(self, request: ProjectionRequest) -> None:
        shown = self.area.shown
        if shown is None or shown.request != request:
            self.area.show_map(None, _LOOKING)

    def _ask(self) -> None:
        requests, colouring = self.form.requests, self.form.colouring
        if requests:
            self._maps.look(requests, colouring)

    @Slot()
    def _on_coloured(self) -> None:
        job = self._job
        if job is not None:
            self._name(job)
        else:
            self._ask()

    @Slot(object)
    def _on_found(self, shown: Shown | None) -> None:
        hint = _NOT_YET if shown is None else ""
        form = self.form
        self.area.show_map(shown, hint, form.title, form.part, form.encoders)
        self._allow()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self.area.show_map(None, f"{why[:1].upper()}{why[1:]}.")

    def _why_not(self) -> str:
        if not self._state.ontologies:
            return f"{NO_ONTOLOGY}."
        if not self._state.encoders:
            return f"{NO_ENCODER}."
        return f"{self.form.missing or 'Choose an ontology above'}."

    def _allow(self) -> None:
        """Allows drawing, and shows what can be done with the map that is made."""
        job = self._jobs.find(self.form.requests)
        if self.form.request is None:
            self.form.allow(self._why_not().rstrip("."))
        else:
            there = self.area.shown
            kept = there is not None and there.whole and there.requests == self.form.requests
            self.form.allow("It is being drawn" if job else _THERE if kept else "")
        self.live.show_job(job)

    @Slot()
    def _on_wanted(self) -> None:
        there = self.area.shown
        for request, encoder in zip(self.form.requests, self.form.encoders, strict=False):
            if there is None or not there.has(request):
                self._jobs.begin(request, self.form.title_of(encoder))
        self._look()

    @Slot(object)
    def _on_chosen(self, job: MapJob) -> None:
        if job is self._job:
            self._name(job)

    def _name(self, job: MapJob) -> None:
        """Asks what the points are that move."""
        if job.name_ids is not None:
            self._maps.name(job.request, self.form.colouring, job.name_ids)

    @Slot(object)
    def _on_named(self, shown: Shown) -> None:
        self._live = shown
        self._draw_live()

    @Slot(object)
    def _on_moved(self, job: MapJob) -> None:
        if job is self._jobs.find(self.form.requests):
            self._allow()
        if job is self._job:
            self._draw_live()

    def _draw_live(self) -> None:
        job, live = self._job, self._live
        if job is None or live is None or live.request != job.request or job.positions is None:
            return
        self.area.show_live(live, job.positions, job.job.title)

    @Slot(object)
    def _on_over(self, job: MapJob) -> None:
        requests, found = self.form.requests, job.found
        if not requests or job.request not in requests:
            return
        if job.request != requests[0] or found is None:
            self._look()
            return
        others = requests[1:]
        if was_stopped(found, job.request):
            self._jobs.cancel(others)  # they would start from what was not wanted to its end
        if others:
            self._look()
            return
        self._maps.take(job.request, self.form.colouring, found)
        self._allow()

    @Slot(object)
    def _on_unlabelled(self, found: NameMap) -> None:
        self._labelling.label(found, self.form.title)

    @Slot(object)
    def _on_picked(self, concept_id: int) -> None:
        self._shared.selection.go_to_concept(concept_id)

    @Slot()
    def _on_opened(self) -> None:
        selection = self._shared.selection
        self._shared.errands.show_concept(selection.ontology_id, selection.concept_id)
