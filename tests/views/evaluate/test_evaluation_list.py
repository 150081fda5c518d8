"""The list of evaluations in a window of the usual size: what each came to can be read."""

import pytest
from pytestqt.qtbot import QtBot
from toy_window import show

from termexplorer.desk import WindowController
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo

WIDE = 1280


@pytest.mark.parametrize("metric", ["mAP", "spearman", "accuracy"])
def test_the_highest_figure_and_its_encoder_have_columns_of_their_own(
    qtbot: QtBot, desk: WindowController, metric: str
) -> None:
    desk.window.resize(WIDE, 770)
    page = show(desk, "evaluate")
    table = page.results.list
    figures = tuple(
        FigureInfo(encoder, "ranking", "hash", metric, value, value - 0.1, value + 0.1, 240)
        for encoder, value in ((1, 0.612), (2, 0.4))
    )
    page.results.show_evaluations(
        (Evaluated("ranking", "a long title of data " * 5, "hash", metric, figures, level=2),),
        {1: "few-shot on level 2 #15", 2: "TF-IDF #1"},
    )
    qtbot.waitUntil(table.isVisible)
    model = table.model()
    texts = [model.index(0, column).data() for column in range(model.columnCount())]
    figure = texts.index(f"{metric} 0.612")
    assert texts[figure + 1] == "few-shot on level 2 #15"
    for column in (figure, figure + 1):
        assert table.sizeHintForIndex(model.index(0, column)).width() <= table.columnWidth(column)
