"""Positives for triplets, drawn or listed on the device without a loop over names."""

from __future__ import annotations

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import ClassMembers, TrainingData, spread
from termexplorer.trainer.tensors.random_state import RandomState


def random_classes(members: ClassMembers, noise: RandomState) -> Tensor:
    """Draw one of its classes for each name, as a place in ``members.classes``, (n,) int64."""
    return members.starts + noise.below(members.counts)


def random_positives(
    data: TrainingData, drawn: Tensor, noise: RandomState
) -> tuple[Tensor, Tensor]:
    """Draw another training name of the class drawn for each training name.

    Args:
        data: the names.
        drawn: (t,) int64, what ``random_classes`` returned.
        noise: the random numbers.

    Returns:
        (t,) int64, the positives, and (t,) bool, false where the class has no other name; the
        name itself stands there.
    """
    number = data.of_names.classes[drawn]
    other_count = data.class_sizes[number] - 1
    offset = noise.below(other_count)
    offset = offset + (offset >= data.places[drawn])
    offset = torch.minimum(offset, other_count)  # a class of one name: the name itself
    return data.class_names[data.class_starts[number] + offset], other_count > 0


def all_positives(data: TrainingData, memberships: Tensor) -> tuple[Tensor, Tensor]:
    """List every other training name of some classes, as the code of [FSL] does, and [CG]'s.

    Args:
        data: the names.
        memberships: (m,) int64, places in ``data.of_names.classes``: a name in a class of it.

    Returns:
        (p,) int64 places in ``memberships``, and (p,) int64 positives: the pairs of each.
    """
    number = data.of_names.classes[memberships]
    other_count = data.class_sizes[number] - 1
    item, offset = spread(torch.zeros_like(other_count), other_count)
    offset = offset + (offset >= data.places[memberships][item])
    return item, data.class_names[data.class_starts[number][item] + offset]


def some_members(
    data: TrainingData, numbers: Tensor, dropout: float, noise: RandomState
) -> tuple[Tensor, Tensor]:
    """Draw some training names of each of some classes, anew for each ([CG] 3.2).

    Args:
        data: the names.
        numbers: (b,) int64, classes, the same one more than once if need be.
        dropout: the share of a class's names to leave out; what is left is rounded up.
        noise: the random numbers.

    Returns:
        (p,) int64 places in ``numbers``, and (p,) int64 names: the members drawn for each.
    """
    sizes = data.class_sizes[numbers]
    item, position = spread(data.class_starts[numbers], sizes)
    order = (item + noise.uniform(len(item))).argsort()  # random within each class
    drawn = (sizes * (1 - dropout) - 1e-9).ceil().long()
    _, rank = spread(torch.zeros_like(sizes), sizes)
    sampled = order[rank < drawn[item]]
    return item[sampled], data.class_names[position[sampled]]


def apart(data: TrainingData, rows: Tensor, columns: Tensor) -> Tensor:
    """Return which training names share no class, for negatives from the same batch.

    Args:
        data: the names.
        rows: (b,) int64, training names.
        columns: (k,) int64, training names.

    Returns:
        (b, k) bool.
    """
    members, both = data.of_names, torch.cat((rows, columns))
    item, position = spread(members.starts[both], members.counts[both])
    classes, column = torch.unique(members.classes[position], return_inverse=True)
    table = torch.zeros((len(both), len(classes)), device=both.device)
    table[item, column] = 1
    return table[: len(rows)] @ table[len(rows) :].T == 0
