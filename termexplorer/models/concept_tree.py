"""The tree of a release: children are fetched by pages, when a concept is opened."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from termexplorer.models.plain_cells import PlainCells
from termexplorer.services.explore.browsing import TreeItem, tree_page
from termexplorer.texts import trn
from termexplorer.workspace import Workspace

PAGE = 256
Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ASIDE = {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}


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
    """Concepts below their parents; a concept with several parents is below each.

    A cell shows the name; `CODE` gives the code that stands behind it, "" where the code is the
    name; `DESCENDANTS` the number of concepts below, None until `show_counts` tells it.

    Signals:
        fetched: there are concepts whose descendants are not counted.
    """

    CODE = Qt.ItemDataRole.UserRole
    DESCENDANTS = Qt.ItemDataRole.UserRole + 1
    fetched = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._release_id: int | None = None
        self._root = _Node(None, None)
        self._counts: dict[int, int] = {}  # descendants, by concept
        self._uncounted: list[_Node] = []  # parents whose children wait for their counts

    def show_release(self, release_id: int | None) -> None:
        """Starts anew with the roots of a release, or empty."""
        self.beginResetModel()
        self._release_id = release_id
        self._root = _Node(None, None)
        self._root.complete = release_id is None
        self._counts.clear()
        self._uncounted.clear()
        self.endResetModel()

    @property
    def uncounted(self) -> list[int]:
        """The concepts that were fetched and have children, and whose counts are not known."""
        items = (child.item for node in self._uncounted for child in node.children)
        ids = (item.id for item in items if item and item.has_children)
        return list(dict.fromkeys(id_ for id_ in ids if id_ not in self._counts))

    def show_counts(self, counts: Mapping[int, int]) -> None:
        """Show how many concepts lie below some concepts.

        Args:
            counts: descendants, by concept.
        """
        self._counts.update(counts)
        waiting, self._uncounted = self._uncounted, []
        for node in waiting:
            self.dataChanged.emit(node.children[0].index, node.children[-1].index)
            if not all(map(self._is_counted, node.children)):
                self._uncounted.append(node)

    def _is_counted(self, node: _Node) -> bool:
        item = node.item
        return item is None or not item.has_children or item.id in self._counts

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
        """One: the name."""
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
        self._uncounted = [*(other for other in self._uncounted if other is not node), node]
        self.fetched.emit()

    def _made(self, item: TreeItem, parent: _Node, row: int) -> _Node:
        node = _Node(item, parent)
        node.index = self.createIndex(row, 0, node)
        return node

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The name; its code and the number of concepts below for who draws them behind it."""
        item = self._node(index).item
        if item is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return item.label or item.code
        if role == self.CODE:
            return "" if item.code == item.label or not item.label else item.code
        if role == self.DESCENDANTS:
            return self._counts.get(item.id)
        return self._whole_text(item) if role in _ASIDE else None

    def _whole_text(self, item: TreeItem) -> str:
        text, count = tree_text(item.code, item.label), self._counts.get(item.id)
        if not count:
            return text
        return f"{text}  ·  {trn('{n:,} descendant', '{n:,} descendants', count)}"

    def _node(self, index: Index) -> _Node:
        node: _Node | None = index.internalPointer()
        return node or self._root


def tree_text(code: str, label: str) -> str:
    """Return how a concept is written in one line: its name, and the code behind it."""
    return f"{label}  {code}" if code and label and code != label else label or code
