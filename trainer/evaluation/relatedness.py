"""Relatedness and similarity sets: how similarities of pairs go with what people said ([MTS] 5.1).

The similarities of a set's pairs come from any measure, encoder or lexical encoder; a pair is
covered where they are not NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trainer.evaluation.correlation import pearson, spearman, value_of
from trainer.evaluation.figures import TaskFigure
from trainer.evaluation.resampling import Bootstrap, Float64s, Statistic
from trainer.pairs import PairSet

Bools = NDArray[np.bool_]
Floats = NDArray[np.floating]

_BOOTSTRAP = Bootstrap()
_CORRELATIONS = {"spearman": spearman, "pearson": pearson}  # the primary one first


@dataclass(frozen=True)
class Relatedness:
    """What a set of pairs came to.

    Attributes:
        figures: Spearman (primary) and Pearson; ``n`` of each is the number of pairs counted.
        pairs: all pairs of the set, covered or not.
        undefined: why the figures are NaN; "" where they are not.
    """

    figures: tuple[TaskFigure, ...]
    pairs: int
    undefined: str


def relatedness(
    pairs: PairSet,
    similarities: Floats,
    *,
    counted: Bools | None = None,
    bootstrap: Bootstrap = _BOOTSTRAP,
    tick: Callable[[], None] = lambda: None,
) -> Relatedness:
    """Correlate the similarities of pairs with their scores, with BCa intervals over pairs.

    Args:
        pairs: p pairs.
        similarities: (p,), NaN for pairs that are not covered.
        counted: (p,) bool, the pairs to count; by default those that are covered.
        bootstrap: how intervals are drawn.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: for similarities that do not fit the pairs, are infinite, or NaN where counted.
    """
    scores, (found,) = _counted(pairs, [similarities], counted)
    statistics = {name: each(scores, found) for name, each in _CORRELATIONS.items()}
    figures = _figures(statistics, len(scores), bootstrap, tick)
    return Relatedness(figures, len(pairs), _why_undefined(scores, {"similarities": found}))


def relatedness_difference(
    pairs: PairSet,
    first: Floats,
    second: Floats,
    *,
    counted: Bools | None = None,
    bootstrap: Bootstrap = _BOOTSTRAP,
    tick: Callable[[], None] = lambda: None,
) -> Relatedness:
    """Tell by how much the first similarities correlate better than the second ([MTS] 5.1).

    The bootstrap draws pairs, and both correlations are of the pairs drawn. The difference is
    significant where its interval leaves out 0; for many comparisons raise the
    bootstrap's level (1 - α / m), and its resamples with it.

    Args:
        pairs: p pairs.
        first: (p,), NaN for pairs that are not covered.
        second: (p,), likewise.
        counted: (p,) bool, the pairs to count; by default those that are covered by both.
        bootstrap: how intervals are drawn.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: as for ``relatedness``.
    """
    scores, (one, other) = _counted(pairs, [first, second], counted)
    statistics = {
        f"{name} difference": _difference(each(scores, one), each(scores, other))
        for name, each in _CORRELATIONS.items()
    }
    figures = _figures(statistics, len(scores), bootstrap, tick)
    named = {"first similarities": one, "second similarities": other}
    return Relatedness(figures, len(pairs), _why_undefined(scores, named))


def covered_by_all(similarities: Iterable[Floats]) -> Bools:
    """Return the pairs that every encoder can represent, (p,) bool ([MTS] 5).

    Args:
        similarities: (p,) each, NaN for pairs that are not covered; at least one.
    """
    return np.asarray(np.logical_and.reduce([~np.isnan(each) for each in similarities]))


def _counted(
    pairs: PairSet, similarities: list[Floats], counted: Bools | None
) -> tuple[Float64s, list[Float64s]]:
    """Return the scores and similarities of the pairs that count."""
    for each in similarities:
        if each.shape != (len(pairs),) or np.isinf(each).any():
            raise ValueError(
                f"similarities of {each.shape} are no finite numbers for {len(pairs)} pairs"
            )
    if counted is None:
        counted = covered_by_all(similarities)
    found = [each[counted].astype(np.float64) for each in similarities]
    if any(np.isnan(each).any() for each in found):
        raise ValueError("a pair is counted that has no similarity; count the covered ones")
    return pairs.scores[counted], found


def _difference(first: Statistic, second: Statistic) -> Statistic:
    return lambda weights: first(weights) - second(weights)


def _figures(
    statistics: dict[str, Statistic],
    count: int,
    bootstrap: Bootstrap,
    tick: Callable[[], None],
) -> tuple[TaskFigure, ...]:
    figures = []
    for place, (name, statistic) in enumerate(statistics.items()):
        value = value_of(statistic, count)
        low = high = value
        if not np.isnan(value):
            low, high = bootstrap.bca(statistic, count, tick)
        figures.append(TaskFigure(name, value, low, high, count, place == 0))
    return tuple(figures)


def _why_undefined(scores: Float64s, similarities: dict[str, Float64s]) -> str:
    if not len(scores):
        return "no pair is covered"
    if len(scores) == 1:
        return "only one pair is covered"
    for name, values in {"scores": scores, **similarities}.items():
        if (values == values[0]).all():
            return f"all {len(values)} {name} are equal, so that no correlation is defined"
    return ""
