"""What every list of concepts offers for a row: copies of it, and its pages on the web."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView

from termexplorer.services.explore.concept_links import NamedConcept, find_iri, list_links
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.web_address import open_address
from termexplorer.workspace import Workspace

_Index = QModelIndex | QPersistentModelIndex
ConceptAt = Callable[[_Index], NamedConcept | None]
_CURIE = re.compile(r"(?!(?:skos|semapv|owl|rdfs|oboInOwl|sssom):)[A-Za-z][\w.]*:\S+")
_COPIES = {
    "code": mark("Copy code"), "iri": mark("Copy IRI"), "name": mark("Copy name"),
}  # fmt: skip


class ItemMenu(QObject):
    """The context menu of a list or table; Ctrl+C copies its selected rows, tabs between cells.

    Args:
        view: what it is for.
        row_text: gives the text of a row; else the cells that are shown.
    """

    def __init__(
        self, view: QAbstractItemView, row_text: Callable[[_Index], str] | None = None
    ) -> None:
        super().__init__(view)
        self._view = view
        self._row_text = row_text or self._join_cells
        self._workspace: Workspace | None = None
        self._concept_at: ConceptAt = find_curie_in_row
        self.copy = QAction(_name_copy(1), view)
        self.copy.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy.triggered.connect(self.copy_rows)
        view.addAction(self.copy)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu)

    def name_concepts(self, workspace: Workspace, concept_at: ConceptAt | None = None) -> None:
        """Look IRIs up in a workspace.

        Args:
            workspace: whose releases tell what prefixes stand for.
            concept_at: gives the concept at an index; else it is what a CURIE in the row names.
        """
        self._workspace = workspace
        self._concept_at = concept_at or find_curie_in_row

    def make_menu(self, index: _Index) -> QMenu:
        """Return the menu of a row."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = len(self._selected_rows())
        self.copy.setText(_name_copy(max(rows, 1)))
        concept = self._concept_at(index) if index.isValid() else None
        if concept is not None:
            self._add_copies(menu, concept)
        menu.addActions(self._view.actions())
        if concept is not None:
            self._add_links(menu, concept)
        return menu

    @Slot()
    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard."""
        rows = self._selected_rows()
        if rows:
            _copy_text("\n".join(map(self._row_text, rows)))

    def _add_copies(self, menu: QMenu, concept: NamedConcept) -> None:
        texts = {
            "code": concept.code or concept.curie,
            "iri": find_iri(self._workspace, concept),
            "name": concept.name,
        }
        for key, text in texts.items():
            if text:
                menu.addAction(translated(_COPIES[key])).triggered.connect(
                    partial(_copy_text, text)
                )

    def _add_links(self, menu: QMenu, concept: NamedConcept) -> None:
        links = list_links(concept, find_iri(self._workspace, concept))
        if links:
            menu.addSeparator()
        for link in links:
            action = menu.addAction(tr("Open in {browser}", browser=link.browser))
            action.setToolTip(link.address)
            action.triggered.connect(partial(_open_link, link.address))

    def _selected_rows(self) -> list[QModelIndex]:
        model = self._view.selectionModel()
        chosen = model.selectedIndexes() if model else []
        rows = {(index.parent(), index.row()): index.siblingAtColumn(0) for index in chosen}
        return sorted(rows.values(), key=lambda index: index.row())

    def _join_cells(self, row: _Index) -> str:
        return "\t".join(_one_line(text) for text in self._shown_cells(row))

    def _shown_cells(self, row: _Index) -> Iterator[str]:
        view = self._view
        for column in range(view.model().columnCount(row.parent())):
            if not (isinstance(view, QTableView) and view.isColumnHidden(column)):
                yield str(row.sibling(row.row(), column).data() or "")

    @Slot(QPoint)
    def _on_menu(self, point: QPoint) -> None:
        index = self._view.indexAt(point)
        if not index.isValid():
            index = self._view.currentIndex()
            point = self._view.visualRect(index).center()
        if index.isValid():
            self.make_menu(index).popup(self._view.viewport().mapToGlobal(point))


def _name_copy(rows: int) -> str:
    return trn("Copy row", "Copy {n:,} rows", rows)


def find_curie_in_row(index: _Index) -> NamedConcept | None:
    """Return what the CURIE of a row names: of several that nearest before a cell, else behind.

    Its name is in the next cell.
    """
    columns = range(index.model().columnCount(index.parent()))
    texts = [str(index.sibling(index.row(), column).data() or "") for column in columns]
    order = [*range(index.column(), -1, -1), *range(index.column() + 1, len(texts))]
    for column in order:
        if _CURIE.fullmatch(texts[column]):
            name = texts[column + 1] if column + 1 < len(texts) else ""
            return NamedConcept(texts[column], name=name)
    return None


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def _copy_text(text: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(text)


def _open_link(address: str, _checked: bool = False) -> None:
    open_address(address)
