"""Rows of a release brought to the concepts that they tell of, in an order of their own.

The order is that of ids, so that it does not matter in which order the files have their rows.
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Integers, word
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.rf2.ids import DEFINITION, FULLY_SPECIFIED
from termexplorer.importers.rf2.rows import Rf2Reader
from termexplorer.importers.rf2.staging import StagedRelease, place_of
from termexplorer.texts import tr

# What a text is to its concept. Definitions follow the names, the best first.
PREFERRED, FULL, ACCEPTABLE, UNLISTED, FOREIGN, DEFINING = range(6)
_ACTIVE = 2  # column of the staged tables but for those with UUIDs


def texts(reader: Rf2Reader, staged: StagedRelease, language: str) -> Grouped:
    """What each text is to its concept, and its place; in the order in which a concept has them."""
    table = staged.descriptions  # it is in the order of ids
    sort = _sort_descriptions(table, staged.accepted, word(language))
    concept, known = _find_concepts(staged, table[3])
    _refuse_rows(reader, table[:, (sort >= 0) & ~known], 3, tr("the description's concept"))
    known_rows = np.flatnonzero((sort >= 0) & known)
    known_rows = known_rows[np.lexsort((sort[known_rows], concept[known_rows]))]
    return _group_columns(
        staged, concept[known_rows], np.minimum(sort[known_rows], DEFINING), table[6, known_rows]
    )


def count_other_languages(staged: StagedRelease, language: str) -> int:
    """Return how many active descriptions are of neither the language nor the dialect."""
    table = staged.descriptions
    listed, _ = _dialect_rows(table[0], staged.accepted)
    return int(((table[_ACTIVE] == 1) & (table[5] != word(language)) & ~listed).sum())


def count_inactive(staged: StagedRelease) -> Counter[str]:
    """Return how many rows of descriptions, is-a links and reference sets are inactive."""
    return Counter(
        {
            tr("descriptions"): int((staged.descriptions[_ACTIVE] == 0).sum()),
            tr("is-a links"): int((staged.is_a[_ACTIVE] == 0).sum()),
            tr("language reference set"): int((staged.accepted[3] == 0).sum()),
            tr("associations"): int((staged.associations[3] == 0).sum()),
        }
    )


def parents(reader: Rf2Reader, staged: StagedRelease) -> Grouped:
    """The ids of each concept's parents."""
    rows = staged.is_a[:, staged.is_a[_ACTIVE] == 1]
    child, known = _find_concepts(staged, rows[3])
    _refuse_rows(reader, rows[:, ~known], 3, tr("the is-a link's child"))
    rows, child = rows[:, known], child[known]
    _, known = _find_concepts(staged, rows[4])
    _refuse_rows(reader, rows[:, ~known], 4, tr("the is-a link's parent"))
    rows, child = rows[:, known], child[known]
    order = np.lexsort((rows[4], child))
    return _group_columns(staged, child[order], rows[4, order])


def associations(staged: StagedRelease) -> tuple[Grouped, int]:
    """Refset and target of each obsolete concept's associations; and how many rows are others."""
    rows = staged.associations[:, staged.associations[3] == 1]
    concept, known = _find_concepts(staged, rows[5])
    wanted = known.copy()
    wanted[known] = staged.concepts[_ACTIVE, concept[known]] == 0
    rows, concept = rows[:, wanted], concept[wanted]
    order = np.lexsort((rows[6], rows[4], concept))
    grouped = _group_columns(staged, concept[order], rows[4, order], rows[6, order])
    return grouped, int((~wanted).sum())


def _sort_descriptions(rows: Integers, accepted: Integers, language: int) -> Integers:
    """What each description is; -1 for what is inactive or of another language and dialect."""
    listed, preferred = _dialect_rows(rows[0], accepted)
    in_language = (rows[5] == language) | listed
    full, defining = rows[4] == FULLY_SPECIFIED, rows[4] == DEFINITION
    sort = np.where(
        in_language, np.where(listed, np.where(preferred, PREFERRED, ACCEPTABLE), UNLISTED), -1
    )
    # A preferred definition comes before one that is acceptable or not listed.
    sort = np.where(
        defining & in_language, DEFINING + np.where(preferred, 0, np.where(listed, 1, 2)), sort
    )
    sort = np.where(full, np.where(in_language, FULL, FOREIGN), sort)
    return np.where(rows[_ACTIVE] == 1, sort, -1)


def _dialect_rows(
    descriptions: Integers, accepted: Integers
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which descriptions the dialect has, and which it prefers."""
    members, prefers = accepted[4:6, accepted[3] == 1]
    if not len(members):
        nothing = np.zeros(len(descriptions), bool)
        return nothing, nothing
    order = np.lexsort((prefers, members))
    members, prefers = members[order], prefers[order]
    at = np.maximum(np.searchsorted(members, descriptions, side="right") - 1, 0)
    listed = members[at] == descriptions
    return listed, listed & (prefers[at] == 1)


def _find_concepts(staged: StagedRelease, ids: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """The numbers of concepts, from 0, and which of them there are."""
    concept_ids = staged.concepts[0]
    at = np.minimum(np.searchsorted(concept_ids, ids), max(len(concept_ids) - 1, 0))
    return at, concept_ids[at] == ids if len(concept_ids) else np.zeros(len(ids), bool)


def _refuse_rows(reader: Rf2Reader, rows: Integers, column: int, component: str) -> None:
    for identifier, where in zip(rows[column].tolist(), rows[-1].tolist(), strict=True):
        reason = tr("{what} {id} is not in this release", what=component, id=identifier)
        reader.skip(*place_of(reader, where), reason)


def _group_columns(staged: StagedRelease, concept: Integers, *columns: Integers) -> Grouped:
    return Grouped.of_sorted(staged.concepts.shape[1], concept, *columns)
