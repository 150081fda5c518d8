"""How many similar pairs are easy, by threshold. Imports pyqtgraph."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot

from termexplorer.services.pairs.sets import SOURCES, PairSets, easy_by_threshold
from termexplorer.texts import tr, translated
from termexplorer.views.evaluate.plot import LegendPlot
from termexplorer.views.widgets.theme import Theme

_FARTHEST = 30  # edits
_MARGIN = 0.02


class ThresholdPlot(LegendPlot):
    """A curve for each source of similar pairs, and a line at the threshold.

    Attributes:
        shares_text: what the shares are at the threshold, in words.
    """

    def __init__(self, theme: Theme) -> None:
        self._line: Any = None
        self._shares: dict[str, Sequence[float]] = {}
        self._threshold = 0
        self.shares_text = ""
        super().__init__(
            theme, tr("Easy pairs by threshold"), tr("threshold in edits"),
            tr("share of easy pairs"),
        )  # fmt: skip
        self._line = pg.InfiniteLine(0, angle=90)
        self.item.setLimits(
            xMin=-1, xMax=_FARTHEST + 1, yMin=-_MARGIN, yMax=1 + _MARGIN, minXRange=2
        )

    def show_made(self, pair_sets: PairSets) -> None:
        """Draws the sources that there are."""
        sources = [source for source in SOURCES if sum(pair_sets.distances.get(source, ()))]
        self._shares = {
            source: easy_by_threshold(pair_sets, source, _FARTHEST) for source in sources
        }
        edits = list(range(_FARTHEST + 1))
        self.show_curves(
            [(translated(SOURCES[source]), edits, self._shares[source]) for source in sources]
        )
        if self._line not in self.item.items:
            self.item.addItem(self._line, ignoreBounds=True)
        self.item.setXRange(0, _FARTHEST, padding=_MARGIN)
        self.item.setYRange(0, 1, padding=_MARGIN)
        self.paint_theme()
        self.show_threshold(self._threshold)

    def show_threshold(self, threshold: int) -> None:
        """Moves the line."""
        self._threshold = threshold
        if self._line is not None:
            self._line.setValue(threshold)
        at = min(threshold, _FARTHEST)
        shares = ", ".join(
            tr("{share:.0%} of {source}", share=share[at], source=translated(SOURCES[source]))
            for source, share in self._shares.items()
        )
        threshold_text = tr(
            "Easy up to {threshold} edits: {shares}.", threshold=threshold, shares=shares
        )
        self.shares_text = threshold_text if shares else ""
        self.plot.setAccessibleDescription(self.shares_text)

    @Slot()
    def paint_theme(self) -> None:
        """Draws the line in the colours of the theme."""
        super().paint_theme()
        if self._line is not None:
            pen = pg.mkPen(self.theme.colours.text, width=1, style=Qt.PenStyle.DashLine)
            self._line.setPen(pen)
