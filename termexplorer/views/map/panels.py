"""One to four maps of the same points side by side, moved, marked and enclosed as one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from termexplorer.services.map.points import PointGroup
from termexplorer.services.map.projection import MapLabel
from termexplorer.texts import tr
from termexplorer.views.map.outline import Tool
from termexplorer.views.map.plot import MapPlot
from termexplorer.views.map.view import Float32s
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import plain_column
from termexplorer.views.widgets.theme import Theme

_COLUMNS = 2
_SPARE = 1 / 8  # of the side: room for points that move out of view, so that it is seldom made


@dataclass(frozen=True, eq=False)
class MapPanelContent:
    """What one of several maps shows.

    Attributes:
        title: over it.
        hint: what it says while there are no points.
        positions: (n, 2) float32; none while it is not there.
        facts: under it.
        arrows: (m, 2, 2) float32 from places to places.
    """

    title: str
    hint: str = ""
    positions: Float32s = field(default_factory=lambda: np.empty((0, 2), np.float32))
    facts: str = ""
    arrows: Float32s = field(default_factory=lambda: np.empty((0, 2, 2), np.float32))


class MapPanel(QWidget):
    """A map between its title and its figures, which are there when there are several maps."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.plot, self.facts = ElidedLabel(), MapPlot(theme), ElidedLabel()
        self.facts.setProperty("quiet", True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        column = plain_column(self)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.plot, 1)
        column.addWidget(self.facts)

    def tell(self, facts: str) -> None:
        """Says something under it."""
        self.facts.setText(facts)
        self.facts.setToolTip(facts)


class MapPanels(QWidget):
    """Shows maps; what is done with one is done with all.

    Signals:
        pointed: the mouse is over a point (its number), or over none (-1).
        picked: the number of a point that was chosen.
        opened: Enter was pressed.
        enclosed: (n,) bool, the points in a lasso or rectangle; None when they are let go.
    """

    pointed = Signal(int)
    picked = Signal(int)
    opened = Signal()
    enclosed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._following = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        self.panels: list[MapPanel] = []
        self._have(1)

    @property
    def plots(self) -> list[MapPlot]:
        """The maps; the first is always there."""
        return [panel.plot for panel in self.panels]

    def show_points(
        self, sheets: Sequence[MapPanelContent], groups: Sequence[PointGroup], *, stay: bool
    ) -> None:
        """Shows other points, all of them in view; or what was looked at, if that is to stay."""
        first = self.plots[0]
        view = None if first.whole or not stay else first.view
        self._have(len(sheets))
        self._tell(sheets)
        for plot, sheet in zip(self.plots, sheets, strict=True):
            plot.show_points(sheet.positions, groups)
        if view is not None:
            first.look(view)

    def show_groups(self, groups: Sequence[PointGroup]) -> None:
        """Shows the same points in other colours."""
        for plot in self.plots:
            plot.show_groups(groups)

    def move_points(self, sheets: Sequence[MapPanelContent]) -> None:
        """Shows where the same points are by now."""
        self._tell(sheets)
        for plot, sheet in zip(self.plots, sheets, strict=True):
            plot.move_points(sheet.positions)

    def move_one(self, number: int, positions: Float32s, facts: str) -> None:
        """Shows where the points of one map are by now.

        The others stay where they are, unless there is no room for its points beside theirs.
        """
        panel = self.panels[number]
        panel.tell(facts)
        if len(self.panels) > 1:
            self._make_room(panel, positions)
        panel.plot.move_points(positions)

    def show_labels(self, labels: Sequence[Sequence[MapLabel]]) -> None:
        """Writes on each map."""
        for plot, map_labels in zip(self.plots, labels, strict=False):
            plot.show_labels(map_labels)

    def say(self, number: int, hint: str) -> None:
        """Says something on one map while it has no points."""
        plot = self.plots[number]
        plot.hint = hint
        plot.update()

    def use(self, tool: Tool) -> None:
        """Has dragging do this on all maps."""
        for plot in self.plots:
            plot.tool = tool

    def light(self, lit: NDArray[np.bool_] | None) -> None:
        """Leaves these points their colours; None lights all."""
        for plot in self.plots:
            plot.light(lit)

    def mark(self, points: NDArray[np.int64]) -> None:
        """Draws rings around points."""
        for plot in self.plots:
            plot.mark(points)

    def _have(self, count: int) -> None:
        """Has as many maps as are needed."""
        while len(self.panels) > count:
            panel = self.panels.pop()
            self._grid.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        while len(self.panels) < count:
            self._add(MapPanel(self._theme))
        for number in range(_COLUMNS):
            self._grid.setColumnStretch(number, int(number < count))
            self._grid.setRowStretch(number, int(number * _COLUMNS < count))
        for panel in self.panels:
            for line in (panel.title, panel.facts):
                line.setVisible(count > 1)
            panel.plot.setAccessibleName(tr("Map"))

    def _add(self, panel: MapPanel) -> None:
        number, plot = len(self.panels), panel.plot
        if self.panels:
            plot.tool = self.panels[0].plot.tool
        self.panels.append(panel)
        self._grid.addWidget(panel, number // _COLUMNS, number % _COLUMNS)
        plot.pointed.connect(self._on_pointed)
        plot.picked.connect(self.picked)
        plot.opened.connect(self.opened)
        plot.enclosed.connect(self.enclosed)
        plot.viewed.connect(self._on_viewed)

    def _tell(self, sheets: Sequence[MapPanelContent]) -> None:
        extent = np.concatenate([_bounding_corners(sheet.positions) for sheet in sheets])
        for panel, sheet in zip(self.panels, sheets, strict=True):
            panel.title.setText(sheet.title)
            panel.title.tell_apart_from([content.title for content in sheets])
            panel.tell(sheet.facts)
            panel.plot.hint = sheet.hint
            panel.plot.show_arrows(sheet.arrows)
            panel.plot.extent = extent if len(sheets) > 1 else None
            if sheet.title:
                panel.plot.setAccessibleName(tr("Map by {encoder}", encoder=sheet.title))

    def _make_room(self, moving: MapPanel, positions: Float32s) -> None:
        """Has a map's points in view; beside other maps with more room than it needs by now."""
        inside = [panel.plot.positions for panel in self.panels if panel is not moving]
        extent, needed = moving.plot.extent, _bounding_corners(positions)
        if any(len(points) for points in inside) and extent is not None:
            low, high = extent.min(axis=0), extent.max(axis=0)
            spare = (high - low) * _SPARE
            less, more = needed[0] < low, needed[1] > high
            if not (less.any() or more.any()):
                return
            least = np.where(less, needed[0] - spare, low)
            needed = np.stack((least, np.where(more, needed[1] + spare, high)))
        for plot in self.plots:
            plot.extent = needed
        for plot in self.plots:
            if plot.whole:
                plot.show_all()

    @Slot()
    def _on_viewed(self) -> None:
        """Has the other maps show the same part."""
        shown = self.sender()
        if self._following or not isinstance(shown, MapPlot):
            return
        self._following = True
        for plot in self.plots:
            if plot is not shown and shown.whole:
                plot.show_all()
            elif plot is not shown:
                plot.look(replace(shown.view, width=plot.view.width, height=plot.view.height))
        self._following = False

    @Slot(int)
    def _on_pointed(self, point: int) -> None:
        for plot in self.plots:
            plot.hover(point if plot is not self.sender() else -1)
        self.pointed.emit(point)


def _bounding_corners(positions: Float32s) -> Float32s:
    """The lowest and the highest coordinates, (2, 2), or none of no points."""
    if not len(positions):
        return positions
    return np.stack((positions.min(axis=0), positions.max(axis=0)))
