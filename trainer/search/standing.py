"""How many candidates are more similar than a right one, and as similar: what no sorting is for."""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray
from torch import Tensor

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float32] | NDArray[np.float64]

_IN_A_BUCKET = 4  # similarities, on average
_FEW = 24  # right ones, up to which it is quicker to compare each with everything
_NARROWEST = 1e-30  # the range of a row's right similarities, if they are all the same


@njit(cache=True, nogil=True)
def count_above_and_tied(
    similarities: Floats, ends: Int64s, values: Floats, above: Int64s, equal: Int64s
) -> None:
    """Count the candidates of each row beside its right ones, on the CPU.

    Few right ones are compared with everything. For more, the similarities of a row are numbered by
    buckets of equal width, from its lowest right one to its highest, and only what is in a bucket
    with a right one is compared with that.

    Args:
        similarities: (q, n) float32 or float64, less than inf.
        ends: (q + 1,) where the right similarities of each row begin, and where the last ones end.
        values: (p,) of the same type, finite; each row's are sorted here, rising.
        above: (p,) becomes how many candidates of the row are more similar.
        equal: (p,) becomes how many are as similar. Of equal values the first one has both.
    """
    width = similarities.shape[1]
    last = width // _IN_A_BUCKET
    bucket, chosen = np.empty(width, np.int32), np.empty(width, np.int32)
    for row in range(len(similarities)):
        row_slice = slice(ends[row], ends[row + 1])
        scores, right = similarities[row], values[row_slice]
        right[:] = np.sort(right)
        if len(right) <= _FEW:
            _compare_all(scores, right, above[row_slice], equal[row_slice])
        else:
            starts = np.zeros(last + 2, np.int64)
            for bucket_number in _number_scores(right, right, last, np.empty(len(right), np.int32)):
                starts[bucket_number + 1] += 1
            _number_scores(scores, right, last, bucket)
            filled, chosen_count = _fill_buckets(bucket, starts, chosen)
            higher = _count_between(filled, starts, len(right))
            _compare_chosen(
                scores, right, bucket, chosen[:chosen_count], starts, higher, equal[row_slice]
            )
            above[row_slice] = higher[::-1].cumsum()[-2::-1]


@njit(cache=True, nogil=True)
def _compare_all(scores: Floats, right: Floats, above: Int64s, equal: Int64s) -> None:
    for index in range(len(right)):
        higher = same = 0
        for at in range(len(scores)):  # whose loop the compiler makes one of wide registers
            higher += scores[at] > right[index]
            same += scores[at] == right[index]
        above[index], equal[index] = higher, same


@njit(cache=True, nogil=True)
def _number_scores(scores: Floats, right: Floats, last: int, bucket: Int32s) -> Int32s:
    """Number scores from 0 to ``last``, none higher than a larger one."""
    low, most = right[0], right.dtype.type(last)
    scale = most / max(right[-1] - low, right.dtype.type(_NARROWEST))
    none = right.dtype.type(0)
    if scale > none:
        for at in range(len(scores)):
            bucket[at] = np.int32(min(max((scores[at] - low) * scale, none), most))
    else:  # so far apart that their difference is no number
        bucket[: len(scores)] = 0
    return bucket


@njit(cache=True, nogil=True)
def _fill_buckets(bucket: Int32s, starts: Int64s, chosen: Int32s) -> tuple[Int32s, int]:
    """Count the scores of each bucket, and put the places of those beside a right one first.

    Returns:
        (b,) the counts, and how many places were put into ``chosen``.
    """
    beside = np.zeros(len(starts) - 1, np.uint8)  # so small that it is always at hand
    for at in range(len(beside)):
        beside[at] = starts[at + 1] > 0
    filled = np.zeros(len(beside), np.int32)
    count = 0
    for at in range(len(bucket)):
        bucket_number = bucket[at]
        filled[bucket_number] += 1
        chosen[count] = at
        count += beside[bucket_number]
    return filled, count


@njit(cache=True, nogil=True)
def _count_between(filled: Int32s, starts: Int64s, count: int) -> Int64s:
    """Return how many scores are in buckets without a right one, by the next right one.

    Args:
        filled: (b,) scores in each bucket.
        starts: (b + 1,) right ones in each bucket, after a 0; becomes those before it.
        count: r, the right ones.

    Returns:
        (r + 1,) where scores below the first right one come first.
    """
    higher = np.zeros(count + 1, np.int64)
    for at in range(len(filled)):
        if starts[at + 1] == 0:
            higher[starts[at]] += filled[at]
        starts[at + 1] += starts[at]
    return higher


@njit(cache=True, nogil=True)
def _compare_chosen(
    scores: Floats,
    right: Floats,
    bucket: Int32s,
    chosen: Int32s,
    starts: Int64s,
    higher: Int64s,
    equal: Int64s,
) -> None:
    """Add the chosen scores to ``higher``, at how many right ones are lower, and to ``equal``."""
    equal[:] = 0
    for at in chosen:
        low, end = starts[bucket[at]], starts[bucket[at] + 1]
        above = end
        while low < above:  # as np.searchsorted, which takes longer for the few that there are
            middle = (low + above) >> 1
            if right[middle] < scores[at]:
                low = middle + 1
            else:
                above = middle
        higher[low] += 1
        if low < end and right[low] == scores[at]:
            equal[low] += 1


def standing_by_search(
    similarities: Tensor, rows: Tensor, values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Count the same on any device, by searching for all candidates among the right ones.

    Args:
        similarities: (q, n), less than inf.
        rows: (p,) int64, rising.
        values: (p,) of the same type, finite.

    Returns:
        ``values``, ``above`` and ``equal`` as ``count_above_and_tied`` leaves them, each (p,).
    """
    count = len(similarities)
    totals = torch.bincount(rows, minlength=count)
    column = torch.arange(len(rows), device=rows.device) - (totals.cumsum(0) - totals)[rows]
    most = int(totals.max()) + 1  # one more than any row has
    right = values.new_full((count, most), torch.inf)
    right[rows, column] = values
    right = right.sort().values
    lower = torch.searchsorted(right, similarities.contiguous())
    same = right.gather(1, lower) == similarities
    cell = lower + torch.arange(count, device=rows.device)[:, None] * most
    higher = torch.bincount(cell.flatten(), minlength=count * most).view(count, most)
    equal = torch.bincount(cell[same], minlength=count * most).view(count, most)
    above = higher.flip(1).cumsum(1).flip(1) - higher
    return right[rows, column], above[rows, column], equal[rows, column]
