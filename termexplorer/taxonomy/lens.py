"""The level lens: what a level would train on, before anything is trained."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from termexplorer.taxonomy.cleaning import Taxonomy
from termexplorer.taxonomy.graph import Ints, Mask
from termexplorer.taxonomy.selection import Examples, Selection


@dataclass(frozen=True, slots=True)
class TrainingNames:
    """Names and their classes as coordinate pairs, by class and then by name.

    Attributes:
        classes: (k,) concept index of each class.
        names: (p,) name index; a name is there once for each of its classes.
        labels: (p,) its class as a place in `classes`, and after them in `besides`.
        besides: titles of further classes, which are no concepts.
    """

    classes: Ints
    names: Ints
    labels: Ints
    besides: tuple[str, ...] = ()

    def with_classes(self, further: Mapping[str, Ints]) -> "TrainingNames":
        """The same with further classes, by their titles; their names are in no other class."""
        if not further:
            return self
        first = len(self.classes) + len(self.besides)
        taken = np.concatenate(list(further.values()))
        sizes = [len(names) for names in further.values()]
        stays = ~np.isin(self.names, taken)
        return TrainingNames(
            self.classes,
            np.concatenate([self.names[stays], taken]),
            np.concatenate([self.labels[stays], first + np.repeat(np.arange(len(sizes)), sizes)]),
            (*self.besides, *further),
        )


@dataclass(frozen=True, slots=True)
class ClassesLeftOut:
    """Classes of the level that are not trained on, and by which rule."""

    reason: str
    concepts: Ints


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """One level at a glance.

    Attributes:
        level: Which, 1 the highest.
        concepts: (k,) concept index of each class.
        sizes: (k,) names of each class.
        classes: k.
        names: Distinct names, a name of several classes counted once.
        min: Names in the smallest class; 0 where there is no class, as for the next two.
        median: Names in the middle one.
        max: Names in the largest.
        singletons: Classes of one name.
        empty: Classes of no name.
        ambiguous: Names of several classes.
        imbalance: Largest class / mean class; 1 when all are alike, 0 without names.
        names_left_out: (reason, names) for every name that is not trained on.
        classes_left_out: Classes by the rule or choice that took them out.
    """

    level: int
    concepts: Ints
    sizes: Ints
    classes: int
    names: int
    min: int
    median: float
    max: int
    singletons: int
    empty: int
    ambiguous: int
    imbalance: float
    names_left_out: tuple[tuple[str, int], ...]
    classes_left_out: tuple[ClassesLeftOut, ...]


class Lens:
    """Looks at the levels of a taxonomy through its names.

    Args:
        taxonomy: Of n concepts.
        name_concepts: (m,) concept of each name.
    """

    def __init__(self, taxonomy: Taxonomy, name_concepts: Ints) -> None:
        self._taxonomy = taxonomy
        self._concepts = np.asarray(name_concepts, np.int64)
        self._by_concept = np.argsort(self._concepts, kind="stable")
        counts = np.bincount(self._concepts, minlength=len(taxonomy.level))
        self._counts = counts
        self._first = np.cumsum(counts) - counts

    def training_names(
        self,
        level: int,
        examples: Examples = Examples.BELOW_DEPTH,
        selection: Selection = Selection(),  # noqa: B008  (frozen)
    ) -> TrainingNames:
        """The names to train on and their classes."""
        return self._select(level, examples, selection).result()

    def summary(
        self,
        level: int,
        examples: Examples = Examples.BELOW_DEPTH,
        selection: Selection = Selection(),  # noqa: B008  (frozen)
    ) -> LevelSummary:
        """Class sizes and what was left out; names left out and trained on add up to all."""
        chosen = self._select(level, examples, selection)
        result = chosen.result()
        sizes = np.bincount(result.labels, minlength=len(result.classes))
        per_name = np.bincount(result.names, minlength=len(self._concepts))
        return LevelSummary(
            level=level,
            concepts=result.classes,
            sizes=sizes,
            classes=len(sizes),
            names=int((per_name > 0).sum()),
            min=int(sizes.min()) if len(sizes) else 0,
            median=float(np.median(sizes)) if len(sizes) else 0.0,
            max=int(sizes.max(initial=0)),
            singletons=int((sizes == 1).sum()),
            empty=int((sizes == 0).sum()),
            ambiguous=int((per_name > 1).sum()),
            imbalance=float(sizes.max() / sizes.mean()) if sizes.any() else 0.0,
            names_left_out=self._unplaced(level, examples) + tuple(chosen.names_left_out),
            classes_left_out=tuple(chosen.classes_left_out),
        )

    def _select(self, level: int, examples: Examples, selection: Selection) -> "_Chosen":
        chosen = _Chosen(self._taxonomy.classes(level), *self._pairs(level, examples))
        chosen.note_classes("dead end", self._taxonomy.dead_ends(level))
        by_hand = np.fromiter(selection.left_out, np.int64, len(selection.left_out))
        chosen.drop_classes("left out by hand", np.isin(chosen.classes, by_hand))
        if selection.without_parents:
            parents = self._taxonomy.parents_of_classes(level)
            chosen.drop_classes("parent of another class", np.isin(chosen.classes, parents))
        if selection.largest:
            chosen.drop_classes("not among the largest", chosen.smaller_than(selection.largest))
        if selection.without_ambiguous:
            chosen.drop_ambiguous()
        if selection.cap:
            chosen.cap(selection.cap, selection.seed)
        return chosen

    def _pairs(self, level: int, examples: Examples) -> tuple[Ints, Ints]:
        """(p,) name and (p,) class place of every example of every class of the level."""
        concepts, labels = self._taxonomy.memberships(level)
        deep = self._taxonomy.level[concepts] > self._floor(level, examples)
        concepts, labels = concepts[deep], labels[deep]
        counts = self._counts[concepts]
        before = np.cumsum(counts) - counts
        places = np.arange(int(counts.sum())) + np.repeat(self._first[concepts] - before, counts)
        return self._by_concept[places], np.repeat(labels, counts)

    def _floor(self, level: int, examples: Examples) -> int:
        """The level whose names, and those above, are examples of nothing.

        Where shortcuts stay, a class may lie below another class; its own names are none either.
        """
        depth = self._taxonomy.rules.depth
        return max(level, depth) if examples is Examples.BELOW_DEPTH else level

    def _unplaced(self, level: int, examples: Examples) -> tuple[tuple[str, int], ...]:
        """Names of concepts that are below no class, by reason."""
        taxonomy = self._taxonomy
        floor = self._floor(level, examples)
        reached = taxonomy.level >= 0
        reasons: dict[str, Mask] = {
            "not below the root": ~reached,
            "dead end": reached & ~taxonomy.kept,
            f"on level {floor} or above": taxonomy.kept & (taxonomy.level <= floor),
        }
        counted = ((reason, int(self._counts[mask].sum())) for reason, mask in reasons.items())
        return tuple((reason, count) for reason, count in counted if count)


class _Chosen:
    """Pairs of names and classes, taken away step by step with account of what went."""

    def __init__(self, classes: Ints, names: Ints, labels: Ints) -> None:
        self.classes = classes
        self.names_left_out: list[tuple[str, int]] = []
        self.classes_left_out: list[ClassesLeftOut] = []
        self._names = names
        self._labels = labels

    def result(self) -> TrainingNames:
        """What is left."""
        order = np.lexsort((self._names, self._labels))
        return TrainingNames(self.classes, self._names[order], self._labels[order])

    def note_classes(self, reason: str, concepts: Ints) -> None:
        """Put classes that are not here on the account."""
        if len(concepts):
            self.classes_left_out.append(ClassesLeftOut(reason, concepts))

    def drop_classes(self, reason: str, dropped: Mask) -> None:
        """Take out the classes of the (k,) mask; names of no other class go with them."""
        self.note_classes(reason, self.classes[dropped])
        if dropped.any():
            self._keep(reason, ~dropped[self._labels])
            self._labels = (np.cumsum(~dropped) - 1)[self._labels]
            self.classes = self.classes[~dropped]

    def smaller_than(self, largest: int) -> Mask:
        """(k,) classes that are not among the `largest` largest; of equals the first stay."""
        sizes = np.bincount(self._labels, minlength=len(self.classes))
        smaller = np.ones(len(sizes), np.bool_)
        smaller[np.argsort(-sizes, kind="stable")[:largest]] = False
        return smaller

    def drop_ambiguous(self) -> None:
        """Take out names of several classes."""
        self._keep("of several classes", self._classes_of_names()[self._names] == 1)

    def cap(self, most: int, seed: int) -> None:
        """Draw at most `most` names of each class."""
        shuffled = np.random.default_rng(seed).permutation(len(self._names))
        order = shuffled[np.argsort(self._labels[shuffled], kind="stable")]
        sizes = np.bincount(self._labels, minlength=len(self.classes))
        rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        drawn = np.zeros(self._names.max(initial=0) + 1, np.bool_)
        drawn[self._names[order[rank < most]]] = True
        self._keep(f"over {most} of its class", drawn[self._names])

    def _classes_of_names(self) -> Ints:
        return np.bincount(self._names)

    def _keep(self, reason: str, kept: Mask) -> None:
        before = np.count_nonzero(self._classes_of_names())
        self._names, self._labels = self._names[kept], self._labels[kept]
        if gone := int(before - np.count_nonzero(self._classes_of_names())):
            self.names_left_out.append((reason, gone))
