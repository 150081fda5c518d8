"""Choosing what to import: what it is, for tables what is in which column, for RF2 the dialect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.importing.releases import (
    RF2,
    TABLE,
    FilePreview,
    ImportRequest,
    detect_format,
    file_endings,
    format_title,
    preview_table,
    release_dialects,
)
from termexplorer.texts import mark, tr, translated
from termexplorer.views.importing.choices import ImportChoices
from termexplorer.views.importing.dialect_choice import DialectChoice
from termexplorer.views.importing.preview import ImportPreview
from termexplorer.views.importing.table_choice import TableChoice
from termexplorer.views.widgets.file_dialogs import ask_folder, ask_open_path
from termexplorer.views.widgets.keys import shown_keys, submit_by_keys
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import dress
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.importing.releases import Dialects, TableGuess

_WIDEST, _WIDEST_COLUMN = 720, 420
_COLUMNS = (mark("Code"), mark("Name"), mark("Synonyms"), mark("Parents"))
_START_TIP = mark("Import it ({keys})")
_CHECK_TIP = mark("Read the whole file and report what would be imported, without storing anything")


@dataclass(frozen=True, slots=True)
class _SeenFile:
    """What a file turned out to be: of a table its layout, of RF2 what there is to choose."""

    format: str
    table: "TableGuess | None" = None
    dialects: "Dialects | None" = None


class ImportPanel(Panel):
    """Asks what to import.

    Signals:
        wanted: an `ImportRequest` to carry out.
        check_wanted: one to try, of which nothing is kept.
    """

    wanted = Signal(object)
    check_wanted = Signal(object)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(tr("Import a terminology"), parent)
        self._workspace = workspace
        self._format = ""
        self._delimiter = ""
        self._looked_into = ""
        self._goes_on = False  # Enter was pressed: the keys go on when the file is known
        self._control = JobControl()
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_looked)
        self._questions.failed.connect(self._on_failed)
        self._inside = ImportPreview(self)
        self._inside.file_read.connect(self._on_found_inside)
        self._inside.failed.connect(self._on_failed)
        self.file = QLineEdit(placeholderText=tr("A file, or the folder or zip of a release"))
        self.file.setAccessibleName(tr("File"))
        self.file.setAcceptDrops(False)  # the window takes them, wherever they fall
        self.browse = QPushButton(tr("Choose…"))
        self.terminology = QLineEdit(placeholderText=tr("from the file"))
        self.terminology.setToolTip(
            tr("Releases of one name are releases of one terminology, whatever their format")
        )
        self.file_label = PlainLabel(tr("Choose a file"))
        self.file_label.setProperty("quiet", True)
        self.file_label.setWordWrap(True)
        self.table = TableChoice()
        self.table.layout_changed.connect(self._on_layout_changed)
        self.table.changed.connect(self._look_at_whole)
        self.columns = self.table.columns
        self.dialects = DialectChoice()
        self.choices = ImportChoices()
        self.choices.changed.connect(self._on_chosen)
        self.start = QPushButton(tr("Import"))
        self.start.setProperty("primary", True)
        self.check = QPushButton(tr("Check only"))
        self._model = PlainTableModel(self)
        self.preview = QTableView()
        self.preview.setModel(self._model)
        self._lay_out()
        self._allow(tr("Choose a file first"))

    def release(self) -> None:
        """Ends the threads that look into files."""
        self._control.cancel()
        self._questions.close()
        self._inside.close()

    def choose(self, path: Path) -> None:
        """Looks into a file."""
        self.file.setText(str(path))
        self._look()

    @Slot()
    def open_dialog(self) -> None:
        """Has the user choose a file."""
        known = " ".join(f"*.{file_ending}" for file_ending in file_endings())
        files = tr("Terminologies ({known});;All files (*)", known=known)
        if path := ask_open_path(self, "releases", tr("Import"), files):
            self.choose(path)

    @Slot()
    def open_folder_dialog(self) -> None:
        """Has the user choose the folder of a release."""
        if folder := ask_folder(self, "releases", tr("Import")):
            self.choose(folder)

    def _lay_out(self) -> None:
        folder = QPushButton(tr("Folder…"))
        self.browse.clicked.connect(self.open_dialog)
        folder.clicked.connect(self.open_folder_dialog)
        folder.setToolTip(tr("The folder of a release: SNOMED CT (RF2), UMLS (RRF), OMOP"))
        self.file.editingFinished.connect(self._look)
        self.file.returnPressed.connect(self._on_entered)
        self.terminology.returnPressed.connect(self._submit)
        self.start.clicked.connect(self._on_start)
        self.check.clicked.connect(self._on_check)
        submit_by_keys(self, self._submit)
        row = QHBoxLayout()
        row.addWidget(self.file, 100)
        row.addWidget(self.browse)
        row.addWidget(folder)
        row.addStretch(1)
        form = QFormLayout()
        form.setSpacing(12)
        self.file.setMaximumWidth(_WIDEST)
        self.terminology.setMaximumWidth(_WIDEST)
        self.terminology.setAccessibleName(tr("Terminology"))
        form.addRow(tr("File"), row)
        form.addRow(tr("Format"), self.file_label)
        form.addRow(tr("Terminology"), self.terminology)
        self.content.addLayout(form)
        self.content.addWidget(self.table)
        self.content.addWidget(self.dialects)
        self.content.addWidget(self.choices)
        dress(self.preview, tr("The first rows"))
        self.preview.horizontalHeader().setMinimumSectionSize(120)
        policy = self.preview.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # or the buttons would jump from below the mouse
        self.preview.setSizePolicy(policy)
        self.content.addWidget(self.preview, 1)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.start)
        last.addWidget(self.check)
        last.addStretch(1)
        self.content.addLayout(last)
        self._show_choices(_SeenFile(""))

    def _show_choices(self, seen: _SeenFile) -> None:
        self.table.setVisible(seen.table is not None)
        self.preview.setVisible(seen.table is not None)
        self.choices.setVisible(False)
        self.dialects.setVisible(seen.dialects is not None)

    def _allow(self, why_not: str = "") -> None:
        start_tip = translated(_START_TIP, keys=shown_keys("Ctrl+Enter"))
        for button, tip in ((self.start, start_tip), (self.check, translated(_CHECK_TIP))):
            button.setEnabled(not why_not)
            button.setToolTip(plain_tip(why_not or tip))

    @property
    def _path(self) -> str:
        return self.file.text().strip()

    @Slot()
    def _look(self) -> None:
        path = self._path
        if path and path != self._looked_into:
            self._looked_into = path
            self._format = ""
            self.file_label.setText(tr("Looking into the file…"))
            self._allow(tr("Looking into the file…"))  # what is known is of another one
            self._inside.forget()
            self.choices.show_choices(())
            self._ask(partial(_look_into, Path(path)))

    @Slot()
    def _submit(self) -> None:
        """Starts; a file that nobody has looked into is looked into first, as by Enter."""
        if self._path == self._looked_into:
            self.start.click()
        elif self._path:
            self._on_entered()
            self._look()

    @Slot()
    def _on_entered(self) -> None:
        self._goes_on = True
        self._looked_into = ""  # it may have changed

    @Slot(object)
    def _on_looked(self, seen: _SeenFile | None) -> None:
        if seen is None:
            return
        self._format = seen.format
        self.file_label.setText(format_title(self._format))
        self._show_choices(seen)
        if seen.dialects:
            self.dialects.show_choices(seen.dialects)
        if guess := seen.table:
            self._delimiter = guess.delimiter
            self._show_rows(self.table.show_guess(guess), guess.preview)
            self._look_at_whole()
        else:
            self._inside.look(self._request())
        self._allow()
        if self._goes_on:
            self._goes_on = False
            self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_layout_changed(self) -> None:
        """Looks at the table again as the user says that it is laid out."""
        sheet, titles = self.table.asked()
        path = Path(self._path)
        self._allow(tr("Looking into the file…"))
        self._ask(lambda control: _SeenFile(TABLE, preview_table(path, sheet, titles, "", control)))

    def _ask(self, look: Callable[[JobControl], _SeenFile]) -> None:
        """Look into a file in the background; a look that is overtaken ends at once."""
        self._control.cancel()
        self._control = JobControl()
        self._questions.ask(partial(_seen_unless_cancelled, look, self._control))

    @Slot()
    def _look_at_whole(self) -> None:
        """Has the whole table looked at for what a spreadsheet has made of it."""
        self._inside.look(self._request(), soon=True)

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._goes_on = False
        if self._format == TABLE:  # it can be laid out otherwise
            self.table.show_remarks((why,))
            self._allow(why)
            return
        self.file_label.setText(why)
        self._show_choices(_SeenFile(""))
        self._allow(why)

    @Slot(object)
    def _on_found_inside(self, look: FilePreview) -> None:
        if look.format == TABLE:
            self.table.show_remarks(look.remarks)
            self._allow()
            return
        description = " ".join(part for part in (look.title, look.version) if part)
        title = format_title(look.format)
        self.file_label.setText(f"{title}: {description}" if description else title)
        self.choices.show_choices(look.choices)
        self.choices.setVisible(bool(look.choices))
        self.preview.setVisible(True)
        self._show_rows([translated(title) for title in _COLUMNS], look.concepts)

    def _show_rows(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self._model.show_rows(titles, rows)
        self.preview.resizeColumnsToContents()
        for column in range(len(titles)):
            width = min(self.preview.columnWidth(column), _WIDEST_COLUMN)
            self.preview.setColumnWidth(column, width)

    @Slot()
    def _on_chosen(self) -> None:
        lacking = self.choices.lacking()
        self._allow(tr("Choose something of: {choice}", choice=lacking) if lacking else "")
        if not lacking:
            self._inside.look(self._request(), soon=True)

    @Slot()
    def _on_start(self) -> None:
        self.wanted.emit(self._request())
        self.closed.emit()

    @Slot()
    def _on_check(self) -> None:
        self.check_wanted.emit(self._request())

    def _request(self) -> ImportRequest:
        table = self._format == TABLE
        sheet, titles = self.table.asked() if table else ("", None)
        language, dialect = self.dialects.chosen() if self._format == RF2 else (None, None)
        return ImportRequest(
            workspace=self._workspace.folder,
            source=self._path,
            format=self._format,
            terminology=self.terminology.text().strip() or None,
            columns=self.columns.chosen() if table else {},
            delimiter=self._delimiter or None if table else None,
            sheet=sheet or None,
            titles=titles,
            language=language,
            dialect=dialect,
            choices=self.choices.chosen(),
        )


def _seen_unless_cancelled(
    look: Callable[[JobControl], _SeenFile], control: JobControl
) -> _SeenFile | None:
    try:
        return look(control)
    except Cancelled:
        return None


def _look_into(path: Path, control: JobControl) -> _SeenFile:
    format_key = detect_format(path)
    if format_key == RF2:
        return _SeenFile(format_key, dialects=release_dialects(path, control))
    return _SeenFile(
        format_key, preview_table(path, control=control) if format_key == TABLE else None
    )
