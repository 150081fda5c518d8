"""The right of the pair sets: the paper's table of them, and what a threshold does."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.files.exports import Cell
from termexplorer.services.pairs.filter import add_counts, told_counts
from termexplorer.services.pairs.folders import MadeFolder
from termexplorer.services.pairs.sets import (
    SET_HEADER,
    SOURCES,
    PairSets,
    count_without_dissimilar,
    set_rows,
)
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.judge.threshold_plot import ThresholdPlot
from termexplorer.views.widgets.file_dialogs import ask_folder
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.window.page import Shared

_HEADER = (
    mark("Similar pairs"),
    mark("Difficulty"),
    mark("Pairs"),
    mark("Similar"),
    mark("Random"),
    mark("Nearest"),
)
_DIFFICULTIES = {"easy": mark("easy"), "hard": mark("hard")}
_FIGURES = (2, 3, 4, 5)
_TIPS = {
    2: mark("Similar and dissimilar ones"),
    3: mark("Mean edit distance of the similar pairs"),
    4: mark("Mean edit distance of dissimilar pairs at random"),
    5: mark("Mean edit distance of dissimilar pairs of nearest terms"),
}
_NONE_YET = mark("Make pair sets first")
_HEIGHTS = (280, 360)


class PairSetResults(QWidget):
    """Shows one folder of pair sets.

    Signals:
        chosen: a folder (a path).
        evaluate_wanted: encoders are to be measured on the folder on show.
        pairs_wanted: its pairs are to be looked at (a `MadeFolder`).
        study_wanted: a study is to be drawn from it.
        queue_wanted: pairs that are most worth judging are to be chosen from it.
    """

    chosen = Signal(object)
    evaluate_wanted = Signal(object)
    pairs_wanted = Signal(object)
    study_wanted = Signal(object)
    queue_wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._shown: MadeFolder | None = None
        self.folders = choice(tr("Pair sets that were made"), 20)
        self.open = QPushButton(tr("Open folder…"))
        self.pairs = QPushButton(tr("Look at pairs…"))
        self.evaluate = QPushButton(tr("Evaluate encoders on these…"))
        self.study = QPushButton(tr("New study from these…"))
        self.queue = QPushButton(tr("Queue for judging…"))
        self.export = QPushButton(tr("Export table…"))
        self.facts, self.effect = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        self.model = SortedTableModel(self)
        self.table = SortedTable(mark("Pair sets"), self.model, shared.session, _make_columns())
        self.plot = ThresholdPlot(shared.theme)
        self._lay_out()
        self._connect()
        self.offer_folders((), None)
        self.show_made(None)

    @property
    def folder(self) -> Path | None:
        """Of the sets on show."""
        return self._shown.folder if self._shown else None

    def close_results(self) -> None:
        """Keeps the sizes."""
        self.splitter.keep()

    def offer_folders(self, folders: Sequence[Path], wanted: Path | None) -> None:
        """Offers folders, with one of them chosen."""
        with QSignalBlocker(self.folders):
            self.folders.clear()
            offer(self.folders, [(folder.name, folder) for folder in folders], wanted)
        self.folders.setVisible(bool(folders))

    def show_made(self, pair_folder: MadeFolder | None) -> None:
        """Shows sets that were made; None for none."""
        self._shown = pair_folder
        sets = pair_folder.pair_sets if pair_folder else PairSets((), {}, ())
        rows = [
            (
                translated(SOURCES[r.source]), translated(_DIFFICULTIES[r.difficulty]), r.size,
                r.similar, r.random, r.nearest,
            )
            for r in set_rows(sets)
        ]  # fmt: skip
        self._sets = list(zip(rows, set_rows(sets), strict=True))
        self.model.tips = {column: translated(tip) for column, tip in _TIPS.items()}
        self.model.show_rows([translated(title) for title in _HEADER], rows, _FIGURES)
        self.export.setText(
            tr("Export table ({n:,})…", n=len(rows)) if rows else tr("Export table…")
        )
        self.facts.setText(_describe_folder(pair_folder) if pair_folder else "")
        self.facts.setVisible(pair_folder is not None)
        for button, tip in (
            (self.pairs, tr("Find pairs by their terms, and export the sets without some")),
            (self.evaluate, tr("AUC and accuracy of encoders on all of these sets, on Evaluate")),
            (self.study, tr("Have people judge pairs of these sets")),
            (self.queue, tr("Choose the pairs on which encoders disagree, or one is unsure")),
            (self.export, tr("This table as it is sorted, as CSV, XLSX, TSV or JSONL")),
        ):
            button.setEnabled(pair_folder is not None)
            button.setToolTip(tip if pair_folder else translated(_NONE_YET))
        self.show_effect(sets)

    def show_effect(self, sets: PairSets) -> None:
        """Draws what thresholds do to pairs; nothing where there are none."""
        has_distances = any(map(sum, sets.distances.values()))
        if has_distances:
            self.plot.show_made(sets)
        self._lower.setVisible(has_distances)
        self.effect.setText(self.plot.shares_text)

    def show_threshold(self, threshold: int) -> None:
        """Marks a threshold."""
        self.plot.show_threshold(threshold)
        self.effect.setText(self.plot.shares_text)

    def _lay_out(self) -> None:
        for label in (self.facts, self.effect):
            label.setProperty("quiet", True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open.setToolTip(tr("Pair sets that were made here and lie in another folder"))
        head = QHBoxLayout()
        head.setSpacing(8)
        for widget, share in ((self.folders, 1), (self.open, 0), (self.export, 0)):
            head.addWidget(widget, share)
        head.addStretch(0)
        next_ = QGridLayout()  # one row of all is too wide for a small screen
        next_.setSpacing(8)
        for index, button in enumerate((self.pairs, self.evaluate, self.study, self.queue)):
            next_.addWidget(button, *divmod(index, 2))
        next_.setColumnStretch(2, 1)
        upper, self._lower = QWidget(), QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 8)
        above.setSpacing(8)
        above.addWidget(self.table, 1)
        above.addLayout(next_)
        below = QVBoxLayout(self._lower)
        below.setContentsMargins(0, 8, 0, 0)
        below.setSpacing(8)
        below.addWidget(self.effect)
        below.addWidget(self.plot, 1)
        self.splitter = KeptSplitter(
            self._shared.session, "pair sets/parts", Qt.Orientation.Vertical
        )
        self.splitter.fill(_HEIGHTS, upper, self._lower)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.facts)
        column.addWidget(self.splitter, 1)

    def _connect(self) -> None:
        self.folders.activated.connect(self._on_folder)
        self.open.clicked.connect(self._on_open)
        self.pairs.clicked.connect(self._on_pairs)
        self.evaluate.clicked.connect(self._on_evaluate)
        self.study.clicked.connect(self._on_study)
        self.queue.clicked.connect(self._on_queue)
        self.export.clicked.connect(self._on_export)

    @Slot()
    def _on_folder(self) -> None:
        self.chosen.emit(self.folders.currentData())

    @Slot()
    def _on_open(self) -> None:
        if folder := ask_folder(self, "pair_sets", tr("Folder of pair sets")):
            self.chosen.emit(folder)

    @Slot()
    def _on_pairs(self) -> None:
        self.pairs_wanted.emit(self._shown)

    @Slot()
    def _on_evaluate(self) -> None:
        self.evaluate_wanted.emit(self.folder)

    @Slot()
    def _on_study(self) -> None:
        self.study_wanted.emit(self.folder)

    @Slot()
    def _on_queue(self) -> None:
        self.queue_wanted.emit(self.folder)

    @Slot()
    def _on_export(self) -> None:
        if self._shown is not None:
            sets = {id(shown): pair_set for shown, pair_set in self._sets}
            rows: list[list[Cell]] = [
                [SOURCES[r.source], r.difficulty, r.size, r.similar, r.random, r.nearest]
                for r in (sets[id(row)] for row in self.model.rows)
            ]
            name = tr("pair sets {folder}", folder=self._shown.folder.name)
            ask_and_write(self, self._shared.notices, name, list(SET_HEADER), rows)


def _make_columns() -> tuple[Column, ...]:
    wide = f"{tr('Nearest')}___"
    return (
        Column("source", share=1, least=160),
        Column("difficulty", f"{tr('Difficulty')}__"),
        Column("pairs", "0,000,000__"),
        *(Column(name, wide) for name in ("similar", "random", "nearest")),
    )


def _describe_folder(pair_folder: MadeFolder) -> str:
    sets, plan = pair_folder.pair_sets.sets, pair_folder.plan
    pairs = sum(pair_set.similar + pair_set.dissimilar for pair_set in sets)
    parts = [
        trn("{n:,} set", "{n:,} sets", len(sets)),
        trn("{n:,} pair", "{n:,} pairs", pairs),
        tr("easy up to {threshold} edits", threshold=plan.threshold),
        tr("seed {seed}", seed=plan.seed),
    ]
    if plan.ancestors:
        parts.append(tr("no negatives from above or below"))
    if plan.siblings:
        nor = tr("nor with a parent in common")
        parts.append(nor if plan.ancestors else tr("no sibling negatives"))
    if short := count_without_dissimilar(pair_folder.pair_sets):
        parts.append(
            trn(
                "for {n:,} similar pair there is no dissimilar one",
                "for {n:,} similar pairs there is no dissimilar one",
                short,
            )
        )
    if pair_folder.pair_sets.left_out:
        parts.append(told_counts(add_counts(pair_folder.pair_sets.left_out)))
    if without := [
        SOURCES[s] for s in plan.sources if s not in {pair_set.source for pair_set in sets}
    ]:
        sources = "; ".join(translated(title) for title in without)
        parts.append(tr("no pairs: {sources}", sources=sources))
    return " · ".join((*parts, str(pair_folder.folder)))
