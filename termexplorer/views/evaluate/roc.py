"""ROC curves of encoders on a pair set. Imports pyqtgraph."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot

from termexplorer.services.evaluate.pair_details import PairDetails
from termexplorer.texts import number, tr, trn
from termexplorer.views.evaluate.plot import LegendPlot
from termexplorer.views.widgets.theme import Theme

_MARGIN = 0.02
_CURVES, _LEGEND = (2, 1), 3  # row and column of a plot item's grid; the column of the legend
_PAD, _SMALLEST = 24, 60  # pixels


class RocPlot(LegendPlot):
    """A curve for each encoder, and the diagonal that chance would give."""

    def __init__(self, theme: Theme) -> None:
        self._chance: Any = None
        across, up = tr("false positive rate"), tr("true positive rate")
        super().__init__(theme, tr("ROC curves"), across, up)
        self.item.getAxis("bottom").setStyle(hideOverlappingLabels=False)  # or 1 has no label
        self.item.setLimits(
            xMin=-_MARGIN, xMax=1 + _MARGIN, yMin=-_MARGIN, yMax=1 + _MARGIN, minXRange=0.01
        )

    def show_details(
        self,
        details: Sequence[PairDetails],
        labels: Mapping[int, str],
        areas: Mapping[int, float],
    ) -> None:
        """Draws the curves of the encoders that are still there, named with their areas."""
        known_details = [detail for detail in details if detail.encoder_id in labels]
        self.show_curves(
            [(_curve_label(detail, labels, areas), *detail.curve) for detail in known_details]
        )
        if self._chance is not None:
            self.item.removeItem(self._chance)
        self._chance = pg.PlotCurveItem([0, 1], [0, 1])
        self.item.addItem(self._chance)
        for axis in (self.item.setXRange, self.item.setYRange):
            axis(0, 1, padding=_MARGIN)
        self.plot.setAccessibleDescription(
            trn(
                "{n} curve over the false positive rate, and chance",
                "{n} curves over the false positive rate, and chance",
                len(known_details),
            )
        )
        self.paint_theme()

    def _fit_legend(self) -> None:
        """Keep the curves in a square, left of their legend."""
        super()._fit_legend()
        if self._beside is None:
            return
        axes, layout = (self.item.getAxis("left"), self.item.getAxis("bottom")), self.item.layout
        across = self.width() - axes[0].width() - layout.columnMaximumWidth(_LEGEND) - _PAD
        side = max(min(across, self.height() - axes[1].height() - _PAD), _SMALLEST)
        layout.setColumnFixedWidth(_CURVES[1], side)
        layout.setRowFixedHeight(_CURVES[0], side)

    @Slot()
    def paint_theme(self) -> None:
        """Draws the diagonal in the colours of the theme."""
        super().paint_theme()
        if self._chance is not None:
            pen = pg.mkPen(self.theme.colours.quiet, width=1, style=Qt.PenStyle.DotLine)
            self._chance.setPen(pen)


def _curve_label(
    details: PairDetails, labels: Mapping[int, str], areas: Mapping[int, float]
) -> str:
    label, area = labels[details.encoder_id], areas.get(details.encoder_id)
    if area is None or area != area:
        return label
    return tr("{label}, AUC {area}", label=label, area=number(area, ".3f"))
