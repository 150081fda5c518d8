"""The tree of a release: children are fetched by pages, when a concept is opened."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from termexplorer.models.plain_cells import PlainCells
from termexplorer.services.explore.browsing import TreeItem, tree_page
from termexplorer.workspace import Workspace

_LONG = 6  # digits of a number that nobody reads
_LONGEST_FIRST = 7  # signs of a code that stands before the name, as ICD's do
PAGE = 256
Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_SHOWN = {
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
}


class _Node:
    """A concept at one place of the tree; it may stand at several."""

    __slots__ = ("children", "complete", "index", "item", "parent")

    def __init__(self, item: TreeItem | None, parent: "_Node | None") -> None:
        self.item = item
        self.parent = parent
        self.index = QModelIndex()  # made once: a view asks for it at every branch that it draws
        self.children: list[_Node] = []
        self.complete = item is not None and not item.has_children


class ConceptTreeModel(PlainCells, QAbstractItemModel):
    """Concepts below their parents; a concept with several parents is below each."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._release_id: int | None = None
        self._root = _Node(None, None)

    def show_release(self, release_id: int | None) -> None:
        """Starts anew with the roots of a release, or empty."""
        self.beginResetModel()
        self._release_id = release_id
        self._root = _Node(None, None)
        self._root.complete = release_id is None
        self.endResetModel()

    def concept_id(self, index: Index) -> int | None:
        """The concept at an index."""
        item = self._node(index).item
        return item.id if item else None

    def index_of(self, path: Sequence[int]) -> QModelIndex:
        """The index of the last concept of a path from a root; fetches what is not there yet."""
        index = QModelIndex()
        for concept_id in path:
            child = self._child(index, concept_id)
            if child is None:
                break
            index = child.index
        return index

    def _child(self, parent: QModelIndex, concept_id: int) -> _Node | None:
        node = self._node(parent)
        start = 0
        while True:
            for child in node.children[start:]:
                if child.item and child.item.id == concept_id:
                    return child
            if node.complete:
                return None
            start = len(node.children)
            self._fetch(parent, PAGE * 8)

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """The index of a child."""
        children = self._node(parent).children
        return _NO_INDEX if column or not 0 <= row < len(children) else children[row].index

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """The index of the parent."""
        node = self._node(index).parent
        return node.index if node else _NO_INDEX

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """How many children were fetched."""
        return len(self._node(parent).children)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """One: code and name."""
        return 1

    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:  # noqa: N802
        """Whether there are children, fetched or not."""
        node = self._node(parent)
        return bool(node.children) or not node.complete

    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802
        """Whether there may be more children."""
        return not self._node(parent).complete

    def fetchMore(self, parent: Index) -> None:  # noqa: N802
        """Fetches the next page of children."""
        self._fetch(parent, PAGE)

    def _fetch(self, parent: Index, count: int) -> None:
        node = self._node(parent)
        if node.complete or self._release_id is None:
            return
        above = node.item.id if node.item else None
        have = len(node.children)
        items = tree_page(self._workspace, self._release_id, above, count, have)
        node.complete = len(items) < count
        if not items:
            return
        self.beginInsertRows(node.index, have, have + len(items) - 1)
        node.children += [self._made(item, node, have + i) for i, item in enumerate(items)]
        self.endInsertRows()

    def _made(self, item: TreeItem, parent: _Node, row: int) -> _Node:
        node = _Node(item, parent)
        node.index = self.createIndex(row, 0, node)
        return node

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Code and name; of a long number the tooltip and screen readers alone tell."""
        item = self._node(index).item if role in _SHOWN else None
        if item is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole and _is_number(item.code):
            return item.label
        return tree_text(item.code, item.label)

    def _node(self, index: Index) -> _Node:
        node: _Node | None = index.internalPointer()
        return node or self._root


def tree_text(code: str, label: str) -> str:
    """Return how a concept is written in one line.

    A short code comes first, `J12  Viral pneumonia`; a long one after the name, which is read
    where there is little room, `Pneumonia  HP:0002090`.
    """
    if not code or code == label:
        return label
    code_first = len(code) <= _LONGEST_FIRST and not _is_number(code)
    return f"{code}  {label}" if code_first else f"{label}  {code}"


def _is_number(code: str) -> bool:
    """Whether a code is one that nobody reads, as SNOMED CT's are."""
    return code.isdecimal() and len(code) >= _LONG
