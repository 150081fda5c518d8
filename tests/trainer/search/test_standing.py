"""Counting above right candidates, compiled and by search, beside comparing all with all."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.search.standing import count_above_and_tied, standing_by_search
from termexplorer.trainer.search.tied_groups import TiedGroups

Found = list[tuple[int, float, int, int]]


def compared(similarities: np.ndarray, right: np.ndarray) -> Found:
    """Row, value, and how many are above and equal, of each distinct right value."""
    return [
        (row, value, int((scores > value).sum()), int((scores == value).sum()))
        for row, scores in enumerate(similarities)
        for value in np.unique(scores[right[row]])
    ]


def counted(similarities: np.ndarray, right: np.ndarray) -> Found:
    rows, values = right.nonzero()[0], similarities[right]
    ends = np.concatenate(([0], right.sum(axis=1).cumsum()))
    above, equal = np.full(len(rows), -1), np.full(len(rows), -1)
    count_above_and_tied(similarities, ends, values, above, equal)
    return of_groups(rows, values, above, equal)


def searched(similarities: np.ndarray, right: np.ndarray) -> Found:
    rows, values = torch.from_numpy(right.nonzero()[0]), torch.from_numpy(similarities[right])
    result = standing_by_search(torch.from_numpy(similarities), rows, values)
    return of_groups(rows.numpy(), *(tensor.numpy() for tensor in result))


def of_groups(*columns: np.ndarray) -> Found:
    """The first of equal values has what was counted."""
    tie_groups: Found = []
    for row, value, above, equal in zip(*columns, strict=True):
        if not tie_groups or tie_groups[-1][:2] != (row, value):
            tie_groups.append((int(row), value, int(above), int(equal)))
    return tie_groups


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    width = draw(st.integers(1, 30) | st.integers(50, 90))  # of few right ones, and of many
    shape = draw(st.integers(1, 4)), width
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["few", "normal", "far", "huge"]))
    values = rng.normal(size=shape)
    if kind == "few":
        values = rng.choice([-np.inf, -1.0, -0.0, 0.0, 1e-40, 0.5], shape)
    elif kind == "far":  # all others in one bucket
        values[:, 0] = 1e6
    elif kind == "huge":  # whose differences are no numbers
        values = rng.choice([-3e38, -2.9e38, 1.0, 3e38], shape)
    similarities = values.astype(draw(st.sampled_from([np.float32, np.float64])))
    right = (rng.random(shape) < draw(st.sampled_from([0.1, 0.5, 1.0]))) & (values > -np.inf)
    return similarities, right


@given(tables())
def test_counts_are_those_of_comparing_all_with_all(table: tuple[np.ndarray, ...]) -> None:
    assert counted(*table) == compared(*table)
    assert searched(*table) == compared(*table)


@pytest.mark.parametrize("share", [0.01, 0.6])
def test_long_rows_too(share: float) -> None:
    rng = np.random.default_rng(3)
    similarities = rng.normal(size=(5, 3_000)).astype(np.float32)
    similarities[:, 1_000:1_200] = similarities[:, :200]
    right = rng.random(similarities.shape) < share
    right[2] = False
    assert counted(similarities, right) == compared(similarities, right)
    assert searched(similarities, right) == compared(similarities, right)


def test_pairs_may_come_in_any_order() -> None:
    rng = np.random.default_rng(4)
    similarities = torch.from_numpy(rng.integers(0, 9, (6, 40)).astype(np.float32))
    rows, columns = (torch.from_numpy(rng.random((6, 40)) < 0.3)).nonzero(as_tuple=True)
    order = torch.from_numpy(rng.permutation(len(rows)))
    straight, mixed = (
        TiedGroups.of(similarities, rows[selection], columns[selection])
        for selection in (slice(None), order)
    )
    for name in ("totals", "row", "above", "size", "right", "right_above"):
        assert getattr(straight, name).tolist() == getattr(mixed, name).tolist()
