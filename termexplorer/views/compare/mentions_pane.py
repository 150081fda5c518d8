"""The left of the rank-diff desk: the mentions of a comparison, sorted, filtered and exported."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from termexplorer.models.mentions import MENTION, OVERLAP, MentionsModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.comparison import TASK_WORDS, Ints
from termexplorer.services.compare.sheet import ComparisonSheet, Order
from termexplorer.services.files.exports import Cell
from termexplorer.services.judge.drawn_work import FromComparison
from termexplorer.texts import mark, tr, translated
from termexplorer.views.compare.desk_tables import MentionTable
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.judge.pairs_to_judge import PairsToJudge
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import choice
from termexplorer.views.window.page import Shared

_SEEN = ((mark("Seen or not"), None), (mark("Seen in training"), True), (mark("Unseen"), False))
_NONE = mark("Compare encoders first")
_JUDGED = mark(
    "A new study of the 100 mentions on which these encoders overlap least, each with what each "
    "encoder puts first"
)
_EXPORTED = mark("The mentions as they are sorted and filtered, as CSV or XLSX")


class MentionsPane(QWidget):
    """Shows mentions, and says which are wanted in what order.

    Signals:
        asked_otherwise: other mentions, or another order, are wanted.
        chosen: the place of another mention, or None.
    """

    asked_otherwise = Signal()
    chosen = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices = shared.notices
        self.filter = QLineEdit(placeholderText=tr("Filter mentions"), clearButtonEnabled=True)
        self.seen = choice(tr("Seen in training"))
        for text, seen in _SEEN:
            self.seen.addItem(translated(text), seen)
        self.seen.setToolTip(tr("Whether any of the encoders was trained on the mention"))
        self.export = ExportButton()
        self.judge = PairsToJudge(shared, translated(_JUDGED))
        self.model = MentionsModel(self)
        self.table = MentionTable(self.model, shared.session)
        self._exporting = LatestQueryWorker(self)
        self._lay_out()
        self._connect()

    def close_pane(self) -> None:
        """Ends the thread."""
        self._exporting.close()

    def say(self, hint: str) -> None:
        """What stands where there are no mentions."""
        self.table.hint = hint
        self.table.viewport().update()

    def order(self, sheet: ComparisonSheet, class_number: int | None) -> Order:
        """The mentions of a class that are wanted, or of all classes."""
        header = self.table.horizontalHeader()
        column = header.sortIndicatorSection()
        is_encoder = column < sheet.values.shape[1] + OVERLAP  # more may have been compared before
        return Order(
            column=None if column == MENTION else column - OVERLAP if is_encoder else 0,
            descending=header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder,
            text=self.filter.text(),
            class_number=class_number,
            seen=self.seen.currentData(),
        )

    def show_mentions(self, sheet: ComparisonSheet | None, places: Ints) -> None:
        """Shows mentions; the one that was chosen still is, or else the first."""
        current = self.table.currentIndex()
        before = self.model.place(current.row()) if current.isValid() else None
        with QSignalBlocker(self.table):
            self.model.show_mentions(sheet, places)
            row = max(self.model.row_of(before), 0) if len(places) else -1
            self.table.go_to_row(row)
        everything = len(sheet.compared.mentions) if sheet else 0
        self.export.show_counts({SHOWN: len(places), ALL: everything} if sheet else {})
        self.export.setEnabled(sheet is not None)
        self.export.setToolTip(translated(_EXPORTED if sheet else _NONE))
        source = FromComparison(sheet.compared) if sheet else None
        label = sheet.summary.ontology.label if sheet else ""
        title = tr("disagreement on {ontology}", ontology=label) if sheet else ""
        self.judge.offer(source, title, translated(_NONE))
        self.chosen.emit(self.model.place(row) if row >= 0 else None)

    def _lay_out(self) -> None:
        filters = QHBoxLayout()
        filters.setSpacing(8)
        filters.addWidget(self.filter, 1)
        filters.addWidget(self.seen)
        filters.addWidget(self.export)
        filters.addWidget(self.export.other_formats)
        filters.addWidget(self.judge)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        column.addLayout(filters)
        column.addWidget(self.table, 1)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self.asked_otherwise)
        self.seen.currentIndexChanged.connect(self.asked_otherwise)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self.asked_otherwise)
        self.table.chosen.connect(self.chosen)
        self.export.wanted.connect(self._on_export)
        self._exporting.answered.connect(self._on_rows)
        self._exporting.failed.connect(self._notices.error)

    @Slot(str)
    def _on_export(self, part: str) -> None:
        sheet = self.model.sheet
        if sheet is not None:
            places = self.model.places if part == SHOWN else sheet.places(Order())
            self._exporting.ask(partial(_export_content, sheet, places))

    @Slot(object)
    def _on_rows(self, file: tuple[str, list[str], list[list[Cell]]]) -> None:
        ask_and_write(self, self._notices, *file)


def _export_content(
    sheet: ComparisonSheet, places: Ints
) -> tuple[str, list[str], list[list[Cell]]]:
    """Name, header and rows of the file that takes some mentions."""
    subject = sheet.compared.request.subject
    task, ontology = translated(TASK_WORDS[subject.task]), sheet.summary.ontology.label
    name = tr("{task} of {ontology}", task=task, ontology=ontology)
    return name.replace("/", "-"), sheet.export_header(), sheet.export_rows(places.tolist())
