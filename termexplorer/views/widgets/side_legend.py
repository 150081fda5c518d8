"""The legend of a plot at its right, so that it covers no curve. Imports pyqtgraph."""

from html import unescape
from math import ceil
from typing import Any

from PySide6.QtGui import QFont, QFontMetricsF

from termexplorer.plain_text import plain_html, plain_tip
from termexplorer.short_names import shorten_names

_COLUMN = 3  # of the plot item's grid, right of all that it puts there itself
_SAMPLE = 38  # pixels that a curve's sample and the gaps around it take
_LOWEST = 20  # pixels, as high as a sample
_MARGIN = 8
_GAP = 2  # around a name
_MOST = 0.45  # of the plot's width


class SideLegend:
    """Lays a plot's legend out: as many columns as its height asks for, long names shortened.

    Args:
        item: pyqtgraph's plot item, with a legend.
    """

    def __init__(self, item: Any) -> None:
        self._item, self._legend = item, item.legend
        self._legend.size = (0, 0)  # or it would take a size of its own
        self._legend.layout.setContentsMargins(0, 0, 0, 0)
        self._legend.setParentItem(item)
        self._legend.anchor((1, 0), (1, 0), (0, 0))

    def fit(self, width: float, height: float, font: QFont) -> None:
        """Takes what room it needs of a plot of this size, in pixels."""
        names = [unescape(sample.item.name()) for sample, _ in self._legend.items]
        metrics = QFontMetricsF(font)
        row = max(_LOWEST, metrics.height() + 2 * _GAP)
        columns = ceil(len(names) / max((height - _MARGIN) // row, 1)) or 1
        longest = max((metrics.horizontalAdvance(name) + 1 for name in names), default=0)
        room = max(min(longest, _MOST * width / columns - _SAMPLE), 0)
        self._legend.setLabelTextSize(f"{font.pointSizeF():.1f}pt")
        shortened = shorten_names(names, room, metrics.horizontalAdvance)
        labels = [label for _, label in self._legend.items]
        for label, name, short in zip(labels, names, shortened, strict=True):
            label.item.document().setDocumentMargin(_GAP)
            label.setText(plain_html(short))
            label.setToolTip(plain_tip(name))
        self._legend.setColumnCount(columns)
        whole = columns * (room + _SAMPLE)
        self._legend.resize(whole, ceil(len(names) / columns) * row)
        self._item.layout.setColumnFixedWidth(_COLUMN, whole + _MARGIN)
