"""The right of the Explore page: what is ranked, by which encoders, among what."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import Task
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders, trained_on_ontology
from termexplorer.services.explore.browsing import ConceptPage
from termexplorer.services.explore.ontologies import (
    Ontology,
    find_concept,
    find_ontology,
    list_ontologies,
)
from termexplorer.texts import tr
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.encoder_columns import added_column, usual_columns
from termexplorer.views.explore.encoding_question import EncodingQuestion
from termexplorer.views.explore.preparation import Lack, VectorPreparation
from termexplorer.views.explore.ranking_needs import Needs, RankingNeeds
from termexplorer.views.explore.ranking_pane import RankingPane
from termexplorer.views.explore.ranking_scope import AmongRow
from termexplorer.views.window.level_facts import Facts, LevelFacts
from termexplorer.views.window.level_place import LevelPlace, choose_level, kept_level
from termexplorer.views.window.page import RankingsToShow, Shared

if TYPE_CHECKING:
    from termexplorer.views.explore.parents_pane import ParentsPane
    from termexplorer.views.explore.terms_pane import TermsPane

_LATER_MS = 50
_NEIGHBOURS, _HYPERNYMS, _TERMS, _PARENTS = range(4)


class RankingArea(QWidget):
    """Tabs for neighbours, hypernyms, lists of terms and parents; encoders and filters serve all.

    Signals:
        facts_found: `Facts` of the level that hypernyms are asked for.
    """

    facts_found = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._known: list[EncoderInfo] = []
        self._ontologies: list[Ontology] = []
        self._newest_seen = 0  # id of an encoder
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(tr("What is ranked"))
        for text in (tr("Neighbours"), tr("Hypernyms"), tr("List of terms"), tr("Parents")):
            self.tabs.addTab(text)
        self.encoders = EncoderChoice(shared.theme)
        self.among = AmongRow()
        self.pane = RankingPane(shared, self.encoders, self.among)
        self.terms: TermsPane | None = None  # made when it is shown first
        self.parents: ParentsPane | None = None  # likewise
        self._stack = QStackedWidget()
        self._needs = RankingNeeds(shared, self)
        self._preparation = VectorPreparation(shared.workspace, shared.jobs, self)
        self._encoding = EncodingQuestion(shared.notices, self)
        self._facts = LevelFacts(shared.workspace, self)
        self._page: ConceptPage | None = None
        self._painted = False
        self._lexical_alone: set[int] = set()  # ontologies in other languages than English
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._lay_out()
        self._connect()
        self._restore()
        self._take_kept_level()
        self.refresh()
        self._label_level()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Gets ready to rank when the window has been painted, however long that took."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self._later.start()

    def close_area(self) -> None:
        """Keeps the choice of encoders and ends the threads."""
        chosen_ids = self.encoders.ids if self.encoders.by_user else ()
        self._shared.session.keep_place("encoders", " ".join(map(str, chosen_ids)))
        self._shared.session.keep_place("encoders/seen", str(self._newest_seen))
        self._needs.close()
        self._facts.close()
        self.pane.close_pane()
        for pane in (self.terms, self.parents):
            if pane:
                pane.close_pane()

    def show_page(self, page: ConceptPage | None) -> None:
        """Ranks for another concept."""
        self._page = page
        self.among.show_subtrees(page)
        self.pane.show_page(page)
        self._prepare()

    def look_at(self, look: RankingsToShow) -> None:
        """Shows hypernyms on a level, or neighbours, by some encoders side by side."""
        if self._shared.selection.ontology_id != look.ontology_id:
            self._shared.selection.go(look.ontology_id)
        self.refresh()
        self.encoders.choose(look.encoder_ids)
        self.encoders.by_user = True
        if look.level is None:
            self.tabs.setCurrentIndex(_NEIGHBOURS)
        else:
            self.tabs.setCurrentIndex(_HYPERNYMS)
            root = look.root.curie if look.root else ""
            choose_level(self._shared.session, self._shared.selection, LevelPlace(look.level, root))
        self.pane.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def refresh(self) -> None:
        """Reads encoders and ontologies anew, and has vectors made where they lack."""
        self._known = list_encoders(self._shared.workspace)
        self._ontologies = list_ontologies(self._shared.workspace)
        self.encoders.show_encoders(self._known)
        self._suit_columns()
        self._show_ontologies()

    def _restore(self) -> None:
        session = self._shared.session
        wanted = session.numbers("encoders")
        if wanted:
            self.encoders.show_encoders(list_encoders(self._shared.workspace), wanted)
            self.encoders.by_user = True
            self._newest_seen = next(iter(session.numbers("encoders/seen")), 0)

    def _suit_columns(self) -> None:
        selection = self._shared.selection
        here = trained_on_ontology(self._shared.workspace, selection.ontology_id)
        added = added_column(self.encoders.ids, here, self._newest_seen)
        if not self.encoders.by_user:
            lexical_alone = selection.ontology_id in self._lexical_alone
            columns = usual_columns(self._known, here, lexical_alone=lexical_alone)
            self.encoders.choose(columns)
        elif added is not None:
            self.encoders.add_column(added)
        self._newest_seen = max((encoder.id for encoder in self._known), default=0)

    def _lay_out(self) -> None:
        self._stack.addWidget(self.pane)
        inner = QVBoxLayout()
        inner.setContentsMargins(16, 12, 16, 12)
        inner.setSpacing(8)
        inner.addWidget(self.pane.question)
        inner.addWidget(self.among)
        inner.addWidget(self.encoders)
        inner.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addLayout(inner, 1)
        self._order_tabs()

    def _order_tabs(self) -> None:
        """As they stand; the boxes of encoders keep before the button that adds one."""
        among, pane = self.among, self.pane
        asked = (pane.query, among.level_choice.level, among.level_choice.root)
        row = (among.ontologies, among.subtree, among.level, among.unseen)
        order = (self.tabs, *asked, *row, self.encoders.add, pane.table, pane.export)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._on_tab)
        self.among.changed.connect(self._label_level)
        self.encoders.changed.connect(self._encoding.forget)
        self.encoders.changed.connect(self._prepare)
        self._needs.needs_read.connect(self._on_needs)
        self._preparation.done.connect(self.pane.ask)
        self._encoding.confirmed.connect(self._preparation.make)
        self._facts.facts_read.connect(self._on_facts)
        self._later.timeout.connect(self._prepare_now)
        self._shared.watch.changed.connect(self.refresh)
        self._shared.selection.ontology_changed.connect(self._on_ontology)
        self.among.level_choice.chosen.connect(self._on_level_chosen)
        self._shared.selection.level_changed.connect(self._take_kept_level)

    @Slot(object)
    def _on_ontology(self, _ontology_id: int | None) -> None:
        self._encoding.forget()
        self.among.forget_subtree()
        self.among.forget_level()
        self._facts.forget()
        self._take_kept_level()
        self._ontologies = list_ontologies(self._shared.workspace)
        self._suit_columns()
        self._show_ontologies()

    @Slot()
    def _on_level_chosen(self) -> None:
        root = self.among.level_choice.chosen_root
        level_place = LevelPlace(self.among.level_choice.chosen_level, root.curie if root else "")
        choose_level(self._shared.session, self._shared.selection, level_place)

    @Slot()
    def _take_kept_level(self) -> None:
        """Shows hypernyms on the level that was chosen, here or on another page."""
        current = self._shared.selection.ontology_id
        stored_level = kept_level(self._shared.session, current)
        if stored_level is None:
            return
        root = None
        if stored_level.root:
            ontology = find_ontology(self._shared.workspace, str(current))
            with suppress(UserError):
                root = find_concept(self._shared.workspace, ontology, stored_level.root)
        self.among.choose_level(stored_level.level, root)

    def _show_ontologies(self) -> None:
        self.among.show_ontologies(self._ontologies, self._shared.selection.ontology_id)
        self._prepare()

    @Slot()
    def _prepare(self) -> None:
        if self._painted:
            self._later.start()

    @Slot()
    def _prepare_now(self) -> None:
        wanted = self.among.among().ontology_ids
        encoders = [encoder for encoder in self._known if encoder.id in self.encoders.ids]
        self._needs.ask(
            encoders, [ontology for ontology in self._ontologies if ontology.id in wanted]
        )

    @Slot(object)
    def _on_needs(self, needs: Needs) -> None:
        if needs.level is not None:
            self.among.suggest_level(needs.level)
        self._prefer_lexical(needs.language)
        self._preparation.make(needs.lacks)
        self._encoding.ask(needs.to_confirm)
        self._ask_facts()

    def _prefer_lexical(self, why: str) -> None:
        """Ranks by TF-IDF alone where the built-in encoder does not know the language."""
        current = self._shared.selection.ontology_id
        if not why or current is None or current in self._lexical_alone or self.encoders.by_user:
            return
        self._lexical_alone.add(current)
        self._suit_columns()
        self._shared.notices.tell(why)

    def _ask_facts(self) -> None:
        current = self._shared.selection.ontology_id
        if (
            any(ontology.id == current and ontology.is_a for ontology in self._ontologies)
            and current is not None
        ):
            level_place = self.among.level_choice
            root = level_place.chosen_root.id if level_place.chosen_root else None
            level = level_place.chosen_level if self.among.level_known else None
            self._facts.ask(current, root, level, self._page)
        else:
            self.among.show_levels(0)

    @Slot(object)
    def _on_facts(self, facts: Facts) -> None:
        self.among.suggest_level(facts.level)
        self.among.show_levels(facts.levels)
        self.among.level_choice.show_warning(facts.warning)
        self.facts_found.emit(facts)

    @Slot(int)
    def _on_tab(self, tab: int) -> None:
        panes = {_TERMS: self._terms_pane, _PARENTS: self._parents_pane}
        self._stack.setCurrentWidget(panes[tab]() if tab in panes else self.pane)
        self.pane.question.setVisible(tab != _TERMS)
        task = Task.HYPERNYMS if tab == _HYPERNYMS else Task.NEIGHBOURS
        self.among.use_task(task)
        self.among.setVisible(tab != _PARENTS)
        if tab not in panes:
            self.pane.use_task(task)

    @Slot(object)
    def _on_unencoded(self, lacks: Sequence[Lack]) -> None:
        self._encoding.forget()  # whoever presses the button is asked again
        self._encoding.ask(lacks)

    def _terms_pane(self) -> "TermsPane":
        if self.terms is None:
            from termexplorer.views.explore.terms_pane import TermsPane

            self.terms = TermsPane(self._shared, self.encoders, self.among)
            self.terms.unencoded.connect(self._on_unencoded)
            self._preparation.done.connect(self.terms.go_on)
            self._stack.addWidget(self.terms)
        return self.terms

    def _parents_pane(self) -> "ParentsPane":
        if self.parents is None:
            from termexplorer.views.explore.parents_pane import ParentsPane

            self.parents = ParentsPane(self._shared, self.encoders, self.among, self.pane.query)
            self._stack.addWidget(self.parents)
        return self.parents

    @Slot()
    def _label_level(self) -> None:
        level = self.among.level_choice.chosen_level
        self.tabs.setTabText(_HYPERNYMS, tr("Hypernyms on level {level}", level=level))
        self._prepare()
