from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from trainer.evaluation.duplicates import near_pairs, split_concepts
from trainer.evaluation.matching import match_concepts


@given(st.integers(2, 7), st.integers(2, 7), st.integers(0, 1000))
def test_pairs_are_those_of_the_nearest_the_most_similar_first(
    count: int, k: int, seed: int
) -> None:
    table = np.random.default_rng(seed).choice([0.25, 0.5, 0.75], (count, count))
    table = np.maximum(table, table.T).astype(np.float32)
    np.fill_diagonal(table, 1)
    concepts = np.arange(count)
    none = csr_array((count, count), dtype=np.bool_)
    among = match_concepts(lambda r, c: table[np.ix_(r, c)], concepts, concepts, none, k=k)
    found = near_pairs(among)
    wanted = {
        (min(a, b), max(a, b))
        for a in range(count)
        for b in sorted(range(count), key=lambda other: (-table[a, other], other))[:k]
        if a != b
    }
    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == sorted(wanted, key=lambda pair: (-table[pair], pair))
    assert found.similarities.tolist() == [table[pair] for pair in pairs]


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=8),
    st.sampled_from([0, 0.3, 1.0]),
    st.integers(0, 99),
)
def test_some_concepts_become_two(sizes: list[int], share: float, seed: int) -> None:
    concepts = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    several = [concept for concept, size in enumerate(sizes) if size > 1]
    if not several:
        with pytest.raises(ValueError, match="none can be split"):
            split_concepts(concepts, share, seed)
        return
    found, chosen = split_concepts(concepts, share, seed)
    assert len(chosen) == max(round(share * len(several)), 1)
    assert set(chosen.tolist()) <= set(several)
    for concept, size in enumerate(sizes):
        own = found[concepts == concept]
        if concept in chosen:
            new = len(sizes) + chosen.tolist().index(concept)
            assert ((own == concept) | (own == new)).all()
            assert (own == new).sum() == size // 2
        else:
            assert (own == concept).all()
    again, _ = split_concepts(concepts, share, seed)
    assert (again == found).all()
