"""Files of an RF2 release: their columns, and what all of their rows have."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Block, Integers
from termexplorer.importers.files.reader import BlockReader, Layout
from termexplorer.importers.rf2.files import Rf2Member, Rf2Release
from termexplorer.importers.rf2.ids import is_whole
from termexplorer.texts import tr

_STATE = ("id", "effectiveTime", "active", "moduleId")
_TEXTS = ("conceptId", "languageCode", "typeId", "term", "caseSignificanceId")
_MEMBER = ("refsetId", "referencedComponentId")
COLUMNS: dict[str, tuple[str, ...]] = {
    "concept": (*_STATE, "definitionStatusId"),
    "description": (*_STATE, *_TEXTS),
    "definition": (*_STATE, *_TEXTS),
    "relationship": (
        *_STATE, "sourceId", "destinationId", "relationshipGroup", "typeId",
        "characteristicTypeId", "modifierId",
    ),
    "language": (*_STATE, *_MEMBER, "acceptabilityId"),
    "association": (*_STATE, *_MEMBER, "targetComponentId"),
    "modules": (*_STATE, *_MEMBER, "sourceEffectiveTime", "targetEffectiveTime"),
}  # fmt: skip
TIME, ACTIVE = 1, 2  # columns
UNPUBLISHED = 99_999_999  # stands for an empty effective time: later than all that are published


class Rf2Reader(BlockReader):
    """Reads the files of a release and keeps what was left out."""

    def __init__(self, release: Rf2Release) -> None:
        super().__init__(release, Layout("RF2", COLUMNS, open_end=is_whole))
        self.release = release

    def state(
        self, member: Rf2Member, block: Block
    ) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """Effective time, whether it is active, and which rows hold both, (n,) each."""
        times, active = block.integers(TIME), block.integers(ACTIVE)
        times = np.where(block.empty(TIME), UNPUBLISHED, times)
        dated = (times >= 10_000_000) & (times <= UNPUBLISHED)
        flagged = (active == 0) | (active == 1)
        self.refuse(member, block, TIME, ~dated, tr("no date"))
        self.refuse(member, block, ACTIVE, dated & ~flagged, tr("neither 0 nor 1"))
        return times, active, dated & flagged

    def numbers(
        self, member: Rf2Member, block: Block, columns: Sequence[int], good: NDArray[np.bool_]
    ) -> tuple[list[Integers], NDArray[np.bool_]]:
        """Columns of ids, and which of the good rows hold numbers in all of them."""
        column_values = [block.integers(column) for column in columns]
        for column, values in zip(columns, column_values, strict=True):
            self.refuse(member, block, column, good & (values < 0), tr("no number"))
            good = good & (values >= 0)
        return column_values, good
