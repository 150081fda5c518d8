"""The two concepts of a suggestion side by side, and what is suggested of them in words."""

import time
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_html
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.mapping_candidates import (
    CandidateContext,
    ConceptContext,
    Given,
)
from termexplorer.services.curate.mapping_states import explain_state
from termexplorer.services.curate.review import ReviewPair, read_target
from termexplorer.services.curate.suggestion_lists import KeptList, Suggestion
from termexplorer.services.curate.suggestion_words import (
    is_unreplaced,
    name_list,
    named,
    state_chosen,
    statement_on,
)
from termexplorer.services.explore.browsing import ConceptPage
from termexplorer.services.verdicts.judging_keys import suggestion_keys
from termexplorer.services.verdicts.log import LATER, LoggedVerdict
from termexplorer.services.verdicts.mapping_answers import answer_mapping, choose_mapping, is_denied
from termexplorer.texts import tr
from termexplorer.views.curate.candidate_html import source_html
from termexplorer.views.curate.candidates import NOBODY, CandidateBrowser
from termexplorer.views.curate.target_search import TargetSearch
from termexplorer.views.explore.concept_browser import ConceptBrowser
from termexplorer.views.explore.concept_html import concept_html, concept_title
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.window.page import Shared


class SuggestionPair(QWidget):
    """Shows a `ReviewPair`.

    Signals:
        link_followed: the ids of a release and of a concept of it.
        search_ended: another concept was chosen, or none.

    Attributes:
        candidates: what a mapping may go to; in place of the object.
        search: for another concept; in place of the candidates while it is open.
    """

    link_followed = Signal(object, object)
    search_ended = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared, self._theme = shared, shared.theme
        self._list: KeptList | None = None
        self._pair: ReviewPair | None = None
        self._painted_at: float | None = None
        self.question = PlainLabel(wordWrap=True)
        self.question.setProperty("title", True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.question.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.past = PlainLabel(wordWrap=True)
        self.past.setProperty("quiet", True)
        self.past.hide()
        self.subject, self.object = ConceptBrowser(tr("Subject")), ConceptBrowser(tr("Object"))
        self.candidates, self.search = CandidateBrowser(), TargetSearch(shared.workspace)
        self._targeting = LatestQueryWorker(self)
        self.candidates.picked.connect(self._paint)
        for side, browser in {
            "subject": self.subject, "object": self.object, "candidate": self.candidates,
        }.items():  # fmt: skip
            browser.followed.connect(partial(self._on_link, side))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.subject, 1)
        row.addWidget(self.object, 1)
        row.addWidget(self.candidates, 1)
        row.addWidget(self.search, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.question)
        column.addWidget(self.past)
        column.addLayout(row, 1)
        self.search.chosen.connect(self._on_target)
        self.search.left.connect(self._end_search)
        self.search.failed.connect(shared.notices.error)
        self._targeting.answered.connect(self._show_target)
        self._targeting.failed.connect(shared.notices.error)
        self._theme.changed.connect(self._paint)

    def close_pair(self) -> None:
        """End the threads."""
        self._targeting.close()
        self.search.close_search()

    @property
    def pair(self) -> ReviewPair | None:
        """What is on show."""
        return self._pair

    def has_shown(self, suggestion: Suggestion) -> bool:
        """Whether a suggestion stands on the screen, with its concepts."""
        return self.shown_at(suggestion) is not None

    def shown_at(self, suggestion: Suggestion) -> float | None:
        """Return since when it stands there, by `time.monotonic`; None if it does not."""
        shown = self._pair is not None and self._pair.suggestion is suggestion
        return self._painted_at if shown else None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """What is there now, people can read."""
        super().paintEvent(event)
        if self._painted_at is None:
            self._painted_at = time.monotonic()

    def maps_to_other(self, suggestion: Suggestion) -> bool:
        """Whether another concept is chosen than what a suggestion says that it is mapped to."""
        if is_denied(suggestion.slots) or is_unreplaced(suggestion):
            return False
        chosen = self.candidates.current
        maps = self._pair is not None and self._pair.maps
        return bool(maps and chosen and chosen.object != suggestion.about.object)

    def answer_chosen(self, suggestion: Suggestion, predicate: str) -> Given | None:
        """Return the answer that the chosen concept is something to the source, or nothing is.

        None where none is chosen.
        """
        candidate = self.candidates.current
        object_, label = (candidate.object, candidate.label) if candidate else ("", "")
        if object_ == suggestion.about.object and is_unreplaced(suggestion):
            object_ = ""  # it is withdrawn
        chosen = choose_mapping(predicate, object_, label)
        return answer_mapping(suggestion.about, chosen) if chosen else None

    def show_question(
        self,
        suggestion_list: KeptList | None,
        suggestion: Suggestion | None,
        rejection: LoggedVerdict | None = None,
        opinions: str = "",
    ) -> None:
        """Says what is suggested, what it was before a newer release, and what others said of it.

        The concepts come when they are read.
        """
        self._list = suggestion_list
        self.question.setText(
            statement_on(suggestion_list, suggestion) if suggestion_list and suggestion else ""
        )
        header = suggestion_list.head.header if suggestion_list else ()
        former = explain_state(suggestion, header) if suggestion else ""
        past = [former, _tell_rejection(rejection) if rejection else "", opinions]
        self.past.setText("\n".join(filter(None, past)))
        self.past.setVisible(any(past))
        if suggestion_list and suggestion:
            name = suggestion.slots.get("subject_label", "") or suggestion.about.subject
            title = name_list(suggestion_list.head)
            self._shared.errands.works_on.emit(tr("{title}: {name}", title=title, name=name))

    @Slot(object)
    def show_pair(self, pair: ReviewPair | None) -> None:
        """Shows two concepts, or a source and its candidates, or none.

        Somebody who searches for another candidate goes on, unless another mapping is shown now.
        """
        before, self._pair, self._painted_at = self._pair, pair, None
        searches = self.search.isVisibleTo(self)
        is_same = bool(before and pair and before.suggestion.about == pair.suggestion.about)
        candidates = pair.candidates if pair else ()
        curies = [candidate.object for candidate in candidates]
        wanted = pair.chosen if pair else ""
        self.candidates.show_candidates(
            candidates, curies.index(wanted) if wanted in curies else NOBODY
        )
        if searches and not is_same:
            self.search.hide()
            self.search_ended.emit()  # or a button would have the keys
        self.candidates.setVisible(bool(pair and pair.maps and not (searches and is_same)))
        self.object.setVisible(not (pair and pair.maps))
        self._paint()
        self.update()  # of what it holds, it is painted with it

    @Slot()
    def open_search(self) -> None:
        """Search the names of the target for another candidate."""
        if self._list is not None and self._pair is not None and self._pair.maps:
            self.candidates.hide()
            self.search.open_search(self._list.head.object_release_id)

    @Slot(str)
    def _on_target(self, curie: str) -> None:
        """Show what a curator searched for as a candidate, which is chosen then."""
        pair, kept_list = self._pair, self._list
        if pair is not None and kept_list is not None:
            read = partial(read_target, self._shared.workspace, kept_list, pair, curie)
            self._targeting.ask(lambda: (pair, read()))
        self._end_search()

    @Slot(object)
    def _show_target(self, target: tuple[ReviewPair, CandidateContext]) -> None:
        pair, candidate = target
        if pair is self._pair:
            self.candidates.add_candidate(candidate)

    @Slot()
    def _end_search(self) -> None:
        self.candidates.show()
        self.search_ended.emit()

    @Slot()
    def _paint(self) -> None:
        pair = self._pair
        if pair is not None and pair.maps:
            colours = self._theme.colours
            header = self._list.head.header if self._list else ()
            self._state_pair(pair)
            self.subject.setHtml(source_html(pair, header, self.candidates.current, colours))
            self.candidates.paint(colours)
            return
        show = partial(_concept_html_or_reason, theme=self._theme)
        self.subject.setHtml(show(pair.subject, pair.suggestion, "subject") if pair else "")
        self.object.setHtml(show(pair.object, pair.suggestion, "object") if pair else "")

    def _state_pair(self, pair: ReviewPair) -> None:
        """State what would be called correct: of another concept, once it is chosen."""
        suggestion, candidate = pair.suggestion, self.candidates.current
        object_, label = (candidate.object, candidate.label) if candidate else ("", "")
        chosen = choose_mapping(suggestion.about.question, object_, label)
        if chosen is not None and self.maps_to_other(suggestion):
            self.question.setText(state_chosen(suggestion, chosen))
        elif self._list is not None:
            self.question.setText(statement_on(self._list, suggestion))

    def _on_link(self, side: str, concept_id: int) -> None:
        pages: dict[str, ConceptPage | ConceptContext | None] = {}
        if self._pair is not None:
            contexts = (candidate.context for candidate in self.candidates.candidates)
            pages = {"subject": self._pair.subject, "object": self._pair.object}
            pages["candidate"] = next(filter(None, contexts), None)
        page = pages.get(side)
        if page is not None:
            self.link_followed.emit(page.concept.release_id, concept_id)


def _tell_rejection(rejection: LoggedVerdict) -> str:
    answer = rejection.answer
    text = tr(
        "Rejected before, on {day} by {judge}; {key} opens it again",
        day=answer.answered_at[:10],
        judge=rejection.judge.name,
        key=suggestion_keys()[LATER],
    )
    return f"{text} · {answer.note}" if answer.note else text


def _concept_html_or_reason(
    page: ConceptPage | None, suggestion: Suggestion, side: str, theme: Theme
) -> str:
    if page is None:
        curie = plain_html(str(getattr(suggestion.about, side)))
        none = tr("No ontology of this workspace has it.")
        return f"<p><b>{plain_html(named(suggestion, side))}</b></p><p>{curie}</p><p>{none}</p>"
    return f"<p><b>{plain_html(concept_title(page.concept))}</b></p>" + concept_html(
        page, theme.colours
    )
