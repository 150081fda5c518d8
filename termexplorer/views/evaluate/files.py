"""Files that an evaluation reads: chosen, shown by name, and let go again."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.texts import tr
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.file_dialogs import ask_folder, ask_open_path, ask_open_paths


class FileField(QWidget):
    """A button that asks for a file, or for several, and what was chosen.

    Signals:
        changed: other files are chosen.

    Args:
        title: on the button.
        files: which the dialog offers, as Qt writes it.
        tip: what the files hold.
        several: whether there may be more than one; then each choice adds to those before.
        folders: what a folder stands for; empty where none may be chosen.
    """

    changed = Signal()

    def __init__(
        self, title: str, files: str, tip: str, *, several: bool = False, folders: str = ""
    ) -> None:
        super().__init__()
        self._files, self._several = files, several
        self._paths: tuple[Path, ...] = ()
        self.choose = QPushButton(f"{title}…")
        self.choose.setToolTip(plain_tip(tip))
        self.folder = QPushButton(tr("Add folder…"))
        self.folder.setToolTip(plain_tip(folders))
        self.remove = QPushButton(tr("Remove"))
        self.remove.setAccessibleName(tr("{field}: remove", field=title))
        self._names = ElidedLabel()
        self._names.setProperty("quiet", True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.choose, 1)
        row.addWidget(self.folder)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._names)
        self.choose.clicked.connect(self._on_choose)
        self.folder.clicked.connect(self._on_folder)
        self.remove.clicked.connect(self._on_remove)
        self.folder.setVisible(bool(folders))
        self.use(())

    @property
    def paths(self) -> tuple[Path, ...]:
        """What is chosen."""
        return self._paths

    def use(self, paths: Sequence[Path]) -> None:
        """Chooses files."""
        self._paths = tuple(dict.fromkeys(paths))
        self._names.setText(", ".join(path.name for path in self._paths))
        self._names.setToolTip(plain_tip("\n".join(map(str, self._paths))))
        self._names.setVisible(bool(self._paths))
        self.remove.setVisible(bool(self._paths))
        self.changed.emit()

    @Slot()
    def _on_choose(self) -> None:
        title = self.choose.text()
        if self._several:
            if paths := ask_open_paths(self, "evaluation", title, self._files):
                self.use([*self._paths, *paths])
        elif path := ask_open_path(self, "evaluation", title, self._files):
            self.use([path])

    @Slot()
    def _on_folder(self) -> None:
        if folder := ask_folder(self, "evaluation", self.folder.text()):
            self.use([*self._paths, folder])

    @Slot()
    def _on_remove(self) -> None:
        self.use(())
        self.choose.setFocus()
