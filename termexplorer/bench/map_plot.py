"""A map on the software renderer: panning and zooming, a lasso, other colours."""

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.bench.bounds import seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.times import quantile

if TYPE_CHECKING:
    from termexplorer.views.map.plot import MapPlot

_SIZE = (1_000, 760)
_FRAMES = ((300_000, 60), (1_000_000, 30))
_POINTS, _LASSO, _COLOURS = 100_000, 50.0, 20.0
_CLASSES, _CLUSTERS = 8, 200


def run(context: BenchContext) -> list[BenchFigure]:
    """Draw random points in clusters and classes, all of them in view, with labels."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    repetitions = 20 if context.quick else 100
    figures = [_measure_frames(_make_plot(points), goal, repetitions) for points, goal in _FRAMES]
    return [*figures, *_on_points(_make_plot(_POINTS), repetitions)]


def _make_plot(points: int) -> "MapPlot":
    from termexplorer.app import make_application
    from termexplorer.services.map.points import COLOURS, OTHERS, PointGroup
    from termexplorer.services.map.projection import MapLabel
    from termexplorer.views.map.plot import MapPlot
    from termexplorer.views.widgets.theme import Theme

    rng = np.random.default_rng(0)
    middles = 10 * rng.normal(size=(_CLUSTERS, 2))
    places = middles[rng.integers(_CLUSTERS, size=points)] + rng.normal(size=(points, 2))
    classes = rng.integers(_CLASSES, size=points)
    groups = [
        PointGroup(f"class {number}", colour, str(number), np.flatnonzero(classes == number))
        for number, colour in enumerate((*COLOURS, OTHERS))
    ]
    application = make_application()
    plot = MapPlot(Theme(application))
    plot.resize(*_SIZE)
    plot.show()
    application.processEvents()
    plot.show_points(places.astype(np.float32), groups)
    first = rng.permutation(points)[:_CLUSTERS].tolist()
    plot.show_labels([MapLabel(point, 1, f"words of cluster {point}") for point in first])
    return plot


def _measure_frames(plot: "MapPlot", goal: int, repetitions: int) -> BenchFigure:
    """Goes to and fro by pixels, and in and out by little, so that all stay in view."""
    first = plot.view
    ways = (first.moved(3, 2), first.zoomed(0.98, 300, 200), first.moved(-3, 2), first)

    def draw(number: int) -> None:
        plot.look(ways[number % len(ways)])
        plot.repaint()

    draw(0)
    times = [seconds_of(partial(draw, number)) for number in range(repetitions)]
    rate, points = 1000 / quantile(times, 0.5), len(plot.positions)
    plot.close()
    return BenchFigure(
        f"map of {points:,} points, pan and zoom", rate, "frames/s", "goal", goal, rate / goal,
        f"{goal} or more", rate >= goal,
    )  # fmt: skip


def _on_points(plot: "MapPlot", repetitions: int) -> list[BenchFigure]:
    from termexplorer.views.map.outline import Outline, points_inside

    room = plot.rect()
    corners = (room.topLeft(), room.topRight(), room.center(), room.bottomLeft())
    first, *other_corners = (corner.toPointF() for corner in corners)
    outline = Outline(False, first)
    for corner in other_corners:
        outline.go_to(corner)
    groups = plot.groups

    def recolour() -> None:
        plot.show_groups(groups)
        plot.repaint()

    enclose = partial(points_inside, outline.polygon, plot.positions, plot.view)
    lassos = [seconds_of(enclose) for _ in range(repetitions)]
    colours = [seconds_of(recolour) for _ in range(repetitions)]
    plot.close()
    points = f"map of {_POINTS:,} points"
    return [
        _limit_figure(f"{points}, lasso", quantile(lassos, 0.5), _LASSO),
        _limit_figure(f"{points}, other colours", quantile(colours, 0.5), _COLOURS),
    ]


def _limit_figure(name: str, value: float, limit: float) -> BenchFigure:
    goal = f"under {limit:g} ms"
    return BenchFigure(name, value, "ms", "limit", limit, value / limit, goal, value < limit)
