"""Negatives for triplets, drawn on the device in blocks without a loop over names."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import pad

from termexplorer.trainer.data.training_data import ClassMembers, TrainingData
from termexplorer.trainer.search.retrieval import rows_at_a_time
from termexplorer.trainer.tensors.random_state import RandomState

RULES = ("nearest", "density", "random", "hardest")

_RUN = 128  # columns

_CLOSEST, _FARTHEST = 0.5, 1.4  # Euclidean, as in the published code of Wu et al. 2017


def draw_negatives(
    rule: str,
    data: TrainingData,
    members: ClassMembers,
    anchors: Tensor,
    candidates: Tensor,
    nearest: int,
    noise: RandomState,
    tick: Callable[[], None],
) -> tuple[Tensor, Tensor]:
    """Draw a negative for each anchor among the training names that share no class with it.

    ``nearest`` takes the so many nearest of these, and draws each with a probability in proportion
    to ``1 / clip(1 - cos, 1e-9, 1)`` (the published code of [HLS], [CG] and [FSL]); ``density``
    draws from all of them, see ``density_weights``; ``random`` draws evenly; ``hardest`` takes the
    nearest one.

    Args:
        rule: one of ``RULES``.
        data: the names.
        members: the classes of the anchors.
        anchors: (a, d), encoded, at unit length.
        candidates: (t, d), the encoded training names, at unit length.
        nearest: how many names the rule ``nearest`` draws from.
        noise: the random numbers.
        tick: called between blocks.

    Returns:
        (a,) int64, the negatives, and (a,) bool, false where every name shares a class.
    """
    by_group = torch.argsort(members.groups, stable=True)  # few distinct masks in a block
    goals = noise.uniform(len(anchors), 1)
    drawn = torch.empty(len(anchors), dtype=torch.int64, device=anchors.device)
    has_negative = torch.empty(len(anchors), dtype=torch.bool, device=anchors.device)
    size = rows_at_a_time(len(candidates), anchors.device.type)
    for start in range(0, len(by_group), size):
        tick()
        chosen = by_group[start : start + size]
        shared = data.sharing(members, chosen)
        block = anchors[chosen], candidates, shared, goals[chosen]
        drawn[chosen], has_negative[chosen] = _draw_block(rule, *block, nearest)
    return drawn, has_negative


def _draw_block(
    rule: str, anchors: Tensor, candidates: Tensor, shared: Tensor, goals: Tensor, nearest: int
) -> tuple[Tensor, Tensor]:
    if rule == "random":
        return _draw_columns((~shared).float(), goals)
    cosines = (anchors @ candidates.T).masked_fill_(shared, -torch.inf)
    if rule == "density":
        return _draw_columns(density_weights(cosines, anchors.shape[1]), goals)
    count = min(nearest if rule == "nearest" else 1, len(candidates))
    top = cosines.topk(count, dim=1)
    column, has_negative = _draw_columns(nearness_weights(top.values), goals)
    return top.indices.gather(1, column[:, None]).squeeze(1), has_negative


def nearness_weights(cosines: Tensor) -> Tensor:
    """Return ``1 / clip(1 - cos, 1e-9, 1)``, 0 where a cosine is minus infinity."""
    return (1 / (1 - cosines).clamp(1e-9, 1)) * torch.isfinite(cosines)


def density_weights(cosines: Tensor, dimension: int) -> Tensor:
    """Return the inverse density of distances between points spread evenly on a sphere.

    In d dimensions ``q(D) = D^(d-2) (1 - D²/4)^((d-3)/2)`` (Wu et al. 2017, eq. 5 and 6), which is
    ``D sin^(d-3)`` of the angle. Distances below 0.5 weigh as much as one of 0.5, those from 1.4
    weigh nothing, as in the published code. Where none is nearer, all weigh alike.

    Args:
        cosines: (a, t), minus infinity where a name is not to be drawn.
        dimension: d.

    Returns:
        (a, t), in proportion within a row; a row of zeros where nothing is to be drawn.
    """
    lowest, highest = 1 - _FARTHEST**2 / 2, 1 - _CLOSEST**2 / 2
    near = cosines > lowest
    clipped = cosines.clamp(lowest, highest)
    logs = clipped.square().neg_().log1p_().mul_((3 - dimension) / 2)
    largest = logs.gather(1, clipped.argmax(dim=1, keepdim=True))
    weights = logs.sub_(largest).exp_().mul_(clipped.neg_().add_(1).rsqrt_()).mul_(near)
    none = ~near.any(dim=1, keepdim=True)
    return torch.where(none, torch.isfinite(cosines), weights) if none.any() else weights


def _draw_columns(weights: Tensor, goals: Tensor) -> tuple[Tensor, Tensor]:
    """Draw a column from each row in proportion to the weights; false where all are 0.

    First a run of columns is drawn by its sum, then one of these: far fewer sums to add up.
    """
    rows, width = weights.shape
    runs = pad(weights, (0, -width % _RUN)).view(rows, -1, _RUN)
    sums = runs.sum(2)
    run, goals = _search_columns(sums, goals)
    inside = runs.gather(1, run[:, :, None].expand(-1, -1, _RUN)).squeeze(1)
    column = run * _RUN + _search_columns(inside, goals)[0]
    return column.squeeze(1).clamp(max=width - 1), sums.any(dim=1)


def _search_columns(weights: Tensor, goals: Tensor) -> tuple[Tensor, Tensor]:
    """Return the column of each row that a share of the row's sum falls in, and where in it."""
    sums = weights.double().cumsum(1)
    wanted = goals * sums[:, -1:]
    column = torch.searchsorted(sums, wanted, right=True).clamp(max=weights.shape[1] - 1)
    over = sums.gather(1, column) - wanted
    return column, (1 - over / weights.gather(1, column)).nan_to_num(0).clamp(0, 1 - 2**-40)
