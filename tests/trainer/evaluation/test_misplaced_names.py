from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.likelihood import Candidates, Likelihood, trial
from termexplorer.trainer.evaluation.misplaced_names import (
    moved_names,
    name_doubts,
    name_evidence,
    pairs_within,
)
from termexplorer.trainer.evaluation.scores import cosine_scores

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Floats, Ints, Ints, int]:
    """Similarities of a few names, two ways to part them into concepts, and how many to keep."""
    count = draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    values = rng.choice(draw(st.sampled_from([(0.25, 0.5), (-0.5, 0.25, 0.5, 0.75)])), (count,) * 2)
    parted = [rng.integers(0, draw(st.integers(1, 5)), count) for _ in range(2)]
    return values.astype(np.float32), *parted, draw(st.integers(1, 10))


@given(cases())
def test_doubts_are_those_of_the_definition(case: tuple[Floats, Ints, Ints, int]) -> None:
    table, asserted, other, k = case
    count = len(table)
    pairs = pairs_within([asserted, other])
    evidence = name_evidence(lambda r, c: table[np.ix_(r, c)].copy(), pairs, k=k)
    for concepts in (asserted, other):
        result = name_doubts(evidence, concepts)
        for name in range(count):
            order = sorted(
                (i for i in range(count) if i != name), key=lambda i: (-table[name, i], i)
            )
            nearest = order[:k]
            strangers = [i for i in nearest if concepts[i] != concepts[name]]
            own_concept = [i for i in order if concepts[i] == concepts[name]]
            best = strangers[0] if strangers else -1
            other_best = float(table[name, best if strangers else nearest[-1]])
            assert result.nearest[name] == best
            assert result.features[name, 0] == other_best
            if own_concept:
                own_best = float(table[name, own_concept[0]])
                ahead = sum(float(table[name, i]) > own_best for i in order)
                assert result.margins[name] == pytest.approx(other_best - own_best)
                assert result.features[name, 1:3] == pytest.approx([-own_best, np.log1p(ahead)])
            else:
                assert np.isnan(result.margins[name])
                assert np.isnan(result.features[name, 1:3]).all()
            votes = {i: max(float(table[name, i]), 0) for i in nearest[:10]}
            of_best = sum(
                v for i, v in votes.items() if best >= 0 and concepts[i] == concepts[best]
            )
            of_own = sum(v for i, v in votes.items() if concepts[i] == concepts[name])
            total = max(sum(votes.values()), 1e-12)
            assert result.features[name, 3] == pytest.approx((of_best - of_own) / total, abs=1e-6)


@given(cases(), st.floats(0.1, 9))
def test_longer_vectors_are_no_other_evidence(
    case: tuple[Floats, Ints, Ints, int], factor: float
) -> None:
    vectors, concepts, _, k = case
    pairs = pairs_within([concepts])
    first, second = (
        name_evidence(cosine_scores(scaled), pairs, k=k)
        for scaled in (vectors, vectors * np.float32(factor))
    )
    assert first.near == pytest.approx(second.near, abs=1e-5)
    assert first.similarities == pytest.approx(second.similarities, abs=1e-5)


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=12),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.integers(0, 99),
)
def test_moved_names_are_of_one_other_concept(of: list[int], share: float, seed: int) -> None:
    concepts = np.unique(of, return_inverse=True)[1]
    movable = np.arange(len(concepts)) % 2 == 0
    if concepts.max() == 0:
        with pytest.raises(ValueError, match="none can be moved"):
            moved_names(concepts, movable, share, seed)
        return
    changed, mask = moved_names(concepts, movable, share, seed)
    assert mask.sum() == max(round(share * movable.sum()), 1)
    assert not (mask & ~movable).any()
    assert ((changed != concepts) == mask).all()
    assert changed.min() >= 0
    assert changed.max() <= concepts.max()
    again, _ = moved_names(concepts, movable, share, seed)
    assert (again == changed).all()


def test_nothing_to_move_and_figures_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="none can be moved"):
        moved_names(np.arange(3), np.zeros(3, np.bool_), 0.5, 0)
    broken = np.full((2, 2), np.nan, np.float32)
    with pytest.raises(ValueError, match="not numbers"):
        name_evidence(lambda r, c: broken[np.ix_(r, c)], pairs_within([np.zeros(2, np.int64)]), k=1)


def test_the_work_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    pairs = pairs_within([np.arange(4)])
    with pytest.raises(InterruptedError):
        name_evidence(lambda r, c: np.zeros((len(r), len(c)), np.float32), pairs, k=2, tick=stop)


def test_what_was_moved_is_found_where_concepts_are_clear() -> None:
    rng = np.random.default_rng(0)
    concepts = np.repeat(np.arange(200), 4)
    centres = rng.normal(0, 1, (200, 16))
    vectors = (centres[concepts] + rng.normal(0, 0.3, (800, 16))).astype(np.float32)
    movable = np.arange(800) % 4 > 0
    copies = [moved_names(concepts, movable, 0.05, seed) for seed in range(6)]
    pairs = pairs_within([own_concepts for own_concepts, _ in copies])
    evidence = name_evidence(cosine_scores(vectors), pairs, k=20)
    candidates = [
        Candidates(
            name_doubts(evidence, moved).features[movable], np.flatnonzero(movable), mask[movable]
        )
        for moved, mask in copies
    ]
    tried = trial(Likelihood.learned(candidates[:3]), candidates[3:])
    assert tried.chance == pytest.approx(0.05)
    assert min(tried.precision[50]) > 0.9 * 30 / 50  # 30 were moved
    doubted = name_doubts(evidence, copies[0][0])
    assert (concepts[doubted.nearest] == concepts)[copies[0][1]].mean() > 0.9
