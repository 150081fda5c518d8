"""Neighbours and hypernyms of what is asked, one column for each chosen encoder."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from termexplorer.models.rankings import SIGNS, MoveColours, RankingsModel
from termexplorer.services.compare.rankings import (
    Query,
    RankingColumn,
    RankingRequest,
    Rankings,
    RankingScope,
    Relation,
    Task,
    query_for,
)
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.encoders.names_language import warn_of_known, with_known_shares
from termexplorer.services.explore.browsing import ConceptPage
from termexplorer.services.files.exports import Cell
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.answer_pane import AnswerPane
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.encoding_question import encoders_that_may_rank
from termexplorer.views.explore.ranking_export import ranking_header, ranking_rows
from termexplorer.views.explore.ranking_scope import AmongRow
from termexplorer.views.explore.rankings_table import RankingsTable
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import ThemeColours
from termexplorer.views.window.page import RankingService, Shared
from termexplorer.workspace import Workspace

_PATIENCE_MS = 120  # an answer that comes sooner is not announced
_HINT = mark("Choose a concept in the tree, or type any text above and press Enter.")
_NO_ENCODER = mark("Names are being prepared for ranking: the first encoder is ready in a moment.")
_FIRST = mark("Computing… the first answer loads the encoders, which takes some seconds")


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    concept_id: int | None
    ontology_id: int
    task: Task
    encoder_ids: tuple[int, ...]
    among: RankingScope


class RankingPane(AnswerPane):
    """Asks the ranker and shows what it answers."""

    def __init__(self, shared: Shared, encoders: EncoderChoice, among: AmongRow) -> None:
        super().__init__(shared, encoders, among)
        self._task = Task.NEIGHBOURS
        self._page: ConceptPage | None = None
        self._answer: Rankings | None = None
        self._answered_once = False
        self.model = RankingsModel(move_colours(shared.theme.colours), self)
        self.table = RankingsTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace, self.table.concept_at)
        self._left: dict[tuple[Query, Task], tuple[int, int]] = {}  # row and column, followed
        self.table.gone_to.connect(self._on_gone)
        self.question = QWidget()  # stands above the filters, which serve other panes too
        self.query = ChoiceBox()
        self.line = QLineEdit()
        self.query.setLineEdit(self.line)
        self.query.setAccessibleName(tr("Query: a name of the concept, or any text"))
        self.query.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.query.setSizePolicy(
            self.query.sizePolicy().horizontalPolicy().Ignored,
            self.query.sizePolicy().verticalPolicy(),
        )
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._lay_out()
        self._connect()
        self._paint()
        self._show_answer(None)

    def use_task(self, task: Task) -> None:
        """Asks for neighbours, or for hypernyms."""
        self._task = task
        self.ask()

    def show_page(self, page: ConceptPage | None) -> None:
        """Asks for the names of a concept; its preferred name first."""
        self._page = page
        self.query.clear()
        for name in page.concept.names if page else ():
            self.query.addItem(name.text)
        self.line.setPlaceholderText(tr("Type any text, or choose a concept"))
        self.query.setCurrentIndex(0 if self.query.count() else -1)
        self.line.setCursorPosition(0)
        self.query.setToolTip(self.query.currentText())
        self.ask()

    @Slot()
    def ask(self) -> None:
        """Asks for what is chosen now; what is shown greys if the answer takes a while."""
        text = self.query.currentText().strip()
        ontology_id = self._shared.selection.ontology_id
        if not text or ontology_id is None or not self._encoders.ids:
            self._questions.forget()
            self.table.hint = translated(_HINT if self._encoders.ids else _NO_ENCODER)
            self._show_answer(None)
            return
        self.table.hint = ""
        known = self.query.findText(text) >= 0 and self._page is not None
        concept_id = self._page.concept.id if known and self._page else None
        asked = _Asked(
            text,
            concept_id,
            ontology_id,
            self._task,
            self._encoders.ids,
            self._among.among(),
        )
        self._patience.start()
        work = partial(_rank_asked, self._shared.ranker, self._shared.workspace, asked)
        self._questions.ask(work)

    def answer_table(self) -> tuple[str, list[str], list[list[Cell]]]:
        """The rankings of all encoders, one below the other."""
        answer = self._answer
        assert answer is not None  # noqa: S101 - or the button is disabled
        query = answer.request.query.text[:40]
        if answer.request.task is Task.HYPERNYMS:
            name = tr("hypernyms of {query}", query=query)
        else:
            name = tr("neighbours of {query}", query=query)
        return name.replace("/", "-"), ranking_header(answer), ranking_rows(answer)

    def _lay_out(self) -> None:
        asked = QHBoxLayout(self.question)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.setSpacing(8)
        label = PlainLabel(tr("Names like"))
        label.setProperty("quiet", True)
        asked.addWidget(label)
        asked.addWidget(self.query, 1)
        asked.addWidget(self._among.level_choice)
        last = QHBoxLayout()
        legend = PlainLabel(
            "     ".join(
                f"{SIGNS[r]}\N{NO-BREAK SPACE}{translated(r.value)}" for r in Relation if SIGNS[r]
            ),
            wordWrap=True,
        )
        legend.setProperty("quiet", True)
        legend.setToolTip(
            tr(
                "What a name's concept is to the concept that is asked for.\n"
                "+4: four ranks further up than in the first column; −3: three further down; "
                "new: not among those that the first column shows"
            )
        )
        last.addWidget(legend, 1)
        last.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.note)
        column.addWidget(self.table, 1)
        column.addLayout(last)

    def _connect(self) -> None:
        self._questions.answered.connect(self._on_answered)
        self._questions.failed.connect(self._on_failed)
        self._patience.timeout.connect(self._on_patience)
        self._encoders.changed.connect(self.ask)
        self._among.changed.connect(self.ask)
        self.query.activated.connect(self.ask)
        self.line.returnPressed.connect(self.ask)
        self._shared.theme.changed.connect(self._paint)

    @Slot()
    def _on_patience(self) -> None:
        self.model.grey(True)
        self.note.setText(tr("Computing…") if self._answered_once else translated(_FIRST))
        self.note.show()

    @Slot(object)
    def _on_answered(self, answer: Rankings) -> None:
        self._answered_once = True
        self._show_answer(answer)

    @Slot(object, object)
    def _on_gone(self, ontology_id: int, concept_id: int) -> None:
        """Goes there; on the way back the keys are where they were."""
        index = self.table.currentIndex()
        if self._answer:
            self._left[_asked_for(self._answer)] = (index.row(), index.column())
        self._shared.selection.go(ontology_id, concept_id)

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._show_answer(None)
        self.note.setText(why)
        self.note.show()

    def _show_answer(self, answer: Rankings | None) -> None:
        self._patience.stop()
        if answer != self._answer:  # else the keys stay where they are
            self.model.show_rankings(answer)
        self._answer = answer
        self.model.grey(False)
        if answer and answer.request.query.concept_id == self._shared.selection.concept_id:
            cell = self._left.pop(_asked_for(answer), None)
            if cell is not None:
                self.table.setCurrentIndex(self.model.index(*cell))
        self.note.setText(_note_of_answer(answer))
        self.note.setVisible(bool(self.note.text()))
        self._allow_export(sum(len(column.rows) for column in answer.columns) if answer else 0)

    @Slot()
    def _paint(self) -> None:
        colours = self._shared.theme.colours
        self.model.use_colours(move_colours(colours))
        self.export.setIcon(icon("export", colours.text))


def _rank_asked(ranker: RankingService, workspace: Workspace, asked: _Asked) -> Rankings:
    if asked.concept_id is None:
        query = query_for(workspace, asked.ontology_id, asked.text)
    else:
        query = Query(asked.text, asked.concept_id)
    among = asked.among
    encoder_ids = encoders_that_may_rank(workspace, asked.encoder_ids, among.ontology_ids)
    answer = ranker.rank(RankingRequest(query, asked.task, encoder_ids, among))
    answer = with_known_shares(workspace, answer)
    return _with_waiting(answer, workspace, asked.encoder_ids)


def _with_waiting(answer: Rankings, workspace: Workspace, encoder_ids: Sequence[int]) -> Rankings:
    """Put an empty column where an encoder is chosen that has not encoded the names yet."""
    if answer.request.encoder_ids == encoder_ids:
        return answer
    ranked = {column.encoder_id: at for at, column in enumerate(answer.columns)}
    places = [ranked.get(encoder_id) for encoder_id in encoder_ids]
    columns = []
    for encoder_id, index in zip(encoder_ids, places, strict=True):
        if index is None:
            title = find_encoder(workspace, encoder_id).label
            columns.append(RankingColumn(encoder_id, title, (), None, 0, "", False, encoded=False))
            continue
        column = answer.columns[index]
        rows = tuple(
            replace(row, ranks=tuple(0 if at is None else row.ranks[at] for at in places))
            for row in column.rows
        )
        columns.append(replace(column, rows=rows))
    return replace(answer, columns=tuple(columns))


def _asked_for(answer: Rankings) -> tuple[Query, Task]:
    return answer.request.query, answer.request.task


def _note_of_answer(answer: Rankings | None) -> str:
    if answer is None:
        return ""
    parts = []
    for column in answer.columns:
        if not column.encoded:
            text = tr("{encoder} has not encoded these names yet", encoder=column.title)
            parts.append(text)
        elif column.empty_query:
            text = tr(
                "{encoder} knows no part of this text; its ranking is meaningless",
                encoder=column.title,
            )
            parts.append(text)
        elif column.rows and (warning := warn_of_known(column)):
            parts.append(warning)
        elif not column.rows:
            text = tr(
                "{encoder}: nothing to rank here; choose another level or subtree",
                encoder=column.title,
            )
            parts.append(text)
    return ". ".join(dict.fromkeys(parts))


def move_colours(colours: ThemeColours) -> MoveColours:
    """The colours of rankings in a theme."""
    return MoveColours(colours.up, colours.down, colours.accent, colours.quiet)
