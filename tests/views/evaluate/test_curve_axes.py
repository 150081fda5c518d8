"""Curves of different measures never share an axis, and each axis says what it is of."""

from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.models.epochs import EpochCurves
from termexplorer.services.evaluate.curves import CurvePoint, Curves
from termexplorer.store.encoders.runs import EpochInfo
from termexplorer.views.evaluate.plot import FigurePlot
from termexplorer.views.widgets.run_curves import CurvePair


def run_of(*validation: float) -> EpochCurves:
    return EpochCurves(
        EpochInfo(number, {"contrast": 2.0 / number}, value, 0.1, 100.0)
        for number, value in enumerate(validation, 1)
    )


def test_runs_of_two_validation_metrics_have_a_plot_for_each(
    qtbot: QtBot, desk: WindowController
) -> None:
    pair = CurvePair(desk.shared.theme)
    qtbot.addWidget(pair)
    runs = [
        ("run 3", run_of(0.25, 0.5), "validation mAP"),
        ("run 2", run_of(7.5, 6.5), "validation loss"),
        ("run 1", run_of(0.25, 0.75), "validation mAP"),
    ]
    pair.resize(900, 240)
    pair.show_runs(runs)
    pair.show()
    first, second = pair.validations
    assert first.names == ["run 3", "run 1"]
    assert second.names == ["run 2"]
    assert first.item.viewRange()[1][1] < 1.5  # the loss does not press them flat
    assert pair.loss.names == [name for name, _, _ in runs]
    assert [pair.loss.left, first.left, second.left] == [
        "Loss",
        "Validation mAP",
        "Validation loss",
    ]
    for plot in (first, second):
        assert [plot.colour(name) == pair.loss.colour(name) for name in plot.names] == [
            True for _ in plot.names
        ]
    pair.show_runs(runs[:1])
    assert [plot.isVisible() for plot in pair.validations] == [True, False]
    pair.show_run(run_of(7.5, 6.5), "validation loss")
    assert pair.validation.left == "Validation loss"


def test_figures_of_an_evaluation_name_both_axes(qtbot: QtBot, desk: WindowController) -> None:
    plot = FigurePlot(desk.shared.theme)
    qtbot.addWidget(plot)
    lines = {"dan": [CurvePoint(level, 0.5, 0.25, 0.75, 9) for level in (1, 2)]}
    plot.show_figures(Curves("mAP on each level", "level", "mAP", lines))
    assert plot.left == "mAP"
    assert "0.001" not in plot.item.getAxis("left").labelString()
    assert plot.item.getAxis("bottom").labelText == "level"
