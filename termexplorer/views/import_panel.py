"""Choosing what to import: what it is, for tables what is in which column, for RF2 the dialect."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.questions import Questions
from termexplorer.services.importing import (
    RF2,
    ImportRequest,
    detect_format,
    preview_table,
    release_dialects,
)
from termexplorer.views.column_choice import ColumnChoice
from termexplorer.views.dialect_choice import DialectChoice
from termexplorer.views.panel import Panel
from termexplorer.views.table import dress
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.importing import Dialects, TableGuess

_WIDEST = 720
_FORMATS = {
    "obo": "OBO",
    "obographs": "OBO Graphs JSON",
    "table": "Names table (CSV, TSV or XLSX)",
    "dictionary": "Names dictionary, one concept a line; it has no hierarchy, so no levels",
    "rf2": "SNOMED CT (RF2)",
}
_FILTER = (
    "Terminologies (*.obo *.obo.gz *.json *.json.gz *.csv *.tsv *.txt *.xlsx *.gz *.zip);;"
    "All files (*)"
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a file turned out to be: of a table its layout, of RF2 what there is to choose."""

    format: str
    table: "TableGuess | None" = None
    dialects: "Dialects | None" = None


class ImportPanel(Panel):
    """Asks what to import.

    Signals:
        wanted: an `ImportRequest`.
    """

    wanted = Signal(object)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__("Import a terminology", parent)
        self._workspace = workspace
        self._format = ""
        self._delimiter = ""
        self._looked_into = ""
        self._goes_on = False  # Enter was pressed: the keys go on when the file is known
        self._questions = Questions(self)
        self._questions.answered.connect(self._on_looked)
        self._questions.failed.connect(self._on_failed)
        self.file = QLineEdit(
            placeholderText="OBO, OBO Graphs, CSV, TSV, XLSX, dictionary, SNOMED CT"
        )
        self.file.setAccessibleName("File")
        self.file.setAcceptDrops(False)  # the window takes them, wherever they fall
        self.terminology = QLineEdit(placeholderText="taken from the file")
        self.terminology.setToolTip(
            "Releases of one name are releases of one terminology, whatever their format"
        )
        self.found = QLabel("Choose a file")
        self.found.setProperty("quiet", True)
        self.found.setWordWrap(True)
        self.columns = ColumnChoice()
        self.dialects = DialectChoice()
        self.start = QPushButton("Import")
        self.start.setProperty("primary", True)
        self._model = PlainTableModel(self)
        self._preview = QTableView()
        self._preview.setModel(self._model)
        self._lay_out()
        self._allow("Choose a file first")

    def release(self) -> None:
        """Ends the thread that looks into files."""
        self._questions.close()

    def choose(self, path: Path) -> None:
        """Looks into a file."""
        self.file.setText(str(path))
        self._look()

    @Slot()
    def open_dialog(self) -> None:
        """Has the user choose a file."""
        name, _ = QFileDialog.getOpenFileName(self, "Import", "", _FILTER)
        if name:
            self.choose(Path(name))

    @Slot()
    def open_folder_dialog(self) -> None:
        """Has the user choose the folder of a release."""
        if name := QFileDialog.getExistingDirectory(self, "Import"):
            self.choose(Path(name))

    def _lay_out(self) -> None:
        browse, folder = QPushButton("Choose…"), QPushButton("Folder…")
        browse.clicked.connect(self.open_dialog)
        folder.clicked.connect(self.open_folder_dialog)
        folder.setToolTip("The folder of a SNOMED CT release (RF2)")
        self.file.editingFinished.connect(self._look)
        self.file.returnPressed.connect(self._on_entered)
        self.start.clicked.connect(self._on_start)
        row = QHBoxLayout()
        row.addWidget(self.file, 100)
        row.addWidget(browse)
        row.addWidget(folder)
        row.addStretch(1)
        form = QFormLayout()
        form.setSpacing(12)
        self.file.setMaximumWidth(_WIDEST)
        self.terminology.setMaximumWidth(_WIDEST)
        self.terminology.setAccessibleName("Terminology")
        form.addRow("File", row)
        form.addRow("Format", self.found)
        form.addRow("Terminology", self.terminology)
        self.content.addLayout(form)
        self.content.addWidget(self.columns)
        self.content.addWidget(self.dialects)
        dress(self._preview, "The first rows")
        self._preview.horizontalHeader().setMinimumSectionSize(120)
        self.content.addWidget(self._preview, 1)
        last = QHBoxLayout()
        last.addWidget(self.start)
        last.addStretch(1)
        self.content.addLayout(last)
        self.content.addStretch(0)
        self._show_choices(_Seen(""))

    def _show_choices(self, seen: _Seen) -> None:
        self.columns.setVisible(seen.table is not None)
        self._preview.setVisible(seen.table is not None)
        self.dialects.setVisible(seen.dialects is not None)

    def _allow(self, why_not: str = "") -> None:
        self.start.setEnabled(not why_not)
        self.start.setToolTip(why_not)

    @Slot()
    def _look(self) -> None:
        path = self.file.text().strip()
        if path and path != self._looked_into:
            self._looked_into = path
            self.found.setText("Looking into the file…")
            self._questions.ask(partial(_look_into, Path(path)))

    @Slot()
    def _on_entered(self) -> None:
        self._goes_on = True
        self._looked_into = ""  # it may have changed

    @Slot(object)
    def _on_looked(self, seen: _Seen) -> None:
        self._format = seen.format
        self.found.setText(_FORMATS.get(self._format, self._format))
        self._show_choices(seen)
        if seen.dialects:
            self.dialects.show_choices(seen.dialects)
        if guess := seen.table:
            self._delimiter = guess.delimiter
            width = max(len(guess.header), *map(len, guess.preview), 0)
            titles = [*guess.header, *(f"column {n + 1}" for n in range(len(guess.header), width))]
            self.columns.show_columns(titles, guess.columns)
            self._model.show_rows(titles, guess.preview)
            self._preview.resizeColumnsToContents()
        self._allow()
        if self._goes_on:
            self._goes_on = False
            self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._goes_on = False
        self.found.setText(why)
        self._show_choices(_Seen(""))
        self._allow(why)

    @Slot()
    def _on_start(self) -> None:
        table = self._format == "table"
        language, dialect = self.dialects.chosen() if self._format == RF2 else (None, None)
        self.wanted.emit(
            ImportRequest(
                workspace=self._workspace.folder,
                source=self.file.text().strip(),
                format=self._format,
                terminology=self.terminology.text().strip() or None,
                columns=self.columns.chosen() if table else {},
                delimiter=self._delimiter or None if table else None,
                language=language,
                dialect=dialect,
            )
        )
        self.closed.emit()


def _look_into(path: Path) -> _Seen:
    found = detect_format(path)
    if found == RF2:
        return _Seen(found, dialects=release_dialects(path))
    return _Seen(found, preview_table(path) if found == "table" else None)
