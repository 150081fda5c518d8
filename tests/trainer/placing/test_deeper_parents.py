"""Concepts that stand a parent too high, and copies in which the truth is known."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from termexplorer.trainer.placing.deeper_candidates import (
    DeeperEvidence,
    LinkTable,
    NearConcepts,
    expand_links,
    take_first,
)
from termexplorer.trainer.placing.deeper_parents import find_deeper_parents
from termexplorer.trainer.placing.lifted_links import lift_concepts
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.representations.tfidf import TfidfNames

ORGANS = ["heart", "liver", "kidney", "lung", "skin", "brain", "bone", "eye", "ear", "nose"]
KINDS = ["cancer", "infection", "injury"]
CAUSES = ["acute", "chronic", "viral", "severe", "mild"]


@pytest.fixture(scope="module")
def diseases() -> NamedHierarchy:
    """Diseases, organs, kinds and causes; a mild infection of the lung stands below the lung."""
    names, parents = [["disease"]], [[]]
    for organ in ORGANS:
        names.append([f"{organ} disease"])
        parents.append([0])
        top = len(names) - 1
        for kind in KINDS:
            names.append([f"{organ} {kind}", f"{kind} of the {organ}"])
            parents.append([top])
            above = len(names) - 1
            for cause in CAUSES:
                names.append([f"{cause} {organ} {kind}"])
                lifted = (cause, organ, kind) == ("mild", "lung", "infection")
                parents.append([top if lifted else above])
    return NamedHierarchy.build(names, parents)


@pytest.fixture(scope="module")
def near(diseases: NamedHierarchy) -> NearConcepts:
    """The 30 nearest of each by TF-IDF."""
    table = TfidfNames.fit(diseases.names).similarities(diseases.labels)
    table = np.maximum.reduceat(table, diseases.starts[:-1], axis=1)
    np.fill_diagonal(table, -1)
    order = np.argsort(-table, axis=1, kind="stable")[:, :30]
    return NearConcepts(order, np.take_along_axis(table, order, axis=1).astype(np.float64))


def list_above(parents: dict[int, set[int]], concept: int) -> set[int]:
    above = set(parents.get(concept, ()))
    return above.union(*(list_above(parents, parent) for parent in above)) if above else above


def parents_of(child: list[int], parent: list[int]) -> dict[int, set[int]]:
    parents: dict[int, set[int]] = {}
    for below, above in zip(child, parent, strict=True):
        parents.setdefault(below, set()).add(above)
    return parents


def test_lifted_concepts_stand_higher_in_their_branch(diseases: NamedHierarchy) -> None:
    copy = lift_concepts(diseases.to_parents, 0.1, seed=3)
    before = parents_of(diseases.child.tolist(), diseases.parent.tolist())
    after = parents_of(copy.child.tolist(), copy.parent.tolist())
    assert len(copy.lifted) == round(0.1 * diseases.concepts)
    for concept in before:
        former = int(copy.former[concept])
        if former < 0:
            assert after[concept] == before[concept]
        else:
            (gone,), (new,) = before[concept] - after[concept], after[concept] - before[concept]
            assert gone == former
            assert new in list_above(before, former)


def test_a_flat_hierarchy_has_nothing_to_lift() -> None:
    flat = NamedHierarchy.build([["a"], ["b"], ["c"]], [[], [0], [0]])
    with pytest.raises(ValueError, match="too high"):
        lift_concepts(flat.to_parents, 0.1, seed=0)


def test_candidates_lie_below_a_parent_and_aside_of_the_concept(
    diseases: NamedHierarchy, near: NearConcepts
) -> None:
    links = LinkTable(diseases.child, diseases.parent, diseases.concepts)
    pairs = DeeperEvidence(diseases.labels, [near]).describe(links, np.arange(diseases.concepts))
    parents = parents_of(diseases.child.tolist(), diseases.parent.tolist())
    assert len(pairs.concepts) == len(pairs.features)
    assert pairs.features.shape[1] == len(pairs.rising)
    for concept, parent, candidate in zip(
        pairs.concepts.tolist(), pairs.parents.tolist(), pairs.candidates.tolist(), strict=True
    ):
        assert parent in parents[concept]
        assert parent in list_above(parents, candidate)
        assert concept not in list_above(parents, candidate) | {candidate}
        assert candidate not in list_above(parents, concept)


def test_votes_are_what_a_plain_count_gives(diseases: NamedHierarchy, near: NearConcepts) -> None:
    links = LinkTable(diseases.child, diseases.parent, diseases.concepts)
    concept = diseases.labels.index("mild lung infection")
    candidate = diseases.labels.index("lung infection")
    pairs = DeeperEvidence(diseases.labels, [near]).describe(links, np.array([concept]))
    row = pairs.candidates.tolist().index(candidate)
    parents = parents_of(diseases.child.tolist(), diseases.parent.tolist())
    similarities = {
        int(n): float(s)
        for n, s in zip(near.concepts[concept], near.similarities[concept], strict=True)
        if s > 0
    }
    best = max(similarities.values())
    weights = {n: np.exp(8 * (s - best)) for n, s in similarities.items()}
    total = sum(weights.values())
    below = [n for n in similarities if candidate in list_above(parents, n)]
    direct = [n for n in similarities if candidate in parents.get(n, ())]
    child = max(similarities[n] for n in direct)
    itself = similarities[candidate]
    expected = {
        0: itself,
        2: child,
        3: best - itself,
        4: best - max(itself, child),
        5: (sum(weights[n] for n in direct) + weights[candidate]) / total,
        6: sum(weights[n] for n in below) / total,
    }
    described = {column: pairs.features[row, column] for column in expected}
    assert described == pytest.approx(expected, rel=1e-5)


def test_what_stands_too_high_is_found_with_its_parent(
    diseases: NamedHierarchy, near: NearConcepts
) -> None:
    deeper = find_deeper_parents(diseases, [near], share=0.05, seed=1)
    labels = diseases.labels
    first = deeper.concepts[:3].tolist()
    assert labels.index("mild lung infection") in first
    row = first.index(labels.index("mild lung infection"))
    assert labels[deeper.parents[row]] == "lung disease"
    assert labels[deeper.deeper[row]] == "lung infection"
    assert labels[deeper.nearest[row]].endswith("lung infection")
    assert deeper.agree[row] == 1
    assert (np.diff(deeper.likelihoods) <= 0).all()
    assert deeper.lifted == round(0.05 * diseases.concepts)
    assert all(len(values) == 3 for values in deeper.trial.precision.values())
    again = find_deeper_parents(diseases, [near], share=0.05, seed=1)
    assert again.likelihoods.tolist() == deeper.likelihoods.tolist()


def test_a_caller_may_stop_it(diseases: NamedHierarchy, near: NearConcepts) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_deeper_parents(diseases, [near], share=0.05, tick=stop)


def test_the_first_of_groups_and_the_links_of_rows_are_what_loops_give() -> None:
    random = np.random.default_rng(0)
    groups, scores = random.integers(0, 7, 60), random.random(60)
    expected = [
        index
        for group in range(7)
        for index in sorted(np.flatnonzero(groups == group), key=lambda i: -scores[i])[:3]
    ]
    assert take_first(groups, scores, 3).tolist() == expected
    links = csr_array((random.random((8, 8)) < 0.3).astype(np.float32))
    rows = random.integers(0, 8, 12)
    index, columns = expand_links(links, rows)
    dense = links.toarray()
    assert [(int(i), int(c)) for i, c in zip(index, columns, strict=True)] == [
        (i, int(c)) for i, row in enumerate(rows) for c in np.flatnonzero(dense[row])
    ]


def test_opposites_are_no_candidates() -> None:
    names = [["limb"], ["left limb"], ["left limb part"], ["right limb"], ["right limb part"]]
    hierarchy = NamedHierarchy.build(names, [[], [0], [1], [0], [3]])
    links = LinkTable(hierarchy.child, hierarchy.parent, 5)
    near = NearConcepts(
        np.array([[n for n in range(5) if n != concept] for concept in range(5)]),
        np.full((5, 4), 0.9),
    )
    pairs = DeeperEvidence(hierarchy.labels, [near]).describe(links, np.arange(5))
    assert not len(pairs.concepts)  # what is left lies below nothing but the left side
    plain = ["limb", "fore limb", "fore limb part", "hind limb", "hind limb part"]
    pairs = DeeperEvidence(plain, [near]).describe(links, np.arange(5))
    assert len(pairs.concepts)
