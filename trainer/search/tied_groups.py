"""Where the right candidates of many rankings stand, candidates of equal similarity as one."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.search.standing import count_above_and_tied, standing_by_search


@dataclass(frozen=True, eq=False)
class TiedGroups:
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
    def of(cls, similarities: Tensor, rows: Tensor, columns: Tensor) -> TiedGroups:
        """Find the groups.

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
        if not similarities.amax() < torch.inf:
            raise TrainerError("some similarities are not numbers, so that nothing can be ranked")
        values = similarities[rows, columns]
        if not values.amin() > -torch.inf:
            raise TrainerError("the similarity of a right candidate is minus infinity")
        if (rows.diff() < 0).any():
            rows, order = rows.sort()
            values = values[order]
        return cls.of_counts(totals, width, rows, *count_standing(similarities, rows, values))

    @classmethod
    def of_counts(
        cls,
        totals: Tensor,
        columns: int,
        rows: Tensor,
        values: Tensor,
        above: Tensor,
        size: Tensor,
    ) -> TiedGroups:
        """Make the groups of right candidates that were counted, whose counts parts add up to.

        Args:
            totals: (q,) int64, the right candidates of each row.
            columns: how many candidates were ranked.
            rows: (p,) int64, the row of each right candidate; rising.
            values: (p,) their similarities, rising in each row.
            above: (p,) int64, as `count_standing` returns it.
            size: (p,) int64, likewise.
        """
        first = torch.ones_like(rows, dtype=torch.bool)
        first[1:] = (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
        starts = first.nonzero().squeeze(1)
        right = starts.diff(append=starts.new_tensor([len(rows)]))
        row, above, size = (array[starts] for array in (rows, above, size))
        higher = totals.cumsum(0)[row] - right.cumsum(0)
        return cls(totals, columns, row, above, size, right, higher)

    def first(self) -> Tensor:
        """Return which groups hold the first right candidates of their row, (g,) bool."""
        return self.right_above == 0


def count_standing(
    similarities: Tensor, rows: Tensor, values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the values, rising in each row, and how many are above each and equal to it.

    Args:
        similarities: (q, n) float32 or float64, less than inf.
        rows: (p,) int64, the row of each value; rising.
        values: (p,) of the same type, finite; those of a row may be sorted here.

    Returns:
        Each (p,); of equal values of a row the first one has the counts.
    """
    if not similarities.is_cpu:
        return standing_by_search(similarities, rows, values)
    ends = torch.searchsorted(rows.contiguous(), torch.arange(len(similarities) + 1))
    above, equal = torch.empty_like(rows), torch.empty_like(rows)
    tables = (similarities.contiguous(), ends, values, above, equal)
    count_above_and_tied(*(table.numpy() for table in tables))
    return values, above, equal
