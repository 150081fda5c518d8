"""Suggestions for curators: found, reviewed with one key each, taken along."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.jobs import Job
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.review import ListReview, read_review
from termexplorer.services.curate.suggesting import KINDS, Search, search
from termexplorer.services.curate.suggestion_lists import (
    KeptList,
    KeptSearch,
    describe_kept,
    kept_lists,
)
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders, trained_on_ontology
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.verdicts.people import Judge, list_people
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.curate.files import SuggestionFiles
from termexplorer.views.curate.review import SuggestionReview
from termexplorer.views.curate.search import SuggestionSearch
from termexplorer.views.judging.judge_box import JudgeBox
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.keys import submit_by_keys
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

LANE = "suggestions"
_LIST = "suggestions/list/{kind}"
_NO_LIST = mark(
    "Encoders suggest here which concepts and names are misplaced, which concepts are one and the "
    "same, and what they are called in another ontology; you judge each with one key."
)
_FIND = mark("Choose what to look for above and press Find suggestions (Ctrl+Enter).")
_RUNNING = mark("Searching… progress and Cancel are at the bottom of the window.")
_NONE = mark("No such suggestion: choose other verdicts, or clear the filter.")
_JOBS = {
    "misplaced": mark("Find suggestions: misplaced"),
    "deeper": mark("Find suggestions: a parent too high"),
    "names": mark("Find suggestions: names"),
    "duplicates": mark("Find suggestions: duplicates"),
    "mappings": mark("Find suggestions: mappings"),
    "decided": mark("Find suggestions: mappings, decided"),
}


@dataclass(frozen=True, slots=True)
class CurateState:
    """What the workspace holds that is offered."""

    lists: tuple[KeptList, ...]
    people: tuple[Judge, ...]
    ontologies: tuple[Ontology, ...]
    encoders: tuple[EncoderInfo, ...]
    trained_here: tuple[int, ...]


class SuggestionsPart(QWidget):
    """A search, the list that came of it, and its review.

    Signals:
        kind_found: the kind of the list that came of a search or a file.
    """

    kind_found = Signal(str)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._job: Job | None = None
        self._kinds: tuple[str, ...] = KINDS
        self._lists: tuple[KeptList, ...] = ()
        self._wanted_id: int | None = None  # of a list that is shown once it is read
        self._keyed_id: int | None = None  # of a list that gets the keys once it is on show
        self.show_differing_of: int | None = None  # of a list whose differences are shown then
        self.list = choice(tr("List of suggestions"), 12)
        self.fresh, self.map_list = QPushButton(tr("New search")), QPushButton(tr("Map a list…"))
        self.parts = QPushButton(tr("Parts…"))
        self.files, self.judge = SuggestionFiles(shared), JudgeBox(shared)
        self.search = SuggestionSearch(shared)
        self.facts, self.desk = PlainLabel(wordWrap=True), SuggestionReview(shared)
        self._reading = StoreReading(shared, self, self._question)
        self._opening = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._show_review(None)

    def show_kinds(self, kinds: tuple[str, ...]) -> None:
        """Look for and show suggestions of some of `KINDS`."""
        if kinds == self._kinds:
            return
        self._kinds = kinds
        self.search.show_kinds(kinds)
        self._offer_lists()
        self._show_chosen()

    def close_part(self) -> None:
        """Keeps what is chosen and the sizes, and ends the threads."""
        self.search.close_search()
        self.judge.close_box()
        self.files.close_files()
        self.desk.close_review()
        self._reading.close()
        self._opening.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The list, or what makes one."""
        if self.desk.review:
            return self.desk.table
        if len(self._kinds) > 1:
            return self.search.kind
        return self.search.look if self.search.look.isEnabled() else self.fresh

    def _lay_out(self) -> None:
        self.facts.setProperty("quiet", True)
        self.fresh.setCheckable(True)
        self.fresh.setToolTip(tr("Look for other suggestions"))
        self.map_list.setToolTip(tr("Map codes of a table, such as a hospital's (Ctrl+L)"))
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.list, 1)
        for widget in (self.fresh, self.map_list, self.parts, self.judge):
            first.addWidget(widget)
        policy = self.facts.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # or the buttons would have its room
        self.facts.setSizePolicy(policy)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self.facts, 1)
        second.addWidget(self.files)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.search)
        column.addLayout(second)
        column.addWidget(self.desk, 1)
        mark_parts(self.search)
        submit_by_keys(self.desk.table, self._on_find_key)
        desk = self.desk
        desk.bar.take_keys_in(self, desk.guard, desk.table, desk.asked)

    def _connect(self) -> None:
        shared = self._shared
        self.list.activated.connect(self._on_list)
        self.fresh.toggled.connect(self.search.setVisible)
        self.map_list.clicked.connect(shared.errands.map_list)
        self.parts.clicked.connect(self._on_parts)
        self.search.wanted.connect(self._on_search)
        self.search.allowed.connect(self._show_hint)
        self.files.imported.connect(self._on_imported)
        self.files.exported.connect(self._on_exported)
        self.files.restored.connect(self.show_found)
        self.judge.changed.connect(self._on_judge)
        self.judge.settled.connect(self._on_judge_settled)
        self._reading.answered.connect(self._on_state)
        self._opening.answered.connect(self._show_review)
        self._opening.failed.connect(self._on_not_opened)
        self.desk.writes.connect(self._opening.forget)
        self.desk.written.connect(self._on_written)
        self.desk.parts_changed.connect(self.files.show_parts)
        shared.selection.ontology_changed.connect(self._reading.renew)

    def _question(self) -> Callable[[], CurateState]:
        return partial(_read_state, self._shared.workspace, self._shared.selection.ontology_id)

    @Slot(object)
    def _on_state(self, state: CurateState) -> None:
        current = self._shared.selection.ontology_id
        ontology = next(
            (candidate for candidate in state.ontologies if candidate.id == current), None
        )
        self.search.show_choices(state.ontologies, ontology, state.encoders, state.trained_here)
        self.judge.show_people(state.people)
        self._lists = state.lists
        self._turn_to_wanted()
        self._offer_lists()
        self._show_chosen()

    def _show_chosen(self) -> None:
        if self.list.currentData() is None:
            self.fresh.setChecked(True)
            self._show_review(None)
        elif not self.desk.writer.writing:  # or it would show what was before the verdict
            self._open()

    def _open(self) -> None:
        """Reads the list that is chosen."""
        chosen = self.list.currentData()
        self._opening.ask(partial(read_review, self._shared.workspace, chosen))

    @Slot(str)
    def _on_not_opened(self, why: str) -> None:
        if not self.files.leaves:  # then nobody looks for it any more
            self._shared.notices.error(why)

    def _offer_lists(self) -> None:
        remembered = next(iter(self._shared.session.numbers(self._list_key())), None)
        rows: list[tuple[str, object]] = [
            (
                f"{name_list(suggestion_list.head)} ({number(suggestion_list.count)})",
                suggestion_list.id,
            )
            for suggestion_list in self._lists
            if _is_of_kinds(suggestion_list, self._kinds)
        ]
        with QSignalBlocker(self.list):
            offer(self.list, rows, remembered)
        self.list.setEnabled(bool(rows))
        self.list.setToolTip("" if rows else tr("No list is kept yet: find suggestions first"))

    @Slot()
    def _on_list(self) -> None:
        chosen = self.list.currentData()
        self._shared.session.keep_place(self._list_key(), str(chosen))
        if not self.desk.writer.writing:  # it is opened after that
            self._open()

    @Slot(object)
    def _show_review(self, review: ListReview | None) -> None:
        if review is None or review != self.desk.review:  # or somebody wrote something else
            self._show_other_review(review)
        if review is not None and review.suggestion_list.id == self._keyed_id:
            self._keyed_id = None
            if self.isVisible():
                self.desk.table.setFocus()

    def _show_other_review(self, review: ListReview | None) -> None:
        other = self.desk.show_review(review)
        self._show_hint()
        self._allow_parts()
        if review is not None and review.suggestion_list.id == self.show_differing_of:
            self.show_differing_of = None
            self.desk.shown.show_differing()
        self.files.show_list(review.suggestion_list if review else None)
        self.facts.setText(
            " · ".join(map(translate_message, review.suggestion_list.head.facts)) if review else ""
        )
        self.facts.setVisible(bool(self.facts.text()))
        if review and other:
            self._close_search()

    @Slot()
    def _show_hint(self) -> None:
        """Says in an empty table what to do."""
        why = self.search.why_not
        idle = f"{why}." if why else translated(_FIND)
        then = translated(_RUNNING) if self._job else idle
        none = f"{translated(_NO_LIST)}\n\n{then}"
        self.desk.say_hint(translated(_NONE) if self.desk.review else none)

    def _allow_parts(self) -> None:
        review = self.desk.review
        self.parts.setEnabled(review is not None)
        tip = tr("Deals this list out to people, also to two who are blind to each other")
        self.parts.setToolTip(tip if review else tr("Find suggestions first"))

    @Slot()
    def _on_parts(self) -> None:
        if self.desk.review is not None:
            self._shared.errands.split_list.emit(self.desk.review.suggestion_list.id)

    @Slot(object)
    def _on_imported(self, list_id: int) -> None:
        if self._is_at_files():
            self.open_for_review(list_id)
        else:
            self.show_found(list_id)

    @Slot()
    def _on_exported(self) -> None:
        if self._is_at_files():
            self.desk.table.setFocus()

    def _is_at_files(self) -> bool:
        """Whether the keys are still where a file was read or written."""
        focused = self.window().focusWidget()
        return focused is not None and self.files.isAncestorOf(focused)

    def _close_search(self) -> None:
        """Hides it; who pressed keys there goes on with what came of it."""
        here = self.window().focusWidget()  # also of a window that has not the keys now
        parts = (self.fresh, self.search, self.judge.box)
        inside = any(here is part or (here and part.isAncestorOf(here)) for part in parts)
        self.fresh.setChecked(False)
        self.search.setVisible(False)
        if inside:
            self.desk.table.setFocus()

    @Slot()
    def _on_judge(self) -> None:
        self.desk.use_judge(self.judge.judge)
        self.files.show_judge(self.judge.judge)

    @Slot()
    def _on_judge_settled(self) -> None:
        """Give the keys to what is judged: the next one is a verdict, not a letter of a name."""
        self.entrance().setFocus()

    @Slot()
    def _on_written(self) -> None:
        review = self.desk.review
        if review and self.list.currentData() != review.suggestion_list.id:
            self._open()  # it was chosen meanwhile

    @Slot()
    def _on_find_key(self) -> None:
        """Look for suggestions where the empty table says that these keys do."""
        if self.desk.review is None:
            self.search.look.click()

    @Slot(object)
    def _on_search(self, wanted: Search) -> None:
        if self._job is not None:
            return
        work = partial(search, self._shared.workspace, wanted)
        self._job = self._shared.jobs.add(translated(_JOBS[wanted.kind]), work, LANE, lost=True)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_given_up)
        self._job.cancelled.connect(self._on_given_up)
        self._show_hint()

    @Slot(object)
    def _on_done(self, kept_search: KeptSearch) -> None:
        self._job = None
        self._shared.notices.tell(describe_kept(kept_search))
        self.show_found(kept_search.list_id)

    def _list_key(self) -> str:
        return _LIST.format(kind=self._kinds[-1])

    def _turn_to_wanted(self) -> None:
        """Choose the list that is wanted, on the tab of its kind, once it has been read."""
        wanted = next((known for known in self._lists if known.id == self._wanted_id), None)
        if wanted is None:
            return
        self._wanted_id = None
        self.kind_found.emit(wanted.head.kind)
        self._shared.session.keep_place(self._list_key(), str(wanted.id))
        with QSignalBlocker(self.list):
            self.list.clear()  # so that this one is the one to choose

    @Slot(object)
    def show_found(self, list_id: int) -> None:
        """Show a list of suggestions by its id, on the tab of its kind."""
        self._wanted_id = list_id
        self._reading.renew()

    def open_for_review(self, list_id: int) -> None:
        """Show a list by its id and give the keys to its table: the next one is an answer."""
        self._keyed_id = list_id
        self.show_found(list_id)

    @Slot()
    def _on_given_up(self) -> None:
        self._job = None
        self._show_hint()


def _is_of_kinds(suggestion_list: KeptList, kinds: Collection[str]) -> bool:
    """Whether a list is of some kinds; one of a file that says nothing is of mappings."""
    kind = suggestion_list.head.kind
    return (kind if kind in KINDS else "mappings") in kinds


def _read_state(workspace: Workspace, ontology_id: int | None) -> CurateState:
    return CurateState(
        tuple(kept_lists(workspace)),
        tuple(list_people(workspace)),
        tuple(list_ontologies(workspace)),
        tuple(list_encoders(workspace)),
        tuple(trained_on_ontology(workspace, ontology_id)),
    )
