from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.evaluation.likelihood import Candidates, Likelihood, trial
from termexplorer.trainer.evaluation.matching import match_concepts
from termexplorer.trainer.evaluation.misplacement import Evidence, doubts, list_alike, moved
from termexplorer.trainer.evaluation.scores import cosine_scores

Bools = NDArray[np.bool_]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Evidence, Bools]:
    """Seven concepts, four neighbours each, three classes."""
    count, k, classes = 7, 4, 3
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    neighbours = np.stack(
        [rng.permutation([i for i in range(count) if i != row])[:k] for row in range(count)]
    )
    near = -np.sort(-rng.choice([0.125, 0.25, 0.5, 0.75], (count, k)), axis=1)
    hypernyms = np.stack([rng.permutation(classes)[:2] for _ in range(count)])
    above = -np.sort(-rng.choice([0.2, 0.4, 0.6], (count, 2)), axis=1)
    member = rng.random((count, classes)) < 0.4
    member[~member.any(axis=1), 0] = True
    return Evidence(neighbours, near, hypernyms, above), member


@given(cases())
def test_margins_are_those_of_the_definition(case: tuple[Evidence, Bools]) -> None:
    evidence, member = case
    result = doubts(evidence, csr_array(member))
    classes = range(member.shape[1])
    for row, own_classes in enumerate(member):
        near = dict.fromkeys(classes, 0.0)
        votes = dict.fromkeys(classes, 0.0)
        for other, similarity in zip(evidence.neighbours[row], evidence.near[row], strict=True):
            for c in np.flatnonzero(member[other]):
                near[c] = max(near[c], similarity)
                votes[c] += similarity
        above = dict(zip(evidence.hypernyms[row].tolist(), evidence.above[row], strict=True))
        total = sum(votes.values())
        share = {c: votes[c] / total for c in classes}
        wanted = []
        for values, floor in (
            (near, evidence.near[row, -1]), (share, 0.0), (above, evidence.above[row, -1]),
        ):  # fmt: skip
            best = [
                max([floor, *(values.get(c, floor) for c in classes if own_classes[c] == asserted)])
                for asserted in (True, False)
            ]
            wanted.append(best[1] - best[0])
        assert result.margins[row] == pytest.approx(wanted)
        voted = [c for c in classes if not own_classes[c] and share[c]]
        if voted:
            most = max(share[c] for c in voted)
            assert result.classes[row] == min(c for c in voted if share[c] == pytest.approx(most))
        else:
            assert result.classes[row] == -1


def test_a_concept_is_never_its_own_neighbour() -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0.2, 1]], np.float32)
    concepts, level = np.array([0, 1, 2, 3, 4]), np.array([[1, 0.1], [0, 1]], np.float32)
    none = csr_array((5, 5), dtype=np.bool_)
    among = match_concepts(cosine_scores(vectors), concepts, concepts, none, k=3)
    scores = cosine_scores(vectors, level)
    above = match_concepts(scores, concepts, np.arange(2), csr_array((5, 2), dtype=np.bool_))
    evidence = Evidence.of(among, above, np.array([7, 5]))
    assert evidence.neighbours.tolist() == [[1, 2], [0, 2], [0, 1], [4, 0], [3, 0]]
    assert evidence.hypernyms[:, 0].tolist() == [7, 7, 7, 5, 5]
    assert evidence.near[0].tolist() == [1, 1]


@given(st.integers(0, 100), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_moved_concepts_are_below_one_class_that_they_were_not_below(
    seed: int, share: float
) -> None:
    member = np.random.default_rng(seed).random((20, 4)) < 0.4
    member[:, seed % 4] = True
    member[3] = True  # below every class: it cannot be moved
    changed, mask = moved(csr_array(member), share, seed)
    free = int((~member.all(axis=1)).sum())
    assert mask.sum() == min(max(round(20 * share), 1), free)
    after = changed.toarray()
    assert (after[~mask] == member[~mask]).all()
    assert (after[mask].sum(axis=1) == 1).all()
    assert not (after & member)[mask].any()
    again, same = moved(csr_array(member), share, seed)
    assert (again.toarray() == after).all()
    assert (same == mask).all()


def test_concepts_are_moved_to_classes_like_their_own() -> None:
    of_class = np.arange(40) % 4  # 0 and 1 are alike, and 2 and 3
    vectors = np.zeros((4, 4), np.float32)
    vectors[[0, 1, 2, 3], [0, 0, 2, 2]] = 1
    vectors += 0.3 * np.eye(4, dtype=np.float32)
    concepts = np.arange(40)
    among = match_concepts(
        cosine_scores(vectors[of_class]), concepts, concepts, csr_array((40, 40), dtype=np.bool_)
    )
    above = match_concepts(
        cosine_scores(vectors[of_class], vectors), concepts, np.arange(4),
        csr_array((40, 4), dtype=np.bool_),
    )  # fmt: skip
    truth = csr_array(np.eye(4, dtype=np.bool_)[of_class])
    alike = list_alike(Evidence.of(among, above, np.arange(4)), truth, 1)
    assert alike.tolist() == [[1], [0], [3], [2]]
    changed, mask = moved(truth, 0.5, 0, alike)
    assert (changed.toarray().argmax(axis=1)[mask] == alike[of_class[mask], 0]).all()
    drawn, mask = moved(truth, 0.5, 0, np.full((4, 1), -1))  # none is like them: from all
    assert len({*drawn.toarray().argmax(axis=1)[mask].tolist()}) == 4


def test_nothing_to_move_is_said() -> None:
    with pytest.raises(ValueError, match="nothing can be moved"):
        moved(csr_array(np.ones((3, 1), np.bool_)), 0.5, 0)


def test_what_was_moved_is_found_where_classes_are_clear() -> None:
    rng = np.random.default_rng(0)
    of_class = np.arange(600) % 3
    vectors = (np.eye(8)[of_class] + rng.normal(0, 0.2, (600, 8))).astype(np.float32)
    concepts = np.arange(600)
    none = csr_array((600, 600), dtype=np.bool_)
    among = match_concepts(cosine_scores(vectors), concepts, concepts, none, k=21)
    scores = cosine_scores(vectors, np.eye(8, dtype=np.float32)[:3])
    above = match_concepts(scores, concepts, np.arange(3), csr_array((600, 3), dtype=np.bool_))
    evidence = Evidence.of(among, above, np.arange(3))
    truth = csr_array(np.eye(3, dtype=np.bool_)[of_class])
    copies = [moved(truth, 0.1, seed) for seed in range(4)]
    candidates = [
        Candidates(doubts(evidence, membership).margins, concepts, mask)
        for membership, mask in copies
    ]
    tried = trial(Likelihood.learned(candidates[:2]), candidates[2:])
    assert min(tried.precision[50]) > 0.9
    assert (doubts(evidence, copies[2][0]).classes[copies[2][1]] == of_class[copies[2][1]]).all()
