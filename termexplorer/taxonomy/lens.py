"""The level lens: what a level would train on, before anything is trained."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from termexplorer.taxonomy.cleaning import Taxonomy
from termexplorer.taxonomy.graph import Ints, Mask
from termexplorer.taxonomy.selection import ClassSelection, Examples
from termexplorer.taxonomy.training_names import TrainingNames
from termexplorer.texts import mark


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
        name_concepts: (m,) concept of each name, or what gives it when it is asked for.
        counts: (n,) names of each concept, where they are known before the names.
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        name_concepts: Ints | Callable[[], Ints],
        counts: Ints | None = None,
    ) -> None:
        self._taxonomy = taxonomy
        self._named = name_concepts
        if counts is None:
            counts = np.bincount(self._concepts, minlength=len(taxonomy.level))
        self._counts = counts

    def training_names(
        self,
        level: int,
        examples: Examples = Examples.BELOW_DEPTH,
        selection: ClassSelection = ClassSelection(),  # noqa: B008  (frozen)
    ) -> TrainingNames:
        """The names to train on and their classes."""
        return self._select(level, examples, selection, by_name=True).result()

    def summary(
        self,
        level: int,
        examples: Examples = Examples.BELOW_DEPTH,
        selection: ClassSelection = ClassSelection(),  # noqa: B008  (frozen)
    ) -> LevelSummary:
        """Class sizes and what was left out; names left out and trained on add up to all.

        All names of many concepts are in the same classes, so these are counted together; only a
        cap needs the names one by one.
        """
        chosen = self._select(level, examples, selection, by_name=bool(selection.cap))
        sizes = chosen.sizes()
        names, ambiguous = chosen.names(1, 2)
        return LevelSummary(
            level=level,
            concepts=chosen.classes,
            sizes=sizes,
            classes=len(sizes),
            names=names,
            min=int(sizes.min()) if len(sizes) else 0,
            median=float(np.median(sizes)) if len(sizes) else 0.0,
            max=int(sizes.max(initial=0)),
            singletons=int((sizes == 1).sum()),
            empty=int((sizes == 0).sum()),
            ambiguous=ambiguous,
            imbalance=float(sizes.max() / sizes.mean()) if sizes.any() else 0.0,
            names_left_out=self._unplaced(level, examples) + tuple(chosen.names_left_out),
            classes_left_out=tuple(chosen.classes_left_out),
        )

    @cached_property
    def _concepts(self) -> Ints:
        return np.asarray(self._named() if callable(self._named) else self._named, np.int64)

    @cached_property
    def _by_concept(self) -> Ints:
        return np.argsort(self._concepts, kind="stable")

    @cached_property
    def _first(self) -> Ints:
        return np.cumsum(self._counts) - self._counts

    def _select(
        self, level: int, examples: Examples, selection: ClassSelection, by_name: bool
    ) -> "_Chosen":
        classes = self._taxonomy.classes(level)
        if by_name:
            names, labels = self._names(*self._pairs(level, examples))
            chosen = _Chosen(classes, names, labels, np.ones(len(self._concepts), np.int64))
        else:
            chosen = _Chosen(classes, *self._class_sets(level, examples))
        chosen.note_classes(mark("dead end"), self._taxonomy.dead_ends(level))
        by_hand = np.fromiter(selection.left_out, np.int64, len(selection.left_out))
        if len(by_hand):
            chosen.drop_classes(mark("left out by hand"), np.isin(chosen.classes, by_hand))
        if selection.without_parents:
            parents = self._taxonomy.parents_of_classes(level)
            chosen.drop_classes(mark("parent of another class"), np.isin(chosen.classes, parents))
        if selection.without_ambiguous:
            chosen.drop_ambiguous()
        if selection.largest:  # by the names that the other rules leave
            chosen.drop_classes(
                mark("not among the largest"), chosen.smaller_than(selection.largest)
            )
        if selection.cap:
            chosen.cap(selection.cap, selection.seed)
        return chosen

    def _pairs(self, level: int, examples: Examples) -> tuple[Ints, Ints]:
        """(p,) concept and (p,) class place of whose names are examples of the level's classes."""
        concepts, labels = self._taxonomy.memberships(level)
        deep = self._taxonomy.level[concepts] > self._floor(level, examples)
        return (concepts, labels) if deep.all() else (concepts[deep], labels[deep])

    def _class_sets(self, level: int, examples: Examples) -> tuple[Ints, Ints, Ints]:
        """(p,) set of classes, (p,) class place of each class in it, and (s,) names of each set."""
        sets = self._taxonomy.class_sets(level)
        floor = self._floor(level, examples)
        before = self._all_before if floor == level else self._deep_before
        names = self._taxonomy.branches.sum_below(sets.branches, before)
        if floor == level:  # names of a class itself are no examples of it
            on_level = self._taxonomy.level[sets.branches] == level
            names[on_level] -= self._counts[sets.branches[on_level]]
        counts = np.bincount(sets.sets, names, minlength=len(sets.starts) - 1)
        return (*sets.pairs(), counts.astype(np.int64))

    @cached_property
    def _all_before(self) -> Ints:
        return self._taxonomy.branches.accumulate(np.append(self._counts, 0))

    @cached_property
    def _deep_before(self) -> Ints:
        deep = self._taxonomy.level > self._taxonomy.rules.depth
        return self._taxonomy.branches.accumulate(np.append(self._counts * deep, 0))

    def _names(self, concepts: Ints, labels: Ints) -> tuple[Ints, Ints]:
        """(p,) name and (p,) class place, for each name of each concept."""
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
        floor = self._floor(level, examples)
        nowhere, dead, upto = self._names_by_level
        reasons = {
            mark("not below the root"): nowhere,
            mark("dead end"): dead,
            mark("on level {n} or above").format(n=floor): int(upto[min(floor, len(upto) - 1)]),
        }
        return tuple((reason, count) for reason, count in reasons.items() if count)

    @cached_property
    def _names_by_level(self) -> tuple[int, int, Ints]:
        """Names not below the root, of dead ends, and of the others down to each level."""
        level, is_kept = self._taxonomy.level, self._taxonomy.is_kept
        nowhere = int(self._counts[level < 0].sum())
        dead = int(self._counts[(level >= 0) & ~is_kept].sum())
        counts = np.bincount(level[is_kept], self._counts[is_kept], minlength=1)
        return nowhere, dead, np.cumsum(counts.astype(np.int64))


class _Chosen:
    """Pairs of names, or of sets of them, and classes, taken away step by step.

    Args:
        classes: (k,) concepts.
        things: (p,) names, or sets of names that are all in the same classes.
        labels: (p,) places in `classes`.
        weights: How many names each thing is.
    """

    def __init__(self, classes: Ints, things: Ints, labels: Ints, weights: Ints) -> None:
        self.classes = classes
        self.names_left_out: list[tuple[str, int]] = []
        self.classes_left_out: list[ClassesLeftOut] = []
        self._things = things
        self._labels = labels
        self._weights = weights

    def result(self) -> TrainingNames:
        """What is left, where things are names."""
        order = np.lexsort((self._things, self._labels))
        return TrainingNames(
            self.classes, self._things[order], self._labels[order].astype(np.int64, copy=False)
        )

    def sizes(self) -> Ints:
        """(k,) names of each class."""
        weights = self._weights.astype(np.float64)[self._things]
        counts = np.bincount(self._labels, weights, minlength=len(self.classes))
        return counts.astype(np.int64)

    def names(self, *least: int) -> list[int]:
        """How many names are in at least so many classes, for each number of classes."""
        classes = self._classes_of_things()
        return [int(self._weights[classes >= least_count].sum()) for least_count in least]

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
        """Return a mask (k,) of the classes that are not among the `largest` largest.

        Of equals the first stay; classes without names never do.
        """
        sizes = self.sizes()
        smaller = np.ones(len(sizes), np.bool_)
        smaller[np.argsort(-sizes, kind="stable")[:largest]] = False
        smaller[sizes == 0] = True
        return smaller

    def drop_ambiguous(self) -> None:
        """Take out names of several classes."""
        self._keep(mark("of several classes"), self._classes_of_things()[self._things] == 1)

    def cap(self, most: int, seed: int) -> None:
        """Draw at most `most` things of each class, which are to be names."""
        shuffled = np.random.default_rng(seed).permutation(len(self._things))
        order = shuffled[np.argsort(self._labels[shuffled], kind="stable")]
        sizes = np.bincount(self._labels, minlength=len(self.classes))
        rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        drawn = np.zeros(self._things.max(initial=0) + 1, np.bool_)
        drawn[self._things[order[rank < most]]] = True
        self._keep(mark("over {n} of its class").format(n=most), drawn[self._things])

    def _classes_of_things(self) -> Ints:
        return np.bincount(self._things, minlength=len(self._weights))

    def _keep(self, reason: str, keep: Mask) -> None:
        (before,) = self.names(1)
        self._things, self._labels = self._things[keep], self._labels[keep]
        (after,) = self.names(1)
        if gone := before - after:
            self.names_left_out.append((reason, gone))
