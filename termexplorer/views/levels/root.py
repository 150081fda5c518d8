"""Choosing the concept below which levels are counted."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.models.concept_tree import tree_text
from termexplorer.services.explore.browsing import concept_ref
from termexplorer.texts import tr
from termexplorer.views.widgets.forms import beside, plain_column
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.search_box import SearchBox


class RootChoice(QWidget):
    """Shows the root; it is searched for, or taken from what is selected.

    Signals:
        changed: the CURIE of another root; empty for all of them.

    Attributes:
        text: what the root is called; empty for all of them.
    """

    changed = Signal(str)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.text = ""
        selection = shared.selection
        self.search = SearchBox(shared.workspace, shared.theme, lambda: selection.ontology_id)
        self.search.setPlaceholderText(tr("Search a root"))
        self.search.setAccessibleName(tr("Search a root"))
        self.label = PlainLabel(tr("All roots"), wordWrap=True)
        self.all_roots = QPushButton(tr("All roots"))
        self.current = QPushButton(tr("Current concept"))
        column = plain_column(self)
        column.addWidget(self.label)
        column.addWidget(self.search)
        column.addLayout(beside(self.all_roots, self.current))
        self.search.chosen.connect(self._on_found)
        self.all_roots.clicked.connect(self._on_all)
        self.current.clicked.connect(self._on_current)
        selection.concept_changed.connect(self._on_concept)
        self._on_concept(selection.concept_id)

    def show_root(self, text: str) -> None:
        """Says what the root is; empty for all."""
        self.text = text
        self.label.setText(tr("Below {root}", root=text) if text else tr("Below all roots"))
        self.all_roots.setEnabled(bool(text))
        self.all_roots.setToolTip("" if text else tr("All roots are chosen already"))

    def close_choice(self) -> None:
        """Ends the thread of the search."""
        self.search.questions.close()

    @Slot(object)
    def _on_concept(self, concept_id: int | None) -> None:
        self.current.setEnabled(concept_id is not None)
        why = tr("Select a concept on the page Explore or in the class table first")
        self.current.setToolTip("" if concept_id is not None else why)

    @Slot(object, object)
    def _on_found(self, release_id: int, concept_id: int) -> None:
        self.search.clear()
        if release_id != self._shared.selection.ontology_id:
            why = tr("The root has to be in the ontology that is chosen above")
            self._shared.notices.error(why)
            return
        self._take(concept_id)

    @Slot()
    def _on_current(self) -> None:
        concept_id = self._shared.selection.concept_id
        if concept_id is not None:
            self._take(concept_id)

    def _take(self, concept_id: int) -> None:
        ref = concept_ref(self._shared.workspace, concept_id)
        if ref:
            self.show_root(tree_text(ref.code, ref.label))
            self.changed.emit(ref.curie)

    @Slot()
    def _on_all(self) -> None:
        self.show_root("")
        self.changed.emit("")
