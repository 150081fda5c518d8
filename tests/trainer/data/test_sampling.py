from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from trainer_toy import Toy, make_toy

from termexplorer.trainer.data.sampling import (
    all_positives,
    apart,
    random_classes,
    random_positives,
)
from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.text.names import LabelledNames

CPU = torch.device("cpu")


def prepared(toy: Toy) -> tuple[TrainingData, np.ndarray]:
    parts = np.full(len(toy.labels.names), TRAIN, dtype=np.uint8)
    parts[::7] = VALIDATION
    data = TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)
    is_training = parts == TRAIN
    return data, toy.labels.membership().toarray()[is_training]


def test_prototypes_are_unit_means_of_raw_training_vectors(toy: Toy) -> None:
    data, membership = prepared(toy)
    parts = np.arange(len(toy.labels.names)) % 7 != 0
    for number in range(len(toy.labels.classes)):
        mean = toy.vectors[parts][membership[:, number]].mean(0)
        expected = mean / np.linalg.norm(mean)
        np.testing.assert_allclose(data.prototypes[number], expected, atol=1e-5)


def test_sharing_is_any_class_in_common(toy: Toy) -> None:
    data, membership = prepared(toy)
    chosen = torch.tensor([5, 0, 17, 5])
    expected = (membership[chosen].astype(int) @ membership.T.astype(int)) > 0
    assert (data.sharing(data.of_names, chosen).numpy() == expected).all()


def test_positives_are_other_names_of_the_class_drawn(toy: Toy) -> None:
    data, membership = prepared(toy)
    noise = RandomState(0, CPU)
    for _ in range(20):
        drawn = random_classes(data.of_names, noise)
        positive, has_positive = random_positives(data, drawn, noise)
        number = data.of_names.classes[drawn]
        everyone = np.arange(len(membership))
        assert has_positive.all()
        assert membership[everyone, number].all()
        assert membership[positive, number].all()
        assert (positive.numpy() != everyone).all()


def test_positives_are_drawn_evenly_and_a_single_name_has_none() -> None:
    toy = make_toy(9, 2, 4, 0)
    data, _ = prepared(toy)
    noise, seen = RandomState(0, CPU), torch.zeros(len(data.names), dtype=torch.int64)
    for _ in range(3000):
        positive, _ = random_positives(data, random_classes(data.of_names, noise), noise)
        seen[positive[0]] += 1
    other_names = seen[seen > 0]
    assert len(other_names) == int(data.class_sizes[data.of_names.classes[0]]) - 1
    assert float(other_names.min() / other_names.max()) > 0.85


def test_all_positives_are_every_other_name_of_the_class(toy: Toy) -> None:
    data, membership = prepared(toy)
    numbers = data.of_names.classes
    owners = torch.repeat_interleave(torch.arange(len(data.names)), data.of_names.counts)
    asked = torch.randperm(len(numbers), generator=torch.Generator().manual_seed(0))[:50]
    item, positive = all_positives(data, asked)
    positives = [
        (index, name) for index, name in zip(item.tolist(), positive.tolist(), strict=True)
    ]
    expected = [
        (index, name)
        for index, at in enumerate(asked.tolist())
        for name in np.flatnonzero(membership[:, numbers[at]])
        if name != owners[at]
    ]
    assert positives == expected


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([0, 0, 0, 0, 0, 0], "no name is left for validation .*, or train on fewer of"),
        ([0, 0, 1, 1, 1, 1], "no class has two names .*, or keep fewer of them for"),
        ([0, 1, 0, 1, 0, 1], "all training names are of one class"),
    ],
)
def test_data_that_cannot_be_trained_on_are_refused(parts: list[int], message: str) -> None:
    toy = make_toy(6, 2, 4, 0)
    with pytest.raises(ValueError, match=message) as refused:
        TrainingData.prepare(toy.labels, np.array(parts, dtype=np.uint8), toy.vectors, CPU)
    assert not re.search("level|shots", str(refused.value))  # which not all recipes have


def test_vectors_that_are_not_finite_or_do_not_fit_are_refused(toy: Toy) -> None:
    parts = np.zeros(len(toy.labels.names), dtype=np.uint8)
    with pytest.raises(ValueError, match="need"):
        TrainingData.prepare(toy.labels, parts, toy.vectors[:-1], CPU)
    with pytest.raises(ValueError, match="need"):
        TrainingData.prepare(toy.labels, parts[:-1], toy.vectors, CPU)
    toy.vectors[0, 0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)


def test_vectors_that_know_no_training_name_are_refused(toy: Toy) -> None:
    parts = np.zeros(len(toy.labels.names), dtype=np.uint8)
    parts[::4] = VALIDATION
    unknown = np.where((parts == VALIDATION)[:, None], toy.vectors, 0)
    with pytest.raises(ValueError, match="know none of the 180 training names"):
        TrainingData.prepare(toy.labels, parts, unknown, CPU)
    unknown[1] = toy.vectors[1]
    assert len(TrainingData.prepare(toy.labels, parts, unknown, CPU).names) == 180


_PLACES = st.lists(st.integers(0, 3), min_size=1, max_size=9)


@given(st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=4, max_size=12), _PLACES, _PLACES)
def test_names_apart_share_no_class(of: list[set[int]], left: list[int], right: list[int]) -> None:
    of = [{0}, {0}, {1}, *of]  # enough to train on
    names = tuple(f"name {number}" for number in range(len(of) + 1))
    pairs = [
        (name, class_name)
        for name, classes in enumerate([*of, {0}])
        for class_name in sorted(classes)
    ]
    index = np.array(pairs).T
    labels = LabelledNames(names, tuple("abcde"), index[0].copy(), index[1].copy())
    parts = np.array([TRAIN] * len(of) + [VALIDATION], dtype=np.uint8)
    data = TrainingData.prepare(labels, parts, np.ones((len(names), 2), np.float32), CPU)
    rows, columns = ([min(number * 3, len(of) - 1) for number in side] for side in (left, right))
    is_apart = apart(data, torch.tensor(rows), torch.tensor(columns))
    assert is_apart.tolist() == [[not of[row] & of[column] for column in columns] for row in rows]
