"""The is-a links of a release under way: few numbers each, resolved when all concepts are there."""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Dangling:
    """A link that leads to, or comes from, what is not in the release.

    Attributes:
        line: Where it stands.
        child: The CURIE of its lower end.
        parent: The CURIE of its upper end.
        missing: That of the two which is not there; the parent where neither is.
    """

    line: int
    child: str
    parent: str
    missing: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """Links between concepts.

    Attributes:
        pairs: Ids of child and parent, each pair once, in their order, (n, 2).
        dangling: What led nowhere.
        loops: How often a concept was its own parent.
        loop_lines: Where that stands, in their order; 0 where a file has no lines.
    """

    pairs: Integers
    dangling: tuple[Dangling, ...]
    loops: Counter[str]
    loop_lines: tuple[int, ...]


class LinkCollector:
    """Gathers links.

    Args:
        ids: CURIE -> id of the concepts so far; it grows while links are added.
    """

    def __init__(self, ids: dict[str, int]) -> None:
        self._ids = ids
        self._awaited: dict[str, int] = {}  # CURIE -> -1, -2, ...: not there when it was named
        self._children, self._parents, self._lines = array("q"), array("q"), array("q")

    def add(self, child: int | str, parent: str, line: int) -> None:
        """Keep a link, by the child's id or CURIE and the parent's CURIE."""
        self._children.append(child if isinstance(child, int) else self._number(child))
        self._parents.append(self._number(parent))
        self._lines.append(line)

    def has(self, child: int, parent: str) -> bool:
        """Return whether a link was added, by the child's id and the parent's CURIE."""
        numbers = [self._ids.get(parent, 0), self._awaited.get(parent, 0)]
        known = [number for number in numbers if number]
        parents = _as_integers(self._parents)[_as_integers(self._children) == child]
        return bool(np.isin(parents, known).any())

    def resolved(self) -> Resolved:
        """All links; they are forgotten here."""
        child, parent, lines = (
            _as_integers(column) for column in (self._children, self._parents, self._lines)
        )
        self._children, self._parents, self._lines = array("q"), array("q"), array("q")
        awaited = list(self._awaited)
        resolved_ids = np.array([0, *(self._ids.get(curie, 0) for curie in awaited)], np.int64)
        below, above = (
            np.where(ends < 0, resolved_ids[np.maximum(-ends, 0)], ends) for ends in (child, parent)
        )
        lost = (below == 0) | (above == 0)
        dangling = self._dangling(
            np.where(below == 0, child, below)[lost],
            np.where(above == 0, parent, above)[lost],
            lines[lost],
        )
        looped = ~lost & (below == above)
        keep = ~lost & ~looped
        return Resolved(
            _distinct_pairs(below[keep], above[keep]),
            dangling,
            self._named(below[looped].tolist()),
            tuple(lines[looped].tolist()),
        )

    def _dangling(
        self, children: Integers, parents: Integers, lines: Integers
    ) -> tuple[Dangling, ...]:
        """Name the ends of links that lead nowhere; those below 0 are not there."""
        wanted = {*children.tolist(), *parents.tolist()}
        known = (*self._ids.items(), *self._awaited.items()) if wanted else ()
        names = {number: curie for curie, number in known if number in wanted}
        rows = zip(children.tolist(), parents.tolist(), lines.tolist(), strict=True)
        return tuple(
            Dangling(line, names[child], names[parent], names[parent if parent < 0 else child])
            for child, parent, line in rows
        )

    def _named(self, loops: list[int]) -> Counter[str]:
        counts = Counter(loops)
        named = (curie for curie, number in self._ids.items() if number in counts) if loops else ()
        return Counter({curie: counts[self._ids[curie]] for curie in named})

    def _number(self, curie: str) -> int:
        number = self._ids.get(curie)
        if number is None:
            number = self._awaited.setdefault(curie, -len(self._awaited) - 1)
        return number


def _as_integers(numbers: "array[int]") -> Integers:
    return np.frombuffer(numbers, np.int64) if numbers else np.empty(0, np.int64)


def _distinct_pairs(child: Integers, parent: Integers) -> Integers:
    """The pairs, each where it stood first, (n, 2)."""
    order = np.lexsort((parent, child))
    same = (np.diff(child[order]) == 0) & (np.diff(parent[order]) == 0)
    first = order[np.concatenate(([True], ~same))[: len(order)]]
    first.sort()
    return np.column_stack((child[first], parent[first]))


def parts(pairs: Integers, rows: int) -> Iterator[list[tuple[int, int]]]:
    """The pairs as tuples, some at a time."""
    for start in range(0, len(pairs), rows):
        yield [(child, parent) for child, parent in pairs[start : start + rows].tolist()]
