"""Where a term would belong: concepts ranked as its direct parents, when that is asked."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, Slot
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QPushButton, QVBoxLayout

from termexplorer.jobs import Job
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.compare.placing import PlacedTerm, choose_encoder, find_parents
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.files.exports import Cell
from termexplorer.texts import figure_text, mark, tr, trn
from termexplorer.views.explore.answer_pane import AnswerPane
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.ranking_scope import AmongRow
from termexplorer.views.widgets.forms import make_primary
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import Shared

_COUNT = 20
_LANE = "placing"
_HEADER = ("term", "rank", "probability", "concept", "name")  # of a file


class ParentsPane(AnswerPane):
    """Places the text of the question in the ontology that is shown.

    Attributes:
        ask: learning where terms belong takes some seconds, so that nothing asks by itself.
        table: of the likely parents.
    """

    def __init__(
        self, shared: Shared, encoders: EncoderChoice, among: AmongRow, query: QComboBox
    ) -> None:
        super().__init__(shared, encoders, among)
        self._query = query
        self._job: Job | None = None
        self._placed: PlacedTerm | None = None
        self._ontology_id = 0
        self._by = ""  # the title of the encoder that answers
        self.ask = QPushButton(tr("Where would it belong?"))
        make_primary(self.ask, self)
        self.model = PlainTableModel(self)
        self.table = _ParentsTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace)
        self._lay_out()
        self._connect()
        self.allow()

    @Slot()
    def allow(self) -> None:
        """Lets a term be placed where there is one, an ontology and an encoder."""
        why = ""
        if self._shared.selection.ontology_id is None:
            why = tr("Choose an ontology first")
        elif not self._encoders.ids:
            why = tr("There is no encoder yet")
        elif not self._query.currentText().strip():
            why = tr("Type a term above first")
        elif self._job is not None:
            why = tr("A term is being placed")
        self.ask.setEnabled(not why)
        self.ask.setToolTip(
            why or tr("Uses the first chosen encoder with vectors, and how names are written")
        )
        self._allow_export(len(self._placed.parents) if self._placed else 0)

    def answer_table(self) -> tuple[str, list[str], list[list[Cell]]]:
        """Return the likely parents of the term."""
        assert self._placed is not None  # noqa: S101 - or the button is disabled
        term = self._placed.term
        rows: list[list[Cell]] = [
            [term, rank, parent.probability, parent.curie, parent.label]
            for rank, parent in enumerate(self._placed.parents, 1)
        ]
        return tr("parents of {term}", term=term[:40]).replace("/", "-"), list(_HEADER), rows

    def _lay_out(self) -> None:
        self.model.show_rows(_list_titles(), [], (0, 1))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        first = QHBoxLayout()
        first.addWidget(self.note, 1)
        first.addWidget(self.ask)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.table, 1)
        column.addLayout(last)

    def _connect(self) -> None:
        self.ask.clicked.connect(self._on_find)
        self.table.activated.connect(self._on_activated)
        self._query.editTextChanged.connect(self.allow)
        self._encoders.changed.connect(self.allow)
        self._shared.selection.ontology_changed.connect(self.allow)

    @Slot()
    def _on_find(self) -> None:
        term = self._query.currentText().strip()
        workspace = self._shared.workspace
        ontology = find_ontology(workspace, str(self._shared.selection.ontology_id))
        encoder_id = choose_encoder(self._encoders.ids)
        work = partial(find_parents, workspace, ontology, [term], encoder_id, _COUNT)
        self._ontology_id = ontology.id
        self._placed = None
        self.model.show_rows(_list_titles(), [], (0, 1))
        self.table.hint = ""
        self._by = find_encoder(workspace, encoder_id).label
        self._job = self._shared.jobs.add(tr("Placing {term}", term=term), work, _LANE)
        self._job.succeeded.connect(self._on_placed)
        self._job.failed.connect(self._on_ended)
        self._job.cancelled.connect(self._on_ended)
        self.note.setText(
            tr(
                "Learning from the links of {ontology} where terms belong; it can take a minute",
                ontology=ontology.label,
            )
        )
        self.allow()

    @Slot(object)
    def _on_placed(self, placed: tuple[PlacedTerm, ...]) -> None:
        self._job = None
        (self._placed,) = placed
        rows = [
            [rank, figure_text(parent.probability, ".2f"), parent.curie, parent.label]
            for rank, parent in enumerate(self._placed.parents, 1)
        ]
        self.model.show_rows(_list_titles(), rows, (0, 1))
        self.note.setText(_tell_placed(self._placed, self._by))
        self.allow()

    @Slot()
    @Slot(str)
    def _on_ended(self, why: str = "") -> None:
        self._job = None
        self.note.setText(why)
        self.allow()

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        if self._placed:
            parent = self._placed.parents[index.row()]
            self._shared.selection.go(self._ontology_id, parent.concept_id)


class _ParentsTable(Table):
    def __init__(self, parents: PlainTableModel, session: UiState) -> None:
        super().__init__(mark("Likely parents"), parents, session)
        self.hint = tr("Type a term above, and ask where it would belong.")

    def columns(self) -> Sequence[Column]:
        """The name has what the figures leave."""
        return (
            Column("rank", tr("Rank")),
            Column("probability", tr("Probability")),
            Column("concept", "HP:0000000"),
            Column("name", share=1),
        )


def _tell_placed(placed: PlacedTerm, encoder: str) -> str:
    text = tr(
        "{term}: how likely each concept is a direct parent of it, by {encoder}",
        term=placed.term,
        encoder=encoder,
    )
    if placed.known_words < placed.words / 2:
        unknown = trn(
            "Only {known:,} of its {n:,} word occurs in names there: take this for a guess.",
            "Only {known:,} of its {n:,} words occur in names there: take this for a guess.",
            placed.words,
            known=placed.known_words,
        )
        return f"{text}. {unknown}"
    return text


def _list_titles() -> list[str]:
    return [tr("Rank"), tr("Probability"), tr("Concept"), tr("Name")]
