"""What is known of a metric besides its name: its direction, its chance level, its weight."""

from collections.abc import Iterable, Sequence
from math import isnan

from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.trainer.metrics import find_metric, is_higher_better, list_compared_metrics
from termexplorer.workers.evaluate.messages import ALL_IT_KNOWS

LEAST_ITEMS = 10  # a figure of fewer is not headlined
LEAST_SHOWN = 2  # of a single item there is no mean
LEAST_COMPARED = 2  # of a single encoder nothing is the best

_SAME = 1e-12  # what rounding leaves of equal figures


def concluding_metrics(figures: Iterable[FigureInfo], primary: str) -> tuple[str, ...]:
    """Return the metrics that a conclusion is drawn from, the primary one first."""
    present = {figure.metric for figure in figures if not isnan(figure.value)}
    ordered = dict.fromkeys((primary, *list_compared_metrics()))
    return tuple(metric for metric in ordered if metric in present)


def is_on_same_items(metric: str) -> bool:
    """Return whether all encoders' figures of a metric are on the same items."""
    return not metric.endswith(ALL_IT_KNOWS.format(metric=""))


def goodness(metric: str, value: float) -> float:
    """Return the value with its sign turned where less is better."""
    return value if is_higher_better(metric) else -value


def metric_meaning(metric: str, *, of_pairs: bool) -> str:
    """Return what a metric is, as a template that may have a ``{k}``; "" where nothing is known."""
    kind = find_metric(metric, of_pairs=of_pairs)
    return "" if kind is None else kind.meaning


def find_chance(metric: str) -> float | None:
    """Return what similarities that know nothing come to; None where that depends on the data."""
    kind = find_metric(metric)
    return None if kind is None else kind.chance


def is_beyond_chance(figures: Iterable[FigureInfo], metric: str) -> bool:
    """Return whether any figure of a metric is better than chance, where that has a level."""
    chance = find_chance(metric)
    return chance is None or any(f.value > chance for f in figures if f.metric == metric)


def is_shown_beyond_chance(figures: Sequence[FigureInfo], metric: str) -> bool:
    """Return whether the interval of a best figure lies above chance, where that has a level."""
    chance = find_chance(metric)
    return chance is None or any(f.low > chance for f in best_figures(figures, metric))


def marked_figures(figures: Sequence[FigureInfo], metric: str) -> tuple[FigureInfo, ...]:
    """Return the figures that are marked as the best by a metric.

    None are of fewer than `LEAST_ITEMS` items, on other items than the others', or where none is
    shown to be better than chance, or no other has a figure.
    """
    of_metric = [
        figure for figure in figures if figure.metric == metric and not isnan(figure.value)
    ]
    is_few = len(of_metric) < LEAST_COMPARED or any(figure.n < LEAST_ITEMS for figure in of_metric)
    if is_few or not is_on_same_items(metric) or not is_shown_beyond_chance(of_metric, metric):
        return ()
    return best_figures(of_metric, metric)


def best_figures(figures: Sequence[FigureInfo], metric: str) -> tuple[FigureInfo, ...]:
    """Return the figures of the best value of a metric: several where encoders are equal."""
    of_metric = [
        figure for figure in figures if figure.metric == metric and not isnan(figure.value)
    ]
    if not of_metric:
        return ()
    best = max(goodness(metric, figure.value) for figure in of_metric)
    return tuple(f for f in of_metric if best - goodness(metric, f.value) <= _SAME)
