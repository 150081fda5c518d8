"""The file of relationships: is-a links, mappings between vocabularies, and what replaces what."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Block, Integers
from termexplorer.importers.files.grouped import Grouped, distinct
from termexplorer.importers.files.release_files import ReleaseMember, RoleReader
from termexplorer.importers.omop.concepts import StagedConcepts
from termexplorer.importers.omop.files import RELATIONS
from termexplorer.texts import tr

_FIRST, _SECOND, _SORT, _INVALID = 0, 1, 2, 5
IS_A, MAPPED, REPLACED, SAME, MAYBE, WAS_A, ALTERNATIVE = range(7)
# The relationship -> what it is, and whether it is told of the second concept.
_SORTS = {
    b"Is a": (IS_A, False),
    b"Subsumes": (IS_A, True),
    b"Maps to": (MAPPED, False),
    b"Mapped from": (MAPPED, True),
    b"Concept replaced by": (REPLACED, False),
    b"Concept replaces": (REPLACED, True),
    b"Concept same_as to": (SAME, False),
    b"Concept same_as from": (SAME, True),
    b"Concept poss_eq to": (MAYBE, False),
    b"Concept poss_eq from": (MAYBE, True),
    b"Concept was_a to": (WAS_A, False),
    b"Concept was_a from": (WAS_A, True),
    b"Concept alt_to to": (ALTERNATIVE, False),
    b"Concept alt_to from": (ALTERNATIVE, True),
}
_NUMBER_BITS = 28  # of a place in the file of concepts, which has some ten million rows


@dataclass(slots=True)
class Related:
    """What concepts are to others.

    Attributes:
        grouped: The sort and the place of the other, of each concept that is taken.
        elsewhere: Is-a rows of a concept that is taken and one that is not.
        invalid: Rows that hold no longer.
        other_relations: Sort that is not taken -> how many rows.
    """

    grouped: Grouped
    elsewhere: int = 0
    invalid: int = 0
    other_relations: Counter[str] = field(default_factory=Counter)


def read_relations(
    reader: RoleReader, staged: StagedConcepts, number: Integers, count: int
) -> Related:
    """Read the file of relationships.

    Args:
        reader: Of the release.
        staged: All concepts.
        number: Of each, among those taken, or -1.
        count: How many are taken.
    """
    related = Related(Grouped.of_sorted(count, _NOTHING))
    packed = [_NOTHING]
    for member, block in reader.of(RELATIONS):
        block, sorts = _wanted_rows(block, related)
        first, second = (_find_ends(reader, member, block, staged, at) for at in (_FIRST, _SECOND))
        both_known = (first >= 0) & (second >= 0)
        block_sorts, first, second = sorts[both_known], first[both_known], second[both_known]
        for sort, turned in _listed_sorts(block_sorts):
            rows = block_sorts == 2 * sort + turned
            source, target = (second, first) if turned else (first, second)
            packed += _pack_pairs(related, number, sort, source[rows], target[rows])
        if len(packed) > _MOST_PARTS:
            packed = [distinct(np.concatenate(packed))]
    keys = distinct(np.concatenate(packed))
    mask = (1 << _NUMBER_BITS) - 1
    concept, sorts, targets = keys >> (_NUMBER_BITS + 3), (keys >> _NUMBER_BITS) & 7, keys & mask
    related.grouped = Grouped.of_sorted(count, concept, sorts, targets)
    return related


_NOTHING: Integers = np.empty(0, np.int64)
_MOST_PARTS = 2_000  # that are put together at a time


def _listed_sorts(sorts: Integers) -> Iterator[tuple[int, bool]]:
    for packed_sort in np.unique(sorts).tolist():
        yield packed_sort // 2, bool(packed_sort % 2)


def _wanted_rows(block: Block, related: Related) -> tuple[Block, Integers]:
    """The rows that are taken and hold still, and twice the sort of each, plus 1 if turned."""
    cells = block.cells(_SORT, np.arange(len(block)))
    codes = {text: 2 * sort + turned for text, (sort, turned) in _SORTS.items()}
    sorts = np.array([codes.get(word, -1) for word in cells], np.int64)
    for cell, count in Counter(cells).items():
        if cell not in codes:
            related.other_relations[cell.decode("utf-8", "replace")] += count
    valid: NDArray[np.bool_] = block.empty(_INVALID)
    related.invalid += int(((sorts >= 0) & ~valid).sum())
    is_wanted = (sorts >= 0) & valid
    return block.only(is_wanted), sorts[is_wanted]


def _find_ends(
    reader: RoleReader, member: ReleaseMember, block: Block, staged: StagedConcepts, column: int
) -> Integers:
    positions = staged.find(block.integers(column))
    reader.refuse(member, block, column, positions < 0, tr("no concept of this release"))
    return positions


def _pack_pairs(
    related: Related, number: Integers, sort: int, source: Integers, other_end: Integers
) -> Iterator[Integers]:
    """Concept, sort and other in one number; mappings are told of both ends."""
    taken = number[source] >= 0
    if sort == IS_A:
        target_taken = number[other_end] >= 0
        related.elsewhere += int((taken != target_taken).sum())
        taken &= target_taken
    distinct = source != other_end
    for concept, target in (
        (source, other_end),
        *(((other_end, source),) if sort == MAPPED else ()),
    ):
        rows = (number[concept] >= 0) & distinct & (taken if sort == IS_A else True)
        yield (((number[concept] << 3) | sort) << _NUMBER_BITS)[rows] | target[rows]
