"""All files of a release read into columns of numbers, the newest row of each component."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Block, Integers
from termexplorer.importers.files.terms import TermStore, is_text
from termexplorer.importers.rf2.files import Rf2Member
from termexplorer.importers.rf2.ids import (
    DEFINITION,
    FULLY_SPECIFIED,
    IS_A,
    PREFERRED,
    STATED,
    SYNONYM,
)
from termexplorer.importers.rf2.newest import Newest
from termexplorer.importers.rf2.rows import UNPUBLISHED, Rf2Reader
from termexplorer.texts import tr

_LINE_BITS = 40


@dataclass(frozen=True, slots=True)
class StagedRelease:
    """The newest rows of a release's components, each (columns, n), in the order of their keys.

    Attributes:
        concepts: id, time, active, module, where.
        descriptions: id, time, active, concept, type, language (`word`), place of the term, where.
        is_a: id, time, active, child, parent, where.
        accepted: UUID (two halves), time, active, description, 1 for preferred or 0.
        associations: UUID (two halves), time, active, refset, concept, target, where.
        modules: UUID (two halves), time, active, module, the one it stands on, their two times.
        attributes: type -> how many rows of relationships that are no is-a.
        newest: the newest effective time of a concept, description or is-a link.
        stated: how many is-a links are stated, and not inferred.
    """

    concepts: Integers
    descriptions: Integers
    is_a: Integers
    accepted: Integers
    associations: Integers
    modules: Integers
    attributes: Counter[int]
    newest: int
    stated: int = 0


def stage(reader: Rf2Reader, terms: TermStore, refset: int) -> StagedRelease:
    """Read all files of a release.

    Args:
        reader: Of the release; it keeps what is left out.
        terms: Takes the terms of descriptions and text definitions.
        refset: The language reference set that is kept.

    Raises:
        UserError: A file has another header, or is damaged or truncated.
    """
    attributes: Counter[int] = Counter()
    stated = 0
    concepts, descriptions, is_a = Newest(5), Newest(8), Newest(6)
    accepted, associations, modules = Newest(6, 2), Newest(8, 2), Newest(8, 2)
    for number, member in enumerate(reader.release.members):
        for block in reader.blocks(member):
            where = (number << _LINE_BITS) | block.lines
            if member.role == "concept":
                _stage_concepts(reader, member, block, where, concepts)
            elif member.role in ("description", "definition"):
                _stage_descriptions(reader, member, block, where, descriptions, terms)
            elif member.role == "relationship":
                other_types, count = _is_a(reader, member, block, where, is_a)
                attributes += other_types
                stated += count
            elif member.role == "language":
                _stage_accepted(reader, member, block, accepted, refset)
            elif member.role == "association":
                _stage_associations(reader, member, block, where, associations)
            else:
                _stage_modules(reader, member, block, modules)
    tables = concepts.table(), descriptions.table(), is_a.table()
    times = [table[1][table[1] < UNPUBLISHED] for table in tables]
    newest = max(int(block_times.max(initial=0)) for block_times in times)
    further = accepted.table(), associations.table(), modules.table()
    return StagedRelease(*tables, *further, attributes, newest, stated)


def place_of(reader: Rf2Reader, where: int) -> tuple[Rf2Member, int]:
    """The file and line that a row came from."""
    return reader.release.members[where >> _LINE_BITS], where & ((1 << _LINE_BITS) - 1)


def line_of(where: int) -> int:
    """The line that a row came from."""
    return where & ((1 << _LINE_BITS) - 1)


def _stage_concepts(
    reader: Rf2Reader, member: Rf2Member, block: Block, where: Integers, into: Newest
) -> None:
    times, active, good = reader.state(member, block)
    (ids, modules), good = reader.numbers(member, block, (0, 3), good)
    into.add(*_filter_rows(good, ids, times, active, modules, where))


def _stage_descriptions(
    reader: Rf2Reader,
    member: Rf2Member,
    block: Block,
    where: Integers,
    into: Newest,
    terms: TermStore,
) -> None:
    times, active, good = reader.state(member, block)
    (ids, concepts, types), good = reader.numbers(member, block, (0, 4, 6), good)
    known = np.isin(types, (FULLY_SPECIFIED, SYNONYM, DEFINITION))
    reader.refuse(member, block, 6, good & ~known, tr("no known type"))
    good = good & known
    texts = block.cells(7, np.flatnonzero(good))
    sound = np.fromiter(map(is_text, texts), bool, len(texts))
    if not sound.all():
        odd = np.zeros_like(good)
        odd[np.flatnonzero(good)[~sound]] = True
        reader.refuse(member, block, 7, odd, tr("empty, too long or not UTF-8"))
        good = good & ~odd
        texts = [text for text, is_sound in zip(texts, sound, strict=True) if is_sound]
    columns = _filter_rows(good, ids, times, active, concepts, types, block.words(5))
    into.add(*columns, terms.add(texts), where[good])


def _is_a(
    reader: Rf2Reader, member: Rf2Member, block: Block, where: Integers, into: Newest
) -> tuple[Counter[int], int]:
    """Take the inferred is-a links; return how many rows are of other types, and are stated."""
    (types,), good = reader.numbers(member, block, (7,), np.ones(len(block), bool))
    wanted = types == IS_A
    other_types, counts = np.unique(types[good & ~wanted], return_counts=True)
    block, where = block.only(wanted), where[wanted]
    times, active, good = reader.state(member, block)
    columns, good = reader.numbers(member, block, (0, 4, 5, 8), good)
    *columns, sorts = columns
    inferred = good & (sorts != STATED)
    into.add(*_filter_rows(inferred, columns[0], times, active, *columns[1:], where))
    by_type = Counter(dict(zip(other_types.tolist(), counts.tolist(), strict=True)))
    return by_type, int((good & ~inferred).sum())


def _stage_accepted(
    reader: Rf2Reader, member: Rf2Member, block: Block, into: Newest, refset: int
) -> None:
    (refsets,), _ = reader.numbers(member, block, (4,), np.ones(len(block), bool))
    block = block.only(refsets == refset)
    times, active, good = reader.state(member, block)
    upper, lower, good = _member_ids(reader, member, block, good)
    (descriptions, sorts), good = reader.numbers(member, block, (5, 6), good)
    preferred = (sorts == PREFERRED).astype(np.int64)
    into.add(*_filter_rows(good, upper, lower, times, active, descriptions, preferred))


def _stage_associations(
    reader: Rf2Reader, member: Rf2Member, block: Block, where: Integers, into: Newest
) -> None:
    times, active, good = reader.state(member, block)
    upper, lower, good = _member_ids(reader, member, block, good)
    (refsets, sources, targets), good = reader.numbers(member, block, (4, 5, 6), good)
    into.add(*_filter_rows(good, upper, lower, times, active, refsets, sources, targets, where))


def _stage_modules(reader: Rf2Reader, member: Rf2Member, block: Block, into: Newest) -> None:
    times, active, good = reader.state(member, block)
    upper, lower, good = _member_ids(reader, member, block, good)
    columns, good = reader.numbers(member, block, (3, 5, 6, 7), good)
    into.add(*_filter_rows(good, upper, lower, times, active, *columns))


def _member_ids(
    reader: Rf2Reader, member: Rf2Member, block: Block, good: NDArray[np.bool_]
) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    upper, lower, whole = block.uuids(0)
    reader.refuse(member, block, 0, good & ~whole, tr("no UUID"))
    return upper, lower, good & whole


def _filter_rows(rows: NDArray[np.bool_], *columns: Integers) -> list[Integers]:
    return [column[rows] for column in columns] if not rows.all() else list(columns)
