from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trainer_toy import Toy

from termexplorer.trainer.data.splits import (
    TEST,
    TRAIN,
    UNUSED,
    VALIDATION,
    ZERO_SHOT,
    concept_split,
    few_shot_split,
    hls_split,
    split_counts,
)
from termexplorer.trainer.text.names import LabelledNames


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


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), unique=True),
    st.lists(st.integers(0, 5), unique=True),
)
def test_some_names_keep_their_classes(pairs: list[tuple[int, int]], kept_names: list[int]) -> None:
    labels = labelled(pairs, 6, 4)
    some = labels.only(np.array(kept_names, dtype=np.int64))
    assert some.names == tuple(str(name) for name in kept_names)
    assert some.classes == labels.classes
    assert some.membership().toarray().tolist() == [
        labels.membership().toarray()[name].tolist() for name in kept_names
    ]


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


@st.composite
def synonym_sets(draw: st.DrawFn) -> LabelledNames:
    """Names in one to two of up to eight concepts."""
    names, concepts = draw(st.integers(1, 40)), draw(st.integers(1, 8))
    pair = st.tuples(st.integers(0, names - 1), st.integers(0, concepts - 1))
    pairs = draw(st.lists(pair, max_size=names + 10, unique=True))
    return labelled(pairs, names, concepts)


@settings(deadline=None, max_examples=80)
@given(synonym_sets(), st.sampled_from([0.0, 0.25, 0.5, 0.9]), st.integers(0, 3), st.integers(0, 2))
def test_concept_split_keeps_concepts_and_names_apart(
    labels: LabelledNames, share: float, test_passes: int, validation_passes: int
) -> None:
    parts = concept_split(labels, share, test_passes, validation_passes, seed=3)
    membership = labels.membership().toarray()
    unseen = membership[parts == ZERO_SHOT].any(0)
    used = np.isin(parts, [TRAIN, VALIDATION, TEST])
    assert not (membership[used] & unseen).any()
    with_names = int(membership.any(0).sum())
    # what a concept's names on both sides make unused may leave it without any
    assert int(unseen.sum()) <= round(share * with_names)
    for names in labels.members():
        counts = np.bincount(parts[names], minlength=5)
        if counts[[TEST, VALIDATION]].any():
            assert counts[TRAIN] > 0


def test_concept_split_of_separate_concepts_is_the_papers() -> None:
    sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    owners = np.repeat(np.arange(10), sizes)
    labels = labelled(list(enumerate(owners.tolist())), len(owners), 10)
    parts = concept_split(labels, 0.3, test_passes=2, validation_passes=1, seed=0)
    aside = 0
    for size, names in zip(sizes, labels.members(), strict=True):
        counts = np.bincount(parts[names], minlength=5)
        if counts[ZERO_SHOT]:
            aside += 1
            assert counts[ZERO_SHOT] == size
        else:
            test = min(2, size - 1)
            validation = min(1, size - 1 - test)
            assert counts.tolist() == [size - test - validation, validation, test, 0, 0]
    assert aside == 3
    again, other = (concept_split(labels, 0.3, 2, 1, seed) for seed in (0, 1))
    assert (again == parts).all()
    assert (other != parts).any()


def test_a_name_on_both_sides_of_the_split_is_unused() -> None:
    labels = labelled([(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)], 5, 2)
    parts = concept_split(labels, 0.5, 1, 0, seed=0)
    assert parts[1] == UNUSED
    assert sorted(parts[:1].tolist() + parts[2:4].tolist()) in (
        [TRAIN, ZERO_SHOT, ZERO_SHOT],
        [TRAIN, TEST, ZERO_SHOT],
    )


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_a_share_of_everything_or_less_than_nothing_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="from 0 to below 1"):
        concept_split(labelled([(0, 0)], 1, 1), share, 1, 1, 0)


def test_split_counts_are_those_of_table_2() -> None:
    pairs = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 2), (7, 2), (8, 3)]
    parts = np.array(
        [TRAIN, TRAIN, TRAIN, TEST, TRAIN, VALIDATION, ZERO_SHOT, ZERO_SHOT, UNUSED, TRAIN],
        dtype=np.uint8,
    )
    assert split_counts(labelled(pairs, 10, 4), parts) == {
        "train concepts": 2,
        "train mentions": 4,
        "train synonym pairs": 6,
        "validation mentions": 1,
        "test mentions": 1,
        "zero-shot concepts": 1,
        "zero-shot mentions": 2,
    }
