"""What is known of a metric besides its name: its direction, its chance level, its weight."""

from collections.abc import Iterable, Sequence
from math import isnan

from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.workers.evaluate.differences import TESTED
from termexplorer.workers.evaluate.messages import ALL_IT_KNOWS

LOWER_IS_BETTER = frozenset({"median rank", "overlap"})
LEAST_ITEMS = 10  # a figure of fewer is not headlined
LEAST_SHOWN = 2  # of a single item there is no mean
LEAST_COMPARED = 2  # of a single encoder nothing is the best

# the value that a metric reaches with similarities that know nothing
CHANCE = {"AUC": 0.5, "separation": 0.5, "spearman": 0.0, "pearson": 0.0}

_SAME = 1e-12  # what rounding leaves of equal figures


def concluding_metrics(figures: Iterable[FigureInfo], primary: str) -> tuple[str, ...]:
    """Return the metrics that a conclusion is drawn from, the primary one first."""
    present = {figure.metric for figure in figures if not isnan(figure.value)}
    ordered = dict.fromkeys((primary, *TESTED))
    return tuple(metric for metric in ordered if metric in present)


def is_on_same_items(metric: str) -> bool:
    """Return whether all encoders' figures of a metric are on the same items."""
    return not metric.endswith(ALL_IT_KNOWS.format(metric=""))


def goodness(metric: str, value: float) -> float:
    """Return the value with its sign turned where less is better."""
    return -value if metric in LOWER_IS_BETTER else value


def is_beyond_chance(figures: Iterable[FigureInfo], metric: str) -> bool:
    """Return whether any figure of a metric is better than chance, where that has a level."""
    chance = CHANCE.get(metric)
    return chance is None or any(f.value > chance for f in figures if f.metric == metric)


def marked_figures(figures: Sequence[FigureInfo], metric: str) -> tuple[FigureInfo, ...]:
    """Return the figures that are marked as the best by a metric.

    None are of fewer than `LEAST_ITEMS` items, on other items than the others', or where no encoder
    is better than chance, or no other has a figure.
    """
    own = [figure for figure in figures if figure.metric == metric and not isnan(figure.value)]
    is_few = len(own) < LEAST_COMPARED or any(figure.n < LEAST_ITEMS for figure in own)
    if is_few or not is_on_same_items(metric) or not is_beyond_chance(own, metric):
        return ()
    return best_figures(own, metric)


def best_figures(figures: Sequence[FigureInfo], metric: str) -> tuple[FigureInfo, ...]:
    """Return the figures of the best value of a metric: several where encoders are equal."""
    own = [figure for figure in figures if figure.metric == metric and not isnan(figure.value)]
    if not own:
        return ()
    best = max(goodness(metric, figure.value) for figure in own)
    return tuple(f for f in own if best - goodness(metric, f.value) <= _SAME)
