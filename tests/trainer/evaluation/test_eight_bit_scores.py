"""Tasks on 8-bit rows, block by block, come to exactly what a naive table of them comes to."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from termexplorer.trainer.evaluation.coverage import coverage_at_k
from termexplorer.trainer.evaluation.eight_bit_scores import EightBitScores
from termexplorer.trainer.evaluation.matching import match_concepts, reduce_on_device
from termexplorer.trainer.evaluation.rankings import rank_names
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.search import all_pairs
from termexplorer.trainer.search.all_pairs import RoundedRows
from termexplorer.trainer.search.expected_ranks import average_precision
from termexplorer.trainer.text.names import LabelledNames

NAMES, CONCEPTS, WIDTH = 300, 90, 16


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_pairs, "_ROWS", 40)
    monkeypatch.setattr(all_pairs, "_COLUMNS", 64)


def draw_table(seed: int) -> RoundedRows:
    vectors = np.random.default_rng(seed).normal(size=(NAMES, WIDTH)).astype(np.float32)
    vectors[20:40] = vectors[60:80]  # equal names
    vectors[200:210] = 0
    return RoundedRows.of(vectors)


def draw_concepts(seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed)
    more = noise.integers(0, CONCEPTS, NAMES - CONCEPTS)
    return noise.permutation(np.append(np.arange(CONCEPTS), more))


class NaiveScores:
    """The same cosines from whole numbers, all at once."""

    def __init__(self, left: RoundedRows, right: RoundedRows) -> None:
        everything = np.arange(NAMES)
        (rows, lengths), (columns, other_lengths) = (
            table.read_rows(everything) for table in (left, right)
        )
        products = rows.astype(np.int64) @ columns.astype(np.int64).T
        self._table = products.astype(np.float32) * other_lengths * lengths[:, None]

    def __call__(self, mentions: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        return self._table[np.ix_(mentions, candidates)]


@pytest.fixture
def labels() -> LabelledNames:
    concepts = draw_concepts(3)
    classes = tuple(f"X:{number}" for number in range(CONCEPTS))
    return LabelledNames(tuple(map(str, range(NAMES))), classes, np.arange(NAMES), concepts)


def test_names_are_ranked_as_by_a_whole_table(labels: LabelledNames) -> None:
    table = draw_table(0)
    scores, naive = EightBitScores(table, table), NaiveScores(table, table)
    mentions, held_out = np.arange(0, NAMES, 2), np.arange(1, NAMES, 2)
    for candidates in (np.arange(NAMES)[::-1].copy(), held_out):
        ranked, expected = (
            similarity_ranking(labels, by, mentions, candidates) for by in (scores, naive)
        )
        assert ranked.figures == expected.figures
    ranked, expected = (coverage_at_k(labels, by, mentions) for by in (scores, naive))
    assert ranked.figures == expected.figures


def test_many_right_names_are_ranked_by_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = LabelledNames(
        tuple(map(str, range(NAMES))), ("A", "B"), np.arange(NAMES), np.arange(NAMES) % 2
    )
    table = draw_table(0)
    scores, naive = EightBitScores(table, table), NaiveScores(table, table)
    asked = np.arange(NAMES)
    monkeypatch.setattr("termexplorer.trainer.evaluation.rankings._FEW_RIGHT", 100)
    ranked, expected = (
        rank_names(labels, by, asked, asked, {"mAP": average_precision}, lambda: None)["mAP"]
        for by in (scores, naive)
    )
    np.testing.assert_array_equal(ranked, expected)


def test_concepts_are_matched_as_by_a_whole_table() -> None:
    left, right = draw_table(0), draw_table(1)
    truth = csr_array(np.random.default_rng(5).random((CONCEPTS, CONCEPTS)) < 0.01)
    ranked, expected = (
        match_concepts(by, draw_concepts(3), draw_concepts(4), truth, k=5)
        for by in (EightBitScores(left, right), NaiveScores(left, right))
    )
    np.testing.assert_array_equal(ranked.places, expected.places)
    np.testing.assert_array_equal(ranked.similarities, expected.similarities)
    assert ranked.result.figures == expected.result.figures
    assert expected.result.figures[0].n > 20


def test_concepts_without_any_right_one_are_matched_too() -> None:
    left, right = draw_table(0), draw_table(1)
    ranked, expected = (
        match_concepts(by, draw_concepts(3), draw_concepts(4), csr_array((CONCEPTS, CONCEPTS)))
        for by in (EightBitScores(left, right), NaiveScores(left, right))
    )
    np.testing.assert_array_equal(ranked.places, expected.places)


def test_groups_are_reduced_on_a_device_as_in_memory() -> None:
    table = np.random.default_rng(0).normal(size=(12, 20)).astype(np.float32)
    starts, other_starts = np.array([0, 5, 6]), np.array([0, 1, 11])
    by_row = np.maximum.reduceat(table, starts, axis=0)
    expected = np.maximum.reduceat(by_row, other_starts, axis=1)
    ranked = reduce_on_device(torch.from_numpy(table), starts, other_starts)
    np.testing.assert_array_equal(ranked.numpy(), expected)
