"""One-to-one assignment, margins, contradictions and references."""

from itertools import permutations

import numpy as np
import pytest
from made_ontologies import make_side

from termexplorer.trainer.mapping.assignment import assign_pairs
from termexplorer.trainer.mapping.margins import measure_margins
from termexplorer.trainer.mapping.references import add_references, measure_trust
from termexplorer.trainer.mapping.repair import find_contradictions, repair_matches

CHAIN = ((1, 0), (2, 1), (3, 2))  # 0 is the root


def array(*rows: tuple[int, ...]) -> np.ndarray:
    return np.array(rows, np.int64)


def test_the_assignment_is_best_as_a_whole_where_greedy_is_not() -> None:
    pairs = array((0, 0), (0, 1), (1, 0))
    likelihoods = np.array([0.9, 0.8, 0.8], np.float32)
    assert assign_pairs(pairs, likelihoods).tolist() == [False, True, True]


def test_the_assignment_is_that_of_trying_all() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        table = random.random((4, 4)) * (random.random((4, 4)) < 0.7)
        pairs = array(*((i, j) for i in range(4) for j in range(4)))
        taken = assign_pairs(pairs, table.ravel().astype(np.float32))
        best = max(
            sum(table[i, j] for i, j in enumerate(order)) for order in permutations(range(4))
        )
        assert table.ravel()[taken].sum() == pytest.approx(best, abs=0.05)
        for column in (0, 1):
            assert len(set(pairs[taken, column].tolist())) == taken.sum()


def test_nothing_likely_is_assigned_nothing() -> None:
    pairs = array((0, 0), (5, 7))
    assert not assign_pairs(pairs, np.zeros(2, np.float32)).any()
    assert assign_pairs(pairs, np.array([0.0, 0.5], np.float32)).tolist() == [False, True]
    assert assign_pairs(np.zeros((0, 2), np.int64), np.zeros(0, np.float32)).tolist() == []


def test_margins_and_ranks_are_those_of_comparing_with_each_other() -> None:
    random = np.random.default_rng(0)
    groups = random.integers(0, 12, 60)
    values = random.integers(0, 5, 60).astype(np.float32) / 4
    margins, ranks = measure_margins(groups, values)
    for row in range(60):
        rivals = [values[i] for i in range(60) if i != row and groups[i] == groups[row]]
        assert margins[row] == values[row] - max(rivals, default=-1)
        assert ranks[row] == min(sum(rival > values[row] for rival in rivals), 10)
    assert [part.tolist() for part in measure_margins(groups[:0], values[:0])] == [[], []]


def test_a_match_above_another_here_and_below_it_there_is_a_contradiction() -> None:
    ours, theirs = (make_side([[letter] for letter in "abcd"], CHAIN) for _ in range(2))
    matches = array((1, 3), (3, 1), (0, 0))
    assert find_contradictions(ours, theirs, matches).tolist() == [[0, 1]]
    assert find_contradictions(ours, theirs, array((0, 0), (1, 1), (3, 3))).tolist() == []


def test_repair_takes_the_least_likely_match_of_most_contradictions_back() -> None:
    ours, theirs = (make_side([[letter] for letter in "abcd"], CHAIN) for _ in range(2))
    # that of 1 contradicts two others, which agree
    matches = array((1, 3), (2, 1), (3, 2))
    stays = repair_matches(ours, theirs, matches, np.array([0.99, 0.6, 0.6], np.float32))
    assert stays.tolist() == [False, True, True]
    two = array((1, 3), (3, 1))
    stays = repair_matches(ours, theirs, two, np.array([0.9, 0.6], np.float32))
    assert stays.tolist() == [True, False]


def test_references_count_as_much_as_they_agree_with_names() -> None:
    anchors = array((0, 0), (1, 1), (2, 2), (3, 3))
    references = array((0, 0), (1, 1), (2, 5), (7, 7), (8, 8), (8, 9))
    assert measure_trust(references, anchors) == pytest.approx(3 / 5)
    pairs = array((7, 7), (8, 8), (8, 9), (9, 9))
    likelihoods = np.tile(np.array([0.2, 0.1, 0.1, 0.6], np.float32), (4, 1))
    trusted = add_references(pairs, likelihoods, references, anchors)
    assert trusted[0].tolist() == pytest.approx([0.6, 0.05, 0.05, 0.3])
    assert (trusted[1:] == likelihoods[1:]).all()  # of 8 there are two
    assert add_references(pairs, likelihoods, references[:0], anchors) is likelihoods
