"""Choosing a list of local codes to map: the file, which column holds what, and to what."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QTableView, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.code_list_files import ListMapping
from termexplorer.services.curate.code_lists import LIST_FIELDS, ListLayout, look_at_list
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.widgets.forms import allow_start, make_primary
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.keys import submit_by_keys
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import dress
from termexplorer.views.widgets.tick_list import TickList

_TITLES = {
    "code": mark("Code"),
    "name": mark("Name"),
    "frequency": mark("Frequency"),
    "known": mark("Known concept"),
}
_FILES = mark("Tables (*.csv *.tsv *.txt *.xlsx *.ods);;All files (*)")
_MOST_SHOWN = 6  # ontologies
_WIDEST, _WIDEST_COLUMN, _SHOWN_LETTERS = 720, 420, 16


class ListPanel(Panel):
    """Asks which list is to be mapped to what.

    Signals:
        wanted: a `ListMapping`.
    """

    wanted = Signal(object)

    def __init__(self, ontologies: Sequence[Ontology], parent: QWidget | None = None) -> None:
        super().__init__(tr("Map a list"), parent)
        self._list_layout: ListLayout | None = None
        self._looked_into = ""
        self._questions = LatestQueryWorker(self)
        self.file = QLineEdit(placeholderText=tr("A table of codes and names"))
        self.file.setAccessibleName(tr("File"))
        self.file.setAcceptDrops(False)  # the window takes them, wherever they fall
        self.browse = QPushButton(tr("Choose…"))
        self.hint = PlainLabel(wordWrap=True)
        self.columns = {field: ChoiceBox() for field in LIST_FIELDS}
        self.targets = TickList(tr("Ontologies to map to"), _MOST_SHOWN)
        self.start = QPushButton(tr("Map the list"))
        make_primary(self.start, self)
        self._model = PlainTableModel(self)
        self.preview = QTableView()
        self.preview.setModel(self._model)
        rows = [(ontology.id, f"{ontology.label} ({ontology.id})", "") for ontology in ontologies]
        self.targets.show_rows(rows, [rows[0][0]] if len(rows) == 1 else [])
        self._lay_out()
        self._connect()
        self._allow()

    def release(self) -> None:
        """Ends the thread that looks into files."""
        self._questions.close()

    def choose(self, path: Path) -> None:
        """Looks into a file."""
        self.file.setText(str(path))
        self._look()

    @property
    def missing(self) -> str:
        """What is to be done before it can start; "" for nothing."""
        chosen = self._chosen_columns()
        if not self.file.text().strip():
            return tr("Choose a file first")
        if self._list_layout is None:
            return self.hint.text()
        if "name" not in chosen:
            return tr("Choose the column of names")
        if len(set(chosen.values())) < len(chosen):
            return tr("Choose another column for each of code, name, frequency and known concept")
        if not self.targets.count():
            return tr("Import an ontology first, with Ctrl+I")
        return "" if self.targets.ticked() else tr("Tick an ontology to map to")

    def _lay_out(self) -> None:
        file_row = QHBoxLayout()
        file_row.addWidget(self.file, 100)
        file_row.addWidget(self.browse)
        file_row.addStretch(1)
        self.file.setMaximumWidth(_WIDEST)
        self.targets.setMaximumWidth(_WIDEST)
        self.hint.setProperty("quiet", True)
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow(tr("File"), file_row)
        for field, box in self.columns.items():
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_SHOWN_LETTERS)
            box.setMaximumWidth(_WIDEST)
            title = translated(_TITLES[field])
            box.setAccessibleName(tr("Column of: {field}", field=title))
            form.addRow(title, box)
        form.addRow(tr("Map to"), self.targets)
        self.content.addLayout(form)
        dress(self.preview, tr("The first rows"))
        self.content.addWidget(self.preview, 1)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.start)
        last.addWidget(self.hint, 1)
        self.content.addLayout(last)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._on_browse)
        self.file.editingFinished.connect(self._look)
        for box in self.columns.values():
            box.activated.connect(self._allow)
        self.targets.changed.connect(self._allow)
        self.start.clicked.connect(self._on_start)
        self._questions.answered.connect(self._on_looked)
        self._questions.failed.connect(self._on_failed)
        submit_by_keys(self, self.start.click)

    def _chosen_columns(self) -> dict[str, str]:
        columns = {field: box.currentData() for field, box in self.columns.items()}
        return {field: str(column) for field, column in columns.items() if column}

    @Slot()
    def _on_browse(self) -> None:
        if path := ask_open_path(self, "releases", tr("Map a list"), translated(_FILES)):
            self.choose(path)

    @Slot()
    def _look(self) -> None:
        path = self.file.text().strip()
        if path and path != self._looked_into:
            self._looked_into, self._list_layout = path, None
            self._show_columns((), {}, ())
            self.hint.setText(tr("Looking into the file…"))
            self._allow()
            self._questions.ask(partial(look_at_list, Path(path)))

    @Slot(object)
    def _on_looked(self, layout: ListLayout) -> None:
        self._list_layout = layout
        seen = layout.seen
        titles = [*seen.header, *("" for _ in range(seen.width - len(seen.header)))]
        self._show_columns(titles, layout.columns, seen.preview)
        self._allow()

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self.hint.setText(reason)
        self._allow()

    def _show_columns(
        self,
        titles: Sequence[str],
        guessed: dict[str, int],
        rows: Sequence[Sequence[str]],
    ) -> None:
        for field, box in self.columns.items():
            box.clear()
            box.addItem(tr("none", sense="column"), 0)
            for number, title in enumerate(titles, 1):
                box.addItem(f"{number}  {title}", number)
            box.setCurrentIndex(max(box.findData(guessed.get(field, 0)), 0))
        self._model.show_rows([t or str(n) for n, t in enumerate(titles, 1)], rows)
        self.preview.resizeColumnsToContents()
        for column in range(len(titles)):
            width = min(self.preview.columnWidth(column), _WIDEST_COLUMN)
            self.preview.setColumnWidth(column, width)

    @Slot()
    def _allow(self) -> None:
        ready = tr("The numbers of the rows stand for codes")
        has_codes = "code" in self._chosen_columns()
        allow_start(self.start, self.hint, self.missing, "" if has_codes else ready)

    @Slot()
    def _on_start(self) -> None:
        path = Path(self.file.text().strip())
        columns = {field: str(box.currentData()) for field, box in self.columns.items()}
        self.wanted.emit(ListMapping(path, columns, self.targets.ticked()))
        self.closed.emit()
