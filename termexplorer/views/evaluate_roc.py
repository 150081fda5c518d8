"""ROC curves of encoders on a pair set. Imports pyqtgraph."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot

from termexplorer.services.pair_details import PairDetails
from termexplorer.texts import tr, trn
from termexplorer.views.evaluate_plot import LegendPlot
from termexplorer.views.theme import Theme

_MARGIN = 0.02


class RocPlot(LegendPlot):
    """A curve for each encoder, and the diagonal that chance would give."""

    def __init__(self, theme: Theme) -> None:
        self._chance: Any = None
        super().__init__(theme, tr("ROC curves"), tr("false positives"), tr("true positives"))
        self.item.setLimits(
            xMin=-_MARGIN, xMax=1 + _MARGIN, yMin=-_MARGIN, yMax=1 + _MARGIN, minXRange=0.01
        )

    def show_details(self, details: Sequence[PairDetails], labels: Mapping[int, str]) -> None:
        """Draws the curves of the encoders that are still there."""
        there = [each for each in details if each.encoder_id in labels]
        self.show_curves([(labels[each.encoder_id], *each.curve) for each in there])
        if self._chance is not None:
            self.item.removeItem(self._chance)
        self._chance = pg.PlotCurveItem([0, 1], [0, 1])
        self.item.addItem(self._chance)
        for axis in (self.item.setXRange, self.item.setYRange):
            axis(0, 1, padding=_MARGIN)
        self.plot.setAccessibleDescription(
            trn(
                "{n} curve over false positives, and chance",
                "{n} curves over false positives, and chance",
                len(there),
            )
        )
        self.paint_theme()

    @Slot()
    def paint_theme(self) -> None:
        """Draws the diagonal in the colours of the theme."""
        super().paint_theme()
        if self._chance is not None:
            pen = pg.mkPen(self.theme.colours.quiet, width=1, style=Qt.PenStyle.DotLine)
            self._chance.setPen(pen)
