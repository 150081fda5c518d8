"""What an import counted, and every row that it left out."""

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QWidget,
)

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.explore.ontologies import Ontology, Remark
from termexplorer.services.files.exports import Cell
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.widgets.export_button import export_title
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import dress
from termexplorer.views.window.top_bar import describe

_HEADER = ("what", "line", "count", "reason")  # of the file
_TITLES = (mark("What"), mark("Line"), mark("Count"), mark("Reason"))
_KINDS = {"skipped": mark("skipped"), "counted": mark("counted")}


class ImportReport(Panel):
    """Counts at the top, a table of skipped rows and counted cases below."""

    def __init__(
        self,
        ontology: Ontology,
        remarks: Sequence[Remark],
        notices: Notices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Import report: {ontology}", ontology=ontology.label), parent)
        self._notices = notices
        counts = PlainLabel(describe(ontology))
        counts.setWordWrap(True)
        self.model = PlainTableModel(self)
        rows: list[list[Cell]] = [
            [
                _kind_of(remark),
                remark.line or "",
                remark.count,
                remark.text,
            ]
            for remark in remarks
        ]
        self._rows = rows
        shown = [
            [translated(_KINDS[_kind_of(remark)]), *row[1:3], translate_message(remark.text)]
            for remark, row in zip(remarks, rows, strict=True)
        ]
        self.model.show_rows([translated(title) for title in _TITLES], shown, (1, 2))
        table = QTableView()
        table.setModel(self.model)
        dress(table, tr("Skipped rows and counted cases"))
        table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        nothing = PlainLabel(tr("Every row was imported; there is nothing to report."))
        nothing.setProperty("quiet", True)
        export = QPushButton(export_title(len(rows)))
        export.clicked.connect(self._on_export)
        export.setEnabled(bool(rows))
        export.setToolTip("" if rows else tr("There is nothing to export"))
        self.content.addWidget(counts)
        self.content.addWidget(table if rows else nothing, 1 if rows else 0)
        self.setFocusProxy(table if rows else export)
        if not rows:
            self.content.addStretch(1)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(export)
        self.content.addLayout(last)

    @Slot()
    def _on_export(self) -> None:
        ask_and_write(self, self._notices, tr("import report"), list(_HEADER), self._rows)


def _kind_of(remark: Remark) -> str:
    return "skipped" if remark.skipped else "counted"
