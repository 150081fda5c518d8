"""The review of a list of suggestions: filtered, looked at, judged with one key each."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from termexplorer.mapping_terms import EXACT
from termexplorer.models.suggestion_table import SuggestionTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.mapping_candidates import (
    MAPPING_KINDS,
    answer_all,
    answer_suggested,
    choose_all,
)
from termexplorer.services.curate.review import (
    ListReview,
    Verdicts,
    find_equal_labels,
    move,
    read_pair,
    say,
    say_all,
    tell_who_may,
)
from termexplorer.services.curate.suggestion_lists import Suggestion, counts
from termexplorer.services.verdicts.judging_keys import suggestion_title
from termexplorer.services.verdicts.log import (
    ANSWERS,
    Answer,
    LoggedVerdict,
    VerdictSubject,
    now,
    redo_step,
    undo_step,
)
from termexplorer.services.verdicts.mapping_answers import (
    predicate_title,
    repeat_answer,
)
from termexplorer.services.verdicts.people import Judge
from termexplorer.texts import mark, tr, translated
from termexplorer.views.curate.filter import SuggestionFilter
from termexplorer.views.curate.pair import SuggestionPair
from termexplorer.views.curate.table import SuggestionTable
from termexplorer.views.curate.verdict_bar import VerdictBar
from termexplorer.views.judging.answer_guard import AnswerGuard
from termexplorer.views.judging.verdict_writer import PendingVerdict, VerdictWriter
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

Given = tuple[str, Mapping[str, Any]]  # an answer, and its details
_KEY = "suggestions/splitter"
_HEIGHTS = (240, 420)
_TOO_SOON = mark("{answer} not counted: no pair was shown yet; press again")
_NOTHING = mark("Choose a suggestion above")
_NO_CANDIDATE = mark("Not counted: choose a candidate (1 to 5, or / to find one), then its match")


class SuggestionReview(QWidget):
    """A table, the two concepts of a suggestion below it, and the verdicts.

    Signals:
        writes: a verdict goes to the disk; what is read meanwhile is stale.
        written: it is there, or it could not be kept.
        parts_changed: the numbers of the suggestions of each part that can be exported, and
            whether others' verdicts are hidden from the judge.

    Attributes:
        review: the list on show, or None.
        judge: who judges, or None.
        guard: tells which presses count.
        writer: writes verdicts.
    """

    writes = Signal()
    written = Signal()
    parts_changed = Signal(object, bool)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._shown_at = ""
        self._missed = ""  # what is said of a verdict that came too soon
        self._noted: tuple[VerdictSubject | None, LoggedVerdict | None] = (
            None,
            None,
        )  # what the note is on
        self._noting = False  # the verdict under way only adds a note to the one before
        self.review: ListReview | None = None
        self.judge: Judge | None = None
        self.shown = SuggestionFilter(shared.session)
        self.guard = AnswerGuard(self, shared.session)
        self.model = SuggestionTableModel(self)
        self.table = SuggestionTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace)
        self.pair, self.bar = SuggestionPair(shared), VerdictBar()
        self._pairing = LatestQueryWorker(self)
        self.writer = VerdictWriter(
            shared.workspace, shared.notices, self, shared.errands.open_workspace.emit
        )
        self._lay_out()
        self._connect()

    def close_review(self) -> None:
        """Keeps the sizes, and ends the threads."""
        self.splitter.keep()
        self._pairing.close()
        self.pair.close_pair()
        self.writer.close_writer()

    def show_review(self, review: ListReview | None) -> bool:
        """Shows a list; returns whether it is another one than before."""
        before, current = self.review, self.table.current
        self.review = review
        same = bool(before and review and before.suggestion_list == review.suggestion_list)
        if same and before and review and current:  # rows are told apart by what they are
            current = review.suggestions[before.suggestions.index(current)]
        for widget in (self.shown, self.asked):
            widget.setVisible(review is not None)
        kind = review.suggestion_list.head.kind if review else ""
        self.bar.offer_also(kind == "misplaced")
        self.bar.offer_predicates(kind in MAPPING_KINDS)
        self.table.horizontalHeader().setVisible(review is not None)
        self.shown.offer_fields(review, anew=not same)
        with QSignalBlocker(self.table):
            self.model.show_review(review, self.shown.wanted)
        self._show_verdicts(review.verdicts if review else {})
        self.table.go_to(current if same else self.model.next_open(-1))
        return not same

    def use_judge(self, judge: Judge | None) -> None:
        """Has somebody else judge."""
        self.judge = judge
        if self.review:
            current = self.table.current
            self._show_verdicts(self.review.verdicts)
            self.table.go_to(current)
        else:
            self._allow()

    def say_hint(self, hint: str) -> None:
        """What stands where there are no suggestions."""
        self.table.hint = hint
        self.table.viewport().update()

    def _lay_out(self) -> None:
        self.asked = QWidget()
        asked = QVBoxLayout(self.asked)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.setSpacing(8)
        asked.addWidget(self.pair, 1)
        asked.addWidget(self.bar)
        self.splitter = KeptSplitter(self._shared.session, _KEY, Qt.Orientation.Vertical)
        self.splitter.fill(_HEIGHTS, self.table, self.asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.shown)
        column.addWidget(self.splitter, 1)
        mark_parts(self.table, self.asked)

    def _connect(self) -> None:
        self.shown.changed.connect(self._on_filter)
        self.shown.left.connect(self.table.setFocus)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._on_sorted)
        self.table.chosen.connect(self._on_chosen)
        self.model.modelReset.connect(self._tell_parts)
        self.table.entered_suggestion.connect(self._on_entered)
        self.pair.link_followed.connect(self._go)
        self.guard.refused.connect(self._on_refused)
        self.bar.answered.connect(self._on_answer)
        self.bar.predicate_answered.connect(self._on_predicate)
        self.bar.picked.connect(self.pair.candidates.pick)
        self.bar.searched.connect(self.pair.open_search)
        self.pair.search_ended.connect(self.table.setFocus)
        self.bar.noted.connect(self._on_noted)
        self.shown.accepted.connect(self._on_accepted)
        self.bar.left.connect(self.table.setFocus)
        self.bar.undone.connect(partial(self._move, undo_step, tr("taking back")))
        self.bar.redone.connect(partial(self._move, redo_step, tr("bringing back")))
        self._pairing.answered.connect(self.pair.show_pair)
        self._pairing.failed.connect(self._shared.notices.error)
        self.writer.written.connect(self._on_written)
        self.writer.unwritten.connect(self.written)

    def _show_verdicts(self, verdicts: Verdicts) -> None:
        """Shows what counts now; no row is the current one then."""
        judge, suggestions = self.judge, self.review.suggestions if self.review else ()
        self.model.show_verdicts(verdicts, judge)
        answer_counts = counts(suggestions, verdicts, judge) if judge else dict.fromkeys(ANSWERS, 0)
        rejected, differing = self.model.count_rejected(), self.model.count_differing()
        self.shown.show_counts(len(suggestions), answer_counts, rejected, differing)
        self.shown.offer_equal_labels(len(self._find_equal_labels()))
        self.shown.remark(tell_who_may(self.review, self.judge))

    @Slot()
    def _tell_parts(self) -> None:
        parts = self.model.parts()
        if parts:
            self.shown.show_extent(len(parts["shown"]), len(parts["all"]))
        self.parts_changed.emit(parts, self.model.hides_others)

    @Slot()
    def _on_filter(self) -> None:
        current = self.table.current
        self.model.show_wanted(self.shown.wanted)
        self.shown.offer_equal_labels(len(self._find_equal_labels()))
        self.table.go_to(current)

    @Slot()
    def _on_sorted(self) -> None:
        self.table.go_to(None)

    @Slot(object)
    def _on_chosen(self, suggestion: Suggestion | None) -> None:
        self._shown_at = now()
        suggestion_list = self.review.suggestion_list if self.review else None
        rejection = self.model.rejection(suggestion) if suggestion else None
        opinions = self.model.tell_opinions(suggestion) if suggestion else ""
        self.pair.show_question(suggestion_list, suggestion, rejection, opinions)
        self._show_note(suggestion)
        self._allow()
        if suggestion_list is None or suggestion is None:
            self._pairing.forget()
            self.pair.show_pair(None)
        else:
            mine = self.model.mine(suggestion)
            workspace = self._shared.workspace
            self._pairing.ask(partial(read_pair, workspace, suggestion_list, suggestion, mine))

    def _show_note(self, suggestion: Suggestion | None) -> None:
        mine = self.model.mine(suggestion) if suggestion else None
        noted = (suggestion.about if suggestion else None, mine)
        if noted != self._noted and not self.bar.note.hasFocus():  # or what is typed would be lost
            self._noted = noted
            self.bar.note.setText(mine.answer.note if mine else "")

    def _allow(self) -> None:
        nobody = tell_who_may(self.review, self.judge)
        nothing = "" if self.table.current else translated(_NOTHING)
        self.bar.allow(nobody or nothing, nobody)

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        selected, suggestion = self.table.selected, self.table.current
        if len(selected) > 1:
            self._say_all(answer_all(selected, answer), suggestion_title(answer))
        elif suggestion is None:
            return
        elif answer == "correct" and self.pair.maps_to_other(suggestion):
            self._on_predicate(suggestion.about.question)
        else:
            self._say_given(answer_suggested(suggestion, answer), suggestion_title(answer))

    @Slot(str)
    def _on_predicate(self, predicate: str) -> None:
        """Say what the chosen candidate is to the source; of several rows, of each its own."""
        selected, suggestion = self.table.selected, self.table.current
        title = predicate_title(predicate)
        if len(selected) > 1:
            self._say_all(choose_all(selected, predicate), title)
        elif suggestion is not None:
            self._say_given(self.pair.answer_chosen(suggestion, predicate), title)

    def _say_given(self, given: Given | None, named: str) -> None:
        if given is None:
            self._on_refused(translated(_NO_CANDIDATE))
        else:
            self._say(*given, named=named)

    @Slot()
    def _on_accepted(self) -> None:
        """Call mappings correct whose concepts have one preferred name."""
        self._say_all(choose_all(self._find_equal_labels(), EXACT), suggestion_title("correct"))

    def _find_equal_labels(self) -> list[Suggestion]:
        if self.review is None or self.judge is None:
            return []
        return find_equal_labels(self.review, self.judge, self.model.rows)

    @Slot()
    def _on_noted(self) -> None:
        """Adds the note to the verdict that is there."""
        mine = self.model.mine(self.table.current) if self.table.current else None
        if mine is not None and mine.answer.note != self.bar.note.text():
            answer, details = repeat_answer(mine)
            self._say(answer, details, named=suggestion_title(answer), noting=True)
        self.table.setFocus()

    def _say(
        self,
        answer: str,
        details: Mapping[str, Any] | None = None,
        *,
        named: str,
        noting: bool = False,
    ) -> None:
        judge, suggestion, pair = self.judge, self.table.current, self.pair.pair
        if judge is None or suggestion is None:
            return
        if pair is None or self.writer.writing or not self.pair.has_shown(suggestion):
            self._on_refused(translated(_TOO_SOON, answer=named))
            return
        if not noting and not self.guard.allows_answer(self.pair.shown_at(suggestion)):
            return
        self._missed = ""
        self._noting = noting
        given_answer = Answer(
            answer, self.bar.note.text(), self._shown_at, now(), pair.release_hash, details or {}
        )
        about = suggestion.about
        self._write(lambda workspace: say(workspace, judge, about, given_answer), named)

    def _say_all(self, answers: Mapping[VerdictSubject, Given], named: str) -> None:
        judge, review = self.judge, self.review
        if judge is None or review is None or not answers or self.writer.writing:
            return
        self._missed, self._noting = "", False
        moment, note = now(), self.bar.note.text()
        given = {
            about: Answer(answer, note, self._shown_at or moment, moment, details=details)
            for about, (answer, details) in answers.items()
        }
        self._write(
            lambda workspace: say_all(workspace, judge, review.suggestion_list, given), named
        )

    @Slot(str)
    def _on_refused(self, why: str) -> None:
        """Say that a press does not count, also when the one before it has been written."""
        self._missed = why
        self.shown.remark(why)

    def _move(self, step: Callable[[Workspace, Judge], list[LoggedVerdict]], named: str) -> None:
        judge = self.judge
        if judge is not None and not self.writer.writing:
            self._missed = ""
            self._write(lambda workspace: move(workspace, judge, step), named)

    def _write(self, work: Callable[[Workspace], object], named: str) -> None:
        self.writes.emit()
        self.writer.write(PendingVerdict(named, partial(work, self._shared.workspace), work))

    @Slot(object)
    def _on_written(self, answer: Verdicts | tuple[LoggedVerdict | None, Verdicts]) -> None:
        """Goes on to what is not judged yet, or to what was taken or brought back."""
        row, current = self.table.currentIndex().row(), self.table.current
        changed = answer[1] if isinstance(answer, tuple) else answer
        then = current if self._noting else self.model.next_open(row) or current
        if self.review is not None:
            self.review = self.review.add_verdicts(changed)
        self._show_verdicts(self.review.verdicts if self.review else {})
        if len(changed) > 1:
            then = self.model.next_open(-1) or current
        self.shown.remark(self._missed)
        if isinstance(answer, tuple):
            then = self._find(answer[0]) or current
        self.table.go_to(then, row)
        self.written.emit()

    def _find(self, judged: LoggedVerdict | None) -> Suggestion | None:
        """Where a verdict is that was taken or brought back."""
        if judged is None:
            self._shared.notices.tell(tr("Nothing to undo or redo"))
            return None
        suggestions = self.review.suggestions if self.review else ()
        match = next(
            (suggestion for suggestion in suggestions if suggestion.about == judged.subject), None
        )
        if match is None:
            about = judged.subject
            self._shared.notices.tell(
                tr(
                    "That verdict is on another list: {subject} {question} {object}",
                    subject=about.subject,
                    question=about.question,
                    object=about.object,
                )
            )
            return None
        if self.model.row_of(match) < 0:
            self.shown.show_all()
        return match

    @Slot(object)
    def _on_entered(self, _suggestion: Suggestion) -> None:
        pair = self.pair.pair
        if pair is not None and pair.subject is not None:
            self._go(pair.subject.concept.release_id, pair.subject.concept.id)

    @Slot(object, object)
    def _go(self, release_id: int, concept_id: int) -> None:
        self._shared.errands.show_concept(release_id, concept_id)
