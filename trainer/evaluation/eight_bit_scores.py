"""Similarities of millions of names: cosines of 8-bit rows, computed block by block."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.search.all_pairs import (
    CosineBlock,
    EightBitRows,
    compute_blocks,
    compute_pairs,
    count_block_rows,
)
from termexplorer.trainer.search.tied_groups import TiedGroups, count_standing

Int64s = NDArray[np.int64]


class EightBitScores:
    """`Scores` of two tables of 8-bit rows, of which no more than a block is held at a time.

    Cosines of the same rows are the same, bit by bit, whatever the block; so counts of blocks add
    up to those of all candidates.

    Args:
        mentions: whose rows mentions are.
        candidates: whose rows candidates are.
        device: where cosines are computed, and stay.

    Attributes:
        block_rows: how many mentions a block has at most.
        block_columns: and candidates.
    """

    def __init__(
        self, mentions: EightBitRows, candidates: EightBitRows, device: str = "cpu"
    ) -> None:
        self._mentions, self._candidates, self._device = mentions, candidates, device
        self.block_rows, self.block_columns = count_block_rows(device)

    def __call__(self, mentions: Int64s, candidates: Int64s) -> Tensor:
        """Return all similarities, (m, c) float32."""
        table = torch.empty((len(mentions), len(candidates)), device=self._device)
        for start, cosines in self.blocks(mentions, candidates):
            table[:, start : start + cosines.shape[1]] = cosines
        return table

    def blocks(self, mentions: Int64s, candidates: Int64s) -> Iterator[CosineBlock]:
        """Yield the similarities of mentions, as many as `block_rows` at most, by blocks."""
        return compute_blocks(self._mentions, mentions, self._candidates, candidates, self._device)

    def of_pairs(self, mentions: Int64s, candidates: Int64s) -> Tensor:
        """Return the similarity of each of p pairs, (p,) float32."""
        return compute_pairs(self._mentions, mentions, self._candidates, candidates).to(
            self._device
        )

    def find_groups(
        self,
        mentions: Int64s,
        candidates: Int64s,
        rows: Int64s,
        columns: Int64s,
        own_positions: Int64s | None,
    ) -> TiedGroups:
        """Find where right candidates stand among all, as `TiedGroups.of` of the whole table.

        Args:
            mentions: (q,) int64, as many as `block_rows` at most.
            candidates: (c,) int64.
            rows: (p,) rising, with ``columns`` the right candidates as pairs, none of them twice.
            columns: (p,) int64.
            own_positions: (q,) the candidate that is left out of each ranking, -1 for none.
        """
        totals = torch.from_numpy(np.bincount(rows, minlength=len(mentions)))
        totals, at = (
            array.to(self._device) for array in (totals, torch.from_numpy(rows.astype(np.int64)))
        )
        if not len(rows):
            return TiedGroups(totals, len(candidates), at, at, at, at, at)
        values = self.of_pairs(mentions[rows], candidates[columns])
        above, size = torch.zeros_like(at), torch.zeros_like(at)
        for start, cosines in self.blocks(mentions, candidates):
            if own_positions is not None:
                offsets = own_positions - start
                is_here = (own_positions >= start) & (offsets < cosines.shape[1])
                cosines[np.flatnonzero(is_here), offsets[is_here]] = -torch.inf
            values, higher, equal = count_standing(cosines, at, values)
            above, size = above + higher, size + equal
        return TiedGroups.of_counts(totals, len(candidates), at, values, above, size)
