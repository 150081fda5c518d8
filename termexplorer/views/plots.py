"""Plots in the colours of the theme. Imports pyqtgraph: only for pages that draw."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from termexplorer.views.theme import Theme

# Okabe and Ito's colours, those that show on both grounds; never without a dash or label as well
CURVES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)


class Plot(QWidget):
    """One plot; `self.plot` is pyqtgraph's widget.

    Args:
        theme: gives colours.
        title: for screen readers, and as the heading.
        bottom: what is along the x axis.
    """

    def __init__(self, theme: Theme, title: str, bottom: str = "") -> None:
        super().__init__()
        self.theme = theme
        self._bottom = bottom
        self.plot: Any = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setAccessibleName(title)
        self.plot.setFrameShape(self.plot.Shape.NoFrame)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.item: Any = self.plot.getPlotItem()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        theme.changed.connect(self.paint_theme)
        self.paint_theme()

    @Slot()
    def paint_theme(self) -> None:
        """Takes colours and text size from the theme."""
        colours = self.theme.colours
        self.plot.setBackground(colours.panel)
        font = QApplication.font()
        font.setPointSizeF(font.pointSizeF() * 0.9)
        for name in ("left", "bottom"):
            axis = self.item.getAxis(name)
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.quiet))
            axis.setTickFont(font)
            axis.setStyle(tickLength=-4)
        if self._bottom:
            style = {"color": colours.quiet, "font-size": f"{font.pointSizeF():.1f}pt"}
            self.item.setLabel("bottom", self._bottom, **style)
        self.item.showGrid(y=True, alpha=0.12)


def curve_pen(number: int, width: float = 1.8) -> Any:
    """The pen of the n-th curve: colours go round first, then dashes change too."""
    colour = CURVES[number % len(CURVES)]
    return pg.mkPen(colour, width=width, style=_DASHES[number % len(_DASHES)])
