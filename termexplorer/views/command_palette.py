"""One list of everything the window can do, found by typing."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Slot
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHeaderView, QLineEdit, QTreeView, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.focus import WayBack
from termexplorer.views.keys import shown_keys

_WIDTH = 560
_HEIGHT = 400


class CommandPalette(QFrame):
    """Lists actions over the window; Enter does one, Esc goes away."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("floating")
        self._window = window
        self.setAccessibleName(tr("Command palette"))
        self._items = QStandardItemModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._items)
        self._sorted.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line = _Line(self)
        self.view = QTreeView()
        self.view.setRootIsDecorated(False)
        self.view.setHeaderHidden(True)
        self.view.setModel(self._sorted)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAccessibleName(tr("Commands"))
        self.view.setUniformRowHeights(True)
        self.view.clicked.connect(self._on_clicked)
        self.line.textChanged.connect(self._on_typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.line)
        column.addWidget(self.view, 1)
        self._way_back = WayBack(self)
        self.hide()

    def open_with(self, actions: Sequence[QAction]) -> None:
        """Opens with what can be done now."""
        self._items.clear()
        for action in actions:
            if action.isEnabled() and action.text():
                self._items.appendRow(_items(action))
        self.line.clear()
        self._on_typed("")
        parent = self._window
        width = min(_WIDTH, parent.width() - 32)
        height = min(_HEIGHT, parent.height() - 128)
        self.setGeometry((parent.width() - width) // 2, 96, width, height)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.show()
        self.raise_()
        self.line.setFocus()

    def move_by(self, rows: int) -> None:
        """Moves the mark."""
        last = self._sorted.rowCount() - 1
        row = min(max(self.view.currentIndex().row() + rows, 0), last)
        self.view.setCurrentIndex(self._sorted.index(row, 0))

    def leave(self) -> None:
        """Goes away; the keys go where they were before."""
        self._way_back.go()
        self.hide()

    @Slot()
    def take(self) -> None:
        """Does the marked command."""
        action = self.view.currentIndex().siblingAtColumn(0).data(Qt.ItemDataRole.UserRole)
        self.leave()
        if isinstance(action, QAction):
            action.trigger()

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._sorted.setFilterFixedString(text.strip())
        self.view.setCurrentIndex(self._sorted.index(0, 0))

    @Slot(QModelIndex)
    def _on_clicked(self, _index: QModelIndex) -> None:
        self.take()


class _Line(QLineEdit):
    def __init__(self, palette: CommandPalette) -> None:
        super().__init__(palette)
        self._commands = palette
        self.setPlaceholderText(tr("Type a command"))
        self.setAccessibleName(tr("Command"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._commands.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commands.take()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._commands.move_by(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self._commands.hide()


def _items(action: QAction) -> list[QStandardItem]:
    name = QStandardItem(action.iconText())
    name.setData(action, Qt.ItemDataRole.UserRole)
    keys = QStandardItem(shown_keys(action.shortcut().toString()))
    keys.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for item in (name, keys):
        item.setEditable(False)
    return [name, keys]
