from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from termexplorer.trainer.search.approximate import HnswIndex
from termexplorer.trainer.search.retrieval import average_precisions, top_k


def cosines(queries: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    def unit(rows: np.ndarray) -> np.ndarray:
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    return unit(queries) @ unit(candidates).T


@pytest.fixture
def vectors() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(300, 12)).astype(np.float32)


def test_top_k_is_a_full_sort(vectors: np.ndarray) -> None:
    indices, similarities = top_k(vectors[:50] * 3, vectors, 10, block=7)
    expected = np.argsort(-cosines(vectors[:50], vectors), axis=1, kind="stable")[:, :10]
    assert (indices == expected).all()
    result = np.take_along_axis(cosines(vectors[:50], vectors), indices, axis=1)
    np.testing.assert_allclose(similarities, result, atol=1e-5)


def test_top_k_of_few_equal_and_zero_candidates() -> None:
    candidates = np.array([[0, 0], [1, 0], [0, 1], [2, 0]], dtype=np.float32)
    indices, similarities = top_k(np.array([[1, 0]], dtype=np.float32), candidates, 9)
    assert indices.tolist() == [[1, 3, 0, 2]]
    assert similarities.tolist() == [[1, 1, 0, 0]]
    with pytest.raises(ValueError, match="differ"):
        top_k(np.zeros((1, 3), dtype=np.float32), candidates, 1)


def test_average_precision_of_a_worked_example() -> None:
    similarities = torch.tensor([[0.9, 0.8, 0.7, 0.6, 0.5], [0.5, 0.5, 0.4, 0.1, 0.1]])
    relevant = torch.tensor([[1, 0, 1, 0, 1], [0, 1, 0, 0, 1]]).bool()
    precisions = average_precisions(similarities, relevant).tolist()
    tied = (1 + 1 / 2) / 2, (2 / 4 + 2 / 5) / 2  # first or second; fourth or fifth
    assert precisions == pytest.approx([(1 + 2 / 3 + 3 / 5) / 3, sum(tied) / 2])
    assert average_precisions(similarities, relevant & False).isnan().all()
    similarities[0, 3] = torch.nan
    assert average_precisions(similarities, relevant).isnan().all()


def units(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_the_index_finds_what_exact_ranking_finds(vectors: np.ndarray, tmp_path: Path) -> None:
    rows = units(vectors)
    rows[100:140] = rows[7]  # equal vectors are kept once
    index = HnswIndex.build(rows, seed=1)
    assert index.recall >= 0.99
    assert index.shape.distinct == 260
    index.save(tmp_path / "index")
    for opened in (index, HnswIndex.load(tmp_path / "index")):
        positions, similarities = opened.query(rows[7], 43)
        expected = top_k(rows[7:8], rows, 43)
        assert positions.tolist() == expected[0][0].tolist()
        np.testing.assert_allclose(similarities, expected[1][0], atol=1e-5)
        assert len(opened.query(rows[0], 1000)[0]) == 300


def test_the_index_guards_its_width_and_its_files(vectors: np.ndarray, tmp_path: Path) -> None:
    index = HnswIndex.build(units(vectors))
    with pytest.raises(ValueError, match=r"takes \(12,\)"):
        index.query(vectors[0, :5], 3)
    with pytest.raises(ValueError, match="not finite"):
        HnswIndex.build(np.full((3, 2), np.nan, dtype=np.float32))
    index.save(tmp_path / "index")
    file = tmp_path / "index" / "index.bin"
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ValueError, match="has changed"):
        HnswIndex.load(tmp_path / "index")
