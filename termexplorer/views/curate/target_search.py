"""The search for another concept that a mapping may go to, among the names of the target."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.browsing import SearchResult, search_names
from termexplorer.services.verdicts.judging_keys import BACK
from termexplorer.texts import tr
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.workspace import Workspace

_MOST = 50
_CURIE = Qt.ItemDataRole.UserRole


class TargetSearch(QWidget):
    """A search box with what it finds below; Enter chooses, Escape leaves.

    Signals:
        chosen: CURIE of the concept that was chosen.
        left: nothing was.
        failed: one line for people.
    """

    chosen = Signal(str)
    left = Signal()
    failed = Signal(str)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._release_id: int | None = None
        self.text = _SearchLine(self)
        self.hits = QListWidget()
        self.hits.setAccessibleName(tr("Concepts that were found"))
        self.hits.setUniformItemSizes(True)
        self.remark = PlainLabel()
        self.remark.setProperty("quiet", True)
        self._questions = LatestQueryWorker(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.text, self.hits, self.remark):
            column.addWidget(widget)
        self.text.textChanged.connect(self._on_text)
        self.text.returnPressed.connect(self._on_enter)
        self.text.moved.connect(self._on_moved)
        self.hits.itemActivated.connect(self._on_enter)
        self.hits.itemClicked.connect(self._on_enter)
        self._questions.answered.connect(self._show_result)
        self._questions.failed.connect(self.failed)
        add_key(BACK, self, self._on_left)
        self.hide()

    def open_search(self, release_id: int | None) -> None:
        """Show the search box, empty.

        Args:
            release_id: where is searched; None for all ontologies.
        """
        self._release_id = release_id
        self.text.clear()
        self.hits.clear()
        self.remark.setText(tr("Enter chooses, Esc goes back"))
        self.show()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_search(self) -> None:
        """End the thread."""
        self._questions.close()

    @Slot(str)
    def _on_text(self, text: str) -> None:
        if text.strip():
            self._questions.ask(
                partial(search_names, self._workspace, text, self._release_id, _MOST)
            )
        else:
            self._questions.forget()
            self.hits.clear()

    @Slot(object)
    def _show_result(self, result: SearchResult) -> None:
        self.hits.clear()
        for hit in result.hits:
            parts = [hit.label or hit.curie, hit.curie]
            parts += [hit.text] if hit.text not in (hit.label, hit.curie, hit.code) else []
            parts += [tr("obsolete")] if hit.obsolete else []
            item = QListWidgetItem("  ·  ".join(parts), self.hits)
            item.setData(_CURIE, hit.curie)
        self.hits.setCurrentRow(0)
        found_text = tr("Enter chooses, Esc goes back")
        self.remark.setText(found_text if result.hits else tr("Nothing is called so"))

    @Slot(int)
    def _on_moved(self, step: int) -> None:
        row = self.hits.currentRow() + step
        self.hits.setCurrentRow(max(0, min(row, self.hits.count() - 1)))

    @Slot()
    def _on_enter(self) -> None:
        item = self.hits.currentItem()
        if item is not None:
            self.hide()
            self.chosen.emit(item.data(_CURIE))

    @Slot()
    def _on_left(self) -> None:
        self.hide()
        self.left.emit()


class _SearchLine(QLineEdit):
    """Moves in the list below by arrows.

    Signals:
        moved: by how many rows.
    """

    moved = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, placeholderText=tr("Search the target's names or codes"))
        self.setAccessibleName(tr("Search for another concept"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Hand arrows to the list."""
        steps = {
            Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8,
        }  # fmt: skip
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)
