"""The tables of the Evaluate page: all evaluations, and the figures of one."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent

from termexplorer.models.columns import Index
from termexplorer.models.figure_table import FigureTableModel
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.evaluate.conclusion_words import listed
from termexplorer.services.evaluate.conclusions import (
    BesideChance,
    Conclusion,
    Contradiction,
    conclude,
)
from termexplorer.services.evaluate.evaluation import WORSE, Evaluated
from termexplorer.services.figures.coverage_words import evaluated_n_text, n_text
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.evaluate.words import task_title
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_DATA, _FIGURE, _N, _ENCODERS = 1, 3, 5, 7
_TWO = 2
_SHOWN, _NOT_SHOWN = mark("shown"), mark("not shown")
_CONTRADICTED, _FEW, _CHANCE = mark("contradicted"), mark("too few"), mark("below chance")
_VERDICTS = (_SHOWN, _NOT_SHOWN, _CONTRADICTED, _FEW, _CHANCE)


class _NamedRows(PlainTableModel):
    """Rows whose name can be edited.

    Signals:
        named: a row and its new name.
    """

    named = Signal(int, str)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The name can be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == _DATA else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A name is edited as it is shown."""
        shown = Qt.ItemDataRole.DisplayRole if role == Qt.ItemDataRole.EditRole else role
        return super().data(index, shown)

    def setData(  # noqa: N802
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Tell a name that was typed."""
        text = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or text == self.data(index):
            return False
        self.named.emit(index.row(), text)
        return True


class EvaluationTable(Table):
    """All evaluations, the newest first; one is chosen.

    Signals:
        chosen: the `Evaluated` of another row.
        renamed: an `Evaluated`, and what it is to be called; nothing for what its data are called.
    """

    chosen = Signal(object)
    renamed = Signal(object, str)

    def __init__(self, session: UiState) -> None:
        self._rows = _NamedRows()
        super().__init__(mark("Evaluations"), self._rows, session)
        self._rows.setParent(self)
        self._evaluations: list[Evaluated] = []
        self._wanted: tuple[str, str] | None = None  # task and data hash
        self.hint = tr("No evaluations yet.")
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self._rows.named.connect(self._on_named)
        self.rename = QAction(tr("Rename…"), self)
        self.rename.triggered.connect(self.edit_name)
        self.addAction(self.rename)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @Slot()
    def edit_name(self) -> None:
        """Have the name of the chosen evaluation edited where it stands."""
        index = self.currentIndex().siblingAtColumn(_DATA)
        if index.isValid():
            self.setCurrentIndex(index)
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """F2 renames, wherever in the row the keys are."""
        if event.key() == Qt.Key.Key_F2:
            self.edit_name()
        else:
            super().keyPressEvent(event)

    @Slot(int, str)
    def _on_named(self, row: int, name: str) -> None:
        self.renamed.emit(self._evaluations[row], name)

    @property
    def current(self) -> Evaluated | None:
        """The one that is chosen."""
        rows = self.selectionModel().selectedRows()
        return self._evaluations[rows[0].row()] if rows else None

    def columns(self) -> Sequence[Column]:
        """Data and the best encoder share what the others leave."""
        _, _, level, _, _, _, difference, encoders = _table_header()
        longest = f"{task_title('synonyms')}, {tr('zero-shot')}"
        return (
            Column("task", f"{longest}_"),
            Column("data", share=3, least=100),
            Column("level", f"{level}_"),
            Column("figure", self._find_longest(_FIGURE)),
            Column("best encoder", share=2, least=156),
            Column("n", self._find_longest(_N)),
            Column("difference", max(f"{difference}_", *map(translated, _VERDICTS), key=len)),
            Column("encoders", f"{encoders}_"),
        )

    def _find_longest(self, column: int) -> str:
        """Return the longest text of a column, and a little more."""
        cells = (self._rows.index(row, column).data() for row in range(self._rows.rowCount()))
        return f"{max(map(str, cells), key=len, default='')}__"

    def show_evaluations(self, evaluations: Sequence[Evaluated], labels: Mapping[int, str]) -> None:
        """Shows evaluations; the one that was chosen still is, or else the newest."""
        current = self.current
        wanted = self._wanted or (_table_key(current) if current else None)
        self._evaluations = list(evaluations)
        rows = [_table_row(evaluation, labels) for evaluation in evaluations]
        self.blockSignals(True)
        self._rows.show_rows(_table_header(), rows, (_N, _ENCODERS))
        self.blockSignals(False)
        keys = [_table_key(evaluation) for evaluation in evaluations]
        if keys:
            is_listed = wanted is not None and wanted in keys
            self.selectRow(keys.index(wanted) if is_listed and wanted else 0)
            if wanted == self._wanted and is_listed:
                self._wanted = None

    def choose(self, evaluated: Evaluated) -> None:
        """Chooses one, now or when it is shown."""
        self._wanted = _table_key(evaluated)
        keys = [_table_key(evaluation) for evaluation in self._evaluations]
        if self._wanted in keys:
            self.selectRow(keys.index(self._wanted))
            self._wanted = None

    @Slot()
    def _on_selection(self) -> None:
        if self.current is not None:
            self.chosen.emit(self.current)


class FigureTable(Table):
    """Shows a `FigureTableModel`; the encoder takes the room."""

    def __init__(self, figures: FigureTableModel, session: UiState) -> None:
        self._figures = figures
        super().__init__(mark("Figures"), figures, session)

    def columns(self) -> Sequence[Column]:
        """As many as there are metrics."""
        figures = self._figures
        if not figures.metrics:
            return ()
        sample = "0.000–0.000__" if figures.two_lines else f"{WORSE} 0.000 (0.000–0.000)"
        named = [Column(metric, max(sample, metric, key=len)) for metric in figures.metrics]
        last = [Column("n", f"{n_text(100, 999)}_"), Column("trained", f"{tr('Trained on')}_")]
        count = len(figures.header) - 1 - len(named)
        return (Column("encoder", share=1, least=140), *named, *last[:count])

    @Slot()
    def fit(self) -> None:
        """Gives rows a second line where the intervals stand there.

        Is as high as its rows, which are to be compared; what is around it scrolls.
        """
        self.setWordWrap(self._figures.two_lines)
        super().fit()
        self.setFixedHeight(self.height_of(self._figures.rowCount()))


def _table_header() -> tuple[str, ...]:
    named = tr("Task"), tr("Data"), tr("Level"), tr("Highest"), tr("Encoder")
    return *named, "n", tr("Difference"), tr("Encoders")


def _table_key(evaluated: Evaluated) -> tuple[str, str]:
    return evaluated.task, evaluated.data_hash


def _table_row(evaluated: Evaluated, labels: Mapping[int, str]) -> tuple[object, ...]:
    conclusion = conclude(evaluated)
    primary = conclusion.primary
    highest = best = "–"
    if primary and not primary.is_few:
        best = listed(labels[encoder_id] for encoder_id in primary.best_ids)
        highest = f"{primary.metric} {number(primary.value, '.3f')}"
    encoders = len({f.encoder_id for f in evaluated.figures})
    level = "–" if evaluated.level is None else evaluated.level
    return (
        task_title(evaluated.task),
        evaluated.name or translate_message(evaluated.title),
        level,
        highest,
        best,
        evaluated_n_text(evaluated),
        _verdict_word(conclusion),
        encoders,
    )


def _verdict_word(conclusion: Conclusion) -> str:
    """Return in a word what the figures come to beyond the highest one."""
    primary = conclusion.primary
    if primary is None or len(conclusion.encoder_ids) < _TWO:
        return "–"
    if primary.is_few:
        return translated(_FEW)
    if primary.chance is BesideChance.BELOW:
        return translated(_CHANCE)
    if conclusion.contradiction is Contradiction.SHOWN:
        return translated(_CONTRADICTED)
    if primary.nearest is None and len(primary.best_ids) < _TWO:
        return "–"
    return translated(_SHOWN if primary.shown else _NOT_SHOWN)
