"""What is shown can be read: after a change of theme, and in a run card."""

import gc

from PySide6.QtCore import QEvent
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.services.train.run_cards import card_text
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.train.run_card_html import card_html
from termexplorer.views.widgets.run_curves import CurvePlot
from termexplorer.views.widgets.theme import Scheme


def test_legends_follow_the_theme(qtbot: QtBot, desk: WindowController) -> None:
    theme = desk.shared.theme
    theme.use(Scheme.LIGHT)
    plot = CurvePlot(theme, "Loss")
    qtbot.addWidget(plot)
    plot.show_curves([("run 1", [1, 2], [0.5, 0.25])])
    theme.use(Scheme.DARK)
    (label,) = (label for _, label in plot._legend.items)
    assert theme.colours.text in label.item.toHtml()


class Watching(QWidget):
    """Notes whether Python could collect a widget while all of them are told of another look."""

    def __init__(self) -> None:
        super().__init__()
        self.collecting: list[bool] = []

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        self.collecting.append(gc.isenabled())
        super().changeEvent(event)


def test_nothing_is_collected_while_widgets_change_their_look(
    qtbot: QtBot, desk: WindowController
) -> None:
    watching = Watching()
    qtbot.addWidget(watching)
    watching.show()
    watching.collecting.clear()
    gc.enable()
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        desk.shared.theme.use(scheme, 1.25)
    assert watching.collecting
    assert not any(watching.collecting)
    assert gc.isenabled()


def figure(task: str, trained: bool, value: float) -> dict[str, object]:
    low, high = value - 0.1, value + 0.1
    span = {"value": value, "low": low, "high": high}
    return {"task": task, "metric": "MRR", "trained": trained, "n": 1234, "encoder": "x", **span}


def test_a_card_sets_the_trained_encoder_beside_what_lies_beneath() -> None:
    figures = [figure("hypernyms", False, 0.25), figure("hypernyms", True, 0.5)]
    figures.append(figure("<ranking>", True, 0.75))
    html = card_html({"run": 7, "notes": "", "figures": figures, "seed": 0}, "#888888")
    rows = html.split("<tr>")
    (hypernyms,) = (row for row in rows if "Hypernyms, MRR" in row)
    assert hypernyms.index("0.500 [0.400, 0.600]") < hypernyms.index("0.250 [0.150, 0.350]")
    assert "1,234" in hypernyms
    (ranking,) = (row for row in rows if "&lt;ranking&gt;, MRR" in row)
    assert "–" in ranking
    assert "notes" not in html
    assert "seed" in html


def test_a_card_shows_no_figure_of_a_single_item() -> None:
    alone = figure("hypernyms", True, 0.5) | {"n": 1}
    difference = alone | {"difference": 0.25, "p_corrected": 1.0}
    card = {"run": 7, "figures": [alone], "differences": [difference]}
    for text in (card_html(card, "#888888"), card_text(card)):
        assert "0.500" not in text
        assert "0.250" not in text
        assert "–" in text


def test_no_figure_of_a_card_is_broken_in_a_narrow_window(qapp: QApplication) -> None:
    figures = [figure("hypernyms", False, 0.25), figure("hypernyms", True, 0.5)]
    card = {"status": "finished", "figures": figures, "notes": "rather a long text " * 9}
    document = QTextDocument()
    document.setHtml(card_html(card, "#888888"))
    document.setTextWidth(200)
    document.size()  # lays it out
    lines: dict[str, int] = {}
    block = document.begin()
    while block.isValid():
        lines[" ".join(block.text().split())] = block.layout().lineCount()
        block = block.next()
    whole = ("status", "Hypernyms, MRR", "0.500 [0.400, 0.600]", "0.250 [0.150, 0.350]", "1,234")
    assert [lines[text] for text in whole] == [1] * len(whole)
    assert max(lines.values()) > 3


def test_few_classes_fill_the_chart(qtbot: QtBot, desk: WindowController) -> None:
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    page.side.rules.few_shot.click()
    page.side.rules.largest.setChecked(False)  # or the class without names would go
    chart = page.content.chart
    qtbot.waitUntil(lambda: chart.bars == 2)
    low, high = chart.item.viewRange()[0]
    assert (round(low, 2), round(high, 2)) == (-0.5, 1.5)
