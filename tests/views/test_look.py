"""What is shown can be read: after a change of theme, and in a run card."""

from pytestqt.qtbot import QtBot

from termexplorer.desk import Desk
from termexplorer.views.levels import LevelsPage
from termexplorer.views.run_card_html import card_html
from termexplorer.views.run_curves import CurvePlot
from termexplorer.views.theme import Scheme


def test_legends_follow_the_theme(qtbot: QtBot, desk: Desk) -> None:
    theme = desk.shared.theme
    theme.use(Scheme.LIGHT)
    plot = CurvePlot(theme, "Loss")
    qtbot.addWidget(plot)
    plot.show_curves([("run 1", [1, 2], [0.5, 0.25])])
    theme.use(Scheme.DARK)
    (label,) = (label for _, label in plot._legend.items)
    assert theme.colours.text in label.item.toHtml()


def figure(task: str, trained: bool, value: float) -> dict[str, object]:
    low, high = value - 0.1, value + 0.1
    span = {"value": value, "low": low, "high": high}
    return {"task": task, "metric": "MRR", "trained": trained, "n": 1234, "encoder": "x", **span}


def test_a_card_sets_the_trained_encoder_beside_what_lies_beneath() -> None:
    figures = [figure("hypernyms", False, 0.25), figure("hypernyms", True, 0.5)]
    figures.append(figure("<ranking>", True, 0.75))
    html = card_html({"run": 7, "notes": "", "figures": figures, "seed": 0}, "#888888")
    rows = html.split("<tr>")
    (hypernyms,) = (row for row in rows if "hypernyms, MRR" in row)
    assert hypernyms.index("0.500 [0.400, 0.600]") < hypernyms.index("0.250 [0.150, 0.350]")
    assert "1,234" in hypernyms
    (ranking,) = (row for row in rows if "&lt;ranking&gt;, MRR" in row)
    assert "–" in ranking
    assert "notes" not in html
    assert "seed" in html


def test_few_classes_fill_the_chart(qtbot: QtBot, desk: Desk) -> None:
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    page.side.rules.few_shot.click()
    chart = page.content.chart
    qtbot.waitUntil(lambda: chart.bars == 2)
    low, high = chart.item.viewRange()[0]
    assert (round(low, 2), round(high, 2)) == (-0.5, 1.5)
