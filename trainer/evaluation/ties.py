"""Where the right candidates of many rankings stand, candidates of equal similarity as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

_IN_A_BUCKET = 4  # similarities, on average
_NARROWEST = 1e-30  # the range of a row's right similarities, if they are all the same
_MOST = 1 << 30  # buckets whose numbers leave room for a float32 and a flag in an int64


@dataclass(frozen=True, eq=False)
class Ties:
    """The groups of equally similar candidates that hold a right one.

    Everything that a ranking is judged by follows from these: which of the equals comes first is
    never asked.

    Attributes:
        totals: (q,) int64, the right candidates of each row.
        columns: how many candidates were ranked.
        row: (g,) int64, the row of each group; rising.
        above: (g,) int64, candidates of the row that are more similar than the group.
        size: (g,) int64, candidates in the group.
        right: (g,) int64, right ones among them, at least one.
        right_above: (g,) int64, right candidates of the row that are more similar.
    """

    totals: Tensor
    columns: int
    row: Tensor
    above: Tensor
    size: Tensor
    right: Tensor
    right_above: Tensor

    @classmethod
    def of(cls, similarities: Tensor, rows: Tensor, columns: Tensor) -> Ties:
        """Find the groups.

        No row is sorted. The similarities are counted in buckets from the lowest right one to the
        highest, a few of them in each; only buckets that hold a right one are looked into.

        Args:
            similarities: (q, n) of any float type; -inf for what is not ranked in a row.
            rows: (p,) int64, with ``columns`` the right candidates as pairs, none of them twice.
            columns: (p,) int64.

        Raises:
            ValueError: a similarity is NaN or inf, or that of a right candidate is -inf.
        """
        if similarities.dtype.itemsize < 4:
            similarities = similarities.float()
        count, width = similarities.shape
        totals = torch.bincount(rows, minlength=count)
        if not len(rows):
            return cls(totals, width, rows, rows, rows, rows, rows)
        places = rows * width + columns
        bucket, buckets = _buckets(similarities, rows, similarities[rows, columns])
        filled = torch.bincount(bucket, minlength=count * buckets)
        looked = torch.zeros(len(filled), dtype=torch.bool, device=filled.device)
        looked[bucket[places]] = True
        group, size, right = _groups(similarities, bucket, looked, places)
        below = filled.view(count, buckets).cumsum(1).flatten()[group]  # or in the same bucket
        above = width - below + _later(group, size)
        keep = right > 0
        row, above, size, right = (each[keep] for each in (group // buckets, above, size, right))
        return cls(totals, width, row, above, size, right, totals.cumsum(0)[row] - right.cumsum(0))

    def first(self) -> Tensor:
        """Return which groups hold the first right candidates of their row, (g,) bool."""
        return self.right_above == 0


def _buckets(similarities: Tensor, rows: Tensor, values: Tensor) -> tuple[Tensor, int]:
    """Number each similarity by its row and size, never higher than a larger one of its row.

    Args:
        similarities: (q, n).
        rows: (p,) int64, at least one.
        values: (p,), the similarities of right candidates.

    Returns:
        (q · n,) int32 and how many numbers a row has.
    """
    if not similarities.amax() < torch.inf:
        raise ValueError("some similarities are not numbers, so that nothing can be ranked")
    if not values.amin() > -torch.inf:
        raise ValueError("the similarity of a right candidate is minus infinity")
    count, width = similarities.shape
    inner = width // _IN_A_BUCKET + 1
    if count * (inner + 3) >= _MOST:
        raise ValueError(f"{count} rows of {width} similarities are too many at once")
    bounds = torch.zeros((2, count), dtype=values.dtype, device=values.device)
    low, high = (
        each.scatter_reduce(0, rows, values, how, include_self=False)[:, None]
        for each, how in zip(bounds, ("amin", "amax"), strict=True)
    )
    scale = inner / (high - low).clamp(_NARROWEST, torch.finfo(values.dtype).max)
    bucket = (similarities - low).mul_(scale).clamp_(-1, inner + 1).to(torch.int32)
    first = torch.arange(count, dtype=torch.int32, device=values.device) * (inner + 3) + 1
    return bucket.add_(first[:, None]).flatten(), inner + 3


def _groups(
    similarities: Tensor, bucket: Tensor, looked: Tensor, places: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the bucket, the size and the right ones of all groups of equals in some buckets.

    Args:
        similarities: (q, n).
        bucket: (q · n,) int32.
        looked: (b,) bool, the buckets to look into.
        places: (p,) int64, where the right ones are among the q · n.

    Returns:
        Three (g,) int64, by rising bucket and similarity.
    """
    is_right = torch.zeros(len(bucket), dtype=torch.bool, device=bucket.device)
    is_right[places] = True
    chosen = _true(looked.index_select(0, bucket))
    high, low = bucket[chosen].long() << 33, _codes(similarities.flatten()[chosen]) << 1
    key = _sorted(high | low | is_right[chosen])
    last = _last_of_runs(key >> 1)
    right = (key & 1).cumsum(0)[last]
    return key[last] >> 33, _steps(last + 1), _steps(right)


def _later(group: Tensor, size: Tensor) -> Tensor:
    """Return how many candidates are in later groups of the same bucket, (g,) int64."""
    last = _last_of_runs(group)
    until = size.cumsum(0)
    return until[last].repeat_interleave(_steps(last + 1)) - until


def _codes(values: Tensor) -> Tensor:
    """Return int64 numbers from 0 to 2³² - 1 that are in the order of the values."""
    if values.dtype == torch.float64:
        ordered, order = values.sort()
        numbers = torch.zeros_like(order)
        numbers[order[1:]] = (ordered.diff() > 0).cumsum(0)
        return numbers
    bits = (values + 0.0).view(torch.int32).long()  # no -0
    return torch.where(bits < 0, -bits - 1, bits + (1 << 31))


def _sorted(keys: Tensor) -> Tensor:
    """Sort int64 keys; on a CPU by NumPy, which is several times faster at it."""
    return torch.from_numpy(np.sort(keys.numpy())) if keys.is_cpu else keys.sort().values


def _true(mask: Tensor) -> Tensor:
    """Return the places of what is true; on a CPU by NumPy, for the same reason."""
    if mask.is_cpu:
        return torch.from_numpy(np.flatnonzero(mask.numpy()))
    return mask.nonzero().squeeze(1)


def _last_of_runs(values: Tensor) -> Tensor:
    """Return the last place of each run of equal values."""
    ends = torch.ones_like(values, dtype=torch.bool)
    ends[:-1] = values[1:] != values[:-1]
    return _true(ends)


def _steps(rising: Tensor) -> Tensor:
    """Return by how much each number is more than the one before it, the first than 0."""
    return rising.diff(prepend=rising.new_zeros(1))
