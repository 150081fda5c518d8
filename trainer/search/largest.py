"""The largest similarities of each row, of equals always the earlier ones."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Largest(NamedTuple):
    """The k largest similarities of each row, falling; equal ones by rising column.

    Attributes:
        values: (q, k).
        places: (q, k) int64, their columns.
    """

    values: Tensor
    places: Tensor


def largest(similarities: Tensor, k: int) -> Largest:
    """Return the k largest of each row.

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
    """The columns above the last value and the first of those that have it, rising, (r, k)."""
    above, equal = similarities > last[:, None], similarities == last[:, None]
    wanted = k - above.sum(1, keepdim=True)
    is_chosen = above | (equal & (equal.cumsum(1) <= wanted))
    return is_chosen.nonzero()[:, 1].view(-1, k)
