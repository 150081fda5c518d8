"""One list of everything the window can do, found by typing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import tr
from termexplorer.views.widgets.focus import WayBack
from termexplorer.views.widgets.plain_label import PlainLabel

_WIDTH = 560
_HEIGHT = 400  # at the most
_PADDING = 8  # pixels in the list, by its style


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """What can be done: its name, its keys if it has any, and what does it."""

    name: str
    keys: str
    run: Callable[[], object]


class CommandPalette(QFrame):
    """Lists commands over the window; Enter does one, Esc goes away."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("floating")
        self._window = window
        self.setAccessibleName(tr("Command palette"))
        self._items = QStandardItemModel(self)
        self._sorted = _WordFilter(self)
        self._sorted.setSourceModel(self._items)
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
        self.nothing = PlainLabel(tr("No matching command"))
        self.nothing.setProperty("quiet", True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.line)
        column.addWidget(self.view, 1)
        column.addWidget(self.nothing, 1)
        self._way_back = WayBack(self)
        self.hide()

    def open_with(self, commands: Iterable[PaletteCommand]) -> None:
        """Open with what can be done now."""
        self._items.clear()
        for command in commands:
            self._items.appendRow(_command_items(command))
        self.line.clear()
        self._on_typed("")
        parent = self._window
        width = min(_WIDTH, parent.width() - 32)
        self.setGeometry((parent.width() - width) // 2, 96, width, self.height())
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.show()
        self._fit_height()
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
        """Do the marked command, if any has the words that were typed."""
        command = self.view.currentIndex().siblingAtColumn(0).data(Qt.ItemDataRole.UserRole)
        if isinstance(command, PaletteCommand):
            self.leave()
            QTimer.singleShot(0, command.run)  # it may open a menu or another part with the keys

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._sorted.show_words(text)
        self.view.setCurrentIndex(self._sorted.index(0, 0))
        has_commands = self._sorted.rowCount() > 0
        self.view.setVisible(has_commands)
        self.nothing.setVisible(not has_commands)
        self.line.setAccessibleDescription("" if has_commands else self.nothing.text())
        self._fit_height()

    def _fit_height(self) -> None:
        """Be as high as what was found, so that nothing empty is shown below it."""
        rows = self._sorted.rowCount()
        row_height = self.view.sizeHintForRow(0) if rows else self.nothing.sizeHint().height()
        margins = self._column.contentsMargins()
        around = margins.top() + margins.bottom() + self._column.spacing()
        frame = 2 * self.view.frameWidth() + _PADDING
        whole = around + self.line.sizeHint().height() + max(rows, 1) * row_height + frame
        self.resize(self.width(), min(whole, _HEIGHT, self._window.height() - 128))

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


class _WordFilter(QSortFilterProxyModel):
    """Keeps the commands that have all words that were typed, in any order."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def show_words(self, text: str) -> None:
        self.beginFilterChange()
        self._words = fold_text(text).split()
        self.endFilterChange()

    def filterAcceptsRow(  # noqa: N802
        self, row: int, parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        name = fold_text(str(self.sourceModel().index(row, 0, parent).data()))
        return all(word in name for word in self._words)


def _command_items(command: PaletteCommand) -> list[QStandardItem]:
    name = QStandardItem(command.name)
    name.setData(command, Qt.ItemDataRole.UserRole)
    keys = QStandardItem(command.keys)
    keys.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for item in (name, keys):
        item.setEditable(False)
    return [name, keys]
