"""Figures as curves: coverage over k, a metric over levels, and over the names of few-shot."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from termexplorer.services.files.exports import Cell
from termexplorer.services.recipes.presets import RECIPES, SHOTS
from termexplorer.services.recipes.run_requests import title_without_shots
from termexplorer.store.encoders.evaluations import Evaluated
from termexplorer.store.encoders.runs import FigureInfo, RunInfo
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, tr
from termexplorer.trainer.errors import Message
from termexplorer.trainer.metrics import COVERAGE


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A figure at a place.

    Attributes:
        x: k, level or names of a class.
        value: of the figure; the mean of several samples.
        low: lower end of its 95 % interval, over samples where there are several.
        high: upper end.
        n: mentions or pairs; of several samples the fewest.
        samples: encoders that the value is a mean of.
    """

    x: int
    value: float
    low: float
    high: float
    n: int
    samples: int = 1


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves in one plot.

    Attributes:
        title: over it.
        across: what is along the x axis, marked for translation.
        metric: what is along the y axis.
        lines: what a curve is of, with its points from left to right.
        doubling: whether each step of the x axis doubles what stands there.
        exposed: whether any encoder in them was trained on names that it is measured on.
    """

    title: str
    across: str
    metric: str
    lines: Mapping[str, Sequence[CurvePoint]]
    doubling: bool = False
    exposed: bool = False


def over_k(evaluated: Evaluated, labels: Mapping[int, str]) -> Curves | None:
    """Coverage at k of each encoder; None for another task.

    Args:
        evaluated: what is on show.
        labels: of encoders, by their ids.
    """
    points = [
        (f, int(f.metric.removeprefix(COVERAGE)))
        for f in evaluated.figures
        if f.metric.startswith(COVERAGE)
    ]
    if not points:
        return None
    lines = _by_encoder(points, labels)
    return Curves(tr("Coverage at k"), "k", mark("coverage"), lines, doubling=True)


def over_levels(
    evaluated: Evaluated, other_evaluations: Iterable[Evaluated], labels: Mapping[int, str]
) -> Curves | None:
    """The metric of each encoder on the levels of a split; None where there are not two of them.

    Args:
        evaluated: what is on show.
        other_evaluations: all evaluations.
        labels: of encoders, by their ids.
    """
    if evaluated.level is None:
        return None
    same = (evaluated.task, evaluated.split_id)
    points = [
        (figure, other.level)
        for other in other_evaluations
        if other.level is not None and (other.task, other.split_id) == same
        for figure in other.figures
        if figure.metric == evaluated.metric
    ]
    if len({level for _, level in points}) < 2:
        return None
    title = tr(
        "{metric} on each level of split {split}",
        metric=evaluated.metric,
        split=evaluated.split_id,
    )
    return Curves(title, mark("level"), evaluated.metric, _by_encoder(points, labels))


def over_shots(
    evaluated: Evaluated,
    runs: Iterable[RunInfo],
    labels: Mapping[int, str],
    ontologies: Mapping[int, str],
) -> Curves | None:
    """The metric of few-shot encoders over k, the names of a class that they learned from.

    Encoders that differ by k and seed alone are on one line, those of one k are samples that are
    averaged. At k = 0 stands the encoder beneath, if it was evaluated too ([FSL] figure 1).

    Args:
        evaluated: what is on show.
        runs: all of them.
        labels: of encoders, by their ids.
        ontologies: their labels, by their ids.

    Returns:
        None where no line has two points.
    """
    figures = {f.encoder_id: f for f in evaluated.figures if f.metric == evaluated.metric}
    samples: dict[_Setting, dict[int, dict[int, FigureInfo]]] = {}
    exposed = False
    for run in sorted(runs, key=lambda run: run.id):  # of equal samples the newest counts
        figure = figures.get(run.encoder_id or 0)
        if figure is not None and RECIPES[run.recipe].group == SHOTS:
            exposed = exposed or figure.encoder_id in evaluated.seen
            by_shots = samples.setdefault(_run_setting(run, ontologies), {})
            by_shots.setdefault(run.request["rule"]["shots"], {})[run.request["seed"]] = figure
    for setting, by_shots in samples.items():
        if setting.input_id in figures:
            by_shots[0] = {0: figures[setting.input_id]}
    titles = _setting_titles(list(samples), labels)
    lines = {
        titles[setting]: [_mean_point(k, list(by_shots[k].values())) for k in sorted(by_shots)]
        for setting, by_shots in samples.items()
    }
    if all(len(points) < 2 for points in lines.values()):
        return None
    return Curves(
        tr("{metric} by training examples per class", metric=evaluated.metric),
        mark("training examples per class (k)"),
        evaluated.metric,
        lines,
        exposed=exposed,
    )


def point_rows(curves: Curves) -> list[list[Cell]]:
    """The points as rows of a file, under `points_header`."""
    return [
        [title, point.x, curves.metric, point.value, point.low, point.high, point.n, point.samples]
        for title, points in curves.lines.items()
        for point in points
    ]


def points_header(curves: Curves) -> list[str]:
    """The columns of `point_rows`."""
    return ["curve", curves.across, "metric", "value", "low", "high", "n", "samples"]


@dataclass(frozen=True, slots=True)
class _Setting:
    """What few-shot runs have in common that differ by k and seed alone."""

    input_id: int
    title: Message
    facts: tuple[tuple[str, str], ...]


def _run_setting(run: RunInfo, ontologies: Mapping[int, str]) -> _Setting:
    facts = {
        "ontology": ontologies.get(run.release_id, str(run.release_id)),
        "preset": run.preset,
        **run.request["choice"],
        **run.request["hyperparameters"],
    }
    title = title_without_shots(run.title)
    return _Setting(run.input_id, title, tuple((name, str(facts[name])) for name in sorted(facts)))


def _setting_titles(settings: Sequence[_Setting], labels: Mapping[int, str]) -> dict[_Setting, str]:
    """What is trained on what, with the facts that are not the same for all."""
    common = set.intersection(*(set(setting.facts) for setting in settings)) if settings else set()
    return {
        setting: ", ".join(
            [
                tr(
                    "{encoder} on {beneath}",
                    encoder=translate_message(setting.title),
                    beneath=labels[setting.input_id],
                ),
                *(
                    f"{name} {value}"
                    for name, value in setting.facts
                    if (name, value) not in common
                ),
            ]
        )
        for setting in settings
    }


def _mean_point(k: int, figures: Sequence[FigureInfo]) -> CurvePoint:
    """One sample has the interval of its figure, several that of their mean by Student's t."""
    first = figures[0]
    if len(figures) == 1:
        return CurvePoint(k, first.value, first.low, first.high, first.n)
    from scipy.special import stdtrit  # it takes a moment, and most figures need none

    values = [figure.value for figure in figures]
    mean = fmean(values)
    half = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / sqrt(len(values))
    n = min(figure.n for figure in figures)
    return CurvePoint(k, mean, mean - half, mean + half, n, len(values))


def _by_encoder(
    figures: Iterable[tuple[FigureInfo, int]], labels: Mapping[int, str]
) -> dict[str, list[CurvePoint]]:
    """A line for each encoder, in the order of their ids."""
    lines: dict[int, list[CurvePoint]] = {}
    for f, x in sorted(figures, key=lambda point: (point[0].encoder_id, point[1])):
        lines.setdefault(f.encoder_id, []).append(CurvePoint(x, f.value, f.low, f.high, f.n))
    return {labels[encoder_id]: points for encoder_id, points in lines.items()}
