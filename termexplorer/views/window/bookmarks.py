"""The list of bookmarks."""

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from termexplorer.errors import UserError
from termexplorer.models.concept_tree import tree_text
from termexplorer.services.explore.bookmarks import bookmarks, toggle_bookmark
from termexplorer.services.explore.browsing import ConceptRef
from termexplorer.services.explore.concept_links import NamedConcept
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.plain_label import plain_item
from termexplorer.views.widgets.sibling_names import SiblingDelegate
from termexplorer.views.widgets.tables.item_menu import ItemMenu
from termexplorer.views.window.page import Shared

_HINT = mark("Nothing yet. Press the bookmark beside a concept's title, or Ctrl+D.")


class Bookmarks(QObject):
    """Bookmarked concepts, and setting them.

    Signals:
        changed: there are other ones.
    """

    changed = Signal()

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self._shared = shared
        self._refs: list[ConceptRef] = []
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Bookmarks"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setItemDelegate(SiblingDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.menu = ItemMenu(self.list, self._row_text)
        self.menu.name_concepts(shared.workspace, self._named_concept)
        self.list.itemActivated.connect(self._on_activated)
        self.list.itemClicked.connect(self._on_activated)
        shared.watch.changed.connect(self.refresh)
        self.refresh()

    def has(self, curie: str) -> bool:
        """Whether a concept is among them."""
        return any(ref.curie == curie for ref in self._refs)

    @Slot(object)
    def toggle(self, concept_id: int) -> None:
        """Sets or takes away a bookmark."""
        try:
            toggle_bookmark(self._shared.workspace, concept_id)
        except UserError as error:
            self._shared.notices.error(str(error))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Reads them anew."""
        refs = bookmarks(self._shared.workspace)
        if refs == self._refs and self.list.count():
            return
        self._refs = refs
        self.list.clear()
        for ref in refs:
            text = tree_text(ref.code, ref.label)
            item = plain_item(text, text)
            item.setData(Qt.ItemDataRole.UserRole, ref)
            self.list.addItem(item)
        if not refs:
            hint = QListWidgetItem(translated(_HINT))
            hint.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(hint)
        self.list.setWordWrap(not refs)
        self.changed.emit()

    def _named_concept(self, index: QModelIndex | QPersistentModelIndex) -> NamedConcept | None:
        ref = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(ref, ConceptRef):
            return None
        return NamedConcept(ref.curie, ref.code, ref.label, ref.release_id)

    def _row_text(self, index: QModelIndex | QPersistentModelIndex) -> str:
        concept = self._named_concept(index)
        return f"{concept.name}\t{concept.code}" if concept else ""

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        ref = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(ref, ConceptRef):
            self._shared.selection.go(ref.release_id, ref.id)
