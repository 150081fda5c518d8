"""Levels of a chain of thousands of concepts, and the first look at half a million of them."""

from __future__ import annotations

import time

import numpy as np

from termexplorer.bench.bounds import seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.taxonomy import FSL_RULES, HLS_RULES, Examples, Lens, Rules, Taxonomy
from termexplorer.taxonomy.graph import Ints

_DEEP, _SHALLOW = 5000, 1250
_MOST_TIMES = 6.0  # four times as deep: 4 where time is linear, 16 where it is quadratic
_WIDE, _CHILDREN, _SECOND_PARENTS = 500_000, 5, 0.4
_LIMIT = 2.0  # seconds
_KINDS = (
    ("usual rules", HLS_RULES, Examples.BELOW_DEPTH),
    ("rules of few-shot", FSL_RULES, Examples.ALL_DESCENDANTS),
)


def run(context: BenchContext) -> list[BenchFigure]:
    """Count every level of two chains, and one level of a wide graph after reading it."""
    repetitions = 1 if context.quick else 3
    deep, shallow = (
        min(_count_chain(length) for _ in range(repetitions)) for length in (_DEEP, _SHALLOW)
    )
    times = deep / shallow
    return [
        BenchFigure(
            f"counting {_DEEP:,} levels", deep, "s", f"{_SHALLOW:,} levels", shallow, times,
            f"at most {_MOST_TIMES:g} times", times <= _MOST_TIMES,
        ),
        *(_first_look(*kind) for kind in _KINDS),
    ]  # fmt: skip


def _count_chain(length: int) -> float:
    lower = np.arange(1, length)
    start = time.perf_counter()
    taxonomy = Taxonomy.build(length, lower, lower - 1, rules=FSL_RULES)
    lens = Lens(taxonomy, np.repeat(np.arange(length), 2))
    for level in range(1, taxonomy.levels() + 1):
        lens.summary(level, Examples.ALL_DESCENDANTS)
    return time.perf_counter() - start


def _first_look(title: str, rules: Rules, examples: Examples) -> BenchFigure:
    lower, upper = _draw_wide()
    names = np.repeat(np.arange(_WIDE), 2)

    def look() -> None:
        taxonomy = Taxonomy.build(_WIDE, lower, upper, rules=rules)
        Lens(taxonomy, names).summary(2, examples)

    seconds = seconds_of(look)
    return BenchFigure(
        f"first level of {_WIDE:,} concepts, {title}", seconds, "s", "limit", _LIMIT,
        seconds / _LIMIT, f"under {_LIMIT:g} s", seconds < _LIMIT,
    )  # fmt: skip


def _draw_wide() -> tuple[Ints, Ints]:
    """Return the ends of links as in large releases: a tree, and second parents on its levels."""
    draw = np.random.default_rng(1)
    lower = np.arange(1, _WIDE)
    upper = (lower - 1) // _CHILDREN
    some = lower[(draw.random(len(lower)) < _SECOND_PARENTS) & (lower > _CHILDREN**2)]
    second = draw.integers(some // 8, some // 4)
    return np.concatenate((lower, some)), np.concatenate((upper, second))
