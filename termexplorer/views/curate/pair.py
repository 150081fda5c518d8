"""The two concepts of a suggestion side by side, and what is suggested of them in words."""

import time
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_html
from termexplorer.services.curate.review import ReviewPair
from termexplorer.services.curate.suggestion_lists import KeptList, Suggestion
from termexplorer.services.curate.suggestion_words import named, statement_on
from termexplorer.services.explore.browsing import ConceptPage
from termexplorer.texts import tr
from termexplorer.views.explore.concept_browser import ConceptBrowser
from termexplorer.views.explore.concept_html import concept_html, concept_title
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme


class SuggestionPair(QWidget):
    """Shows a `ReviewPair`.

    Signals:
        link_followed: the ids of a release and of a concept of it.
    """

    link_followed = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pair: ReviewPair | None = None
        self._painted_at: float | None = None
        self.question = PlainLabel(wordWrap=True)
        self.question.setProperty("title", True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.question.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.subject, self.object = ConceptBrowser(tr("Subject")), ConceptBrowser(tr("Object"))
        for side, browser in (("subject", self.subject), ("object", self.object)):
            browser.followed.connect(partial(self._on_link, side))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.subject, 1)
        row.addWidget(self.object, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.question)
        column.addLayout(row, 1)
        theme.changed.connect(self._paint)

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

    def show_question(
        self, suggestion_list: KeptList | None, suggestion: Suggestion | None
    ) -> None:
        """Says what is suggested; the concepts are shown when they are read."""
        self.question.setText(
            statement_on(suggestion_list, suggestion) if suggestion_list and suggestion else ""
        )

    @Slot(object)
    def show_pair(self, pair: ReviewPair | None) -> None:
        """Shows two concepts, or none."""
        self._pair, self._painted_at = pair, None
        self._paint()
        self.update()  # of what it holds, it is painted with it

    @Slot()
    def _paint(self) -> None:
        pair = self._pair
        show = partial(_concept_html_or_reason, theme=self._theme)
        self.subject.setHtml(show(pair.subject, pair.suggestion, "subject") if pair else "")
        self.object.setHtml(show(pair.object, pair.suggestion, "object") if pair else "")

    def _on_link(self, side: str, concept_id: int) -> None:
        page: ConceptPage | None = getattr(self._pair, side, None)
        if page is not None:
            self.link_followed.emit(page.concept.release_id, concept_id)


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
