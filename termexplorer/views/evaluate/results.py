"""The right of the Evaluate page: all evaluations, and what one of them comes to."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from termexplorer.errors import UserError
from termexplorer.models.figure_table import FigureTableModel
from termexplorer.services.evaluate.conclusion_words import details_text, headline_text
from termexplorer.services.evaluate.conclusions import Beneath, conclude
from termexplorer.services.evaluate.evaluation import WORSE, Evaluated
from termexplorer.services.evaluate.rows import EXPORT_HEADER, evaluation_rows
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.train.renaming import rename_evaluation
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import tr, translated
from termexplorer.views.evaluate.curves import EvaluationCurves
from termexplorer.views.evaluate.matrix import EvaluationMatrixView
from termexplorer.views.evaluate.tables import EvaluationTable, FigureTable
from termexplorer.views.evaluate.words import metric_tip, task_title
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import heading, scrolled
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared

_HEIGHTS = (230, 500)
_LOWEST = 320  # pixels
_WHOLE = 100
_KEY = "evaluate/halves"


class EvaluateResults(QWidget):
    """Shows figures, and says what they come to."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._evaluations: Sequence[Evaluated] = ()
        self._labels: Mapping[int, str] = {}
        self._beneath: Beneath = {}
        self.list = EvaluationTable(shared.session)
        self.export = ExportButton()
        self.export.setToolTip(
            tr("The figures of the evaluation that is shown, with intervals, as CSV or XLSX")
        )
        self.at_one_sight = QPushButton(tr("Matrix"))
        self.at_one_sight.setToolTip(tr("All encoders by all sets and tasks"))
        self.matrix = EvaluationMatrixView(shared)
        self._shows_matrix = False
        self.conclusion = PlainLabel(wordWrap=True)
        self.conclusion.setProperty("title", True)
        self.conclusion.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = PlainLabel(wordWrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.data_label = PlainLabel(wordWrap=True)
        self.model = FigureTableModel(self)
        self.table = FigureTable(self.model, shared.session)
        self.notes = PlainLabel(wordWrap=True)
        self.curves = EvaluationCurves(shared)
        self.empty = _empty_page()
        self.halves = KeptSplitter(shared.session, _KEY, Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._lay_out()
        self.list.chosen.connect(self._on_chosen)
        self.export.wanted.connect(self._on_export)
        self.list.renamed.connect(self._on_renamed)
        self.at_one_sight.clicked.connect(self._on_matrix)
        self.matrix.left.connect(self.show_list)
        self.matrix.chosen.connect(self._on_column)

    def show_evaluations(
        self,
        evaluations: Sequence[Evaluated],
        labels: Mapping[int, str],
        beneath: Beneath | None = None,
    ) -> None:
        """Show what was evaluated, the newest first.

        Args:
            evaluations: all of them.
            labels: of encoders, by their ids.
            beneath: what lies beneath each encoder.
        """
        self._evaluations, self._labels, self._beneath = evaluations, labels, beneath or {}
        self.list.show_evaluations(evaluations, labels)
        self._show_half()

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Show what is stored for an ontology in the matrix."""
        self.matrix.show_stored(ontology, self._labels)

    @Slot()
    def show_list(self) -> None:
        """Show the single evaluations."""
        self._shows_matrix = False
        self._show_half()
        self.list.setFocus()

    def _show_half(self) -> None:
        shown = self.matrix if self._shows_matrix else self.halves
        self._stack.setCurrentWidget(shown if self._evaluations else self.empty)

    def close_results(self) -> None:
        """Keeps the sizes, and ends the thread that reads curves."""
        self.halves.keep()
        self.curves.close_curves()
        self.matrix.close_matrix()

    def parts(self) -> tuple[QWidget, QWidget]:
        """Where F6 stops."""
        return self._above, self._below

    def _lay_out(self) -> None:
        for label in (self.data_label, self.notes):
            label.setProperty("quiet", True)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(heading(tr("Evaluations")), 1)
        head.addWidget(self.at_one_sight)
        head.addWidget(self.export)
        head.addWidget(self.export.other_formats)
        self._above, above = _make_column()
        above.addLayout(head)
        above.addWidget(self.list, 1)
        self._below, below = _make_column()
        for widget, share in (
            (self.conclusion, 0),
            (self.details, 0),
            (self.data_label, 0),
            (self.table, 0),
            (self.notes, 0),
            (self.curves, _WHOLE),
        ):
            below.addWidget(widget, share)
        below.addStretch(1)  # takes the room where nothing is drawn
        lower = scrolled(self._below)
        lower.setMinimumHeight(_LOWEST)
        self.halves.fill(_HEIGHTS, self._above, lower)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.halves)
        self._stack.addWidget(self.matrix)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    @Slot(object)
    def _on_chosen(self, evaluated: Evaluated) -> None:
        concluded = conclude(evaluated, self._beneath)
        self.conclusion.setText(headline_text(concluded, self._labels))
        details = details_text(concluded, self._labels, between="\n")
        self.details.setText(details.replace("n = ", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"))
        self.details.setVisible(bool(details))
        data = evaluated.shown_data
        parts = (evaluated.name, task_title(evaluated.task), data)
        self.data_label.setText(" · ".join(filter(None, parts)))
        metrics = {figure.metric for figure in evaluated.figures}
        tips = {metric: metric_tip(metric, evaluated.task) for metric in metrics}
        self.model.show_evaluated(evaluated, self._labels, tips)
        self.notes.setText(
            "\n".join((self._legend(evaluated), *map(translate_message, evaluated.notes)))
        )
        everything = sum(len(evaluation.figures) for evaluation in self._evaluations)
        self.export.show_counts({SHOWN: len(evaluated.figures), ALL: everything})
        self.curves.show_evaluated(evaluated, self._evaluations, self._labels)

    def _legend(self, evaluated: Evaluated) -> str:
        text = tr("In brackets: 95 % intervals.")
        if self.model.has_best:
            text = tr("In brackets: 95 % intervals. Bold: best of its column.")
        if not self.model.worse:
            return text
        worse = tr(
            "{sign}: below the best in {metrics} by more than chance (p < .05 {how}).",
            sign=WORSE,
            metrics=_join_with_or([translated(metric) for metric in self.model.worse]),
            how=_join_with_or(sorted({difference.after for difference in evaluated.differences})),
        )
        return f"{text} {worse}"

    @Slot(object, str)
    def _on_renamed(self, evaluated: Evaluated, name: str) -> None:
        try:
            rename_evaluation(self._shared.workspace, evaluated, name)
        except UserError as error:
            self._shared.notices.error(str(error))
        self._shared.watch.look()

    @Slot()
    def _on_matrix(self) -> None:
        self._shows_matrix = True
        self._show_half()
        self.matrix.table.setFocus()

    @Slot(str, str)
    def _on_column(self, task: str, data_hash: str) -> None:
        """Show the evaluation that a column of the matrix is of."""
        wanted = (task, data_hash)
        matches = (
            evaluation
            for evaluation in self._evaluations
            if (evaluation.task, evaluation.data_hash) == wanted
        )
        for evaluated in matches:
            self.show_list()
            self.list.choose(evaluated)

    @Slot(str)
    def _on_export(self, part: str) -> None:
        shown = [self.list.current] if self.list.current else []
        evaluations = shown if part == SHOWN else self._evaluations
        rows = evaluation_rows(evaluations, self._labels)
        ask_and_write(self, self._shared.notices, tr("figures"), EXPORT_HEADER, rows)


def _make_column() -> tuple[QWidget, QVBoxLayout]:
    half = QWidget()
    column = QVBoxLayout(half)
    column.setContentsMargins(16, 12, 16, 8)
    column.setSpacing(8)
    return half, column


def _join_with_or(texts: Sequence[str]) -> str:
    return f" {tr('or')} ".join(texts)


def _empty_page() -> QWidget:
    """What the page says before anything was evaluated."""
    title = PlainLabel(tr("No figures yet"))
    title.setProperty("title", True)
    text = PlainLabel(
        tr(
            "Tick tasks and encoders at the left, and press Evaluate. All are measured "
            "on the same names and compared in pairs; later evaluations on the same "
            "data are added."
        ),
        wordWrap=True,
    )
    text.setProperty("quiet", True)
    middle = QWidget()
    middle.setFixedWidth(520)
    column = QVBoxLayout(middle)
    column.setSpacing(12)
    column.addWidget(title)
    column.addWidget(text)
    whole = QWidget()
    QVBoxLayout(whole).addWidget(middle, 0, Qt.AlignmentFlag.AlignCenter)
    return whole
