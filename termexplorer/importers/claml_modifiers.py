"""Modifiers of ClaML: the codes that come of a class and what is added to it (`E10` + `.0`).

A class that is modified passes that on to all below it, but for those that exclude the modifier;
codes are built of those that have none below them. Several modifiers are added one after another,
each built code below the one before.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr

_MOST = 200_000  # codes built and classes passed; some ten thousands are usual


@dataclass(frozen=True, slots=True)
class ModifierValue:
    """A class of a modifier.

    Attributes:
        code: What is added, with its point if it has one.
        not_after: Modifiers with their values, after which it is not added.
    """

    code: str
    not_after: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Modified:
    """By what a class is modified: the modifier, and which of its values, None for all."""

    modifier: str
    valid: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Built:
    """A code made by a modifier.

    Attributes:
        code: Of the whole.
        parent: The code that something was added to.
        origin: The class of the file that it begins with.
        values: Modifier and value of each that was added.
    """

    code: str
    parent: str
    origin: str
    values: tuple[tuple[str, str], ...]


class Modifiers:
    """The modifiers of one file, and the classes that they modify.

    Args:
        path: Of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, dict[str, ModifierValue]] = defaultdict(dict)
        self._classes: dict[str, tuple[Modified, ...]] = {}
        self._excluded: dict[str, frozenset[str]] = {}
        self._below: dict[str, dict[str, None]] = defaultdict(dict)
        self._steps = 0

    def add_value(self, modifier: str, value: ModifierValue) -> None:
        """Note a class of a modifier."""
        self._values[modifier].setdefault(value.code, value)

    def add_class(
        self,
        code: str,
        links: Iterable[tuple[str, str]],
        modified: tuple[Modified, ...],
        excluded: frozenset[str],
    ) -> None:
        """Note a class of the file, with the links (child, parent) that it states."""
        self._classes[code] = modified
        for child, parent in links:
            self._below[parent][child] = None
        if excluded:
            self._excluded[code] = excluded

    @property
    def modified(self) -> int:
        """How many classes are modified."""
        return sum(map(bool, self._classes.values()))

    def count(self, with_point_only: bool) -> int:
        """How many codes are built; -1 where they are too many."""
        try:
            return sum(1 for _ in self.built(with_point_only))
        except UserError:
            return -1

    def built(self, with_point_only: bool) -> Iterator[Built]:
        """Yield each code once, its parent first.

        Args:
            with_point_only: Whether only values that begin with a point are added.

        Raises:
            UserError: There are too many for any classification.
        """
        done = set(self._classes)
        self._steps = 0
        for code, modified in self._classes.items():
            for leaf, taken in self._leaves(code, modified):
                for each in self._of_leaf(leaf, taken, with_point_only):
                    self._step()
                    if each.code not in done:
                        done.add(each.code)
                        yield each

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MOST:
            raise UserError(
                tr("{path}: modifiers make too many codes; choose modifiers=none", path=self._path)
            )

    def _leaves(
        self, code: str, modified: tuple[Modified, ...]
    ) -> Iterator[tuple[str, tuple[Modified, ...]]]:
        """The classes at or below one that have none below them, with what is left for each."""
        ahead, seen = [(code, modified)], {code}
        while ahead:
            self._step()
            code, modified = ahead.pop()
            without = self._excluded.get(code, frozenset())
            modified = tuple(each for each in modified if each.modifier not in without)
            if not modified:
                continue
            below = [each for each in self._below.get(code, ()) if each in self._classes]
            if not below:
                yield code, modified
            ahead += [(each, modified) for each in reversed(below) if each not in seen]
            seen.update(below)

    def _of_leaf(
        self, leaf: str, modified: tuple[Modified, ...], with_point_only: bool
    ) -> Iterator[Built]:
        candidates = [Built(leaf, "", leaf, ())]
        for each in modified:
            added = []
            for candidate in candidates:
                values = list(self._added(candidate, each, with_point_only))
                yield from values
                added += values or [candidate]
            candidates = added

    def _added(self, to: Built, modified: Modified, with_point_only: bool) -> Iterator[Built]:
        for value in self._values.get(modified.modifier, {}).values():
            if _fits(to, value, modified, with_point_only):
                values = (*to.values, (modified.modifier, value.code))
                yield Built(to.code + value.code, to.code, to.origin, values)


def _fits(to: Built, value: ModifierValue, modified: Modified, with_point_only: bool) -> bool:
    """A second point, or a fifth character where there is no fourth, makes no code."""
    pointed = value.code.startswith(".")
    if pointed == ("." in to.code) or (with_point_only and not pointed):
        return False
    valid = modified.valid is None or value.code in modified.valid
    return valid and value.not_after.isdisjoint(to.values)
