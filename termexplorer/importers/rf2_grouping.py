"""Rows of a release brought to the concepts that they tell of, in an order of their own.

The order is that of ids, so that it does not matter in which order the files have their rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.rf2_block import Integers, word
from termexplorer.importers.rf2_ids import DEFINITION, FULLY_SPECIFIED
from termexplorer.importers.rf2_rows import Reader
from termexplorer.importers.rf2_staging import Staged, place_of

# What a text is to its concept. Definitions follow the names, the best first.
PREFERRED, FULL, ACCEPTABLE, UNLISTED, FOREIGN, DEFINING = range(6)
_TIME, _ACTIVE = 1, 2  # columns of the staged tables but for those with UUIDs


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows in the order of the concepts that they belong to.

    Attributes:
        starts: Where each concept's rows begin, and the end, (concepts + 1,).
        columns: What is wanted of them, (n,) each.
    """

    starts: Integers
    columns: tuple[Integers, ...]

    def of(self, first: int, end: int) -> tuple[list[int], list[list[int]]]:
        """The columns of the rows of some concepts, and where in them each concept's begin."""
        low, high = int(self.starts[first]), int(self.starts[end])
        starts: list[int] = (self.starts[first : end + 1] - low).tolist()
        return starts, [column[low:high].tolist() for column in self.columns]


def texts(reader: Reader, staged: Staged, language: str) -> Grouped:
    """What each text is to its concept, and its place; in the order in which a concept has them."""
    rows = staged.descriptions[staged.descriptions[:, _ACTIVE] == 1]
    sort = _sorts(rows, staged.accepted, word(language))
    rows, sort = rows[sort >= 0], sort[sort >= 0]
    concept, known = _known(staged, rows[:, 3])
    _refuse(reader, rows[~known], 3, "the description's concept")
    concept, rows, sort = concept[known], rows[known], sort[known]
    order = np.lexsort((rows[:, 0], sort, concept))
    columns = np.minimum(sort, DEFINING)[order], rows[order, 6]
    return _grouped(staged, concept[order], *columns)


def parents(reader: Reader, staged: Staged) -> Grouped:
    """The ids of each concept's parents."""
    rows = staged.is_a[staged.is_a[:, _ACTIVE] == 1]
    child, known = _known(staged, rows[:, 3])
    _refuse(reader, rows[~known], 3, "the is-a link's child")
    rows, child = rows[known], child[known]
    _, known = _known(staged, rows[:, 4])
    _refuse(reader, rows[~known], 4, "the is-a link's parent")
    rows, child = rows[known], child[known]
    order = np.lexsort((rows[:, 4], child))
    return _grouped(staged, child[order], rows[order, 4])


def associations(staged: Staged) -> tuple[Grouped, int]:
    """Refset and target of each obsolete concept's associations; and how many rows are others."""
    rows = staged.associations[staged.associations[:, 3] == 1]
    concept, known = _known(staged, rows[:, 5])
    wanted = known.copy()
    wanted[known] = staged.concepts[concept[known], _ACTIVE] == 0
    rows, concept = rows[wanted], concept[wanted]
    order = np.lexsort((rows[:, 6], rows[:, 4], concept))
    found = _grouped(staged, concept[order], rows[order, 4], rows[order, 6])
    return found, int((~wanted).sum())


def _sorts(rows: Integers, accepted: Integers, language: int) -> Integers:
    """What each description is; -1 for what belongs to neither the language nor the dialect."""
    listed, preferred = _listed(rows[:, 0], accepted)
    own = (rows[:, 5] == language) | listed
    full, defining = rows[:, 4] == FULLY_SPECIFIED, rows[:, 4] == DEFINITION
    sort = np.where(own, np.where(listed, np.where(preferred, PREFERRED, ACCEPTABLE), UNLISTED), -1)
    # A preferred definition comes before one that is acceptable or not listed.
    sort = np.where(defining & own, DEFINING + np.where(preferred, 0, np.where(listed, 1, 2)), sort)
    return np.where(full, np.where(own, FULL, FOREIGN), sort)


def _listed(
    descriptions: Integers, accepted: Integers
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which descriptions the dialect has, and which it prefers."""
    members = accepted[accepted[:, 3] == 1][:, 4:6]
    if not len(members):
        nothing = np.zeros(len(descriptions), bool)
        return nothing, nothing
    members = members[np.lexsort((members[:, 1], members[:, 0]))]
    at = np.searchsorted(members[:, 0], descriptions, side="right") - 1
    found = members[np.maximum(at, 0)]
    listed = found[:, 0] == descriptions
    return listed, listed & (found[:, 1] == 1)


def _known(staged: Staged, ids: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """The numbers of concepts, from 0, and which of them there are."""
    own = staged.concepts[:, 0]
    at = np.minimum(np.searchsorted(own, ids), max(len(own) - 1, 0))
    return at, own[at] == ids if len(own) else np.zeros(len(ids), bool)


def _refuse(reader: Reader, rows: Integers, column: int, what: str) -> None:
    for identifier, where in zip(rows[:, column].tolist(), rows[:, -1].tolist(), strict=True):
        reader.skip(*place_of(reader, where), f"{what} {identifier} is not in this release")


def _grouped(staged: Staged, concept: Integers, *columns: Integers) -> Grouped:
    starts = np.searchsorted(concept, np.arange(len(staged.concepts) + 1))
    return Grouped(starts, columns)
