"""The right of the Map page: the map with its legend, search, and what is known of it."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QHBoxLayout, QToolTip, QVBoxLayout, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.map.projection import NameMap
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.map.enclosed import MapEnclosed
from termexplorer.views.map.head import MapHead
from termexplorer.views.map.kept_maps import KeptMaps
from termexplorer.views.map.legend import MapLegend
from termexplorer.views.map.panels import MapPanelContent, MapPanels
from termexplorer.views.map.plot import MapPlot
from termexplorer.views.map.sheets import (
    card_html,
    facts_of,
    same_map,
    same_points,
    sheets_of,
    still_enclosed,
    write_shown,
)
from termexplorer.views.map.shown import Laid, Shown
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.forms import quiet
from termexplorer.views.window.page import Shared

_FILES = mark(
    "PNG (*.png);;SVG (*.svg);;PDF (*.pdf);;Coordinates, CSV (*.csv);;Coordinates, XLSX (*.xlsx)"
)
_QUALITY = mark(
    "A map can lie. Trustworthiness: 1 where the nearest points on the map are near in the vectors "
    "too; it falls with false neighbours. Nearest kept: of the nearest names by cosine, the share "
    "that are among the nearest on the map too."
)
_NO_MAP = mark("Draw a map first")
_NOT_DONE = mark("It is being drawn; what is done can be exported")
_NO_CONCEPT = mark("Click a point first")


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
        self._title = self._part = ""
        self._encoders: tuple[str, ...] = ()
        self._enclosed: NDArray[np.bool_] | None = None
        self.panels = MapPanels(shared.theme)
        self.legend = MapLegend()
        self.enclosed = MapEnclosed(shared)
        self.head, self.kept_maps = MapHead(shared.session), KeptMaps()
        self.facts = quiet()
        self._writing = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self.show_none("")

    @property
    def plot(self) -> MapPlot:
        """The first map."""
        return self.panels.plots[0]

    @property
    def shown(self) -> Shown | None:
        """The map on show."""
        return self._shown

    def close_area(self) -> None:
        """Ends the threads; what is being written is finished."""
        self._writing.close()
        self.enclosed.keep.close_keep()

    def show_map(
        self,
        shown: Shown,
        hints: Sequence[str],
        title: str,
        part: str,
        encoders: tuple[str, ...],
    ) -> None:
        """Shows maps.

        Args:
            shown: the maps.
            hints: what is said in the place of each that is not there.
            title: of the first.
            part: which names of what ontology they are of.
            encoders: what those are called that are to be side by side.
        """
        self._title, self._part, self._encoders = title, part, encoders
        self._show(shown, sheets_of(shown, encoders, hints))
        self._show_labels()
        self.kept_maps.select(shown.maps[0].info.content_hash if shown.maps else "")
        self.facts.setText(facts_of(shown, title))
        self.facts.setToolTip(f"<p>{translated(_QUALITY)}</p>" if shown.maps else "")

    def show_none(self, *hints: str, encoders: tuple[str, ...] = ("",)) -> None:
        """Shows no points, but says what to do or what is done, in the place of each map."""
        sheets = [MapPanelContent(*content) for content in zip(encoders, hints, strict=True)]
        self._show(None, sheets)
        self.kept_maps.select("")
        self.facts.setText("")
        self.facts.setToolTip("")

    @Slot(object)
    def label(self, name_map: NameMap) -> None:
        """Takes the labels of a map, if it is on show."""
        shown = self._shown
        if shown is not None and any(shown_map.same_as(name_map) for shown_map in shown.maps):
            self._shown = shown.with_labels(name_map)
            self._show_labels()

    def show_live(self, laid: Laid) -> None:
        """Shows where the points of a map are while it is made."""
        if self._shown is not None and laid.name_ids is self._shown.name_ids:
            self.panels.move_one(laid.number, laid.positions, laid.facts)

    def say(self, number: int, hint: str) -> None:
        """Says how far a map is that has no points yet."""
        if number < len(self.panels.panels):
            self.panels.say(number, hint)

    def _show(self, shown: Shown | None, sheets: list[MapPanelContent]) -> None:
        """Shows points; those that were there before stay lit and in view as they are."""
        before, self._shown = self._shown, shown
        self._enclosed = still_enclosed(self._enclosed, before, shown)
        groups = shown.colours.groups if shown else ()
        if same_points(before, shown) and len(sheets) == len(self.panels.panels):
            self.panels.show_groups(groups)
            self.panels.move_points(sheets)
        else:
            self.panels.show_points(sheets, groups, stay=same_map(before, shown))
        self._show_legend()
        self._light()
        self.mark_concept()

    @Slot()
    def mark_concept(self) -> None:
        """Marks the concept that is selected."""
        concept, shown = self._shared.selection.concept_id, self._shown
        rows = np.flatnonzero(shown.points.concept_ids == concept) if shown else ()
        self.panels.mark(np.asarray(rows, np.int64))
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
        middle.addWidget(self.panels, 1)
        middle.addLayout(side)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(8)
        column.addWidget(self.kept_maps)
        column.addWidget(self.head)
        column.addLayout(middle, 1)
        column.addWidget(self.facts)

    def _connect(self) -> None:
        self.panels.pointed.connect(self._on_pointed)
        self.panels.picked.connect(self._on_picked)
        self.panels.opened.connect(self._on_opened)
        self.panels.enclosed.connect(self._on_enclosed)
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
            rows = [(group, self.plot.colour_of(group)) for group in shown.colours.groups]
            self.legend.show_groups(shown.colours.legend, rows)

    def _allow(self) -> None:
        shown = self._shown
        why = _NO_MAP if shown is None else _NOT_DONE if shown.moving else ""
        self.head.export.setEnabled(not why)
        tip = tr("The picture as PNG, SVG or PDF, or the coordinates")
        self.head.export.setToolTip(translated(why) or tip)
        marked = bool(len(self.plot.marked))
        self.head.show_concept.setEnabled(marked)
        tip = tr("Enter on the map does too") if marked else translated(_NO_CONCEPT)
        self.head.show_concept.setToolTip(tip)

    @Slot()
    def _light(self) -> None:
        """Lights up what is searched for and what is enclosed, where there is either."""
        shown, text = self._shown, fold_text(self.head.filter.text().strip())
        lit = self._enclosed
        if shown is not None and text:
            is_match = np.fromiter((text in name for name in shown.folded), bool, len(shown.folded))
            lit = is_match if lit is None else lit & is_match
        self.panels.light(lit)
        names = 0 if lit is None else int(lit.sum())
        count_text = trn("{n:,} name highlighted", "{n:,} names highlighted", names)
        self.head.show_count("" if lit is None else count_text)
        self.enclosed.setVisible(self._enclosed is not None)
        if shown is not None and self._enclosed is not None and lit is not None:
            rows = np.flatnonzero(lit).tolist()
            self.enclosed.show_rows(shown.request.release_id, shown.points, rows)

    @Slot()
    def _show_labels(self) -> None:
        """Writes on the map what is known of its clusters, or asks for it."""
        shown, wanted = self._shown, self.head.labels.isChecked()
        if shown is None:
            return
        self.panels.show_labels([map_labels if wanted else () for map_labels in shown.labels])
        for name_map in shown.maps if wanted else ():
            if name_map.labels is None:
                self.unlabelled.emit(name_map)

    @Slot()
    def _on_tool(self) -> None:
        self.panels.use(self.head.tool.currentData())

    @Slot(int)
    def _on_pointed(self, point: int) -> None:
        if self._shown is not None and point >= 0:
            QToolTip.showText(QCursor.pos(), card_html(self._shown, point), self.panels)

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
        if self._shown is None:
            return
        stored_map = self.kept_maps.shown
        name = (
            f"{stored_map.info.title if stored_map and stored_map.info.title else self._title}.png"
        )
        if path := ask_save_path(self, "maps", tr("Export"), name, translated(_FILES)):
            labels = self.head.labels.isChecked()
            work = partial(write_shown, path, self._shown, self._part, self._encoders, labels)
            self._writing.ask(work)
