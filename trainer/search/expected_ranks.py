"""Measures of a ranking whose ties are broken at random: exact means over all orders of equals.

McSherry and Najork 2008, *Computing Information Retrieval Performance Measures Efficiently in the
Presence of Tied Scores*. In all that follows a group of ``m`` equals, ``r`` of them right, comes
after ``b`` candidates, ``h`` of them right; all orders of the group are equally likely. Where
nothing is tied these are the usual measures.
"""

from __future__ import annotations

import torch
from torch import Tensor

from termexplorer.trainer.search.tied_groups import TiedGroups
from termexplorer.trainer.search.ties import expected_rank

_ROWS = 64  # of groups with a probability for each place


def average_precision(ties: TiedGroups) -> Tensor:
    """Return the expected average precision of each row.

    The candidate at place i of a group is right with probability ``r / m``; if it is, the i - 1
    before it hold ``(i - 1) (r - 1) / (m - 1)`` right ones on average. The group thus adds

        ``r / m · Σ (h + 1 + (i - 1) s) / (b + i)``
        ``= r / m · (m s + (h + 1 - (b + 1) s) Σ 1 / (b + i))``

    with ``s = (r - 1) / (m - 1)`` and i from 1 to m.

    Returns:
        (q,) float64, NaN where nothing is right.
    """
    size, right = ties.size.double(), ties.right.double()
    share = (right - 1) / (size - 1).clamp(min=1)
    offset = ties.right_above + 1 - (ties.above + 1) * share
    sums = right / size * (size * share + offset * _reciprocal_sums(ties))
    return _row_sums(ties, sums) / ties.totals


def reciprocal_rank(ties: TiedGroups) -> Tensor:
    """Return the expected reciprocal rank of the first right candidate of each row.

    It is the i-th of its group with probability ``C(m - i, r - 1) / C(m, r)``, which starts with
    ``r / m`` and falls from i to i + 1 by the factor ``(m - i - r + 1) / (m - i)``.

    Returns:
        (q,) float64, NaN where nothing is right.
    """
    first = ties.first()
    above, size, right = ties.above[first], ties.size[first], ties.right[first]
    reciprocals = 1 / (above + 1).double()
    by_size = (size - right).argsort()
    for some in torch.split(by_size[(size > right)[by_size]], _ROWS):
        reciprocals[some] = _expected_reciprocal(above[some], size[some], right[some])
    return _of_rows(ties, reciprocals)


def rank(ties: TiedGroups) -> Tensor:
    """Return the expected rank of the first right candidate of each row, ``b + (m + 1)/(r + 1)``.

    Returns:
        (q,) float64, from 1; NaN where nothing is right.
    """
    first = ties.first()
    counts = (count[first].double() for count in (ties.above, ties.size, ties.right))
    return _of_rows(ties, expected_rank(*counts))


def hits(ties: TiedGroups, k: int) -> Tensor:
    """Return the probability that a right candidate is among the first k of each row.

    Of a group that the first k end in, ``s = k - b`` are among them, and all are wrong with
    probability ``C(m - s, r) / C(m, r)``. ``hits(ties, 1)`` is the accuracy.

    Returns:
        (q,) float64, NaN where nothing is right.
    """
    first = ties.first()
    size, right = ties.size[first].double(), ties.right[first]
    taken = torch.minimum(k - ties.above[first], ties.size[first]).clamp(min=0)
    fewer, more = torch.minimum(taken, right), torch.maximum(taken, right)
    none = torch.ones_like(size)
    for index in range(int(fewer.max()) if len(fewer) else 0):
        factor = ((size - more - index) / (size - index)).clamp(min=0)
        none = torch.where(index < fewer, none * factor, none)
    return _of_rows(ties, 1 - none)


def coverage(ties: TiedGroups, k: int) -> Tensor:
    """Return the expected share of the right candidates that are among the first k ([BNE] 4.1).

    Returns:
        (q,) float64, NaN where nothing is right.
    """
    share = ((k - ties.above) / ties.size.double()).clamp(0, 1)
    return _row_sums(ties, ties.right * share) / ties.totals


def _reciprocal_sums(ties: TiedGroups) -> Tensor:
    """Return ``Σ 1 / (b + i)`` over the places of each group, (g,)."""
    places = torch.arange(ties.columns + 1, dtype=torch.float64, device=ties.row.device)
    harmonic = torch.cat((places[:1], places[1:].reciprocal().cumsum(0)))
    several = harmonic[ties.above + ties.size] - harmonic[ties.above]
    return torch.where(ties.size == 1, 1 / (ties.above + 1).double(), several)


def _expected_reciprocal(above: Tensor, size: Tensor, right: Tensor) -> Tensor:
    """Return ``Σ P(i) / (b + i)``, where ``P(i)`` is the probability that the i-th is the first."""
    wrong = max((size - right).tolist(), default=0)
    ranks = torch.arange(1, wrong + 2, device=above.device)
    size, right, above = (tensor.double()[:, None] for tensor in (size, right, above))
    left = size - ranks[:-1]
    falls = ((left - right + 1) / left.clamp(min=1)).clamp(min=0)
    chances = torch.cat((right / size, falls), dim=1).cumprod(1)
    return (chances / (above + ranks)).sum(1)


def _row_sums(ties: TiedGroups, values: Tensor) -> Tensor:
    """Return the sums of the groups' values, in an order that is the same in each run."""
    groups = torch.bincount(ties.row, minlength=len(ties.totals))
    return torch.segment_reduce(values.double(), "sum", lengths=groups, unsafe=True)  # counted here


def _of_rows(ties: TiedGroups, values: Tensor) -> Tensor:
    """Return the values of the first groups for all rows, NaN for rows without one."""
    rows = torch.full((len(ties.totals),), torch.nan, dtype=torch.float64, device=values.device)
    rows[ties.row[ties.first()]] = values
    return rows
