"""The tree of concepts at the left of the Explore page."""

from functools import partial

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from termexplorer.models.concept_tree import ConceptTreeModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.browsing import concept_ref, count_below, path_to
from termexplorer.services.explore.concept_links import NamedConcept
from termexplorer.texts import tr
from termexplorer.views.explore.tree_delegate import TreeDelegate
from termexplorer.views.widgets.tables.item_menu import ItemMenu
from termexplorer.views.window.selection import ConceptSelection
from termexplorer.workspace import Workspace

_NARROWEST = 160  # pixels
_PAD = 12  # pixels around a name
_BEGINNING = 8  # letters of a name that are to be seen


class ConceptTree(QTreeView):
    """Follows the selection, and changes it; what lies below a concept is counted meanwhile."""

    def __init__(
        self, workspace: Workspace, selection: ConceptSelection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._selection = selection
        self.concepts = ConceptTreeModel(workspace, self)
        self.setModel(self.concepts)
        self._delegate = TreeDelegate(self)
        self.setItemDelegate(self._delegate)
        self._counting = False
        self._counts = LatestQueryWorker(self)
        self._counts.answered.connect(self._on_counted)
        self._counts.failed.connect(self._on_uncounted)
        self.concepts.fetched.connect(self._count)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setIndentation(16)
        self._show_names_whole()
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Concepts"))
        self.selectionModel().currentChanged.connect(self._on_current)
        selection.ontology_changed.connect(self._on_ontology)
        selection.concept_changed.connect(self._on_concept)
        self.menu = ItemMenu(self, self._row_text)
        self.menu.name_concepts(workspace, self._named_concept)
        self._on_ontology(selection.ontology_id)
        self._on_concept(selection.concept_id)

    def show_codes(self, shown: bool) -> None:
        """Show codes behind the names, or names alone."""
        self._delegate.codes = shown
        self.scheduleDelayedItemsLayout()
        self.header().resizeSections()

    def _named_concept(self, index: QModelIndex | QPersistentModelIndex) -> NamedConcept | None:
        concept_id = self.concepts.concept_id(index)
        ref = concept_ref(self._workspace, concept_id) if concept_id is not None else None
        return NamedConcept(ref.curie, ref.code, ref.label, ref.release_id) if ref else None

    def _row_text(self, index: QModelIndex | QPersistentModelIndex) -> str:
        return f"{index.data()}\t{index.data(ConceptTreeModel.CODE)}".rstrip()

    def close_tree(self) -> None:
        """End the thread that counts."""
        self._counts.close()

    @Slot()
    def _count(self) -> None:
        waiting = [] if self._counting else self.concepts.uncounted
        if waiting:
            self._counting = True
            self._counts.ask(partial(count_below, self._workspace, waiting))

    @Slot(object)
    def _on_counted(self, counts: dict[int, int]) -> None:
        self._counting = False
        self.concepts.show_counts(counts)
        self._count()

    @Slot()
    def _on_uncounted(self) -> None:
        self._counting = False

    def _show_names_whole(self) -> None:
        """Let rows be as wide as their names, to be scrolled to, however deep they stand."""
        self.setMinimumWidth(_NARROWEST)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Have the rows fill the width, so that they are pressed and marked anywhere."""
        super().resizeEvent(event)
        self.header().setMinimumSectionSize(self.viewport().width())

    def scrollTo(  # noqa: N802
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll up or down to a row, and not sideways under the pointer."""
        bar = self.horizontalScrollBar()
        across = bar.value()
        super().scrollTo(index, hint)
        bar.setValue(across)

    def _sees_beginning_of(self, index: QModelIndex) -> bool:
        """Tell whether a row's arrow and the first letters of its name are in sight."""
        left = self.visualRect(index).left()
        letters = self.fontMetrics().horizontalAdvance(str(index.data() or "")[:_BEGINNING])
        return self.indentation() <= left <= self.viewport().width() - letters

    def _scroll_to_name(self, index: QModelIndex) -> None:
        """Scroll sideways until as much of a name is seen as there is room for."""
        row, bar = self.visualRect(index), self.horizontalScrollBar()
        room = self.viewport().width() - self.indentation()  # its arrow is seen, too
        text = min(self.fontMetrics().horizontalAdvance(str(index.data() or "")) + _PAD, room)
        hidden_left = self.indentation() - row.left()
        hidden_right = row.left() + text - self.viewport().width()
        if hidden_left > 0:
            bar.setValue(bar.value() - hidden_left)
        elif hidden_right > 0:
            bar.setValue(bar.value() + hidden_right)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        self._counts.forget()
        self._counting = False
        self.concepts.show_release(ontology_id)
        if self.concepts.canFetchMore(QModelIndex()):
            self.concepts.fetchMore(QModelIndex())
        if self.concepts.rowCount() == 1:
            self.expand(self.concepts.index(0, 0))

    @Slot(object)
    def _on_concept(self, concept_id: int | None) -> None:
        if concept_id is None or self.concepts.concept_id(self.currentIndex()) == concept_id:
            return
        index = self.concepts.index_of(path_to(self._workspace, concept_id))
        if self.concepts.concept_id(index) == concept_id:
            self.setCurrentIndex(index)
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self._scroll_to_name(index)
        else:  # obsolete: it is in no tree
            self.setCurrentIndex(QModelIndex())

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self.selectionModel().isSelected(index):  # the focus came: it starts at the first
            self.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        concept_id = self.concepts.concept_id(index)
        if index.isValid() and not self._sees_beginning_of(index):
            self._scroll_to_name(index)
        if concept_id is not None and concept_id != self._selection.concept_id:
            self._selection.go_to_concept(concept_id)
