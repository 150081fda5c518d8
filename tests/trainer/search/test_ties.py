from __future__ import annotations

import re
from itertools import pairwise, permutations
from math import isnan
from pathlib import Path
from statistics import fmean

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.search.ties import (
    count_above,
    expected_rank,
    expected_rank_among,
    expected_rank_of_best,
    largest,
    order_shown,
    ranks_shown,
)

ROOT = Path(__file__).parents[3]
VALUES = st.sampled_from([-0.5, -0.0, 0.0, 0.25, 1.0])
ROWS = st.lists(VALUES, min_size=1, max_size=9)


def naive_order(similarities: list[float]) -> list[int]:
    return sorted(range(len(similarities)), key=lambda column: (-similarities[column], column))


def naive_rank(similarities: list[float], right: set[int]) -> float:
    """The rank of the first right one, the mean over all orders that put no smaller one first."""
    ranks = [
        next(rank for rank, column in enumerate(order, start=1) if column in right)
        for order in permutations(range(len(similarities)))
        if all(similarities[before] >= similarities[after] for before, after in pairwise(order))
    ]
    return fmean(ranks)


@given(ROWS, st.integers(0, 11))
def test_equals_are_shown_in_the_order_of_their_columns(similarities: list[float], k: int) -> None:
    order = naive_order(similarities)
    array = np.array(similarities, np.float32)
    assert order_shown(array).tolist() == order
    assert order_shown(array, k).tolist() == order[:k]
    table = np.stack([array, array[::-1]])
    assert order_shown(table, k).tolist() == [order[:k], naive_order(similarities[::-1])[:k]]
    ranks = ranks_shown(array, np.arange(len(array)))
    assert ranks.tolist() == [order.index(column) + 1 for column in range(len(array))]
    if 0 < k <= len(array):
        first = largest(torch.from_numpy(array)[None], k)
        assert first.places.tolist() == [order[:k]]
        assert first.values.tolist() == [[similarities[column] for column in order[:k]]]


def test_what_is_no_number_is_shown_last() -> None:
    values = np.array([np.nan, 1, np.nan, 2])
    assert [order_shown(values, k).tolist() for k in (1, 2, 3, 9)] == [
        [3], [3, 1], [3, 1, 0], [3, 1, 0, 2],
    ]  # fmt: skip


@given(st.lists(VALUES, min_size=1, max_size=6), st.data())
def test_a_figure_is_the_mean_over_all_orders_of_equals(
    similarities: list[float], data: st.DataObject
) -> None:
    columns = st.integers(0, len(similarities) - 1)
    right = data.draw(st.sets(columns, min_size=1))
    expected = naive_rank(similarities, right)
    best = max(similarities[column] for column in right)
    equal = [column for column, value in enumerate(similarities) if value == best]
    above = sum(value > best for value in similarities)
    assert np.isclose(expected_rank(above, len(equal), len(right & set(equal))), expected)
    table = torch.tensor([similarities, [-torch.inf] * len(similarities), similarities])
    rows, places = torch.tensor([(row, column) for row in (0, 1) for column in right]).T
    first, unranked, none = expected_rank_of_best(table, rows, places).tolist()
    assert np.isclose(first, expected)
    assert isnan(unranked)
    assert isnan(none)
    column = data.draw(columns)
    alone = naive_rank(similarities, {column})
    assert np.isclose(expected_rank_among(similarities[column], similarities), alone)


def test_values_as_near_as_the_tolerance_are_equal() -> None:
    assert expected_rank_among(0.3, [0.1 + 0.2, 0.3, 0.5], 1e-12) == 2.5
    assert expected_rank_among(0.3, [0.1 + 0.2, 0.3, 0.5]) == 3


@given(st.lists(ROWS.map(lambda row: (row * 9)[:9]), min_size=1, max_size=4), st.data())
def test_larger_ones_are_counted(rows: list[list[float]], data: st.DataObject) -> None:
    pairs = data.draw(st.lists(st.tuples(st.integers(0, len(rows) - 1), VALUES), max_size=12))
    counts = count_above(
        torch.tensor(rows),
        torch.tensor([row for row, _ in pairs], dtype=torch.int64),
        torch.tensor([value for _, value in pairs]),
    )
    assert counts.tolist() == [sum(other > value for other in rows[row]) for row, value in pairs]


def test_no_other_module_orders_similarities() -> None:
    """Or else the rank in one list would differ from that in another."""
    ordering = re.compile(r"arg(?:sort|partition)\(\s*-\w*(?:similarit|cosine|score)")
    elsewhere = [
        str(path.relative_to(ROOT))
        for folder in ("trainer", *(f"termexplorer/{layer}" for layer in ("services", "workers")))
        for path in (ROOT / folder).rglob("*.py")
        if ordering.search(path.read_text("utf-8"))
    ]
    assert elsewhere == []
