"""Ties in rankings: the expected rank of equals, and the order that they are shown in.

A figure takes all orders of equals as equally likely: of a group of ``m`` equals, ``r`` of them
right, after ``b`` candidates the first right one is expected at rank ``b + (m + 1) / (r + 1)``.
A list has to choose: it shows equals in the order of their columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    Counts = TypeVar("Counts", float, Tensor, NDArray[np.float64])


class Largest(NamedTuple):
    """The k largest similarities of each row, falling; equal ones by rising column.

    Attributes:
        values: (q, k).
        places: (q, k) int64, their columns.
    """

    values: Tensor
    places: Tensor


def expected_rank(above: Counts, size: Counts, right: Counts | int = 1) -> Counts:
    """Return the expected rank of the first right one of a group of equals, from 1.

    Args:
        above: how many candidates are more similar than the group; numbers, or arrays or tensors
            of float64 of one shape.
        size: how many are in the group.
        right: how many of these are right, at least one.
    """
    return above + (size + 1) / (right + 1)


def expected_rank_among(value: float, values: Sequence[float], tolerance: float = 0.0) -> float:
    """Return the expected rank of one value among several, itself one of them, the largest first.

    Args:
        value: finite.
        values: all of them.
        tolerance: by how much equal values may differ.
    """
    above = sum(other > value + tolerance for other in values)
    size = sum(abs(other - value) <= tolerance for other in values)
    return expected_rank(float(above), float(size))


def expected_rank_of_best(similarities: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Return the expected rank of the first right candidate of each row, (q,) float64.

    Args:
        similarities: (q, n), less than inf; -inf for what is not ranked.
        rows: (p,) int64, with `columns` the right candidates as pairs.
        columns: (p,) int64.

    Returns:
        From 1; NaN where no ranked candidate is right.
    """
    import torch

    values = similarities[rows, columns]
    best = similarities.new_full((len(similarities),), -torch.inf)
    best = best.scatter_reduce(0, rows, values, "amax")
    compared = torch.empty_like(similarities)  # whose sums are much faster than those of booleans
    above, least = (
        than(similarities, best[:, None], out=compared).sum(1).double()
        for than in (torch.gt, torch.ge)
    )
    right = torch.bincount(rows[values == best[rows]], minlength=len(best))
    ranks = expected_rank(above, least - above, right.double())
    ranks[best == -torch.inf] = torch.nan
    return ranks


def count_above(similarities: Tensor, rows: Tensor, values: Tensor) -> Tensor:
    """Return how many of its row are larger than each value, (p,) int64.

    Args:
        similarities: (q, n).
        rows: (p,) int64, the row of each value.
        values: (p,).
    """
    import torch

    step = max(len(similarities), 1)  # so that no table is larger than the one that is given
    parts = zip(torch.split(rows, step), torch.split(values, step), strict=True)
    counts = [(similarities[row] > value[:, None]).sum(1) for row, value in parts]
    return torch.cat(counts) if counts else rows.new_empty(0)


def largest(similarities: Tensor, k: int) -> Largest:
    """Return the k largest of each row in the order that they are shown in.

    Args:
        similarities: (q, n) of any float type.
        k: from 1 to n.
    """
    one_more = min(k + 1, similarities.shape[1])  # tells whether the last of the k are tied
    top = similarities.topk(one_more, dim=1)
    values, places = top.values, top.indices
    repeated = values[:, 1:] == values[:, :-1]
    rows = repeated.any(1).nonzero().squeeze(1)
    if len(rows):
        some = similarities.index_select(0, rows)
        chosen = _choose_columns(some, values[rows, k - 1], k)
        order = some.gather(1, chosen).argsort(dim=1, descending=True, stable=True)
        places[rows, :k] = chosen.gather(1, order)
    return Largest(values[:, :k], places[:, :k])


def _choose_columns(similarities: Tensor, last: Tensor, k: int) -> Tensor:
    """Return the columns above the last value and the first of those with it, rising, (r, k)."""
    above, equal = similarities > last[:, None], similarities == last[:, None]
    wanted = k - above.sum(1, keepdim=True)
    is_chosen = above | (equal & (equal.cumsum(1) <= wanted))
    return is_chosen.nonzero()[:, 1].view(-1, k)


def order_shown(similarities: NDArray[Any], k: int | None = None) -> NDArray[np.int64]:
    """Return the columns of each row in the order that they are shown in, (..., k).

    Args:
        similarities: (..., n); NaN comes last.
        k: how many at most; None for all.
    """
    import numpy as np

    if k == 0:
        return np.empty((*similarities.shape[:-1], 0), np.int64)
    negated = -similarities
    if negated.ndim > 1 or k is None or k >= len(negated):
        return np.argsort(negated, axis=-1, kind="stable")[..., :k]
    last = np.partition(negated, k - 1)[k - 1]
    columns = np.flatnonzero(~(negated > last))
    return columns[np.argsort(negated[columns], kind="stable")[:k]]


def ranks_shown(similarities: NDArray[Any], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank from 1 that each of some columns is shown at, (k,).

    Args:
        similarities: (n,), no NaN.
        columns: (k,).
    """
    import numpy as np

    ranks = [
        1
        + np.count_nonzero(similarities > similarities[column])
        + np.count_nonzero(similarities[:column] == similarities[column])
        for column in columns
    ]
    return np.array(ranks, np.int64)
