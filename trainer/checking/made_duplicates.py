"""Terms that are added a second time, under some of their names or other words for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.reworded import NameRewording
from termexplorer.trainer.checking.terms import TermTable, build_side
from termexplorer.trainer.mapping.sides import EXACT, PREFERRED, MappingSide

Int64s = NDArray[np.int64]
Bools = NDArray[np.bool_]

_HIDDEN = 0.6  # how often the names that a made term takes are not left to the term it is made of
_ONE_NAME = 0.6  # how often it takes but one of several
_REWORDED = 0.5  # how often it takes them in other words
_WITH_CHILDREN = 0.5
_WITH_REFERENCES = 0.35
_PARENTS = (0.35, 0.15, 0.15, 0.1, 0.15, 0.1)
"""How often its parents are those of the term, the term, an ancestor, a sibling, any
term, or none."""


@dataclass(frozen=True, eq=False)
class SourceTerms:
    """Terms that are compared with those of a table: made ones, or new ones of the table itself.

    Attributes:
        side: their names.
        rows: (m,) int64, the term of the table that each is, or was made of.
        parents: of each, rows of the table.
        with_children: (m,) bool, whether the children of its row are its own.
        references: of each, ids in other ontologies.
    """

    side: MappingSide
    rows: Int64s
    parents: list[tuple[int, ...]]
    with_children: Bools
    references: list[frozenset[str]]


@dataclass(frozen=True, eq=False)
class MadeDuplicates:
    """Terms of a table added a second time.

    Attributes:
        source: the made terms.
        hidden: (n,) bool, names of the table that count as not there.
        kinds: (n,) int64, kinds of the names of the table.
    """

    source: SourceTerms
    hidden: Bools
    kinds: Int64s


def list_source_terms(table: TermTable, rows: Int64s) -> SourceTerms:
    """Return terms of a table as they stand, to be compared with the others."""
    nothing = np.zeros(0, np.int64)
    terms = [table.terms[row] for row in rows.tolist()]
    return SourceTerms(
        build_side([term.names for term in terms], nothing, nothing),
        rows,
        [table.parents[row] for row in rows.tolist()],
        np.ones(len(rows), np.bool_),
        [frozenset(term.cross_references) for term in terms],
    )


def make_duplicates(
    table: TermTable, rows: Int64s, rewording: NameRewording, random: np.random.Generator
) -> MadeDuplicates:
    """Add some terms a second time.

    Args:
        table: with the terms.
        rows: of them.
        rewording: of the table's names.
        random: draws names, words, parents and references.
    """
    hidden, kinds = np.zeros(len(table.side.names), np.bool_), table.side.kinds.copy()
    names, parents, references = [], [], []
    for row in rows.tolist():
        names.append(_draw_names(table, row, rewording, random, (hidden, kinds)))
        parents.append(_draw_parents(table, row, random))
        known = table.terms[row].cross_references if random.random() < _WITH_REFERENCES else ()
        references.append(
            frozenset(known[i] for i in np.flatnonzero(random.random(len(known)) < 0.5))
        )
    nothing = np.zeros(0, np.int64)
    source = SourceTerms(
        build_side(names, nothing, nothing),
        rows,
        parents,
        random.random(len(rows)) < _WITH_CHILDREN,
        references,
    )
    return MadeDuplicates(source, hidden, kinds)


def _draw_names(
    table: TermTable,
    row: int,
    rewording: NameRewording,
    random: np.random.Generator,
    of_table: tuple[Bools, Int64s],
) -> list[tuple[str, int]]:
    """Return the names of a made term, and hide those that it takes from the table."""
    hidden, kinds = of_table
    start, stop = table.side.starts[row : row + 2].tolist()
    bags = table.side.forms.bags[start:stop]
    groups = list(dict.fromkeys(bags))
    taken = set(groups)
    if len(groups) > 1:
        count = 1 if random.random() < _ONE_NAME else int(random.integers(1, len(groups)))
        taken = {groups[i] for i in random.permutation(len(groups))[:count]}
    places = [start + i for i, bag in enumerate(bags) if bag in taken]
    if len(groups) > 1 and random.random() < _HIDDEN:
        hidden[places] = True
        left = [i for i in range(start, stop) if i not in set(places)]
        if not (kinds[left] == PREFERRED).any():
            kinds[left[0]] = PREFERRED
    texts = [table.side.names[i] for i in places]
    if len(groups) == 1 or random.random() < _REWORDED:
        texts = [rewording.reword(text, random) for text in texts]
    texts = [texts[i] for i in random.permutation(len(texts))]
    return [(text, EXACT if i else PREFERRED) for i, text in enumerate(texts)]


def _draw_parents(table: TermTable, row: int, random: np.random.Generator) -> tuple[int, ...]:
    parents = table.parents[row]
    draw = int(random.choice(len(_PARENTS), p=_PARENTS))
    above = sorted({upper for parent in parents for upper in table.parents[parent]})
    siblings = table.side.list_children(parents[0]) if parents else []
    candidates = [
        list(parents),
        [row],
        above,
        [sibling for sibling in siblings if sibling != row],
        [int(random.integers(len(table.terms)))],
        [],
    ][draw]
    if draw == len(_PARENTS) - 1:
        return ()
    if draw == 0 or not candidates:
        return parents
    return (candidates[int(random.integers(len(candidates)))],)
