"""Hierarchies with names: links both ways, depths, and what is left without some concepts."""

import numpy as np
import pytest

from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

NAMES = [["disease"], ["infection", "infectious disease"], ["pneumonia"], ["viral pneumonia"]]


@pytest.fixture
def chain() -> NamedHierarchy:
    return NamedHierarchy.build(NAMES, [[], [0], [0, 1], [2]])


def test_links_and_depths(chain: NamedHierarchy) -> None:
    assert chain.concepts == 4
    assert chain.labels == ["disease", "infection", "pneumonia", "viral pneumonia"]
    links = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]]
    np.testing.assert_array_equal(chain.to_parents.toarray(), links)
    np.testing.assert_array_equal(chain.to_children.toarray(), np.transpose(links))
    np.testing.assert_array_equal(chain.depths, [0, 1, 1, 2])


def test_a_cycle_has_no_depth() -> None:
    round_trip = NamedHierarchy.build([["a"], ["b"], ["c"]], [[1], [0], []])
    np.testing.assert_array_equal(round_trip.depths, [-1, -1, 0])


def test_what_is_left_has_new_numbers(chain: NamedHierarchy) -> None:
    left, numbers = chain.without(np.array([1]))
    assert numbers.tolist() == [0, -1, 1, 2]
    assert left.names == ("disease", "pneumonia", "viral pneumonia")
    links = np.stack([left.child, left.parent], axis=1).tolist()
    assert sorted(links) == [[1, 0], [2, 1]]


@pytest.mark.parametrize(
    ("names", "parents", "message"),
    [([["a"], []], [[], [0]], "no name"), ([["a"]], [[3]], "no concept")],
)
def test_what_cannot_be_is_refused(
    names: list[list[str]], parents: list[list[int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        NamedHierarchy.build(names, parents)
