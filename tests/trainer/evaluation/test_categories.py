from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.evaluation.categories import category_separation
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.measures import measure
from termexplorer.trainer.measures.base import WordBags, table_of


def brute_force(similarities: np.ndarray, parts: tuple[int, int, int]) -> float:
    """The formula of [MTS] 5.3, triple by triple."""
    first, second, last = np.split(np.arange(sum(parts)), np.cumsum(parts)[:2])
    triples = list(product(first, second, last))
    return sum(similarities[i, j] <= similarities[i, k] for i, j, k in triples) / len(triples)


def overlaps(*arguments: object, **options: object) -> np.ndarray:
    return category_separation(*arguments, **options).items["overlap"]


def split(parts: tuple[int, int, int]) -> list[np.ndarray]:
    return np.split(np.arange(sum(parts)), np.cumsum(parts)[:2])


counts = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))


@given(counts, st.integers(0, 99))
def test_overlap_is_that_of_all_triples(parts: tuple[int, int, int], seed: int) -> None:
    similarities = np.random.default_rng(seed).integers(0, 4, (sum(parts), sum(parts))) / 4

    def scores(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return similarities[np.ix_(rows, columns)].astype(np.float32)

    result = category_separation(scores, *split(parts))
    (figure,) = result.figures
    assert figure.value == pytest.approx(brute_force(similarities, parts))
    assert figure.low <= figure.value <= figure.high
    assert (figure.metric, figure.n, figure.primary) == ("overlap", parts[0], True)
    assert result.items["overlap"].shape == (parts[0],)


def test_terms_with_equal_vectors_overlap() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(1, 50)).astype(np.float32).repeat(90, axis=0)
    vectors[:7] = rng.normal(size=(7, 50))
    overlap = overlaps(cosine_scores(vectors), *split((7, 40, 43)))
    assert (overlap == 1).all()  # all close terms are just as similar as all distant ones


def test_any_measure_can_be_asked() -> None:
    rng = np.random.default_rng(1)
    bags = WordBags(rng.normal(size=(60, 9)).astype(np.float32), np.arange(60), np.arange(0, 61, 3))
    table = table_of(measure("fuzzy_jaccard"), bags)
    similarities = table(np.arange(20), np.arange(20))
    assert similarities[3, 7] == measure("fuzzy_jaccard")(bags, np.array([3]), np.array([7]))[0]
    overlap = overlaps(table, *split((5, 6, 9)))
    assert overlap.mean() == pytest.approx(brute_force(similarities, (5, 6, 9)))


def test_blocks_change_nothing() -> None:
    vectors = np.random.default_rng(2).normal(size=(60, 8)).astype(np.float32)
    parts = split((20, 20, 20))
    whole = overlaps(cosine_scores(vectors), *parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("termexplorer.trainer.search.retrieval._BLOCK_VALUES", 100)
        ticks: list[int] = []
        again = overlaps(cosine_scores(vectors), *parts, tick=lambda: ticks.append(1))
        np.testing.assert_allclose(again, whole, atol=0.003)
    assert len(ticks) == 10


def test_perfectly_parted_categories() -> None:
    vectors = np.array([[1, 0], [1, 0.1], [-1, 0], [0, -1]], dtype=np.float32)
    parts = np.array([0]), np.array([1]), np.array([2, 3])
    assert overlaps(cosine_scores(vectors), *parts).tolist() == [0]
    assert overlaps(cosine_scores(vectors), parts[2], parts[0], parts[1]).tolist() == [1, 0]


def test_categories_that_cannot_be_measured() -> None:
    first, nothing = np.array([0]), np.empty(0, dtype=np.int64)
    scores = cosine_scores(np.ones((2, 3), dtype=np.float32))
    assert np.isnan(overlaps(scores, first, nothing, first)).all()
    assert np.isnan(overlaps(scores, first, first, nothing)).all()
    assert len(overlaps(scores, nothing, first, first)) == 0
    with pytest.raises(ValueError, match="nothing is known"):
        overlaps(lambda rows, columns: np.full((1, 2), np.nan, np.float32), first, first, first)
