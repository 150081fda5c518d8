"""A choice of a release, a list or a file."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.texts import tr, translated
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.widgets.forms import choice, offer


class SourceChoice(QWidget):
    """A box with what the workspace has, and a button that adds a file to it.

    Args:
        name: what is chosen, for screen readers.
        tip: what the file may be.
        types: of files that are offered, as `ask_open_path` takes them.

    Signals:
        changed: something else is chosen, or offered.
    """

    changed = Signal()

    def __init__(self, name: str, tip: str, types: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._types = types
        self.box = choice(name)
        self.browse = QPushButton(tr("File…"))
        self.browse.setToolTip(tip)
        self.browse.setAccessibleName(tr("File: {name}", name=name))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.box, 1)
        row.addWidget(self.browse)
        self.setFocusProxy(self.box)
        self.box.currentIndexChanged.connect(self.changed)
        self.browse.clicked.connect(self._on_browse)

    @property
    def key(self) -> str:
        """The id of what is chosen, or the path of a file; "" of nothing."""
        return self.box.currentData() or ""

    def offer_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Offer what the workspace has by its ids, and the files that were chosen."""
        items = (
            (self.box.itemText(row), self.box.itemData(row)) for row in range(self.box.count())
        )
        files = [(text, key) for text, key in items if key and not key.isdecimal()]
        with QSignalBlocker(self.box):
            offer(self.box, [*rows, *files], None)
        self.changed.emit()

    def choose_key(self, key: str) -> None:
        """Choose what is offered by its id; what is not offered changes nothing."""
        if (row := self.box.findData(key)) >= 0:
            self.box.setCurrentIndex(row)

    def choose_source(self, key: str) -> None:
        """Choose what is offered by its id, or a file by its path."""
        if key.isdecimal():
            self.choose_key(key)
        else:
            self.choose_file(Path(key))

    def choose_file(self, path: Path) -> None:
        """Offer a file, and choose it."""
        if self.box.findData(str(path)) < 0:
            self.box.addItem(path.name, str(path))
        self.choose_key(str(path))

    @Slot()
    def _on_browse(self) -> None:
        path = ask_open_path(self, "check", tr("Choose a file"), translated(self._types))
        if path:
            self.choose_file(path)
