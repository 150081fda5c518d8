"""Suggestions for curators: found, reviewed with one key each, taken along."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from termexplorer.jobs import Job
from termexplorer.models.suggestion_table import SuggestionTableModel
from termexplorer.questions import Questions
from termexplorer.services.encoders import EncoderInfo, list_encoders, trained_on_ontology
from termexplorer.services.ontologies import Ontology, list_ontologies
from termexplorer.services.people import Judge, list_people
from termexplorer.services.review import Review, Verdicts, move, read_pair, read_review, say
from termexplorer.services.suggesting import Search, search
from termexplorer.services.suggestion_lists import KeptList, Suggested, counts, kept_lists
from termexplorer.services.verdicts import (
    ANSWERS,
    Answer,
    Judged,
    Subject,
    now,
    redo_verdict,
    undo_verdict,
)
from termexplorer.views.focus import mark_parts
from termexplorer.views.forms import choice, offer
from termexplorer.views.judge_box import JudgeBox
from termexplorer.views.page import Shared
from termexplorer.views.store_reading import StoreReading
from termexplorer.views.suggestion_files import SuggestionFiles
from termexplorer.views.suggestion_filter import SuggestionFilter
from termexplorer.views.suggestion_pair import SuggestionPair
from termexplorer.views.suggestion_search import SuggestionSearch
from termexplorer.views.suggestion_table import SuggestionTable
from termexplorer.views.verdict_bar import VerdictBar
from termexplorer.workspace import Workspace

LANE = "suggestions"
_KEY, _LIST = "suggestions/splitter", "suggestions/list"
_HEIGHTS = (360, 300)
_NO_LIST = (
    "Encoders suggest here which concepts and names are misplaced, which concepts are one and the "
    "same, and what they are called in another ontology; you judge each with one key.\n\n"
)
_FIND = "Choose what to look for above and press Find suggestions (Ctrl+Enter)."
_RUNNING = "Looking… how far it is, and a button that stops it, are at the bottom of the window."
_TOO_SOON = "not taken, as nothing was on show yet: press again"
_NONE = "No such suggestion: choose other verdicts, or clear the filter."
_NOBODY = "Say first who judges, at the top right"
_NOTHING = "Choose a suggestion above"


@dataclass(frozen=True, slots=True)
class State:
    """What the workspace holds that is offered."""

    lists: tuple[KeptList, ...]
    people: tuple[Judge, ...]
    ontologies: tuple[Ontology, ...]
    encoders: tuple[EncoderInfo, ...]
    trained_here: tuple[int, ...]


class Suggestions(QWidget):
    """A search, the list that came of it, and the review.

    Attributes:
        review: the list on show, or None.
    """

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._job: Job | None = None
        self._shown_at = ""
        self._writing_now = False
        self._missed = ""  # what is said of a verdict that came too soon
        self._noted: tuple[Subject | None, Judged | None] = (None, None)  # what the note is on
        self._noting = False  # the verdict under way only adds a note to the one before
        self.review: Review | None = None
        self.list = choice("List of suggestions", 30)
        self.fresh = QPushButton("New search")
        self.files, self.judge = SuggestionFiles(shared), JudgeBox(shared)
        self.search = SuggestionSearch(shared)
        self.facts, self.shown = QLabel(wordWrap=True), SuggestionFilter()
        self.model = SuggestionTableModel(self)
        self.table = SuggestionTable(self.model, shared.session)
        self.pair, self.bar = SuggestionPair(shared.theme), VerdictBar()
        self._reading = StoreReading(shared, self, self._question)
        self._opening, self._pairing, self._writing = (Questions(self) for _ in range(3))
        self._lay_out()
        self._connect()
        self._show_review(None)

    def close_part(self) -> None:
        """Keeps what is chosen and the sizes, and ends the threads."""
        self.search.close_search()
        self.judge.close_box()
        self.files.close_files()
        self._shared.session.keep_state(_KEY, self.splitter)
        for questions in (self._reading, self._opening, self._pairing, self._writing):
            questions.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The list, or what makes one."""
        return self.table if self.review else self.search.kind

    def _lay_out(self) -> None:
        self.facts.setProperty("quiet", True)
        self.fresh.setCheckable(True)
        self.fresh.setToolTip("Look for other suggestions")
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.list, 1)
        for widget in (self.fresh, self.files, self.judge):
            first.addWidget(widget)
        self.asked = QWidget()
        asked = QVBoxLayout(self.asked)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.setSpacing(8)
        asked.addWidget(self.pair, 1)
        asked.addWidget(self.bar)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.asked)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        if not self._shared.session.restore_state(_KEY, self.splitter):
            self.splitter.setSizes(list(_HEIGHTS))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.search)
        column.addWidget(self.facts)
        column.addWidget(self.shown)
        column.addWidget(self.splitter, 1)
        mark_parts(self.search, self.table, self.asked)
        self.bar.take_keys_in(self, self.table, self.asked)

    def _connect(self) -> None:
        shared = self._shared
        self.list.activated.connect(self._on_list)
        self.fresh.toggled.connect(self.search.setVisible)
        self.search.wanted.connect(self._on_search)
        self.search.allowed.connect(self._show_hint)
        self.files.imported.connect(self._on_found)
        self.judge.changed.connect(self._on_judge)
        self.shown.changed.connect(self._on_filter)
        self.shown.left.connect(self.table.setFocus)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._on_sorted)
        self.table.chosen.connect(self._on_chosen)
        self.table.entered_suggestion.connect(self._on_entered)
        self.pair.link_followed.connect(self._go)
        self.bar.answered.connect(self._on_answer)
        self.bar.noted.connect(self._on_noted)
        self.bar.left.connect(self.table.setFocus)
        self.bar.undone.connect(partial(self._move, undo_verdict))
        self.bar.redone.connect(partial(self._move, redo_verdict))
        self._reading.answered.connect(self._on_state)
        self._opening.answered.connect(self._show_review)
        self._pairing.answered.connect(self.pair.show_pair)
        self._writing.answered.connect(self._on_written)
        self._writing.failed.connect(self._on_unwritten)
        for questions in (self._opening, self._pairing):
            questions.failed.connect(shared.notices.error)
        shared.selection.ontology_changed.connect(self._reading.renew)

    def _question(self) -> Callable[[], State]:
        return partial(_read_state, self._shared.workspace, self._shared.selection.ontology_id)

    @Slot(object)
    def _on_state(self, state: State) -> None:
        current = self._shared.selection.ontology_id
        ontology = next((each for each in state.ontologies if each.id == current), None)
        self.search.show_choices(state.ontologies, ontology, state.encoders, state.trained_here)
        self.judge.show_people(state.people)
        self._offer_lists(state.lists)
        if self.list.currentData() is None:
            self.fresh.setChecked(True)
            self._show_review(None)
        elif not self._writing_now:  # or it would show what was before the verdict
            self._open()

    def _open(self) -> None:
        """Reads the list that is chosen."""
        chosen = self.list.currentData()
        self._opening.ask(partial(read_review, self._shared.workspace, chosen))

    def _offer_lists(self, lists: tuple[KeptList, ...]) -> None:
        kept = next(iter(self._shared.session.numbers(_LIST)), None)
        rows: list[tuple[str, object]] = [
            (f"{each.head.title} ({each.count:,})", each.id) for each in lists
        ]
        with QSignalBlocker(self.list):
            offer(self.list, rows, kept)
        self.list.setEnabled(bool(rows))
        self.list.setToolTip("" if rows else "No list is kept yet: find suggestions first")

    @Slot()
    def _on_list(self) -> None:
        chosen = self.list.currentData()
        self._shared.session.keep_place(_LIST, str(chosen))
        if not self._writing_now:  # it is opened after that
            self._open()

    @Slot(object)
    def _show_review(self, review: Review | None) -> None:
        before, current = self.review, self.table.current
        if review is not None and review == before:
            return  # somebody wrote something else
        self.review = review
        same = before and review and before.kept == review.kept
        if same and before and current:  # rows are told apart by what they are
            place = before.suggestions.index(current)
            current = review.suggestions[place] if review else None
        self._show_hint()
        self.files.show_list(review.kept if review else None)
        self.facts.setText(" · ".join(review.kept.head.facts) if review else "")
        self.facts.setVisible(bool(self.facts.text()))
        for widget in (self.shown, self.asked):
            widget.setVisible(review is not None)
        self.table.horizontalHeader().setVisible(review is not None)
        with QSignalBlocker(self.table):
            self.model.show_review(review)
        self._show_verdicts(review.verdicts if review else {})
        self.table.go_to(current if same else self.model.next_open(-1))
        if review and not same:
            self._close_search()

    @Slot()
    def _show_hint(self) -> None:
        """Says in an empty table what to do."""
        why = self.search.why_not
        idle = f"{why}." if why else _FIND
        self.table.hint = _NONE if self.review else _NO_LIST + (_RUNNING if self._job else idle)
        self.table.viewport().update()

    def _close_search(self) -> None:
        """Hides it; who pressed keys there goes on with what came of it."""
        here = self.window().focusWidget()  # also of a window that has not the keys now
        inside = here is not None and (here is self.fresh or self.search.isAncestorOf(here))
        self.fresh.setChecked(False)
        self.search.setVisible(False)
        if inside:
            self.table.setFocus()

    def _show_verdicts(self, verdicts: Verdicts) -> None:
        """Shows what counts now; no row is the current one then."""
        judge, there = self.judge.judge, self.review.suggestions if self.review else ()
        self.model.show_verdicts(verdicts, judge)
        said = counts(there, verdicts, judge) if judge else dict.fromkeys(ANSWERS, 0)
        self.shown.show_counts(len(there), said)
        self.shown.remark("" if judge else _NOBODY)

    @Slot()
    def _on_judge(self) -> None:
        if self.review:
            current = self.table.current
            self._show_verdicts(self.review.verdicts)
            self.table.go_to(current)

    @Slot()
    def _on_filter(self) -> None:
        current = self.table.current
        self.model.show_wanted(self.shown.wanted, self.shown.text.text())
        self.table.go_to(current)

    @Slot()
    def _on_sorted(self) -> None:
        self.table.go_to(None)

    @Slot(object)
    def _on_chosen(self, suggestion: Suggested | None) -> None:
        self._shown_at = now()
        kept = self.review.kept if self.review else None
        self.pair.show_question(kept, suggestion)
        self._show_note(suggestion)
        self._allow()
        if kept is None or suggestion is None:
            self._pairing.forget()
            self.pair.show_pair(None)
        else:
            self._pairing.ask(partial(read_pair, self._shared.workspace, kept, suggestion))

    def _show_note(self, suggestion: Suggested | None) -> None:
        mine = self.model.mine(suggestion) if suggestion else None
        said = (suggestion.about if suggestion else None, mine)
        if said != self._noted and not self.bar.note.hasFocus():  # or what is typed would be lost
            self._noted = said
            self.bar.note.setText(mine.answer.note if mine else "")

    def _allow(self) -> None:
        nobody = "" if self.judge.judge else _NOBODY
        self.bar.allow(nobody or ("" if self.table.current else _NOTHING), nobody)

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        self._say(answer)

    @Slot()
    def _on_noted(self) -> None:
        """Adds the note to the verdict that is there."""
        mine = self.model.mine(self.table.current) if self.table.current else None
        if mine is not None and mine.answer.note != self.bar.note.text():
            self._say(mine.answer.answer, noting=True)
        self.table.setFocus()

    def _say(self, answer: str, *, noting: bool = False) -> None:
        judge, suggestion, pair = self.judge.judge, self.table.current, self.pair.pair
        if judge is None or suggestion is None:
            return
        if pair is None or self._writing_now or not self.pair.has_shown(suggestion):
            self._missed = f"{answer.capitalize()} {_TOO_SOON}"
            self.shown.remark(self._missed)
            return
        self._missed = ""
        self._noting = noting
        said = Answer(answer, self.bar.note.text(), self._shown_at, now(), pair.release_hash)
        self._write(partial(say, self._shared.workspace, judge, suggestion.about, said))

    def _move(self, step: Callable[[Workspace, Judge], Judged | None]) -> None:
        judge = self.judge.judge
        if judge is not None and not self._writing_now:
            self._missed = ""
            self._write(partial(move, self._shared.workspace, judge, step))

    def _write(self, work: Callable[[], object]) -> None:
        self._writing_now = True
        self._opening.forget()
        self._writing.ask(work)

    @Slot(object)
    def _on_written(self, answer: Verdicts | tuple[Judged | None, Verdicts]) -> None:
        """Goes on to what is not judged yet, or to what was taken or brought back."""
        self._writing_now = False
        row, current = self.table.currentIndex().row(), self.table.current
        verdicts = answer[1] if isinstance(answer, tuple) else answer
        then = current if self._noting else self.model.next_open(row) or current
        if self.review is not None:
            self.review = replace(self.review, verdicts=verdicts)
        self._show_verdicts(verdicts)
        self.shown.remark(self._missed)
        if isinstance(answer, tuple):
            then = self._find(answer[0]) or current
        self.table.go_to(then, row)
        if self.review and self.list.currentData() != self.review.kept.id:
            self._open()  # it was chosen meanwhile

    @Slot(str)
    def _on_unwritten(self, why: str) -> None:
        self._writing_now = False
        self._shared.notices.error(f"The verdict was not kept: {why}")

    def _find(self, judged: Judged | None) -> Suggested | None:
        """Where a verdict is that was taken or brought back."""
        if judged is None:
            self._shared.notices.tell("There is nothing more to take or bring back")
            return None
        there = self.review.suggestions if self.review else ()
        found = next((each for each in there if each.about == judged.subject), None)
        if found is None:
            about = judged.subject
            self._shared.notices.tell(
                f"That verdict is on another list: {about.subject} {about.question} {about.object}"
            )
            return None
        if self.model.row_of(found) < 0:
            self.shown.show_all()
        return found

    @Slot(object)
    def _on_entered(self, _suggestion: Suggested) -> None:
        pair = self.pair.pair
        if pair is not None and pair.subject is not None:
            self._go(pair.subject.concept.release_id, pair.subject.concept.id)

    @Slot(object, object)
    def _go(self, release_id: int, concept_id: int) -> None:
        self._shared.errands.show_page.emit("explore")
        self._shared.errands.go_to.emit(release_id, concept_id)

    @Slot(object)
    def _on_search(self, wanted: Search) -> None:
        if self._job is not None:
            return
        work = partial(search, self._shared.workspace, wanted)
        self._job = self._shared.jobs.add(f"Find suggestions: {wanted.kind}", work, LANE)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_given_up)
        self._job.cancelled.connect(self._on_given_up)
        self._show_hint()

    @Slot(object)
    def _on_done(self, list_id: int) -> None:
        self._job = None
        self._on_found(list_id)

    @Slot(object)
    def _on_found(self, list_id: int) -> None:
        self._shared.session.keep_place(_LIST, str(list_id))
        with QSignalBlocker(self.list):
            self.list.clear()  # so that the new one is the one to choose
        self._reading.renew()

    @Slot()
    def _on_given_up(self) -> None:
        self._job = None
        self._show_hint()


def _read_state(workspace: Workspace, ontology_id: int | None) -> State:
    return State(
        tuple(kept_lists(workspace)),
        tuple(list_people(workspace)),
        tuple(list_ontologies(workspace)),
        tuple(list_encoders(workspace)),
        tuple(trained_on_ontology(workspace, ontology_id)),
    )
