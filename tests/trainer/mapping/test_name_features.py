"""What pairs of names and neighbours tell, beside the same found one by one."""

from itertools import product

import numpy as np
import pytest
from made_ontologies import compare_letters, make_diseases, make_side

from termexplorer.trainer.mapping.candidates import find_candidates, find_equal
from termexplorer.trainer.mapping.hierarchy_features import (
    describe_neighbours,
    describe_positions,
)
from termexplorer.trainer.mapping.name_features import NameView, describe_names, view_all
from termexplorer.trainer.mapping.name_pairs import NamePairs, compare_names
from termexplorer.trainer.mapping.sides import PREFERRED, MappingSide
from termexplorer.trainer.mapping.word_swaps import count_swaps


def compare_all(source: MappingSide, target: MappingSide, pairs: np.ndarray) -> NamePairs:
    similarities = compare_letters(source.names, target.names)
    of_pairs = [of_encoder.of_pairs for of_encoder in similarities]
    return compare_names(source, target, pairs, of_pairs, count_swaps([source, target]))


def names_of(side: MappingSide, concept: int) -> list[int]:
    return np.flatnonzero(side.concepts == concept).tolist()


@pytest.fixture(scope="module")
def compared() -> tuple[MappingSide, MappingSide, NamePairs]:
    source, target = make_diseases()
    pairs = np.array([(i, j) for i in range(3, 12) for j in range(2, 14)], np.int64)
    return source, target, compare_all(source, target, pairs)


def test_every_name_meets_every_name_of_the_other_concept(
    compared: tuple[MappingSide, MappingSide, NamePairs],
) -> None:
    source, target, names = compared
    met = list(zip(names.pair.tolist(), names.left.tolist(), names.right.tolist(), strict=True))
    assert met == [
        (row, left, right)
        for row, (i, j) in enumerate(names.pairs.tolist())
        for left, right in product(names_of(source, i), names_of(target, j))
    ]
    words = [side.forms.words for side in (source, target)]
    for row in range(0, len(met), 7):
        left, right = set(words[0][met[row][1]]), set(words[1][met[row][2]])
        assert names.extra[row, 0] == len(left - right)
        assert names.missing[row, 0] == len(right - left)
        assert names.equal[1][row] == (left == right)
        assert 0 <= names.overlap[row] <= 1
        assert (names.overlap[row] == 0) == (not left & right)


def test_features_by_names_are_those_of_the_names_that_are_seen(
    compared: tuple[MappingSide, MappingSide, NamePairs],
) -> None:
    source, target, names = compared
    view = view_all(source, target, len(names.pairs))
    hidden = np.zeros(len(target.names), np.bool_)
    hidden[names_of(target, 5)[0]] = True
    kinds = target.kinds.copy()
    kinds[names_of(target, 5)[1]] = PREFERRED
    view = NameView(view.hidden_left, hidden, view.kinds_left, kinds, view.absent)
    features = describe_names(names, view)
    for row in range(len(names.pairs)):
        seen = [i for i in np.flatnonzero(names.pair == row) if not hidden[names.right[i]]]
        assert features["cosine 0"][row] == max(names.cosines[0][i] for i in seen)
        assert features["equal bag names"][row] == sum(names.equal[1][i] for i in seen)
        labels = [
            i for i in seen if source.kinds[names.left[i]] == kinds[names.right[i]] == PREFERRED
        ]
        assert len(labels) == 1
        assert features["labels: cosine 0"][row] == names.cosines[0][labels[0]]
        best = max(seen, key=lambda i: names.score[i])
        assert features["score"][row] == pytest.approx(names.score[best], abs=3e-4)


def test_a_pair_that_is_absent_is_no_rival(
    compared: tuple[MappingSide, MappingSide, NamePairs],
) -> None:
    source, target, names = compared
    view = view_all(source, target, len(names.pairs))
    first = int(np.flatnonzero((names.pairs == (5, 5)).all(axis=1))[0])
    before = describe_names(names, view)
    view.absent[first] = True
    after = describe_names(names, view)
    rivals = np.flatnonzero(names.pairs[:, 0] == 5)
    assert before["evidence: rank of source"][first] == 0
    second = rivals[np.argsort(before["evidence: rank of source"][rivals])[1]]
    assert before["evidence: rank of source"][second] == 1
    assert after["evidence: rank of source"][second] == 0


def test_neighbours_are_told_by_their_own_matches() -> None:
    #     0 - 1 - 2, and 0 - 3 on both sides
    links = ((1, 0), (2, 1), (3, 0))
    source, target = (make_side([[letter] for letter in "abcd"], links) for _ in range(2))
    pairs = np.array([(i, j) for i in range(4) for j in range(4)], np.int64)
    exact = np.array([0.9 if i == j else 0.0 for i, j in pairs.tolist()], np.float32)
    features = describe_neighbours(source, target, pairs, exact)

    def tell(name: str, i: int, j: int) -> float:
        return float(features[name][4 * i + j])

    assert tell("parents match", 1, 3) == pytest.approx(0.9)
    assert tell("parents match", 2, 3) == 0
    assert tell("source's parent matches", 2, 1) == pytest.approx(0.9)
    assert tell("target's parent matches", 1, 2) == pytest.approx(0.9)
    assert tell("target's child matches", 2, 1) == pytest.approx(0.9)
    assert tell("source's child matches", 1, 2) == pytest.approx(0.9)
    assert tell("source's children match", 0, 0) == pytest.approx(0.9)
    assert tell("source's ancestor is target", 2, 0) == 1
    assert tell("source's ancestor is target", 0, 2) == 0
    assert tell("target's ancestor is source", 0, 2) == 1
    assert tell("ancestors match", 2, 2) == 1
    assert tell("ancestors match", 2, 3) == 0.5
    assert tell("exact: margin of source", 1, 1) == pytest.approx(0.9)
    assert tell("exact: margin of target", 0, 1) == pytest.approx(-0.9)
    positions = describe_positions(source, target, pairs)
    assert positions["ancestors of source"][8] == pytest.approx(np.log1p(2))
    assert positions["children of target"][0] == pytest.approx(np.log1p(2))


def test_candidates_are_near_or_called_the_same_or_beside_such() -> None:
    source, target = make_diseases()
    scores = [of_encoder.scores for of_encoder in compare_letters(source.names, target.names)]
    candidates = {tuple(pair) for pair in find_candidates(source, target, scores, int).tolist()}
    assert all((i, i) in candidates for i in range(target.count))
    assert (5, 1) in candidates  # a concept and the parent of what is called the same
    equal = {tuple(pair) for pair in find_equal(source, target, "bags").tolist()}
    assert equal <= candidates
    assert equal == {
        (i, j)
        for i in range(source.count)
        for j in range(target.count)
        if {source.forms.bags[n] for n in names_of(source, i)}
        & {target.forms.bags[n] for n in names_of(target, j)}
    }
