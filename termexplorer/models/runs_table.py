"""All runs with their state and key figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.services.recipes.run_requests import SynonymChoice
from termexplorer.services.train.runs import FigureInfo, RunInfo
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import interval_text, number, tr, translated

NUMBER, TITLE, STATUS, LEVEL, ONTOLOGY, MAP, MRR, CREATED, NOTES = range(9)
_COLUMN_OF = {  # task and metric, as they are stored
    ("ranking", "mAP"): MAP,
    ("synonyms, test", "mAP"): MAP,
    ("hypernyms", "MRR"): MRR,
}


class RunsTableModel(ColumnsModel):
    """The newest run first.

    Signals:
        edited: run id, title and notes that the user typed.
    """

    edited = Signal(object, str, str)

    figures = (MAP, MRR)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.header = (
            tr("Run"), tr("Title"), tr("Status"), tr("Level"), tr("Ontology"), "mAP", "MRR",
            tr("Created"), tr("Notes"),
        )  # fmt: skip
        self.tips = {
            TITLE: tr("Edit it (F2) to rename the run and its encoder"),
            LEVEL: tr("Of the classes that it learned; others learn from synonym sets"),
            MAP: tr(
                "Ranking of names of the same class, or of synonyms, for held-out "
                "names; in brackets the base vectors"
            ),
            MRR: tr("Rank of the class's name for held-out names; in brackets the base vectors"),
            NOTES: tr("Edit it (F2) to keep a note"),
        }
        self._runs: list[RunInfo] = []
        self._figures: Mapping[int, tuple[FigureInfo, ...]] = {}
        self._ontologies: Mapping[int, str] = {}

    def show_runs(
        self,
        runs: Sequence[RunInfo],
        figures: Mapping[int, tuple[FigureInfo, ...]],
        ontologies: Mapping[int, str],
    ) -> None:
        """Shows runs; where only their state differs, the selection stays."""
        same = [run.id for run in runs] == [run.id for run in self._runs]
        if not same:
            self.beginResetModel()
        self._runs, self._figures, self._ontologies = list(runs), figures, ontologies
        if not same:
            self.endResetModel()
        elif runs:
            last = self.index(len(runs) - 1, len(self.header) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def run(self, row: int) -> RunInfo:
        """The run in a row."""
        return self._runs[row]

    def row_of(self, run_id: int) -> int:
        """The row of a run, or -1."""
        return next((row for row, run in enumerate(self._runs) if run.id == run_id), -1)

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many runs."""
        return 0 if parent.isValid() else len(self._runs)

    def side(self, column: int) -> Qt.AlignmentFlag:
        """Dates keep apart from the figures before them."""
        flag = Qt.AlignmentFlag
        return flag.AlignCenter if column == CREATED else super().side(column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Title and notes can be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() in (TITLE, NOTES) else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell."""
        run, column = self._runs[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole and column == TITLE and run.encoder_id is not None:
            return f"{run.shown_title} #{run.encoder_id}"  # as the encoder is called elsewhere
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(run, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._told(run, column)
        return None

    def setData(  # noqa: N802
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Tells a title or notes that were typed; an empty title is refused."""
        run, text = self._runs[index.row()], str(value).strip()
        if role != Qt.ItemDataRole.EditRole or text == self._text(run, index.column()):
            return False
        if index.column() == TITLE and text:
            self.edited.emit(run.id, text, run.notes)
        elif index.column() == NOTES:
            self.edited.emit(run.id, run.title, text)
        return True

    def _text(self, run: RunInfo, column: int) -> str:
        texts = {
            NUMBER: str(run.id),
            TITLE: run.shown_title,
            STATUS: translated(run.status),
            LEVEL: _level_text(run.request),
            ONTOLOGY: self._ontologies.get(run.release_id, ""),
            CREATED: run.created_at[:10],
            NOTES: run.notes,
        }
        return texts[column] if column in texts else self._pair(run, column)

    def _pair(self, run: RunInfo, column: int) -> str:
        trained, beneath = self._figure(run, column, run.encoder_id), self._beneath(run, column)
        if not trained or not beneath:
            return ""
        if trained.n < LEAST_ITEMS:
            return tr("too few: {n}", n=trained.n)
        return f"{number(trained.value, '.3f')} ({number(beneath.value, '.3f')})"

    def _beneath(self, run: RunInfo, column: int) -> FigureInfo | None:
        return self._figure(run, column, run.input_id)

    def _figure(self, run: RunInfo, column: int, encoder_id: int | None) -> FigureInfo | None:
        mine = [f for f in self._figures.get(run.id, ()) if f.encoder_id == encoder_id]
        return next((f for f in mine if _COLUMN_OF.get((f.task, f.metric)) == column), None)

    def _told(self, run: RunInfo, column: int) -> str:
        if column in (MAP, MRR):
            lines = []
            for whose, encoder_id in (
                (tr("trained"), run.encoder_id),
                (tr("beneath"), run.input_id),
            ):
                figure = self._figure(run, column, encoder_id)
                if figure:
                    span = interval_text(figure.value, figure.low, figure.high)
                    lines.append(f"{whose}: {span}, n {number(figure.n)}")
            return "\n".join(lines)
        if column == CREATED:
            return run.created_at[:16].replace("T", " ") + " UTC"
        return (
            translate_message(run.error)
            if column == STATUS and run.error
            else self._text(run, column)
        )


def _level_text(request: Mapping[str, Any]) -> str:
    if request.get("judged"):
        return tr("judged pairs")
    choice = request["choice"]
    if not choice:
        return translate_message(SynonymChoice.read(request).title)
    return _text_below(str(choice["level"]), choice["root"])


def _text_below(subject: str, root: str) -> str:
    return tr("{what} below {root}", what=subject, root=root) if root else subject
