from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from termexplorer.trainer.measures import NAMES, measure
from termexplorer.trainer.measures.base import WordBags
from termexplorer.trainer.measures.kendall import taus
from termexplorer.trainer.representations.base import Float32s

Of = Callable[[np.ndarray, np.ndarray], float]


def bags_of(names: Sequence[Float32s], width: int) -> WordBags:
    """Names given by their word vectors."""
    starts = np.concatenate(([0], np.cumsum([len(name) for name in names]))).astype(np.int64)
    matrix = np.concatenate([np.zeros((0, width), np.float32), *names]).astype(np.float32)
    return WordBags(matrix, np.arange(len(matrix)), starts)


def all_pairs(count: int) -> tuple[np.ndarray, np.ndarray]:
    left, right = np.divmod(np.arange(count * count), count)
    return left, right


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))


BASES: dict[str, Of] = {
    "cosine": cosine,
    "pearson": lambda x, y: float(pearsonr(x, y).statistic),
    "spearman": lambda x, y: float(spearmanr(x, y).statistic),
    "kendall": lambda x, y: float(kendalltau(x, y).statistic),
}


def naive(name: str, x: np.ndarray, y: np.ndarray) -> float:
    """A measure as its formula reads, for two names of (n, d) and (m, d) word vectors."""
    family, _, base = name.partition("_")
    if base in BASES:
        if family == "avg":
            return BASES[base](x.mean(axis=0), y.mean(axis=0))
        return float(np.mean([BASES[base](first, other) for first in x for other in y]))
    if name == "max_jaccard":
        of_x, of_y = (np.maximum(words, 0).max(axis=0) for words in (x, y))
    else:
        universe = np.vstack((x, y))
        of_x, of_y = (np.maximum((words @ universe.T).max(axis=0), 0) for words in (x, y))
    return float(np.minimum(of_x, of_y).sum() / np.maximum(of_x, of_y).sum())


def random_names(seed: int, sizes: Sequence[int], width: int) -> list[Float32s]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, width)).astype(np.float32) for size in sizes]


@pytest.mark.parametrize("width", [7, 12])
@pytest.mark.parametrize("name", NAMES)
def test_a_measure_is_what_its_formula_says(name: str, width: int) -> None:
    names = random_names(0, [1, 2, 3, 1, 6], width)
    names[2][1] = names[1][0]  # a word in common
    values = measure(name)(bags_of(names, width), *all_pairs(5)).reshape(5, 5)
    expected = [[naive(name, x.astype(float), y.astype(float)) for y in names] for x in names]
    np.testing.assert_allclose(values, expected, atol=2e-6)
    assert values.dtype == np.float32


whole = st.integers(-2, 2)
name_of_words = st.lists(st.lists(whole, min_size=4, max_size=4), min_size=1, max_size=4)


@given(st.lists(name_of_words, min_size=1, max_size=4), st.sampled_from(NAMES), st.integers(0, 9))
def test_measures_are_symmetric_and_take_names_in_any_order(
    lists: list[list[list[int]]], name: str, seed: int
) -> None:
    names = [np.array(words, dtype=np.float32) for words in lists]
    count = len(names)
    table = measure(name)(bags_of(names, 4), *all_pairs(count)).reshape(count, count)
    assert np.isfinite(table).all()
    assert np.abs(table).max() <= 1
    np.testing.assert_allclose(table, table.T, atol=1e-6)
    order = np.random.default_rng(seed).permutation(count)
    shuffled = [names[index][::-1] for index in order]  # the words in another order, too
    again = measure(name)(bags_of(shuffled, 4), *all_pairs(count)).reshape(count, count)
    np.testing.assert_allclose(again, table[np.ix_(order, order)], atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@given(scale=st.floats(0.01, 100))
def test_scaling_all_vectors_changes_nothing(name: str, scale: float) -> None:
    names = random_names(3, [2, 1, 3], 9)
    scaled = [(words * scale).astype(np.float32) for words in names]
    expected = measure(name)(bags_of(names, 9), *all_pairs(3))
    np.testing.assert_allclose(
        measure(name)(bags_of(scaled, 9), *all_pairs(3)), expected, atol=1e-5
    )


@pytest.mark.parametrize("name", NAMES)
def test_names_that_cannot_be_measured(name: str) -> None:
    names = [
        *random_names(1, [2, 0], 5),
        np.zeros((1, 5), np.float32),
        np.full((2, 5), 0.1, np.float32),
    ]
    table = measure(name)(bags_of(names, 5), *all_pairs(4)).reshape(4, 4)
    assert np.isnan(table[1]).all()
    assert np.isnan(table[:, 1]).all()
    assert (table[2, [0, 2, 3]] == 0).all()
    if name.endswith(("pearson", "spearman", "kendall")):
        assert (table[3, [0, 2, 3]] == 0).all()  # a constant vector has no correlation
    nothing = np.zeros(0, dtype=np.int64)
    assert len(measure(name)(bags_of([], 5), nothing, nothing)) == 0


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("pair")])
def test_a_name_is_most_similar_to_itself(name: str) -> None:
    names = random_names(2, [1, 4, 2], 8)
    table = measure(name)(bags_of(names, 8), *all_pairs(3)).reshape(3, 3)
    np.testing.assert_allclose(np.diag(table), 1, atol=1e-6)


@pytest.mark.parametrize("width", [1, 2, 299, 300])
@pytest.mark.parametrize("levels", [2, 5, 10**6])
def test_taus_are_those_of_scipy(width: int, levels: int) -> None:
    rng = np.random.default_rng(width)
    matrix = rng.integers(0, levels, (70, width)).astype(np.float32)
    left, right = rng.integers(0, 70, 90), rng.integers(0, 70, 90)
    expected = [
        kendalltau(matrix[first], matrix[second]).statistic if width > 1 else np.nan
        for first, second in zip(left, right, strict=True)
    ]
    np.testing.assert_allclose(
        taus(matrix, left, right), np.nan_to_num(expected).astype(np.float32), atol=1e-7
    )


def test_taus_of_more_vectors_than_fit_at_once() -> None:
    matrix = np.random.default_rng(4).normal(size=(12, 2000)).astype(np.float32)
    left, right = np.triu_indices(12)
    few = np.concatenate([taus(matrix, left[k : k + 1], right[k : k + 1]) for k in range(78)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("termexplorer.trainer.measures.kendall._PLANES_BYTES", 2_500_000)
        assert (taus(matrix, left, right) == few).all()


@pytest.mark.parametrize("name", NAMES)
def test_long_work_can_be_stopped(name: str) -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        measure(name)(bags_of(random_names(5, [2, 1], 6), 6), *all_pairs(2), stop)


def test_only_measures_that_there_are() -> None:
    with pytest.raises(ValueError, match="no measure 'avg_cos'; choose one of avg_cosine"):
        measure("avg_cos")


class Words:
    """Vectors of two words."""

    def token_vectors(self, tokens: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        known = {"viral": [1, 0], "fever": [0, 2]}
        vectors = [known.get(token, [9, 9]) for token in tokens]
        return np.array(vectors, np.float32).reshape(-1, 2), np.array(
            [token in known for token in tokens], dtype=bool
        )


def test_bags_leave_out_what_is_not_known() -> None:
    bags = WordBags.of_names(["Viral zzz fever", "", "zzz", "fever fever"], Words())
    assert bags.sizes().tolist() == [2, 0, 0, 2]
    assert bags.means().tolist() == [[0.5, 1], [0, 0], [0, 0], [0, 2]]
    assert bags.covered(np.array([0, 0]), np.array([3, 1])).tolist() == [True, False]


def test_vectors_of_whole_names_are_bags_of_one() -> None:
    vectors = np.array([[1, 2], [0, 0], [3, 1]], dtype=np.float32)
    bags = WordBags.of_vectors(vectors)
    values = measure("avg_cosine")(bags, np.array([0, 0, 2]), np.array([2, 1, 2]))
    np.testing.assert_allclose(values, [cosine(vectors[0], vectors[2]), np.nan, 1], atol=1e-6)
