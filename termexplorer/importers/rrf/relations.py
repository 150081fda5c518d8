"""The file of relations: which rows make a hierarchy, and what they link.

REL and RELA say what the second concept is to the first: where REL is PAR, it is its parent.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Block, Integers, spelt, word
from termexplorer.importers.files.grouped import distinct
from termexplorer.importers.files.release_files import ReleaseMember
from termexplorer.importers.rrf.atoms import suppression
from termexplorer.importers.rrf.concepts import ABSENT, UNTOLD, Concepts
from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.texts import mark, tr

CUI1, AUI1, REL, CUI2, AUI2, RELA, SAB, SUPPRESS = 0, 1, 3, 4, 5, 7, 10, 14
PARENT, IS_A, BROADER = "PAR", "isa", "RB"
LINKS = {
    PARENT: mark("PAR and CHD, parents and children"),
    IS_A: mark("isa and inverse_isa in RELA"),
    BROADER: mark("RB and RN, broader and narrower"),
}
_UP = {word("PAR"): PARENT, word("RB"): BROADER}  # the second concept is above the first
_DOWN = {word("CHD"): PARENT, word("RN"): BROADER}
_DIRECTIONS = {b"isa": 1, b"inverse_isa": -1}


@dataclass(frozen=True, slots=True)
class WantedRelations:
    """Which relations are taken.

    Attributes:
        links: Some of `LINKS`.
        sources: Vocabularies that assert them.
        suppressed: Places in `SUPPRESSED`.
    """

    links: frozenset[str]
    sources: frozenset[str]
    suppressed: frozenset[int]


@dataclass(slots=True)
class HierarchyLinks:
    """The is-a links that were found, each once.

    Attributes:
        children: Numbers of concepts, (n,).
        parents: Numbers of concepts, (n,).
        elsewhere: Rows that link what is not taken.
        unresolved: Rows that name no atoms, which code concepts are told by.
    """

    children: Integers
    parents: Integers
    elsewhere: int = 0
    unresolved: int = 0


@dataclass(frozen=True, slots=True)
class _RelationRows:
    """Rows of one block that could make a hierarchy, (n,) each."""

    block: Block
    upward: NDArray[np.bool_]
    broader: NDArray[np.bool_]
    is_a: NDArray[np.int8]  # 1: the second is a the first, -1: the other way, 0: not told
    sources: list[bytes]

    def links(self) -> tuple[tuple[str, NDArray[np.bool_]], ...]:
        """Which rows each link is made of."""
        return (PARENT, ~self.broader), (IS_A, self.is_a != 0), (BROADER, self.broader)


@dataclass(slots=True)
class Counted:
    """What the relations are, in rows.

    Attributes:
        links: Of each of `LINKS`; a row may be of two.
        sources: Of each vocabulary, of those that make a hierarchy.
        other_sorts: REL of those that make none -> how many rows.
    """

    links: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    other_sorts: Counter[str] = field(default_factory=Counter)


def survey(reader: RrfReader) -> Counted:
    """Count the relations."""
    counted = Counted()
    for _, rows, other_sorts in _read_hierarchical_rows(reader):
        counted.other_sorts.update(other_sorts)
        counted.links.update({link: int(at.sum()) for link, at in rows.links()})
        for source, count in Counter(rows.sources).items():
            counted.sources[source.decode("utf-8", "replace")] += count
    return counted


def read_links(reader: RrfReader, concepts: Concepts, wanted: WantedRelations) -> HierarchyLinks:
    """The links between concepts that are taken."""
    links = HierarchyLinks(np.empty(0, np.int64), np.empty(0, np.int64))
    pairs = _Pairs(concepts.count)
    for member, rows, _ in _read_hierarchical_rows(reader):
        rows = _filter_rows(rows, _wanted_rows(reader, member, rows, wanted))
        up = np.where((rows.is_a != 0) & (IS_A in wanted.links), rows.is_a < 0, rows.upward)
        first = _find_ends(reader, member, rows, concepts, (CUI1, AUI1))
        second = _find_ends(reader, member, rows, concepts, (CUI2, AUI2))
        lowest = np.minimum(first, second)
        links.unresolved += int((lowest == UNTOLD).sum())
        links.elsewhere += int(((lowest < 0) & (lowest > UNTOLD)).sum())
        both = lowest >= 0
        pairs.add(np.where(up, first, second)[both], np.where(up, second, first)[both])
    links.children, links.parents = pairs.distinct()
    return links


class _Pairs:
    """Distinct pairs of numbers; each link stands twice in a file, once for each direction."""

    def __init__(self, count: int) -> None:
        self._count = max(count, 1)
        self._distinct: Integers = np.empty(0, np.int64)
        self._waiting: list[Integers] = []
        self._held = 0

    def add(self, children: Integers, parents: Integers) -> None:
        self._waiting.append(children.astype(np.int64) * self._count + parents)
        self._held += len(children)
        if self._held > max(len(self._distinct), 1 << 20):
            self._fold()

    def distinct(self) -> tuple[Integers, Integers]:
        self._fold()
        return self._distinct // self._count, self._distinct % self._count

    def _fold(self) -> None:
        self._distinct = distinct(np.concatenate([self._distinct, *self._waiting]))
        self._waiting, self._held = [], 0


def _read_hierarchical_rows(
    reader: RrfReader,
) -> Iterator[tuple[ReleaseMember, _RelationRows, dict[str, int]]]:
    for member, block in reader.of("relations"):
        sorts = block.words(REL)
        wanted = np.isin(sorts, [*_UP, *_DOWN])
        values, counts = np.unique(sorts[~wanted], return_counts=True)
        other_sorts = dict(zip(map(_spell_sort, values.tolist()), counts.tolist(), strict=True))
        block, sorts = block.only(wanted), sorts[wanted]
        every = np.arange(len(block))
        relation_names = block.cells(RELA, every)
        is_a = np.array([_DIRECTIONS.get(name, 0) for name in relation_names], np.int8)
        upward, broader = np.isin(sorts, list(_UP)), np.isin(sorts, [word("RB"), word("RN")])
        yield (
            member,
            _RelationRows(block, upward, broader, is_a, block.cells(SAB, every)),
            other_sorts,
        )


def _spell_sort(sort: int) -> str:
    return spelt(sort).upper() if sort > 0 else "?"


def _wanted_rows(
    reader: RrfReader, member: ReleaseMember, rows: _RelationRows, wanted: WantedRelations
) -> NDArray[np.bool_]:
    wanted_sources = {source.encode() for source in wanted.sources}
    of_wanted_source = np.fromiter(
        map(wanted_sources.__contains__, rows.sources), bool, len(rows.sources)
    )
    linked = np.zeros(len(of_wanted_source), bool)
    for link, at in rows.links():
        linked |= at & (link in wanted.links)
    suppressed = suppression(rows.block, SUPPRESS)
    reader.refuse(member, rows.block, SUPPRESS, suppressed < 0, tr("no sort of suppression"))
    return of_wanted_source & linked & np.isin(suppressed, list(wanted.suppressed))


def _filter_rows(rows: _RelationRows, keep: NDArray[np.bool_]) -> _RelationRows:
    sources = [
        source for source, is_kept in zip(rows.sources, keep.tolist(), strict=True) if is_kept
    ]
    return _RelationRows(
        rows.block.only(keep), rows.upward[keep], rows.broader[keep], rows.is_a[keep], sources
    )


def _find_ends(
    reader: RrfReader,
    member: ReleaseMember,
    rows: _RelationRows,
    concepts: Concepts,
    columns: tuple[int, int],
) -> Integers:
    """The numbers of the concepts at one end; below 0 where there is none."""
    cui, aui = (rows.block.ids(column) for column in columns)
    concept_numbers = concepts.find(cui, aui)
    lost = concept_numbers == ABSENT
    bad = np.minimum(cui, aui) < 0
    for column, ids in zip(columns, (cui, aui), strict=True):
        reader.refuse(member, rows.block, column, lost & (ids < 0), tr("no id"))
    column = columns[concepts.by_code]
    reader.refuse(member, rows.block, column, lost & ~bad, tr("not among the names"))
    return concept_numbers
