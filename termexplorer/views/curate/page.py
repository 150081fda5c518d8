"""The Curate page: what encoders suggest, judged with one key each, and releases beside it."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from termexplorer.services.curate.suggesting import DECIDED
from termexplorer.texts import mark, tr
from termexplorer.views.curate.check_part import CheckPart
from termexplorer.views.curate.release_changes import ReleaseChanges
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.views.window.page import Shared
from termexplorer.views.window.tabbed_page import TabbedPage

_KINDS = {  # what is looked for on a tab, the first one where nothing was chosen yet
    mark("Mappings"): (DECIDED, "mappings"),
    mark("Misplaced"): ("misplaced", "deeper"),
    mark("Duplicates"): ("duplicates",),
    mark("Names"): ("names",),
}
_RELEASES, _CHECK = mark("Releases"), mark("Check")


class CuratePage(TabbedPage):
    """A tab for each kind of suggestion, which share one review, and one for two releases."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        self.suggestions, self.releases = SuggestionsPart(shared), ReleaseChanges(shared)
        self.check = CheckPart(shared)
        parts: dict[str, QWidget] = dict.fromkeys(_KINDS, self.suggestions)
        parts |= {_RELEASES: self.releases, _CHECK: self.check}
        super().__init__(shared.session, "curate/tab", tr("What is curated"), parts, parent)
        self.suggestions.kind_found.connect(self._show_kind)
        shared.errands.review_list.connect(self._on_review)
        shared.errands.review_differing.connect(self._on_differing)
        self._on_tab(self.tabs.currentIndex())

    @Slot(int)
    def _on_tab(self, tab: int) -> None:
        super()._on_tab(tab)
        kinds = _KINDS.get(list(self._parts)[tab])
        if kinds:
            self.suggestions.show_kinds(kinds)

    @Slot(object)
    def _on_review(self, list_id: int) -> None:
        self.suggestions.open_for_review(list_id)
        if not self.suggestions.isVisible():  # lists are read when they come on show
            self.show_part(next(iter(_KINDS)))

    @Slot(object)
    def _on_differing(self, list_id: int) -> None:
        self.suggestions.show_differing_of = list_id
        self._on_review(list_id)

    @Slot(str)
    def _show_kind(self, kind: str) -> None:
        """Show the tab of a list that came of a search or a file."""
        titles = [title for title, kinds in _KINDS.items() if kind in kinds]
        self.show_part(titles[0] if titles else next(iter(_KINDS)))
