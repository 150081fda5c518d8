"""The tree of concepts at the left of the Explore page."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from termexplorer.models.concept_tree import ConceptTreeModel
from termexplorer.services.explore import path_to
from termexplorer.texts import tr
from termexplorer.views.selection import Selection
from termexplorer.workspace import Workspace


class ConceptTree(QTreeView):
    """Follows the selection, and changes it."""

    def __init__(
        self, workspace: Workspace, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._selection = selection
        self.concepts = ConceptTreeModel(workspace, self)
        self.setModel(self.concepts)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setIndentation(16)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Concepts"))
        self.selectionModel().currentChanged.connect(self._on_current)
        selection.ontology_changed.connect(self._on_ontology)
        selection.concept_changed.connect(self._on_concept)
        self._on_ontology(selection.ontology_id)
        self._on_concept(selection.concept_id)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
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
        else:  # obsolete: it is in no tree
            self.setCurrentIndex(QModelIndex())

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self.selectionModel().isSelected(index):  # the focus came: it starts at the first
            self.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        concept_id = self.concepts.concept_id(index)
        if concept_id is not None and concept_id != self._selection.concept_id:
            self._selection.go_to_concept(concept_id)
