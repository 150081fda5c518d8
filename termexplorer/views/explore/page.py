"""The Explore page: tree, concept, and rankings side by side."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QStackedLayout, QTabWidget, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.browsing import ConceptPage, concept_page
from termexplorer.texts import tr
from termexplorer.views.explore.concept_pane import ConceptPane
from termexplorer.views.explore.concept_tree import ConceptTree
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.lazy_widget import LazyWidget
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.bookmarks import Bookmarks
from termexplorer.views.window.page import PageWidget, RankingsToShow, Shared
from termexplorer.views.window.welcome import Welcome

if TYPE_CHECKING:
    from termexplorer.views.explore.ranking_area import RankingArea

_KEY = "explore/splitter"
_CODES, _HIDDEN = "explore/codes", "hidden"
_WIDTHS = (300, 280, 780)
_SHARES = (2, 1, 3)  # of the room that a larger window gives

_REST_MS = 120  # between two concepts; who is faster looks at neither


class ExplorePage(PageWidget):
    """Looks around in a release."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.welcome = Welcome()
        self.welcome.embedded_wanted.connect(shared.errands.import_embedded)
        self.welcome.file_wanted.connect(shared.errands.import_file)
        self.welcome.pack_wanted.connect(shared.errands.judge_pack)
        self.welcome.tour_wanted.connect(shared.errands.tour)
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_page)
        self._questions.failed.connect(shared.notices.error)
        self._resting = QTimer(self, singleShot=True, interval=_REST_MS)
        self._resting.timeout.connect(self._on_rest)
        self.tree = ConceptTree(shared.workspace, shared.selection)
        self.concept = ConceptPane(shared.theme)
        self.concept.link_followed.connect(shared.selection.go_to_concept)
        self.bookmarks = Bookmarks(shared)
        self._rankings = LazyWidget(self._make_rankings)
        self.codes = QCheckBox(tr("Codes"))
        self.side = QTabWidget()
        self.splitter = KeptSplitter(shared.session, _KEY, Qt.Orientation.Horizontal)
        self._lay_out()
        QShortcut(QKeySequence("Ctrl+D"), self, self.concept.star.click)
        self.concept.bookmark_toggled.connect(self.bookmarks.toggle)
        self.bookmarks.changed.connect(self._on_bookmarks)
        shared.errands.go_to.connect(self._on_go_to)
        shared.errands.look_at.connect(self._on_look)
        shared.selection.ontology_changed.connect(self._on_ontology)
        shared.selection.concept_changed.connect(self._on_concept)
        self._on_ontology(shared.selection.ontology_id)
        self._on_concept(shared.selection.concept_id)

    @property
    def rankings(self) -> "RankingArea":
        """What is ranked for the concept."""
        return self._rankings.content

    def close_page(self) -> None:
        """Keeps the widths and ends the threads."""
        self.splitter.keep()
        self._questions.close()
        self.tree.close_tree()
        self._rankings.forgo()
        if self._rankings.made:
            self._rankings.made.close_area()

    def whole(self) -> QWidget:
        """Return the page with its rankings."""
        _ = self.rankings
        return self

    def entrance(self) -> QWidget:
        """The tree, or what there is to do first."""
        return self.welcome.embedded if self._stack.currentIndex() == 0 else self.tree

    def _lay_out(self) -> None:
        self.side.setDocumentMode(True)
        self.side.tabBar().setDrawBase(False)
        self.side.tabBar().setAccessibleName(tr("How concepts are listed"))
        self.side.addTab(self.tree, tr("Tree"))
        self.side.addTab(self.bookmarks.list, tr("Bookmarks"))
        self._add_code_switch()
        # what holds others goes where it belongs before it is filled: each move styles all in it
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.splitter)
        self.splitter.fill(_WIDTHS, self.side, self.concept, self._rankings)
        mark_parts(self.welcome, self.side, self.concept, self._rankings)
        for number, share in enumerate(_SHARES):
            self.splitter.setStretchFactor(number, share)

    def _add_code_switch(self) -> None:
        self.codes.setToolTip(tr("Codes behind the names in the tree"))
        self.codes.setChecked(self._shared.session.look(_CODES) != _HIDDEN)
        self.tree.show_codes(self.codes.isChecked())
        self.codes.toggled.connect(self._on_codes)
        self.side.setCornerWidget(self.codes)

    @Slot(bool)
    def _on_codes(self, shown: bool) -> None:
        self._shared.session.keep_look(_CODES, "" if shown else _HIDDEN)
        self.tree.show_codes(shown)

    def _make_rankings(self) -> "RankingArea":
        from termexplorer.views.explore.ranking_area import RankingArea

        area = RankingArea(self._shared)
        area.facts_found.connect(self.concept.show_facts)
        area.show_page(self.concept.page)
        return area

    @Slot(object)
    def _on_look(self, look: RankingsToShow) -> None:
        self.rankings.look_at(look)

    @Slot(object, object)
    def _on_go_to(self, release_id: int, concept_id: int) -> None:
        self._shared.selection.go(release_id, concept_id)
        self.side.setCurrentWidget(self.tree)
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        before, now = self._stack.currentIndex(), 0 if ontology_id is None else 1
        self._stack.setCurrentIndex(now)
        if now != before and self.isVisible():
            self.entrance().setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_concept(self, concept_id: int | None) -> None:
        if concept_id is None:
            self._questions.forget()
            self._on_page(None)
        elif self._resting.isActive():
            self._resting.start()  # somebody runs through the tree: wait for where it ends
        else:
            self._ask()
            self._resting.start()

    @Slot()
    def _on_rest(self) -> None:
        page = self.concept.page
        if page is None or page.concept.id != self._shared.selection.concept_id:
            self._ask()

    def _ask(self) -> None:
        concept_id = self._shared.selection.concept_id
        if concept_id is not None:
            self._questions.ask(partial(concept_page, self._shared.workspace, concept_id))

    @Slot(object)
    def _on_page(self, page: ConceptPage | None) -> None:
        self.concept.show_page(page)
        self._on_bookmarks()
        if self._rankings.made:
            self._rankings.made.show_page(page)

    @Slot()
    def _on_bookmarks(self) -> None:
        page = self.concept.page
        self.concept.show_bookmarked(page is not None and self.bookmarks.has(page.concept.curie))
