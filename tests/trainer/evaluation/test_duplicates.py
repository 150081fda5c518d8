from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.evaluation.duplicates import (
    Halves,
    Nearest,
    found_again,
    near_pairs,
    pair_features,
    split_concepts,
)
from termexplorer.trainer.evaluation.likelihood import Candidates, Likelihood, trial
from termexplorer.trainer.evaluation.matching import match_concepts
from termexplorer.trainer.evaluation.scores import cosine_scores

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

COPIES = 3


def matched(table: Floats, halves: Halves, k: int) -> Nearest:
    """The nearest in the first copy."""
    return Nearest.of(among(table, halves, k), halves.as_in(0), k)


def among(table: Floats, halves: Halves, k: int):  # type: ignore[no-untyped-def]
    none = csr_array((len(halves.of), len(halves.of)), dtype=np.bool_)
    parts = halves.concepts
    return match_concepts(lambda r, c: table[np.ix_(r, c)], parts, parts, none, k=2 * k + 2)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Floats, Halves, int]:
    """Similarities of names, all different, in concepts some of which are split."""
    sizes = [2, 2, 2, *draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))]
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    concepts = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    table = rng.permutation(len(concepts) ** 2).reshape((len(concepts),) * 2).astype(np.float32)
    table = np.maximum(table, table.T) / np.float32(len(concepts) ** 2)
    return (
        table,
        split_concepts(concepts, 0, COPIES, draw(st.integers(0, 99))),
        draw(st.integers(1, 6)),
    )


def naive(table: Floats, parts: Ints, a: int, b: int) -> float:
    return float(table[np.ix_(parts == a, parts == b)].max())


@given(cases())
def test_halves_put_together_are_nearest_to_what_the_whole_is(
    case: tuple[Floats, Halves, int],
) -> None:
    table, halves, k = case
    for copy in range(-1, COPIES):
        whole = halves.as_in(copy)
        parts = whole[halves.concepts]
        present = np.unique(parts).tolist()
        assert len(present) == (halves.copies < 0).sum() + (copy >= 0)
        nearest = Nearest.of(among(table, halves, k), whole, k)
        for concept in range(len(halves.of)):
            other_concepts = [
                candidate for candidate in present if candidate != concept and concept in present
            ]
            similar = {
                candidate: naive(table, parts, concept, candidate) for candidate in other_concepts
            }
            best = sorted(similar, key=lambda candidate: (-similar[candidate], candidate))[:k]
            gap = [-1] * (k - len(best))
            assert nearest.places[concept].tolist() == [*best, *gap]
            assert nearest.similarities[concept][: len(best)].tolist() == [similar[b] for b in best]
            assert np.isnan(nearest.similarities[concept][len(best) :]).all()


@given(cases())
def test_pairs_and_what_is_said_of_them_are_those_of_the_definition(
    case: tuple[Floats, Halves, int],
) -> None:
    table, halves, k = case
    nearest = matched(table, halves, k)
    parts = halves.as_in(0)[halves.concepts]
    present = np.unique(parts).tolist()
    similar = {(a, b): naive(table, parts, a, b) for a in present for b in present if a != b}
    order = {
        a: sorted((b for b in present if b != a), key=lambda b: (-similar[a, b], b))
        for a in present
    }
    first, second = near_pairs([nearest], 2)
    wanted = {(min(a, b), max(a, b)) for a in present for b in order[a][: min(k, 2)]}
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == sorted(wanted)
    features = pair_features(nearest, first, second)
    for (a, b), row in zip(sorted(wanted), features, strict=True):
        assert row[0] == similar[a, b]
        ahead = []
        for left, right in ((a, b), (b, a)):
            neighbours = [neighbour for neighbour in order[left][:k] if neighbour != right]
            ahead.append(similar[a, b] - similar[left, neighbours[0]] if neighbours else np.nan)
        if np.isnan(ahead).any():
            assert np.isnan(row[1:]).all()
        else:
            assert row[1:] == pytest.approx([max(ahead), min(ahead)])


def test_of_pairs_far_apart_the_similarity_is_the_most_that_it_can_be() -> None:
    table = np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]], np.float32)
    halves = Halves(np.arange(3), np.arange(3), np.full(3, -1))
    nearest = matched(table, halves, 1)
    assert nearest.places.tolist() == [[1], [0], [1]]
    result = pair_features(nearest, np.array([0]), np.array([2]))
    assert result[0].tolist() == pytest.approx([0.2, 0.0, -0.7])


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=12),
    st.sampled_from([0, 0.2, 0.5]),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_other_concepts_become_two_in_each_copy(
    sizes: list[int], share: float, copies: int, seed: int
) -> None:
    concepts = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    several = [concept for concept, size in enumerate(sizes) if size > 1]
    names_per_copy = max(round(share * len(several)), 1)
    if names_per_copy * copies > len(several):
        with pytest.raises(ValueError, match="would have to be split"):
            split_concepts(concepts, share, copies, seed)
        return
    halves = split_concepts(concepts, share, copies, seed)
    new = halves.of[len(sizes) :]
    assert len(set(new.tolist())) == names_per_copy * copies
    assert set(new.tolist()) <= set(several)
    assert np.bincount(halves.copies + 1).tolist() == [len(sizes), *[names_per_copy] * copies]
    assert (halves.of[halves.concepts] == concepts).all()
    for number, concept in enumerate(new.tolist(), len(sizes)):
        assert (halves.concepts == number).sum() == sizes[concept] // 2
    assert (halves.as_in(-1)[halves.concepts] == concepts).all()
    assert (split_concepts(concepts, share, copies, seed).concepts == halves.concepts).all()


def test_halves_are_found_where_concepts_are_clear() -> None:
    rng = np.random.default_rng(0)
    concepts = np.repeat(np.arange(300), 4)
    vectors = rng.normal(0, 1, (300, 16))[concepts] + rng.normal(0, 0.3, (1200, 16))
    scores = cosine_scores(vectors.astype(np.float32))
    halves = split_concepts(concepts, 0.1, 6, 0)
    none = csr_array((len(halves.of), len(halves.of)), dtype=np.bool_)
    parts = halves.concepts
    result = match_concepts(scores, parts, parts, none, k=12)
    copies = []
    for copy in range(6):
        nearest = Nearest.of(result, halves.as_in(copy), 5)
        assert found_again(nearest, halves, copy, 1).mean() > 0.9
        first, second = near_pairs([nearest], 5)
        whole, other = halves.of[first], halves.of[second]
        features = pair_features(nearest, first, second)
        copies.append(Candidates(features, np.minimum(whole, other), whole == other))
    tried = trial(Likelihood.learned(copies[:3]), copies[3:])
    assert min(tried.precision[50]) > 0.9 * 30 / 50  # 30 were split
    assert tried.calibration.error < 0.02
