"""Random tables of ratings with gaps, and coefficients of them as slowly as they are defined."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product

import numpy as np

Table = list[list[float | None]]
Weight = Callable[[float, float], float]

VALUES = {"nominal": [1, 2, 3, 4, 5], "ordinal": [0, 1, 2, 7, 8], "interval": [-1, 0, 0.5, 2, 9]}
VALUES["ratio"] = [0, 0.5, 1, 3, 9]


def random_tables(count: int, seed: int = 0) -> Iterator[tuple[str, Table]]:
    """Tables of raters who see an item's label more or less well, on all four scales."""
    rng = np.random.default_rng(seed)
    scales = list(VALUES)
    for number in range(count):
        scale = scales[number % 4]
        values = VALUES[scale][: rng.integers(1, 6)]
        items, raters = rng.integers(1, 13), rng.integers(2, 5)
        truth = rng.choice(values, (items, 1))
        table = np.where(rng.random((items, raters)) < rng.random(), truth, 0)
        table = np.where(table == 0, rng.choice(values, table.shape), table)
        gaps = rng.random(table.shape) < rng.choice([0, 0.1, 0.3, 0.7])
        yield (
            scale,
            [
                [None if gap else float(value) for value, gap in zip(row, holes, strict=True)]
                for row, holes in zip(table, gaps, strict=True)
            ],
        )


def labels_of(table: Table) -> list[float]:
    return sorted({value for row in table for value in row if value is not None})


def units(table: Table) -> list[list[float]]:
    """What was said of each item that anything was said of."""
    rows = [[value for value in row if value is not None] for row in table]
    return [row for row in rows if row]


def naive_alpha(scale: str, table: Table) -> float:
    """Krippendorff 2011: the matrix of coincidences, and a difference for each of its cells."""
    labels = labels_of(table)
    seen = dict.fromkeys(product(labels, repeat=2), 0.0)
    for unit in units(table):
        for pair in permutations(range(len(unit)), 2):
            seen[unit[pair[0]], unit[pair[1]]] += 1 / (len(unit) - 1)
    totals = {label: sum(seen[label, other] for other in labels) for label in labels}

    def difference(first: float, second: float) -> float:
        low, high = sorted((first, second))
        if scale == "ordinal":
            between = sum(totals[label] for label in labels if low <= label <= high)
            return (between - (totals[low] + totals[high]) / 2) ** 2
        if scale == "ratio":
            return ((first - second) / (first + second)) ** 2 if first + second else 0.0
        return (first - second) ** 2 if scale == "interval" else float(first != second)

    observed = sum(count * difference(*pair) for pair, count in seen.items())
    expected = sum(
        totals[first] * totals[second] * difference(first, second) for first, second in seen
    )
    return 1 - (sum(totals.values()) - 1) * observed / expected if expected else math.nan


def weight_of(scale: str, labels: Sequence[float]) -> Weight:
    """Gwet 2014, chapter 3."""

    def apart(first: float, second: float) -> float:
        if scale == "ordinal":
            return float(math.comb(abs(labels.index(first) - labels.index(second)) + 1, 2))
        if scale == "ratio":
            return ((first - second) / (first + second)) ** 2 if first + second else 0.0
        return (first - second) ** 2 if scale == "interval" else float(first != second)

    most = max((apart(label, other) for label in labels for other in labels), default=0) or 1
    return lambda first, second: 1 - apart(first, second) / most


def naive_agreement(table: Table, weight: Weight) -> float:
    shares = []
    for unit in units(table):
        pairs = [weight(*pair) for pair in permutations(unit, 2)]
        if pairs:
            shares.append(sum(pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else math.nan


def _share_of(table: Table, label: float) -> float:
    rated = units(table)
    return sum(unit.count(label) / len(unit) for unit in rated) / len(rated)


def _corrected(agreement: float, chance: float) -> float:
    return (agreement - chance) / (1 - chance) if 1 - chance > 1e-12 else math.nan


def naive_fleiss(table: Table, weight: Weight) -> float:
    shares = {label: _share_of(table, label) for label in labels_of(table)}
    chance = sum(weight(k, m) * shares[k] * shares[m] for k in shares for m in shares)
    return _corrected(naive_agreement(table, weight), chance)


def naive_gwet(table: Table, weight: Weight, labels: Sequence[float]) -> float:
    if len(labels) < 2:
        return math.nan
    total = sum(weight(label, other) for label in labels for other in labels)
    hard = sum(_share_of(table, label) * (1 - _share_of(table, label)) for label in labels)
    chance = total / (len(labels) * (len(labels) - 1)) * hard
    return _corrected(naive_agreement(table, weight), chance)


def both_rated(table: Table, first: int, second: int) -> Table:
    pairs = [[row[first], row[second]] for row in table]
    return [pair for pair in pairs if None not in pair]


def naive_cohen(table: Table, weight: Weight, *, drawn: bool = False) -> float:
    """Of more than two raters the mean over their pairs that have one.

    None have those of whom one has given one label alone: kappa is 0, whatever the other says. In
    a table that was `drawn` from one where both gave several it is that 0.
    """
    seen = []
    for pair in combinations(range(len(table[0])), 2):
        rated = both_rated(table, *pair)
        several = all(len(set(column)) > 1 for column in zip(*rated, strict=True))
        if rated and (drawn or several):
            agreement = sum(weight(*row) for row in rated) / len(rated)
            chance = [weight(first[0], other[1]) for first in rated for other in rated]
            seen.append(_corrected(agreement, sum(chance) / len(chance)))
    defined = [value for value in seen if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def naive_figures(
    scale: str, table: Table, labels: Sequence[float], *, drawn: bool = False
) -> list[float]:
    """Alpha, raw agreement, Cohen, Fleiss and Gwet on a scale of labels."""
    weight = weight_of(scale, labels)
    if not any(len(unit) > 1 for unit in units(table)):
        return [math.nan] * 5
    return [
        naive_alpha(scale, table),
        naive_agreement(table, lambda first, second: float(first == second)),
        naive_cohen(table, weight, drawn=drawn),
        naive_fleiss(table, weight),
        naive_gwet(table, weight, labels),
    ]
