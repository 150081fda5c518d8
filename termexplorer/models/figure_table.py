"""The figures of encoders on one set of data: a row an encoder, a column a metric."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.evaluate.evaluation import (
    WORSE,
    Difference,
    Evaluated,
    FigureInfo,
    behind_best,
    worse_than_best,
)
from termexplorer.services.figures.coverage_words import n_text
from termexplorer.services.figures.metric_kinds import (
    LEAST_SHOWN,
    goodness,
    marked_figures,
)
from termexplorer.texts import number, share_text, tr, translated

_MOST_IN_A_LINE = 3  # metrics; more of them have their intervals in a second line


class FigureTableModel(ColumnsModel):
    """The best encoder first.

    Attributes:
        metrics: the columns after the first.
        two_lines: whether intervals stand below the figures.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.metrics: tuple[str, ...] = ()
        self.two_lines = False
        self._evaluated: Evaluated | None = None
        self._labels: Mapping[int, str] = {}
        self._order: list[int] = []
        self._figures: dict[tuple[int, str], FigureInfo] = {}
        self._best: dict[str, tuple[FigureInfo, ...]] = {}
        self._behind: Mapping[tuple[int, str], Difference] = {}
        self._worse: set[tuple[int, str]] = set()

    def show_evaluated(
        self, evaluated: Evaluated, labels: Mapping[int, str], tips: Mapping[str, str]
    ) -> None:
        """Shows other figures.

        Args:
            evaluated: what is shown.
            labels: of encoders, by their ids.
            tips: what a metric is.
        """
        self.beginResetModel()
        self._evaluated, self._labels = evaluated, labels
        self._figures = {(f.encoder_id, f.metric): f for f in evaluated.figures}
        metrics = {f.metric for f in evaluated.figures}
        self.metrics = tuple(
            sorted(metrics, key=lambda metric_name: _metric_place(metric_name, evaluated))
        )
        self.two_lines = len(self.metrics) > _MOST_IN_A_LINE
        figures = evaluated.figures
        self._best = {metric: marked_figures(figures, metric) for metric in self.metrics}
        self._behind = behind_best(evaluated)
        self._worse = worse_than_best(evaluated)
        self._order = sorted({f.encoder_id for f in evaluated.figures}, key=self._place)
        seen = (tr("Trained on"),) if evaluated.seen else ()
        self.header = (tr("Encoder"), *map(translated, self.metrics), "n", *seen)
        self.figures = range(1, len(self.header))
        self.tips = {n: tips.get(metric, "") for n, metric in enumerate(self.metrics, 1)}
        self.tips |= {
            len(self.metrics) + 1: tr("What the figures are over"),
            len(self.metrics) + 2: tr(
                "The share of these names that the encoder or its base vectors were trained on"
            ),
        }
        self.endResetModel()

    @property
    def has_best(self) -> bool:
        """Whether any figure is marked as the best of its column."""
        return any(self._best.values())

    @property
    def worse(self) -> list[str]:
        """The metrics by which any encoder is worse than the best by more than chance."""
        return [
            m
            for m in self.metrics
            if any(self._is_worse(encoder_id, m) for encoder_id in self._order)
        ]

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many encoders."""
        return 0 if parent.isValid() else len(self._order)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell."""
        encoder_id, column = self._order[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(encoder_id, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(encoder_id, column)
        if role == Qt.ItemDataRole.FontRole and self._is_best(self._figure(encoder_id, column)):
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def _text(self, encoder_id: int, column: int) -> str:
        if column == 0:
            return self._labels[encoder_id]
        if column <= len(self.metrics):
            return self._cell(encoder_id, column)
        return self._n(encoder_id) if column == len(self.metrics) + 1 else self._seen(encoder_id)

    def _cell(self, encoder_id: int, column: int) -> str:
        figure = self._figure(encoder_id, column)
        if figure is None or figure.n < LEAST_SHOWN:
            return "–"
        gap = "\n" if self.two_lines else " "
        mark = f"{WORSE} " if self._is_worse(encoder_id, figure.metric) else ""
        value, low, high = (number(x, ".3f") for x in (figure.value, figure.low, figure.high))
        count_note = "" if figure.n == self._row_n(encoder_id) else f"; n {number(figure.n)}"
        return f"{mark}{value}{gap}({low}–{high}{count_note})"

    def _row_n(self, encoder_id: int) -> int | None:
        """The number of items that stands in the row: by the metric that encoders are told by."""
        primary = self._evaluated.metric if self._evaluated else ""
        figure = self._figures.get((encoder_id, primary))
        return figure.n if figure else None

    def _n(self, encoder_id: int) -> str:
        evaluated = self._evaluated
        figure = self._figures.get((encoder_id, evaluated.metric)) if evaluated else None
        return n_text(figure.n, evaluated.items) if figure and evaluated else ""

    def _seen(self, encoder_id: int) -> str:
        share = self._evaluated.seen.get(encoder_id) if self._evaluated else None
        return "–" if share is None else share_text(share)

    def _tip(self, encoder_id: int, column: int) -> str:
        figure = self._figure(encoder_id, column)
        if figure is None:
            return self._text(encoder_id, column)
        lines = [
            f"{self._labels[encoder_id]}, {figure.metric}: {number(figure.value, '.6f')}",
            tr(
                "95 % interval {low:.6f} to {high:.6f}, n = {n:,}",
                low=figure.low,
                high=figure.high,
                n=figure.n,
            ),
        ]
        behind = self._behind.get((encoder_id, figure.metric))
        if behind is not None:
            lines.append(
                tr(
                    "{value:+.6f} ({low:+.6f} to {high:+.6f}) beside the best, p = {p:.3g} {by}, "
                    "n = {n:,}",
                    value=-behind.value,
                    low=-behind.high,
                    high=-behind.low,
                    p=behind.p,
                    by=behind.by,
                    n=behind.n,
                )
            )
        return "\n".join(lines)

    def _figure(self, encoder_id: int, column: int) -> FigureInfo | None:
        is_metric = 1 <= column <= len(self.metrics)
        return self._figures.get((encoder_id, self.metrics[column - 1])) if is_metric else None

    def _is_best(self, figure: FigureInfo | None) -> bool:
        return figure is not None and figure in self._best[figure.metric]

    def _is_worse(self, encoder_id: int, metric: str) -> bool:
        return (encoder_id, metric) in self._worse

    def _place(self, encoder_id: int) -> tuple[bool, float, int]:
        """Sorts the best first, those without a figure last."""
        evaluated = self._evaluated
        figure = self._figures.get((encoder_id, evaluated.metric)) if evaluated else None
        value = goodness(figure.metric, figure.value) if figure else 0.0
        return figure is None, -value, encoder_id


def _metric_place(metric: str, evaluated: Evaluated) -> tuple[bool, str, int]:
    """Sorts the metric that encoders are compared by first, and each k after the one below."""
    name, _, k = metric.partition("@")
    return metric != evaluated.metric, name.casefold(), int(k) if k.isdecimal() else 0
