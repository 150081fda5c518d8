"""Terms placed in a hierarchy: what speaks for a parent, what is learned, how it is measured."""

import numpy as np
import pytest

from termexplorer.trainer.metrics import DISTANCE, MRR
from termexplorer.trainer.placing.evidence import PlacingEvidence
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.placing.placer import Placer
from termexplorer.trainer.placing.trial import PlacingData, hide_concepts, placing

ORGANS = ["heart", "liver", "kidney", "lung", "skin", "brain", "bone", "eye"]
KINDS = ["cancer", "infection", "injury", "atrophy", "cyst"]
CAUSES = ["acute", "chronic", "rare", "severe"]


@pytest.fixture(scope="module")
def diseases() -> NamedHierarchy:
    """A root, kinds below it, of organs below these, and what these can be below them."""
    names, parents = [["disease"]], [[]]
    for kind in KINDS:
        names.append([kind])
        parents.append([0])
        above = len(names) - 1
        for organ in ORGANS:
            names.append([f"{organ} {kind}", f"{kind} of {organ}"])
            parents.append([above])
            middle = len(names) - 1
            for cause in CAUSES:
                names.append([f"{cause} {organ} {kind}"])
                parents.append([middle])
    return NamedHierarchy.build(names, parents)


def test_a_term_goes_below_what_it_is_a_kind_of(diseases: NamedHierarchy) -> None:
    placer = Placer.fit(diseases)
    (placement,) = placer.place(["sudden liver cyst"])
    labels = diseases.labels
    assert labels[placement.concepts[0]] == "liver cyst"
    assert (np.diff(placement.probabilities) <= 0).all()
    (again,) = Placer.fit(diseases).place(["sudden liver cyst"])
    np.testing.assert_array_equal(placement.concepts, again.concepts)


def test_hidden_concepts_find_their_parents(diseases: NamedHierarchy) -> None:
    data = hide_concepts(diseases, seed=0)
    assert not set(data.terms) & set(data.hierarchy.labels)
    ranked = [placement.concepts for placement in Placer.fit(data.hierarchy).place(data.terms)]
    figures = {figure.metric: figure for figure in placing(data, ranked).figures}
    assert figures[MRR].value > 0.9
    assert figures[MRR].n == len(data.terms)


def test_a_concept_that_is_learned_from_says_nothing_of_itself(diseases: NamedHierarchy) -> None:
    """What speaks for its parent is the same as if the concept were not there."""
    concept = diseases.labels.index("acute lung injury")
    whole = PlacingEvidence(diseases, None)
    term = diseases.labels[concept]
    candidates, columns = whole.describe(term, [whole.compare([term])[0][0]], concept)
    left, numbers = diseases.without(np.array([concept]))
    hidden = PlacingEvidence(left, None)
    left_candidates, same = hidden.describe(term, [hidden.compare([term])[0][0]])
    parent = diseases.labels.index("lung injury")
    ours = columns[candidates == parent][0]
    theirs = same[left_candidates == numbers[parent]][0]
    np.testing.assert_allclose(ours, theirs, atol=0.1)  # but for the weights of words
    np.testing.assert_array_equal(ours[-3:], theirs[-3:])
    assert concept not in candidates


def test_evidence_is_that_of_a_naive_count(diseases: NamedHierarchy) -> None:
    evidence = PlacingEvidence(diseases, None)
    (similarities,) = evidence.compare(["liver cancer in dogs"])
    similarity = similarities[0]
    candidates, columns = evidence.describe("liver cancer in dogs", [similarity])
    links = diseases.to_children.toarray().astype(bool)
    for candidate, row in zip(candidates, columns, strict=True):
        children = np.flatnonzero(links[candidate])
        below = [
            similarity[grandchild]
            for child in children
            for grandchild in np.flatnonzero(links[child])
        ]
        above = similarity[np.flatnonzero(links[:, candidate])]
        naive = [
            similarity[candidate],
            similarity[children].max() if len(children) else np.nan,
            similarity[children].mean() if len(children) else np.nan,
            max(below) if below else np.nan,
            above.max() if len(above) else np.nan,
        ]
        np.testing.assert_allclose(row[:5], naive, atol=1e-5)
        assert row[-3] == len(children)


def test_a_measure_of_ranks_and_ways() -> None:
    """A worked example: a chain of four; 0 is above 1, 1 above 2, 2 above 3."""
    chain = NamedHierarchy.build([["a"], ["b"], ["c"], ["d"]], [[], [0], [1], [2]])
    data = PlacingData(chain, ("x", "y", "z"), tuple(np.array([n]) for n in (1, 3, 0)))
    result = placing(data, [np.array([1, 2]), np.array([0, 2, 3]), np.array([], dtype=np.int64)])
    np.testing.assert_allclose(result.items[MRR], [1, 1 / 3, 0])
    np.testing.assert_allclose(result.items["hits@1"], [1, 0, 0])
    np.testing.assert_allclose(result.items["hits@10"], [1, 1, 0])
    np.testing.assert_allclose(result.items[DISTANCE], [0, 3, np.nan])


def test_a_flat_list_is_refused() -> None:
    flat = NamedHierarchy.build([[f"term {n}"] for n in range(30)], [[] for _ in range(30)])
    with pytest.raises(ValueError, match="0 concepts have a parent"):
        Placer.fit(flat)
    with pytest.raises(ValueError, match="no hidden concept"):
        hide_concepts(flat, seed=0)
