"""The right of the Levels page: slider, figures, chart and class table of one level."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from termexplorer.models.class_table import ClassTableModel
from termexplorer.texts import tr
from termexplorer.views.levels.chart import ClassChart
from termexplorer.views.levels.figures import LevelFigures
from termexplorer.views.levels.look import ShownLevel
from termexplorer.views.levels.strip import LevelSlider
from termexplorer.views.levels.table import ClassTable
from termexplorer.views.levels.words import (
    class_reason,
    classes_text,
    figures,
    names_left_out,
)
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import scrolled
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState

_HEIGHTS = (200, 300)  # chart and table share the room like that
_CHART, _TABLE = 112, 180  # the least: the whole axis; a few rows


class LevelContent(QWidget):
    """Shows one level; says what was chosen in it.

    Signals:
        class_chosen: the concept id of a class that was clicked in the chart or the table.
    """

    class_chosen = Signal(object)

    def __init__(self, theme: Theme, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.slider = LevelSlider(theme)
        self.figures = LevelFigures()
        self.left_out = PlainLabel(wordWrap=True)
        self.left_out.setProperty("quiet", True)
        self.warning = PlainLabel(wordWrap=True)
        self.warning.hide()
        self.chart = ClassChart(theme)
        self.classes = ClassTableModel(theme.colours.quiet, self)
        self.table = ClassTable(self.classes, session)
        self.filter = QLineEdit(placeholderText=tr("Filter classes"), clearButtonEnabled=True)
        self.filter.setAccessibleName(tr("Filter classes"))
        self.shown = PlainLabel()
        self.shown.setProperty("quiet", True)
        self.export = ExportButton()
        self.export.setToolTip(tr("The classes as they are filtered and sorted, as CSV or XLSX"))
        self.train = QPushButton(tr("Train on this level"))
        self.train.setProperty("primary", True)
        self._lay_out()
        self.filter.textChanged.connect(self._on_filter)
        self.classes.modelReset.connect(self._show_counts)
        self.chart.chosen.connect(self.class_chosen)
        self.table.chosen.connect(self.class_chosen)
        theme.changed.connect(self._on_theme)

    def show_level(
        self,
        shown: ShownLevel,
        counts: dict[int, tuple[int, int]],
    ) -> None:
        """Shows a level; `counts` are (classes, names) of the levels that are known."""
        lens, choice, summary = shown.lens, shown.choice, shown.summary
        self.slider.show_levels(lens.levels, choice.level)
        self.slider.show_counts(counts)
        self.figures.show_figures(figures(summary))
        why = names_left_out(summary, choice)
        self.left_out.setText(tr("Names left out: {why}", why=why))
        self.warning.setText(shown.warning)
        self.warning.setVisible(bool(shown.warning))
        self.chart.show_sizes(lens, summary.concepts, summary.sizes)
        reasons = [
            (class_reason(group.reason, choice), np.asarray(group.concepts))
            for group in summary.classes_left_out
        ]
        self.classes.show_level(lens, (summary.concepts, summary.sizes), reasons)
        self.shown.setText(classes_text(summary))
        self._allow(shown)

    @Slot(object)
    def mark(self, concept_id: int | None) -> None:
        """Marks a concept in chart and table, if it is a class of the level."""
        self.chart.mark(concept_id)
        self.table.mark(concept_id)

    def _allow(self, shown: ShownLevel) -> None:
        none = (
            ""
            if shown.summary.max > 1
            else tr("No class on this level has two names to learn from")
        )
        why = none or shown.lack
        self.train.setEnabled(not why)
        self.train.setToolTip(why or tr("Train with this root, level and these rules"))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self.left_out, 1)
        top.addWidget(self.train, 0, Qt.AlignmentFlag.AlignVCenter)
        below = QHBoxLayout()
        below.setSpacing(12)
        self.filter.setMaximumWidth(280)
        below.addWidget(self.filter, 1)
        below.addWidget(self.shown)
        below.addStretch(1)
        below.addWidget(self.export)
        below.addWidget(self.export.other_formats)
        lower = QWidget()
        table = QVBoxLayout(lower)
        table.setContentsMargins(0, 8, 0, 0)
        table.setSpacing(8)
        table.addLayout(below)
        table.addWidget(self.table, 1)
        self.halves = QSplitter(Qt.Orientation.Vertical)
        self.halves.addWidget(self.chart)
        self.halves.addWidget(lower)
        self.halves.setChildrenCollapsible(False)
        self.halves.setHandleWidth(1)
        least: tuple[tuple[QWidget, int], ...] = ((self.chart, _CHART), (self.table, _TABLE))
        for widget, height in least:
            widget.setMinimumHeight(height)
            widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.halves.setSizes(list(_HEIGHTS))
        for half, share in enumerate(_HEIGHTS):
            self.halves.setStretchFactor(half, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 8)
        column.setSpacing(12)
        column.addWidget(self.slider)
        column.addWidget(self.figures)
        column.addWidget(self.warning)
        column.addLayout(top)
        column.addWidget(scrolled(self.halves), 1)  # where the page is low

    @Slot()
    def _show_counts(self) -> None:
        self.export.show_counts({SHOWN: self.classes.rowCount(), ALL: self.classes.count})

    @Slot(str)
    def _on_filter(self, text: str) -> None:
        self.classes.filter(text)

    @Slot()
    def _on_theme(self) -> None:
        self.classes.use_colour(self._theme.colours.quiet)
        self.table.viewport().update()
