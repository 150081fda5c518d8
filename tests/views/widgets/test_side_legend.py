"""The legend of figures: beside the curves, whole in its tool tips, and never over them."""

import pytest
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.plain_text import plain_tip
from termexplorer.services.evaluate.curves import CurvePoint, Curves
from termexplorer.views.evaluate.plot import FigurePlot
from termexplorer.views.widgets.plots import curve_pen


def curves(count: int) -> Curves:
    points = [CurvePoint(level, 0.5, 0.4, 0.6, 9) for level in (1, 2, 3)]
    names = [f"few-shot, 15 names a class, level 1, <{n}> hidden #{n}" for n in range(count)]
    return Curves("mAP on each level", "level", "mAP", dict.fromkeys(names, points))


@pytest.mark.parametrize("size", [(850, 300), (500, 200), (1600, 700)])
def test_the_legend_covers_no_curve(
    qtbot: QtBot, desk: WindowController, size: tuple[int, int]
) -> None:
    plot = FigurePlot(desk.shared.theme)
    qtbot.addWidget(plot)
    plot.show()
    plot.resize(*size)
    for count in (16, 1, 40, 3):
        plot.show_figures(curves(count))
        legend, view = plot._legend, plot.item.vb
        qtbot.waitUntil(
            lambda legend=legend, view=view: (
                not legend.sceneBoundingRect().intersects(view.sceneBoundingRect())
            )
        )
        shown = plot.plot.sceneRect()
        assert legend.sceneBoundingRect().right() <= shown.right() + 1
        assert legend.sceneBoundingRect().bottom() <= shown.bottom() + 1
        assert view.sceneBoundingRect().width() > size[0] / 3
        labels = [label for _, label in legend.items]
        assert [label.toolTip() for label in labels] == list(map(plain_tip, plot.names))
        rows = [label.sceneBoundingRect() for label in labels]
        assert not any(a.intersects(b) for n, a in enumerate(rows) for b in rows[:n])


def test_two_dozen_curves_are_told_apart() -> None:
    pens = [curve_pen(number) for number in range(24)]
    assert len({(pen.color().name(), pen.style()) for pen in pens}) == 24
