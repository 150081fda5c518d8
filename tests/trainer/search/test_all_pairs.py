"""All pairs of rows ranked by blocks: what a naive computation gives, however they are split."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.search import all_pairs
from termexplorer.trainer.search.all_pairs import (
    EightBitRows,
    RoundedRows,
    compute_pairs,
    plan_all_pairs,
    rank_all_pairs,
)
from termexplorer.trainer.search.eight_bit import NearestRows, write_eight_bit

ROWS, COLUMNS, WIDTH, K = 150, 333, 20, 7


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_pairs, "_ROWS", 32)
    monkeypatch.setattr(all_pairs, "_COLUMNS", 64)


def draw_vectors(count: int, seed: int, width: int = WIDTH) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)
    vectors[40:55] = vectors[3] * 2  # equal names
    vectors[90:100] = 0  # nothing is known of them
    return vectors


def naive_table(left: EightBitRows, right: EightBitRows) -> np.ndarray:
    """Whole numbers multiplied as such, and divided by both lengths."""
    (rows, lengths), (columns, other_lengths) = (
        table.read_rows(np.arange(table.shape[0])) for table in (left, right)
    )
    products = rows.astype(np.int64) @ columns.astype(np.int64).T
    return products.astype(np.float32) * other_lengths * lengths[:, None]


def naive_nearest(table: np.ndarray, k: int) -> NearestRows:
    order = np.argsort(-table, axis=1, kind="stable")[:, :k]
    return NearestRows(order, np.take_along_axis(table, order, axis=1))


def assert_same(ranked: NearestRows, expected: NearestRows) -> None:
    np.testing.assert_array_equal(ranked.rows, expected.rows)
    np.testing.assert_array_equal(ranked.cosines, expected.cosines)
    assert (ranked.rows.dtype, ranked.cosines.dtype) == (np.int64, np.float32)


def test_a_memory_map_and_rows_in_memory_are_ranked_as_naively(tmp_path: Path) -> None:
    vectors = draw_vectors(COLUMNS, 1)
    stored = write_eight_bit(tmp_path / "v", {}, COLUMNS, lambda a, b: vectors[a:b], 100)
    left = RoundedRows.of(draw_vectors(ROWS, 0))
    expected = naive_nearest(naive_table(left, stored), K)
    assert_same(rank_all_pairs(left, stored, K), expected)
    assert_same(rank_all_pairs(left, RoundedRows.of(vectors), K), expected)
    assert_same(rank_all_pairs(stored, left, K), naive_nearest(naive_table(stored, left), K))


@pytest.mark.parametrize("width", [WIDTH, 1_500])  # whose products float32 does not hold exactly
def test_any_split_of_rows_and_columns_is_merged_to_the_same_bytes(width: int) -> None:
    left = RoundedRows.of(draw_vectors(ROWS, 0, width))
    right = RoundedRows.of(draw_vectors(COLUMNS, 1, width))
    whole = rank_all_pairs(left, right, K)
    assert_same(whole, naive_nearest(naive_table(left, right), K))
    for rows in pairwise([0, 1, 77, ROWS]):
        first, *parts = (
            rank_all_pairs(left, right, K, rows=range(*rows), columns=range(*columns))
            for columns in pairwise([0, 3, 130, 131, COLUMNS])
        )
        for part in parts:
            first = first.merge(part, K)
        assert_same(first, NearestRows(whole.rows[slice(*rows)], whole.cosines[slice(*rows)]))


def test_a_row_does_not_find_itself_where_both_are_one_table() -> None:
    table = RoundedRows.of(draw_vectors(ROWS, 0))
    cosines = naive_table(table, table)
    np.fill_diagonal(cosines, -np.inf)
    expected = naive_nearest(cosines, K)
    assert_same(rank_all_pairs(table, table, K, but_itself=True), expected)
    part = rank_all_pairs(table, table, K, but_itself=True, rows=range(45, 101))
    assert_same(part, NearestRows(expected.rows[45:101], expected.cosines[45:101]))


def test_pairs_have_the_cosines_of_blocks() -> None:
    left, right = RoundedRows.of(draw_vectors(ROWS, 0)), RoundedRows.of(draw_vectors(COLUMNS, 1))
    rows, columns = np.arange(0, ROWS), np.arange(0, 2 * ROWS, 2)
    table = naive_table(left, right)
    ranked = compute_pairs(left, rows, right, columns).numpy()
    np.testing.assert_array_equal(ranked, table[rows, columns])


def test_fewer_columns_than_are_wanted_and_no_rows() -> None:
    left, right = RoundedRows.of(draw_vectors(ROWS, 0)), RoundedRows.of(draw_vectors(COLUMNS, 1))
    assert rank_all_pairs(left, right, 5, columns=range(3)).rows.shape == (ROWS, 3)
    assert rank_all_pairs(left, right, 5, rows=range(0)).rows.shape == (0, 5)
    with pytest.raises(ValueError, match="differ"):
        rank_all_pairs(left, RoundedRows.of(draw_vectors(COLUMNS, 1, 8)), 5)


def test_it_can_be_stopped_between_blocks() -> None:
    left, right = RoundedRows.of(draw_vectors(ROWS, 0)), RoundedRows.of(draw_vectors(COLUMNS, 1))
    shares: list[float] = []

    def stop_in_the_middle(done: float) -> None:
        shares.append(done)
        if done > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        rank_all_pairs(left, right, K, tick=stop_in_the_middle)
    assert shares == sorted(shares)
    assert 10 < len(shares) < 30


def test_a_plan_counts_what_is_done_and_measures_how_fast() -> None:
    plan = plan_all_pairs(ROWS, COLUMNS, WIDTH)
    assert (plan.operations, plan.blocks) == (2 * ROWS * COLUMNS * WIDTH, 5 * 6)
    assert plan.memory == 4 * (3 * 32 * 64 + 2 * (32 + 64) * WIDTH)
    assert plan.seconds > 0
    twice = plan_all_pairs(10 * ROWS, 10 * COLUMNS, WIDTH)
    assert twice.seconds > 5 * plan.seconds, "a hundred times as many pairs"
    assert plan_all_pairs(0, COLUMNS, WIDTH).seconds == 0
