"""Suggestions from files, and into files with the verdicts on them."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from termexplorer.questions import Questions
from termexplorer.services.review_files import Written, write_review
from termexplorer.services.sssom_import import Imported, import_sssom
from termexplorer.services.suggestion_lists import KeptList
from termexplorer.views.page import Shared
from termexplorer.workspace import Workspace

_READ = "Mappings (*.sssom.tsv *.tsv);;All files (*)"
_WRITTEN = (
    "SSSOM (*.sssom.tsv);;CSV (*.csv);;Excel (*.xlsx);;JSON lines (*.jsonl);;"
    "Tab-separated (*.tsv);;Changes for ROBOT (*.robot.tsv)"
)
_EXPORTED = "This list with all verdicts on it: SSSOM, CSV, XLSX, JSONL, or changes for ROBOT"


class SuggestionFiles(QWidget):
    """Two buttons.

    Signals:
        imported: the id of the list that came from a file.
    """

    imported = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._kept: KeptList | None = None
        self.read, self.write = QPushButton("Import…"), QPushButton("Export…")
        self.read.setToolTip("Mappings of an SSSOM file (.sssom.tsv) and what is said of them")
        self._reading, self._writing = Questions(self), Questions(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.read, self.write):
            row.addWidget(button)
        self.read.clicked.connect(self._on_read)
        self.write.clicked.connect(self._on_write)
        self._reading.answered.connect(self._on_imported)
        self._writing.answered.connect(self._on_written)
        for questions in (self._reading, self._writing):
            questions.failed.connect(shared.notices.error)
        self.show_list(None)

    def close_files(self) -> None:
        """Ends the threads."""
        self._reading.close()
        self._writing.close()

    def show_list(self, kept: KeptList | None) -> None:
        """What is exported."""
        self._kept = kept
        self.write.setEnabled(kept is not None)
        self.write.setToolTip(_EXPORTED if kept else "Find suggestions first")

    @Slot()
    def _on_read(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Import mappings", "", _READ)
        if chosen:
            self._reading.ask(partial(import_sssom, self._shared.workspace, Path(chosen)))

    @Slot(object)
    def _on_imported(self, found: Imported) -> None:
        self._shared.notices.tell(
            f"Imported {found.suggestions:,} mappings; of {found.verdicts:,} verdicts on them "
            f"{found.new_verdicts:,} are new"
        )
        self.imported.emit(found.list_id)

    @Slot()
    def _on_write(self) -> None:
        if self._kept is None:
            return
        name = self._kept.head.title.replace("/", "-").replace(":", "")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", f"{name}.sssom.tsv", _WRITTEN)
        if chosen:
            work = partial(_write, self._shared.workspace, Path(chosen), self._kept.id)
            self._writing.ask(work)

    @Slot(object)
    def _on_written(self, answer: tuple[Path, Written]) -> None:
        path, written = answer
        told = f"Exported {written.rows:,} rows to {path}"
        if written.conflicts:
            told += f"; {written.conflicts:,} are left out, on which judges disagree"
        self._shared.notices.tell(told)


def _write(workspace: Workspace, path: Path, list_id: int) -> tuple[Path, Written]:
    return path, write_review(workspace, path, list_id)
