"""A list of terms, pasted or from a file's column: the best concepts for each, in one table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.models.rankings import similarity_text
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.rankings import TermMatch, TermsRequest
from termexplorer.services.files.exports import Cell
from termexplorer.services.importing.releases import preview_table, read_column
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.explore.answer_pane import AnswerPane
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.encoding_question import unconfirmed_lacks
from termexplorer.views.explore.preparation import Lack
from termexplorer.views.explore.ranking_scope import AmongRow
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.widgets.forms import make_primary
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import RankingService, Shared
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.importing.releases import TableGuess

_HEADER = ("term", "rank", "similarity", "name", "concept", "code", "label")  # of a file
_CONCEPT = 4
_NOT_ENCODED = mark("The encoder has not encoded these names yet: press Encode below")
_HEIGHTS = (150, 350)


class TermsPane(AnswerPane):
    """Matches terms to concepts with the first of the chosen encoders.

    Signals:
        unencoded: what the encoder would have to encode first, and was not told to yet.
    """

    unencoded = Signal(object)

    def __init__(self, shared: Shared, encoders: EncoderChoice, among: AmongRow) -> None:
        super().__init__(shared, encoders, among)
        self._file: Path | None = None
        self._waiting = False  # for an encoder to be told to encode
        self._matches: tuple[TermMatch, ...] = ()
        self._control = JobControl()
        self._files = LatestQueryWorker(self)
        self.terms = QPlainTextEdit()
        self.terms.setPlaceholderText(tr("Paste terms here, one a line"))
        self.terms.setAccessibleName(tr("Terms, one a line"))
        self.terms.setTabChangesFocus(True)
        self.open = QPushButton(tr("Open a CSV column…"))
        self.column = ChoiceBox()
        self.column.setAccessibleName(tr("Column that holds the terms"))
        self.top = ChoiceBox()
        for most in (1, 3, 5, 10):
            self.top.addItem(trn("The best", "Best {n}", most), most)
        self.top.setAccessibleName(tr("Concepts for each term"))
        self.match = QPushButton(tr("Find concepts"))
        make_primary(self.match, self)
        self.model = PlainTableModel(self)
        self.table = _TermsTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace)
        self._lay_out()
        self._connect()
        self._allow()

    def close_pane(self) -> None:
        """Ends its threads."""
        super().close_pane()
        self._control.cancel()
        self._files.close()

    @Slot()
    def go_on(self) -> None:
        """Look for the concepts that were asked for before their encoder had encoded the names."""
        if self._waiting and self.match.isEnabled():
            self._on_match()

    def open_file(self, path: Path) -> None:
        """Offers the columns of a file."""
        self._file = path
        self._look(partial(preview_table, path))

    def _look(self, look: "Callable[..., TableGuess | list[str]]") -> None:
        """Look into a file in the background; a look that is overtaken ends at once."""
        self._control.cancel()
        self._control = JobControl()
        self._files.ask(partial(_seen_unless_cancelled, look, self._control))

    def answer_table(self) -> tuple[str, list[str], list[list[Cell]]]:
        """The best concepts of all terms."""
        return "terms", list(_HEADER), [_match_row(match, float) for match in self._matches]

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for widget in (self.open, self.column):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        buttons.addWidget(self.top)
        buttons.addWidget(self.match)
        self.column.hide()
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 8)
        above.addWidget(self.terms, 1)
        above.addLayout(buttons)
        self.model.show_rows(_column_titles(), [], (1, 2))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setColumnHidden(_CONCEPT, True)  # its code says it shorter; files have both
        parted = QSplitter(Qt.Orientation.Vertical)
        parted.addWidget(upper)
        parted.addWidget(self.table)
        parted.setChildrenCollapsible(False)
        parted.setHandleWidth(1)
        parted.setSizes(list(_HEIGHTS))
        parted.setStretchFactor(1, 1)
        last = QHBoxLayout()
        last.addWidget(self.note, 1)
        last.addWidget(self.export)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(parted, 1)
        whole.addLayout(last)

    def _connect(self) -> None:
        self._questions.answered.connect(self._on_matched)
        self._questions.failed.connect(self._on_failed)
        self._files.answered.connect(self._on_file)
        self._files.failed.connect(self._on_failed)
        self.open.clicked.connect(self._on_open)
        self.column.activated.connect(self._on_column)
        self.terms.textChanged.connect(self._allow)
        self._encoders.changed.connect(self._allow)
        self.match.clicked.connect(self._on_match)
        self.table.activated.connect(self._on_activated)

    def _wanted(self) -> tuple[str, ...]:
        lines = (line.strip() for line in self.terms.toPlainText().splitlines())
        return tuple(line for line in lines if line)

    @Slot()
    def _allow(self) -> None:
        why = ""
        if not self._encoders.ids:
            why = tr("There is no encoder yet")
        elif not self.terms.toPlainText().strip():
            why = tr("Paste terms first, or open a file")
        self.match.setEnabled(not why)
        self.match.setToolTip(why or tr("Uses the encoder of the first column"))
        self._allow_export(len(self._matches))

    @Slot()
    def _on_open(self) -> None:
        types = tr("Tables (*.csv *.tsv *.txt *.xlsx);;All files (*)")
        if path := ask_open_path(self, "terms", tr("Open a list of terms"), types):
            self.open_file(path)

    @Slot(object)
    def _on_file(self, seen: "TableGuess | list[str] | None") -> None:
        if seen is None:
            return
        if isinstance(seen, list):
            self.terms.setPlainText("\n".join(seen))
            self.note.setText(trn("{n:,} term", "{n:,} terms", len(seen)))
            return
        width = max(len(seen.header), *map(len, seen.preview), 0)
        unnamed = range(len(seen.header) + 1, width + 1)
        titles = [*seen.header, *(tr("column {number}", number=n) for n in unnamed)]
        self.column.clear()
        for number, title in enumerate(titles, 1):
            self.column.addItem(title, number)
        self.column.setCurrentIndex(self.column.findData(seen.columns["name"]))
        self.column.show()
        self._on_column()

    @Slot()
    def _on_column(self) -> None:
        if self._file:
            self._look(partial(read_column, self._file, self.column.currentData()))

    @Slot()
    def _on_match(self) -> None:
        request = TermsRequest(
            self._wanted(), self._encoders.ids[0], self._among.among(), self.top.currentData()
        )
        self._waiting = False
        count = len(request.terms)
        self.note.setText(trn("Looking for {n:,} term…", "Looking for {n:,} terms…", count))
        self._questions.ask(
            partial(_match_terms, self._shared.ranker, self._shared.workspace, request)
        )

    @Slot(object)
    def _on_matched(self, answer: "tuple[TermMatch, ...] | _Unencoded") -> None:
        if isinstance(answer, _Unencoded):
            self._waiting = True
            self.note.setText(translated(_NOT_ENCODED))
            self.unencoded.emit(answer.lacks)
        else:
            self._show_matches(answer)

    def _show_matches(self, matches: tuple[TermMatch, ...]) -> None:
        self._matches = matches
        rows = [_match_row(match, similarity_text) for match in matches]
        self.model.show_rows(_column_titles(), rows, (1, 2))
        missing = sum(match.rank == 0 for match in matches)
        terms = len({match.term for match in matches})
        text = trn(
            "{n:,} term, {missing:,} of them without a concept",
            "{n:,} terms, {missing:,} of them without a concept",
            terms,
            missing=missing,
        )
        self.note.setText(text)
        self._allow()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self.note.setText(why)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        match = self._matches[index.row()]
        if match.rank:
            self._shared.selection.go(match.ontology_id, match.concept_id)


@dataclass(frozen=True, slots=True)
class _Unencoded:
    """What is to be encoded before terms can be looked for."""

    lacks: tuple[Lack, ...]


def _match_terms(
    ranker: RankingService, workspace: Workspace, request: TermsRequest
) -> tuple[TermMatch, ...] | _Unencoded:
    encoder_ids, ontology_ids = (request.encoder_id,), request.among.ontology_ids
    lacks = unconfirmed_lacks(workspace, encoder_ids, ontology_ids)
    return _Unencoded(lacks) if lacks else ranker.match_terms(request)


def _seen_unless_cancelled(
    look: "Callable[..., TableGuess | list[str]]", control: JobControl
) -> "TableGuess | list[str] | None":
    try:
        return look(control=control)
    except Cancelled:
        return None


class _TermsTable(Table):
    def __init__(self, matches: PlainTableModel, session: UiState) -> None:
        super().__init__(mark("Best concepts"), matches, session)
        self.hint = tr("The best concepts for each term appear here.")

    def columns(self) -> Sequence[Column]:
        """Term, name and label share what the figures leave."""
        return (
            Column("term", share=1),
            Column("rank", tr("Rank")),
            Column("similarity", tr("Similarity")),
            Column("name", share=1),
            Column("concept", "HP:0000000"),
            Column("code", "HP:0000000"),
            Column("label", share=1),
        )


def _column_titles() -> list[str]:
    return [
        tr("Term"),
        tr("Rank"),
        tr("Similarity"),
        tr("Name"),
        tr("Concept"),
        tr("Code"),
        tr("Label", sense="of a concept"),
    ]


def _match_row(match: TermMatch, similarity: Callable[[float], Cell]) -> list[Cell]:
    if not match.rank:
        return [match.term, "", "", tr("none found"), "", "", ""]
    figure = similarity(match.similarity)
    return [match.term, match.rank, figure, match.text, match.curie, match.code, match.label]
