from __future__ import annotations

import numpy as np
import pytest
from trainer_toy import Toy

from trainer.names import LabelledNames
from trainer.splits import TEST, TRAIN, UNUSED, VALIDATION, few_shot_split, hls_split


def labelled(pairs: list[tuple[int, int]], names: int, classes: int) -> LabelledNames:
    name_index, class_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    return LabelledNames(
        tuple(map(str, range(names))), tuple(map(str, range(classes))), name_index, class_index
    )


def test_membership_and_members_say_the_same() -> None:
    labels = labelled([(2, 0), (0, 1), (2, 1)], 4, 3)
    assert labels.membership().toarray().tolist() == [
        [False, True, False],
        [False, False, False],
        [True, True, False],
        [False, False, False],
    ]
    assert [members.tolist() for members in labels.members()] == [[2], [0, 2], []]
    assert labels.class_counts().tolist() == [1, 0, 2, 0]


@pytest.mark.parametrize("pairs", [[(4, 0)], [(0, 3)], [(-1, 0)], [(0, 0), (0, 0)]])
def test_wrong_memberships_are_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match=r"outside|twice"):
        labelled(pairs, 4, 3)


def test_indices_of_another_type_are_refused() -> None:
    short, long = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64)
    with pytest.raises(ValueError, match="int32"):
        LabelledNames(("a",), ("b",), short, long)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="indices of"):
        LabelledNames(("a",), ("b",), np.zeros(2, dtype=np.int64), long)


def test_few_shot_takes_as_many_of_each_class_and_no_ambiguous_name(toy: Toy) -> None:
    parts = few_shot_split(toy.labels, 5, seed=1)
    ambiguous = toy.labels.class_counts() > 1
    assert (parts[ambiguous] == UNUSED).all()
    for members in toy.labels.members():
        plain = members[~ambiguous[members]]
        assert np.bincount(parts[plain], minlength=4)[:3].tolist() == [5, 5, 5]


def test_few_shot_fills_training_first() -> None:
    labels = labelled([(n, 0) for n in range(3)] + [(n, 1) for n in range(3, 10)], 10, 2)
    parts = few_shot_split(labels, 4, seed=0)
    assert np.bincount(parts[:3], minlength=3).tolist() == [3, 0, 0]
    assert np.bincount(parts[3:], minlength=3).tolist() == [4, 3, 0]


def test_few_shot_depends_on_the_seed_alone(toy: Toy) -> None:
    first, again, other = (few_shot_split(toy.labels, 5, seed) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_one_shot_is_refused(toy: Toy) -> None:
    with pytest.raises(ValueError, match="at least 2"):
        few_shot_split(toy.labels, 1, 0)


def test_hls_holds_out_one_name_a_class_and_pass(clear_toy: Toy) -> None:
    parts = hls_split(clear_toy.labels, 3, 2, seed=0)
    for members in clear_toy.labels.members():
        counts = np.bincount(parts[members], minlength=4)
        assert counts[[TEST, VALIDATION]].tolist() == [3, 2]
        assert counts[TRAIN] == len(members) - 5


def test_hls_never_takes_the_last_training_name_of_a_class() -> None:
    pairs = [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3), (4, 3), (5, 3)]
    parts = hls_split(labelled(pairs, 7, 4), 5, 5, seed=0)
    assert parts[[0, 1, 6]].tolist() == [TRAIN, TRAIN, TRAIN]  # name 6 is of no class
    assert parts[2] == TEST
    assert sorted(parts[3:6].tolist()) == [TRAIN, TEST, TEST]
