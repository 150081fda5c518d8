"""Some PySide6 releases lose references to True and False while a plot is panned."""

import sys

import pyqtgraph
from pytestqt.qtbot import QtBot


def test_panning_a_plot_loses_no_references(qtbot: QtBot) -> None:
    plot = pyqtgraph.PlotWidget()
    qtbot.addWidget(plot)
    plot.plot([0, 1, 2], [0, 1, 0])
    plot.show()
    view = plot.getViewBox()
    view.translateBy(x=0.1)
    before = sys.getrefcount(True) + sys.getrefcount(False)
    for step in range(500):
        view.translateBy(x=0.1 if step % 2 else -0.1)
    after = sys.getrefcount(True) + sys.getrefcount(False)
    assert after > before - 250
