"""Keeps the concepts of points as a list, under a title."""

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.questions import Questions
from termexplorer.services.concept_lists import add_to_list
from termexplorer.views.page import Shared

_TIP = "A list of these concepts; under a title that is there already they are added to it"


class MapKeep(QWidget):
    """A line for a title, and a button."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._release_id = 0
        self._curies: list[str] = []
        self.title = QLineEdit(placeholderText="Title of a list")
        self.keep = QPushButton("Keep as list")
        self._writing = Questions(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1)
        row.addWidget(self.keep)
        self.title.setToolTip(_TIP)
        self.title.setAccessibleName("Title of a list")
        self.title.textChanged.connect(self._allow)
        self.title.returnPressed.connect(self.keep.click)
        self.keep.clicked.connect(self._on_keep)
        self._writing.answered.connect(self._on_kept)
        self._writing.failed.connect(shared.notices.error)
        self._allow()

    def offer(self, release_id: int, curies: list[str]) -> None:
        """Takes concepts of a release, which may be there several times."""
        self._release_id, self._curies = release_id, curies
        self._allow()

    def close_keep(self) -> None:
        """Ends the thread; what is being written is finished."""
        self._writing.close()

    @Slot()
    def _allow(self) -> None:
        why = "" if self.title.text().strip() else "Write a title first"
        self.keep.setEnabled(not why)
        self.keep.setToolTip(why or _TIP)

    @Slot()
    def _on_keep(self) -> None:
        title = self.title.text()
        work = partial(add_to_list, self._shared.workspace, title, self._release_id, self._curies)
        self._writing.ask(work)

    @Slot(object)
    def _on_kept(self, told: str) -> None:
        self.title.clear()
        self._shared.notices.tell(told)
        self._shared.watch.look()
