"""The curves of an evaluation, or its hardest pairs; what is shown goes into a file."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from termexplorer.services.evaluate.curves import (
    Curves,
    over_k,
    over_levels,
    over_shots,
    point_rows,
    points_header,
)
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.train.runs import RunInfo
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.pairs import HARDEST, PARTS, PairPane
from termexplorer.views.evaluate.plot import FigurePlot
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import plain_column
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_OWN, _SHOTS = "own", "shots"
_LOWEST = 150
_NO_SHOTS = mark(
    "No k-shot curve yet. Train few-shot encoders with different numbers of training "
    "examples per class (k), each with several seeds; tick them and their base "
    "vectors, and evaluate them together on this task."
)
_EXPORT = mark(
    "The points of these curves with their intervals, as CSV or XLSX; as a picture by the menu "
    "key or Ctrl+S on the plot"
)
_EXPORT_PAIRS = mark(
    "The hardest pairs as they are sorted, with their similarities, as CSV or XLSX"
)
_OVER = {"k": mark("Over k"), "level": mark("Over level")}


class EvaluationCurves(QWidget):
    """Draws what an evaluation is part of: coverage over k, a metric over levels, or over shots.

    Of a pair set it shows ROC curves or the hardest pairs too.
    """

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._runs: Sequence[RunInfo] = ()
        self._ontologies: Mapping[int, str] = {}
        self._curves_by_part: dict[str, Curves | None] = {}
        self._wanted = _OWN
        self.which = ChoiceBox()
        self.which.setAccessibleName(tr("Curves"))
        self.over = ElidedLabel()
        self.over.setProperty("quiet", True)
        self.export = ExportButton()
        self.export.setToolTip(translated(_EXPORT))
        self.plot = FigurePlot(shared.theme)
        self.plot.setMinimumHeight(_LOWEST)
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.pairs = PairPane(shared)
        self.pairs.setMinimumHeight(_LOWEST)
        self.empty = PlainLabel(translated(_NO_SHOTS), wordWrap=True)
        self.empty.setProperty("quiet", True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self.which.activated.connect(self._on_which)
        self.export.wanted.connect(self._on_export)
        self.pairs.shown.connect(self._show_counts)

    def use_runs(self, runs: Sequence[RunInfo], ontologies: Iterable[Ontology]) -> None:
        """Takes what tells k, seed and what else encoders were trained with."""
        self._runs, self._ontologies = (
            runs,
            {ontology.id: ontology.label for ontology in ontologies},
        )

    def show_evaluated(
        self,
        evaluated: Evaluated,
        other_evaluations: Sequence[Evaluated],
        labels: Mapping[int, str],
    ) -> None:
        """Offers the curves of an evaluation, and shows those that were wanted last."""
        own_curves = over_k(evaluated, labels) or over_levels(evaluated, other_evaluations, labels)
        shots = over_shots(evaluated, self._runs, labels, self._ontologies)
        self._curves_by_part = (
            {_SHOTS: shots} if own_curves is None else {_OWN: own_curves, _SHOTS: shots}
        )
        self.which.clear()
        if evaluated.task.partition(",")[0] == "pairs":
            self.pairs.show_evaluated(evaluated, labels)
            for part, title in PARTS.items():
                self.which.addItem(translated(title), part)
        for key, curves in self._curves_by_part.items():
            own_title = curves and key == _OWN and _OVER[curves.across]
            self.which.addItem(translated(own_title) if own_title else tr("Over k-shot"), key)
        self.which.setCurrentIndex(max(self.which.findData(self._wanted), 0))
        self._show()

    def close_curves(self) -> None:
        """Ends the thread that reads."""
        self.pairs.close_pane()

    @property
    def _curves(self) -> Curves | None:
        return self._curves_by_part.get(self.which.currentData())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.which)
        head.addWidget(self.pairs.encoder)
        head.addWidget(self.over, 1)
        head.addStretch()
        head.addWidget(self.export)
        head.addWidget(self.export.other_formats)
        column = plain_column(self)
        column.addLayout(head)
        column.addWidget(self.plot, 1)
        column.addWidget(self.pairs, 1)
        column.addWidget(self.empty)

    def _show(self) -> None:
        part, curves = self.which.currentData(), self._curves
        on_pairs = part in PARTS
        drawn = on_pairs or curves is not None
        for widget, shown in (
            (self.over, drawn),
            (self.export, drawn),
            (self.pairs, on_pairs),
            (self.pairs.encoder, part == HARDEST),
            (self.plot, curves is not None),
            (self.empty, not drawn),
        ):
            widget.setVisible(shown)
        self._show_counts()
        self.export.setToolTip(translated(_EXPORT_PAIRS if part == HARDEST else _EXPORT))
        if on_pairs:
            self.over.setText(self.pairs.show_part(part))
        elif curves is not None:
            title = f"{curves.title}, {_describe_intervals(curves)}"
            seen = tr("some were trained on these names")
            self.over.setText(f"{title}; {seen}" if curves.exposed else title)
            self.plot.show_figures(curves)
        upright = QSizePolicy.Policy.Expanding if drawn else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, upright)

    @Slot()
    def _on_which(self) -> None:
        self._wanted = self.which.currentData()
        self._show()

    @Slot()
    def _show_counts(self) -> None:
        part, curves = self.which.currentData(), self._curves
        if part in PARTS:
            self.export.show_counts(self.pairs.counts(part))
        else:
            self.export.show_counts({SHOWN: len(point_rows(curves))} if curves else {})

    @Slot(str)
    def _on_export(self, rows_wanted: str) -> None:
        part, curves = self.which.currentData(), self._curves
        if part in PARTS:
            file = self.pairs.file(part, everything=rows_wanted == ALL)
            ask_and_write(self, self._shared.notices, *file)
        elif curves is not None:
            header, rows = points_header(curves), point_rows(curves)
            ask_and_write(self, self._shared.notices, curves.title, header, rows)


def _describe_intervals(curves: Curves) -> str:
    samples = {point.samples for points in curves.lines.values() for point in points}
    if samples == {1}:
        return tr("with 95 % intervals")
    if 1 in samples:
        return tr("means with 95 % intervals over samples (over items where there is one sample)")
    return tr("means with 95 % intervals over samples")
