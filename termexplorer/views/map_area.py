"""The right of the Map page: the map with its legend, search, and what is known of it."""

from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from termexplorer.questions import Questions
from termexplorer.services.map_files import facts_text, write_map
from termexplorer.services.projection import NameMap
from termexplorer.views.forms import quiet
from termexplorer.views.map_enclosed import MapEnclosed, class_text
from termexplorer.views.map_head import MapHead
from termexplorer.views.map_legend import MapLegend
from termexplorer.views.map_plot import MapPlot
from termexplorer.views.map_state import Shown
from termexplorer.views.page import Shared

_FILES = (
    "PNG (*.png);;SVG (*.svg);;PDF (*.pdf);;Coordinates, CSV (*.csv);;Coordinates, XLSX (*.xlsx)"
)
_QUALITY = (
    "A map can lie. Trustworthiness: 1 where the nearest points on the map are near in the vectors "
    "too; it falls with false neighbours. Nearest kept: of the nearest names by cosine, the share "
    "that are among the nearest on the map too."
)
_NO_MAP = "Draw a map first"
_NOT_DONE = "It is being drawn; what is done can be exported"
_NO_CONCEPT = "Click a point first"


class MapArea(QWidget):
    """Shows a map.

    Signals:
        picked: the id of a concept that was chosen.
        opened: the concept that is chosen is to be shown in Explore.
        unlabelled: a map on show is to be labelled.
    """

    picked = Signal(object)
    opened = Signal()
    unlabelled = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._shown: Shown | None = None
        self._title = self._part = self._encoder = ""
        self._enclosed: NDArray[np.bool_] | None = None
        self.plot = MapPlot(shared.theme)
        self.legend = MapLegend()
        self.enclosed = MapEnclosed(shared)
        self.head = MapHead(shared.session)
        self.facts = quiet()
        self._writing = Questions(self)
        self._lay_out()
        self._connect()
        self.show_map(None, "")

    @property
    def shown(self) -> Shown | None:
        """The map on show."""
        return self._shown

    def close_area(self) -> None:
        """Ends the threads; what is being written is finished."""
        self._writing.close()
        self.enclosed.keep.close_keep()

    def show_map(
        self, shown: Shown | None, hint: str, title: str = "", part: str = "", encoder: str = ""
    ) -> None:
        """Shows a map by its title, which names of what ontology, and whose; or says what to do."""
        self._title, self._part, self._encoder = title, part, encoder
        self.plot.hint = hint
        if shown is None:
            self._show(None, np.empty((0, 2), np.float32))
        elif shown.found is not None:
            self._show(shown, shown.found.positions)
        self._show_labels()
        self._show_facts()

    def label(self, found: NameMap) -> None:
        """Takes the labels of a map, if it is the one on show."""
        shown = self._shown
        if shown is not None and shown.found is not None and shown.found.same_as(found):
            self._shown = replace(shown, found=found)
            self._show_labels()

    def show_live(self, shown: Shown, positions: NDArray[np.float32], title: str) -> None:
        """Shows where the points of a map are while it is made."""
        self._show(shown, positions)
        self.say(f"{title} · {len(positions):,} names of {shown.concepts:,} concepts")

    def _show(self, shown: Shown | None, positions: NDArray[np.float32]) -> None:
        """Shows points; those that were there before stay lit and in view as they are."""
        before, self._shown = self._shown, shown
        if shown is not None and shown is before:
            self.plot.move_points(positions)
            return
        if _same_points(before, shown) and shown is not None:
            self.plot.show_groups(shown.groups)
            self.plot.move_points(positions)
        else:
            self._enclosed = None
            self.plot.show_points(positions, shown.groups if shown else ())
        self._show_legend()
        self._light()
        self.mark_concept()

    def say(self, text: str) -> None:
        """Says how far a map is."""
        self.facts.setText(text)
        self.facts.setToolTip("")
        self._allow()

    @Slot()
    def mark_concept(self) -> None:
        """Marks the concept that is selected."""
        concept, shown = self._shared.selection.concept_id, self._shown
        rows = np.flatnonzero(shown.points.concept_ids == concept) if shown else ()
        self.plot.mark(np.asarray(rows, np.int64))
        self._allow()

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(0)
        side.addWidget(self.legend, 1)
        side.addWidget(self.enclosed, 2)
        self.enclosed.setFixedWidth(self.legend.width())
        self.enclosed.hide()
        middle = QHBoxLayout()
        middle.setSpacing(8)
        middle.addWidget(self.plot, 1)
        middle.addLayout(side)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(8)
        column.addWidget(self.head)
        column.addLayout(middle, 1)
        column.addWidget(self.facts)

    def _connect(self) -> None:
        self.plot.pointed.connect(self._on_pointed)
        self.plot.picked.connect(self._on_picked)
        self.plot.opened.connect(self._on_opened)
        self.plot.enclosed.connect(self._on_enclosed)
        self.enclosed.picked.connect(self._on_picked)
        self.enclosed.opened.connect(self._on_opened)
        self.enclosed.left.connect(self._on_left)
        self.head.labels.toggled.connect(self._show_labels)
        self.head.tool.currentIndexChanged.connect(self._on_tool)
        self.head.filter.textChanged.connect(self._light)
        self.head.show_concept.clicked.connect(self._on_opened)
        self.head.export.clicked.connect(self._on_export)
        self._writing.answered.connect(self._shared.notices.tell)
        self._writing.failed.connect(self._shared.notices.error)
        self._shared.selection.concept_changed.connect(self.mark_concept)
        self._shared.theme.changed.connect(self._show_legend)

    @Slot()
    def _show_legend(self) -> None:
        shown = self._shown
        self.legend.setVisible(shown is not None)
        if shown is not None:
            level = shown.points.level
            title = "Names" if level is None else f"Classes on level {level}"
            rows = [(group, self.plot.colour_of(group)) for group in shown.groups]
            self.legend.show_groups(title, rows)

    def _show_facts(self) -> None:
        shown = self._shown
        found = shown.found if shown else None
        if shown is None or found is None:
            self.say("")
            return
        self.facts.setText(f"{self._title} · {facts_text(found, shown.concepts)}")
        self.facts.setToolTip(f"<p>{_QUALITY}</p>")

    def _allow(self) -> None:
        shown = self._shown
        why = _NO_MAP if shown is None else _NOT_DONE if shown.found is None else ""
        self.head.export.setEnabled(not why)
        self.head.export.setToolTip(why or "The picture as PNG, SVG or PDF, or the coordinates")
        marked = bool(len(self.plot.marked))
        self.head.show_concept.setEnabled(marked)
        self.head.show_concept.setToolTip("Enter on the map does too" if marked else _NO_CONCEPT)

    @Slot()
    def _light(self) -> None:
        """Lights up what is searched for and what is enclosed, where there is either."""
        shown, text = self._shown, self.head.filter.text().strip().casefold()
        lit = self._enclosed
        if shown is not None and text:
            found = np.fromiter((text in name for name in shown.folded), bool, len(shown.folded))
            lit = found if lit is None else lit & found
        self.plot.light(lit)
        names = 0 if lit is None else int(lit.sum())
        self.head.count.setText("" if lit is None else f"{names:,} name{'s' * (names != 1)} lit up")
        self.enclosed.setVisible(self._enclosed is not None)
        if shown is not None and self._enclosed is not None and lit is not None:
            rows = np.flatnonzero(lit).tolist()
            self.enclosed.show_rows(shown.request.release_id, shown.points, rows)

    @Slot()
    def _show_labels(self) -> None:
        """Writes on the map what is known of its clusters, or asks for it."""
        found = self._shown.found if self._shown else None
        labels = found.labels if found else ()
        self.plot.show_labels(labels or () if self.head.labels.isChecked() else ())
        if labels is None and self.head.labels.isChecked():
            self.unlabelled.emit(found)

    @Slot()
    def _on_tool(self) -> None:
        self.plot.tool = self.head.tool.currentData()

    @Slot(int)
    def _on_pointed(self, point: int) -> None:
        if self._shown is None or point < 0:
            return
        points = self._shown.points
        lines = [f"<b>{escape(points.names[point])}</b>", escape(points.concepts[point])]
        if points.classes:
            lines.append(escape(class_text(points, point) or f"no class on level {points.level}"))
        QToolTip.showText(QCursor.pos(), "<br>".join(lines), self.plot)

    @Slot(int)
    def _on_picked(self, point: int) -> None:
        if self._shown is not None:
            self.picked.emit(int(self._shown.points.concept_ids[point]))

    @Slot()
    def _on_opened(self) -> None:
        if len(self.plot.marked):
            self.opened.emit()

    @Slot(object)
    def _on_enclosed(self, enclosed: NDArray[np.bool_] | None) -> None:
        self._enclosed = enclosed if enclosed is not None and enclosed.any() else None
        self._light()

    @Slot()
    def _on_left(self) -> None:
        self._on_enclosed(None)
        self.plot.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_export(self) -> None:
        if self._shown is None or self._shown.found is None:
            return
        name = self._title.replace("/", "-")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", f"{name}.png", _FILES)
        if chosen:
            labels = self.head.labels.isChecked()
            work = partial(_write, Path(chosen), self._shown, self._part, self._encoder, labels)
            self._writing.ask(work)


def _write(path: Path, shown: Shown, part: str, encoder: str, labels: bool) -> str:
    """Writes a file in the background, and says so."""
    if shown.found is not None:
        write_map(path, shown.found, shown.points, part, encoder, labels)
    return f"Exported the map to {path}"


def _same_points(one: Shown | None, other: Shown | None) -> bool:
    """Whether two show one map, perhaps in other colours."""
    if one is None or other is None or one.request != other.request:
        return False
    return one.points.names == other.points.names
