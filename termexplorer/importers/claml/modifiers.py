"""Modifiers of ClaML: the codes that come of a class and what is added to it (`E10` + `.0`).

A class that is modified passes that on to all below it, but for those that exclude the modifier;
codes are built of those that have none below them. Several modifiers are added one after another,
each built code below the one before. A class that only links to a modifier is modified by it too.

The name of a modifier of the WHO ends with the position of its character (`S13M40_5`). A fifth
character after a code of three is set apart by the filler `X` (`M45.X0`), and a fourth one gets its
point; where the name tells no position, nothing is made, and that is counted.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr

_POSITION = re.compile(r"_(\d)\Z")
_FOURTH, _FIFTH, _UNTOLD = 4, 5, 0
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
        self._linked: dict[str, tuple[str, ...]] = {}
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
        linked: tuple[str, ...] = (),
    ) -> None:
        """Note a class of the file.

        Args:
            code: Of the class.
            links: Child and parent, as the class states them.
            modified: By what it states to be modified.
            excluded: Modifiers that it does not take from above.
            linked: Modifiers that its text links to.
        """
        self._classes[code] = modified
        if linked and not modified:
            self._linked[code] = linked
        for child, parent in links:
            self._below[parent][child] = None
        if excluded:
            self._excluded[code] = excluded

    @property
    def modified(self) -> int:
        """How many classes are modified."""
        return sum(bool(self._modified(code)) for code in self._classes)

    def count_absent(self) -> Counter[str]:
        """Return the modifiers that classes name and that have no values in the file."""
        named = [
            modification.modifier for several in self._classes.values() for modification in several
        ]
        named += [modifier for several in self._linked.values() for modifier in several]
        return Counter(modifier for modifier in named if modifier not in self._values)

    def unplaced(self) -> list[str]:
        """Return the codes to which characters cannot be added, as their position is not told."""
        self._steps = 0
        return sorted(
            {
                leaf
                for code in self._classes
                for leaf, taken in self._leaves(code, self._modified(code))
                if "." not in leaf
                for modification in taken
                if _position_of(modification.modifier) == _UNTOLD
                and not self._has_point(modification.modifier, leaf, taken)
            }
        )

    def _has_point(self, modifier: str, leaf: str, taken: tuple[Modified, ...]) -> bool:
        """Return whether a modifier, or one that is added before it, brings the point."""
        before = [modification.modifier for modification in taken]
        before = before[: before.index(modifier) + 1]
        return any(
            value.startswith(".") for name in before for value in self._values.get(name, {})
        ) or not self._values.get(modifier)

    def _modified(self, code: str) -> tuple[Modified, ...]:
        linked = (modifier for modifier in self._linked.get(code, ()) if modifier in self._values)
        return self._classes[code] or tuple(Modified(modifier, None) for modifier in linked)

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
        for code in self._classes:
            for leaf, taken in self._leaves(code, self._modified(code)):
                for built_class in self._of_leaf(leaf, taken, with_point_only):
                    self._step()
                    if built_class.code not in done:
                        done.add(built_class.code)
                        yield built_class

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
            modified = tuple(
                modification for modification in modified if modification.modifier not in without
            )
            if not modified:
                continue
            below = [
                child_code
                for child_code in self._below.get(code, ())
                if child_code in self._classes
            ]
            if not below:
                yield code, modified
            ahead += [
                (child_code, modified) for child_code in reversed(below) if child_code not in seen
            ]
            seen.update(below)

    def _of_leaf(
        self, leaf: str, modified: tuple[Modified, ...], with_point_only: bool
    ) -> Iterator[Built]:
        candidates = [Built(leaf, "", leaf, ())]
        for modification in sorted(
            modified, key=lambda modified_by: _position_of(modified_by.modifier)
        ):
            added = []
            for candidate in candidates:
                values = list(self._added(candidate, modification, with_point_only))
                yield from values
                added += values or [candidate]
            candidates = added

    def _added(self, to: Built, modified: Modified, with_point_only: bool) -> Iterator[Built]:
        for value in self._values.get(modified.modifier, {}).values():
            separator = _separator_of(to.code, value.code, modified.modifier)
            is_valid = modified.valid is None or value.code in modified.valid
            if (
                separator is None
                or not is_valid
                or not value.not_after.isdisjoint(to.values)
                or (with_point_only and separator != "." and not value.code.startswith("."))
            ):
                continue
            values = (*to.values, (modified.modifier, value.code))
            yield Built(to.code + separator + value.code, to.code, to.origin, values)


def _separator_of(code: str, value: str, modifier: str) -> str | None:
    """Return what stands between a code and what is added to it; None where nothing can be."""
    has_point = "." in code
    if value.startswith("."):
        return None if has_point else ""
    if has_point:
        return ""
    return {_FOURTH: ".", _FIFTH: ".X"}.get(_position_of(modifier))


def _position_of(modifier: str) -> int:
    """Return the position that a modifier's name tells; 0 where it tells none."""
    position = _POSITION.search(modifier)
    return int(position[1]) if position else _UNTOLD
