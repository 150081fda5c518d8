from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.evaluation.matching import Matches, match_concepts

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@st.composite
def owners(draw: st.DrawFn) -> Ints:
    """The concept of each of a few names; every concept has one."""
    concepts = draw(st.integers(1, 5))
    more = draw(st.lists(st.integers(0, concepts - 1), max_size=6))
    return np.array(draw(st.permutations([*range(concepts), *more])), np.int64)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Floats, Ints, Ints, NDArray[np.bool_]]:
    left, right = draw(owners()), draw(owners())
    shape = len(left), len(right)
    size = shape[0] * shape[1]
    values = draw(st.lists(st.integers(-2, 2), min_size=size, max_size=size))
    concepts = (left.max() + 1, right.max() + 1)
    size = int(concepts[0] * concepts[1])
    true = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    table = np.array(values, np.float32).reshape(shape)
    return table, left, right, np.array(true, np.bool_).reshape(concepts)


def match(table: Floats, left: Ints, right: Ints, true: NDArray[np.bool_], k: int = 3) -> Matches:
    def scores(rows: Ints, columns: Ints) -> Floats:
        return table[np.ix_(rows, columns)]

    return match_concepts(scores, left, right, csr_array(true), k=k, first=(1, 2))


@given(cases())
def test_concepts_are_ranked_by_their_most_similar_names(
    case: tuple[Floats, Ints, Ints, NDArray[np.bool_]],
) -> None:
    table, left, right, true = case
    result = match(*case)
    for concept in range(len(true)):
        similarities = [
            max(float(table[i, j]) for i in np.flatnonzero(left == concept)
                for j in np.flatnonzero(right == other))
            for other in range(true.shape[1])
        ]  # fmt: skip
        order = sorted(range(len(similarities)), key=lambda other: (-similarities[other], other))[
            :3
        ]
        assert result.places[concept].tolist() == order
        assert result.similarities[concept].tolist() == [similarities[other] for other in order]
        hit = result.result.items["hits@1"][concept]
        if true[concept].any():
            best = [other for other, value in enumerate(similarities) if value == max(similarities)]
            assert hit == pytest.approx(np.mean([true[concept, other] for other in best]))
        else:
            assert np.isnan(hit)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_names_does_not_matter(
    case: tuple[Floats, Ints, Ints, NDArray[np.bool_]], random: np.random.Generator
) -> None:
    table, left, right, true = case
    rows, columns = list(range(len(left))), list(range(len(right)))
    random.shuffle(rows)  # type: ignore[arg-type]
    random.shuffle(columns)  # type: ignore[arg-type]
    matches, other = (
        match(*case),
        match(table[np.ix_(rows, columns)], left[rows], right[columns], true),
    )
    assert (matches.places == other.places).all()
    assert (matches.similarities == other.similarities).all()
    assert [f.value for f in matches.result.figures] == pytest.approx(
        [f.value for f in other.result.figures], nan_ok=True
    )


def test_figures_are_means_over_concepts_with_a_true_candidate() -> None:
    table = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.7], [0.1, 0.2, 0.3]], np.float32)
    true = np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]], np.bool_)
    result = match(table, np.arange(3), np.arange(3), true, k=9)
    assert result.places.tolist() == [[0, 2, 1], [1, 2, 0], [2, 1, 0]]
    values = {f.metric: (f.value, f.n) for f in result.result.figures}
    assert values == {"MRR": (0.75, 2), "hits@1": (0.5, 2), "hits@2": (1.0, 2)}
    assert result.result.figures[0].primary


def test_a_concept_without_a_name_and_figures_that_are_none_are_refused() -> None:
    table, none = np.zeros((1, 1), np.float32), np.zeros((2, 1), np.bool_)
    with pytest.raises(ValueError, match="concept 0 has no name"):
        match(table, np.array([1]), np.array([0]), none)
    broken = np.full((1, 1), np.nan, np.float32)
    with pytest.raises(ValueError, match="not numbers"):
        match(broken, np.array([0]), np.array([0]), np.ones((1, 1), np.bool_))


def test_the_work_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        match_concepts(
            lambda rows, columns: np.zeros((len(rows), len(columns)), np.float32),
            np.arange(4), np.arange(4), csr_array(np.eye(4, dtype=np.bool_)), tick=stop,
        )  # fmt: skip
