"""The Compare page: encoders, suggestions for curators, and two releases of a terminology."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from termexplorer.texts import mark, tr
from termexplorer.views.compare.encoder_desk import EncoderDesk
from termexplorer.views.curate.release_changes import ReleaseChanges
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.views.window.page import Shared
from termexplorer.views.window.tabbed_page import TabbedPage

_SUGGESTIONS = mark("Suggestions")


class ComparePage(TabbedPage):
    """Three tabs."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        self.encoders, self.suggestions = EncoderDesk(shared), SuggestionsPart(shared)
        self.releases = ReleaseChanges(shared)
        parts = {
            mark("Encoders"): self.encoders,
            _SUGGESTIONS: self.suggestions,
            mark("Releases"): self.releases,
        }
        super().__init__(shared.session, "compare/tab", tr("What is compared"), parts, parent)
        shared.errands.review_list.connect(self._on_review)

    @Slot(object)
    def _on_review(self, list_id: int) -> None:
        self.show_part(_SUGGESTIONS)
        self.suggestions.show_found(list_id)
