"""The candidates of a mapping, one of which is chosen: by its number, by arrows, or by a click."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent

from termexplorer.services.curate.mapping_candidates import CandidateContext
from termexplorer.texts import tr
from termexplorer.views.curate.candidate_html import CHOSEN_SIGN, candidates_html
from termexplorer.views.explore.concept_browser import AROUND, ConceptBrowser
from termexplorer.views.widgets.theme import ThemeColours

NOBODY = -1  # where no candidate is chosen
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CandidateBrowser(ConceptBrowser):
    """Shows candidates; the answer is about the chosen one.

    Signals:
        picked: another one was chosen.

    Attributes:
        candidates: in their order.
        chosen: the index of the chosen one, or `NOBODY`.
    """

    picked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Candidates"))
        self.setToolTip(tr("1 to 5, or Up and Down here, choose what the answer is about"))
        self.candidates: list[CandidateContext] = []
        self.chosen = NOBODY
        self.anchorClicked.connect(self._on_candidate)

    @property
    def current(self) -> CandidateContext | None:
        """The chosen one."""
        return self.candidates[self.chosen] if self.chosen != NOBODY else None

    def show_candidates(self, candidates: Sequence[CandidateContext], chosen: int) -> None:
        """Take candidates to show; `paint` shows them."""
        self.candidates, self.chosen = list(candidates), chosen

    def add_candidate(self, candidate: CandidateContext) -> None:
        """Choose what a curator searched for, in place of what they searched for before."""
        curies = [known.object for known in self.candidates]
        if candidate.object not in curies:
            self.candidates = [c for c in self.candidates if not c.by_curator] + [candidate]
            curies = [known.object for known in self.candidates]
        self.pick(curies.index(candidate.object))

    def pick(self, index: int) -> None:
        """Choose a candidate by its index, if there is such a one."""
        if 0 <= index < len(self.candidates):
            self.chosen = index
            self.picked.emit()

    def paint(self, colours: ThemeColours) -> None:
        """Show the candidates, the chosen one in sight."""
        self.setHtml(candidates_html(self.candidates, self.chosen, colours))
        self._scroll_to_chosen()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keep the chosen one in sight."""
        super().resizeEvent(event)
        self._scroll_to_chosen()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Choose by arrows; all else scrolls."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self.pick(max(self.chosen + step, 0))

    def _scroll_to_chosen(self) -> None:
        """Put the chosen one at the top where it is out of sight, before what is told of it."""
        cursor = self.document().find(CHOSEN_SIGN)
        if cursor.isNull():
            return
        line, bar = self.cursorRect(cursor), self.verticalScrollBar()
        if line.top() < 0 or line.bottom() + line.height() > self.viewport().height():
            bar.setValue(bar.value() + line.top() - AROUND)

    @Slot(QUrl)
    def _on_candidate(self, url: QUrl) -> None:
        kind, _, index = url.toString().partition(":")
        if kind == "candidate" and index.isdecimal():
            self.pick(int(index))
