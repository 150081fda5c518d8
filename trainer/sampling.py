"""Positives and negatives for triplets, drawn on the device without a loop over names."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from trainer.data import Members, TrainingData
from trainer.noise import Noise
from trainer.retrieval import rows_at_a_time


def random_classes(members: Members, noise: Noise) -> Tensor:
    """Draw one of its classes for each name, as a place in ``members.classes``, (n,) int64."""
    return members.starts + noise.below(members.counts)


def random_positives(data: TrainingData, drawn: Tensor, noise: Noise) -> tuple[Tensor, Tensor]:
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
    others = data.class_sizes[number] - 1
    place = noise.below(others)
    place = place + (place >= data.places[drawn])
    place = torch.minimum(place, others)  # a class of one name: the name itself
    return data.class_names[data.class_starts[number] + place], others > 0


def distance_weighted_negatives(
    data: TrainingData,
    members: Members,
    anchors: Tensor,
    candidates: Tensor,
    nearest: int,
    noise: Noise,
    tick: Callable[[], None],
) -> tuple[Tensor, Tensor]:
    """Draw a negative among the nearest training names of each anchor.

    Names that share a class with the anchor are dropped first; of the ``nearest`` ones left, each
    is drawn with a probability in proportion to ``1 / clip(1 - cos, 1e-9, 1)``.

    Args:
        data: the names.
        members: the classes of the anchors.
        anchors: (a, d), encoded, at unit length.
        candidates: (t, d), the encoded training names, at unit length.
        nearest: how many of the nearest names to draw from.
        noise: the random numbers.
        tick: called between blocks.

    Returns:
        (a,) int64, the negatives, and (a,) bool, false where every name shares a class.
    """
    by_group = torch.argsort(members.groups, stable=True)  # few distinct masks in a block
    count = min(nearest, len(candidates))
    weights = torch.empty((len(anchors), count), device=anchors.device)
    names = torch.empty((len(anchors), count), dtype=torch.int64, device=anchors.device)
    size = rows_at_a_time(len(candidates))
    for start in range(0, len(by_group), size):
        tick()
        chosen = by_group[start : start + size]
        cosines = anchors[chosen] @ candidates.T
        cosines.masked_fill_(data.sharing(members, chosen), -torch.inf)
        top = cosines.topk(count, dim=1)
        weights[chosen] = _weights(top.values)
        names[chosen] = top.indices
    return _draw(weights, names, noise)


def _weights(cosines: Tensor) -> Tensor:
    """Return the weights of distance-weighted sampling, 0 for dropped names."""
    return (1 / (1 - cosines).clamp(1e-9, 1)) * torch.isfinite(cosines)


def _draw(weights: Tensor, names: Tensor, noise: Noise) -> tuple[Tensor, Tensor]:
    """Draw one name from each row, in proportion to the weights."""
    sums = weights.double().cumsum(1)
    total = sums[:, -1:]
    goal = noise.uniform(len(weights), 1) * total
    column = torch.searchsorted(sums, goal, right=True).clamp(max=weights.shape[1] - 1)
    return names.gather(1, column).squeeze(1), total.squeeze(1) > 0
