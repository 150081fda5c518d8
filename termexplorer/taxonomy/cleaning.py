"""The cleaned taxonomy of [HLS]: cycles cut, a level for each concept, shortcuts and dead ends out.

A concept's level is the least number of is-a links between it and the root. (Measured on HPO
2015 below `Phenotypic abnormality`: this gives the published 20, 82, 268 and 767 classes, the
longest path does not.)
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from termexplorer.taxonomy.branches import Branches, ClassSets
from termexplorer.taxonomy.graph import Graph, Ints, Mask, by_label, distinct, on_cycle, spread


@dataclass(frozen=True, slots=True)
class Rules:
    """What is taken out of a taxonomy besides cycles, which always are.

    Attributes:
        shortcuts: Drop links between levels that do not follow each other.
        dead_ends: Drop concepts on levels 1 to `depth` that nothing below `depth` descends from.
        depth: The lowest level of classes.
    """

    shortcuts: bool = True
    dead_ends: bool = True
    depth: int = 4


_KEPT_LEVELS = 32  # more than the window counts at a time

HLS_RULES = Rules()
FSL_RULES = Rules(shortcuts=False, dead_ends=False)


@dataclass(frozen=True, slots=True)
class CleaningCounts:
    """How much was taken out.

    Attributes:
        cycle_edges: Links on a cycle, self-loops included.
        unreachable: Concepts that are not below the root.
        shortcut_edges: Links between levels that do not follow each other.
        dead_ends: Concepts without a path down to the required depth.
    """

    cycle_edges: int
    unreachable: int
    shortcut_edges: int
    dead_ends: int


@dataclass(frozen=True)
class Taxonomy:
    """Levels below a root; made by `Taxonomy.build`.

    Attributes:
        root: The concept at the top, or None where a virtual root stands over several.
        rules: What was taken out.
        level: (n,) level of each concept: 0 the root, 1 just below it, -1 not below it.
        is_kept: (n,) whether a concept is below the root and no dead end.
        removed: What was taken out, counted.
    """

    root: int | None
    rules: Rules
    level: Ints
    is_kept: Mask
    removed: CleaningCounts
    _acyclic: Graph
    _cleaned: Graph
    _memberships: dict[int, tuple[Ints, Ints]] = field(default_factory=dict)
    _class_sets: dict[int, ClassSets] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        concept_count: int,
        children: Ints,
        parents: Ints,
        root: int | None = None,
        rules: Rules = HLS_RULES,
    ) -> "Taxonomy":
        """Clean an is-a graph.

        Args:
            concept_count: n; concepts are 0..n-1, live ones only.
            children: (e,) the lower concept of each link; a link given twice counts once.
            parents: (e,) the upper concept of each link.
            root: The concept to look below. Without one: the only concept without parents, or, if
                there are several, a virtual root over all of them, which are then level 1.
            rules: What to take out.

        Raises:
            ValueError: A link or the root is outside 0..n-1, or the depth is below 1.
        """
        _check_arguments(concept_count, children, parents, root, rules)
        graph = Graph.build(concept_count + 1, np.asarray(parents), np.asarray(children))
        cyclic = on_cycle(graph)
        acyclic, root = _add_root(graph.where(~cyclic), root)
        top = concept_count if root is None else root
        level = _levels_below(acyclic, top)
        reached = acyclic.where(level[acyclic.sources] >= 0)
        jumps = level[reached.targets] != level[reached.sources] + 1
        cleaned = reached.where(~jumps) if rules.shortcuts else reached
        is_kept = (level >= 0) & ~(_dead_ends(cleaned, level, rules.depth) & rules.dead_ends)
        cleaned = cleaned.where(is_kept[cleaned.sources] & is_kept[cleaned.targets])
        below = level[:concept_count]
        removed = CleaningCounts(
            cycle_edges=int(cyclic.sum()),
            unreachable=int((below < 0).sum()),
            shortcut_edges=int(jumps.sum()) if rules.shortcuts else 0,
            dead_ends=int(((below >= 0) & ~is_kept[:concept_count]).sum()),
        )
        return cls(root, rules, below, is_kept[:concept_count], removed, acyclic, cleaned)

    def levels(self) -> int:
        """The number of levels that have classes; 0 where there is no link below the root."""
        if not self.is_kept.any() or not len(self._links()):
            return 0
        return int(self.level[self.is_kept].max())

    def deepest(self) -> int:
        """The lowest level, dead ends included; a depth that is not above it leaves nothing."""
        return max(int(self.level.max(initial=0)), 0)

    def _links(self) -> Ints:
        """Links of the taxonomy between real concepts."""
        return self._cleaned.targets[self._cleaned.sources < len(self.level)]

    def classes(self, level: int) -> Ints:
        """The concepts on a level, ascending."""
        return self._on_level(level)[self.is_kept[self._on_level(level)]]

    def dead_ends(self, level: int) -> Ints:
        """The concepts on a level that the dead-end rule removed, ascending."""
        return self._on_level(level)[~self.is_kept[self._on_level(level)]]

    def _on_level(self, level: int) -> Ints:
        concepts, starts = self._by_level
        index = min(max(level + 1, 0), len(starts) - 1)
        return concepts[starts[index] : starts[min(index + 1, len(starts) - 1)]]

    @cached_property
    def _by_level(self) -> tuple[Ints, Ints]:
        """Return (n,) concepts by level, and where those of each begin, from level -1 on."""
        counts = np.bincount(self.level + 1)
        return np.argsort(self.level, kind="stable"), np.concatenate(([0], np.cumsum(counts)))

    def memberships(self, level: int) -> tuple[Ints, Ints]:
        """Every concept strictly below each class of a level.

        Returns:
            (p,) concept and (p,) its class as a place in `classes(level)`, by class, both of
            32 bits where these do; a concept is there once for each class that it is below.
        """
        if level not in self._memberships:
            concepts, labels, rounds = spread(
                self._cleaned, self.classes(level), tiered=self.rules.shortcuts
            )
            below = rounds > 0
            concepts, labels = concepts[below], labels[below]
            order = by_label(labels)
            self._memberships[level] = concepts[order], labels[order]
        return self._memberships[level]

    def class_sets(self, level: int) -> ClassSets:
        """Return which branches are below which classes of a level."""
        if level not in self._class_sets:
            if len(self._class_sets) >= _KEPT_LEVELS:
                self._class_sets.clear()
            self._class_sets[level] = self.branches.class_sets(level, self.classes(level))
        return self._class_sets[level]

    @cached_property
    def branches(self) -> Branches:
        """The concepts in the order of their trees; the virtual root is the last node."""
        top = 0 if self.root is None else -1  # level of the virtual root
        return Branches(self._cleaned, np.append(self.level, top))

    def parents_of_classes(self, level: int) -> Ints:
        """Classes of a level that are direct parents of others on it; [FSL] leaves them out."""
        on_level = np.zeros(self._acyclic.size, np.bool_)
        on_level[self.classes(level)] = True
        both = on_level[self._acyclic.sources] & on_level[self._acyclic.targets]
        return distinct(self._acyclic.sources[both])


def _check_arguments(
    size: int, children: Ints, parents: Ints, root: int | None, rules: Rules
) -> None:
    if len(children) != len(parents):
        raise ValueError(f"{len(children)} children but {len(parents)} parents")
    for ends in (children, parents):
        if len(ends) and not 0 <= int(np.min(ends)) <= int(np.max(ends)) < size:
            raise ValueError(f"links must be between concepts 0 to {size - 1}")
    if root is not None and not 0 <= root < size:
        raise ValueError(f"root {root} is not one of concepts 0 to {size - 1}")
    if rules.depth < 1:
        raise ValueError(f"depth {rules.depth}: there is no level above 1")


def _add_root(graph: Graph, root: int | None) -> tuple[Graph, int | None]:
    """The graph with its top; the last node is the virtual root, linked where it is needed."""
    virtual = graph.size - 1
    if root is not None:
        return graph, root
    tops = np.flatnonzero(graph.incoming[:virtual] == 0)
    if len(tops) == 1:
        return graph, int(tops[0])
    sources = np.concatenate((graph.sources, np.full(len(tops), virtual)))
    return Graph(graph.size, sources, np.concatenate((graph.targets, tops))), None


def _levels_below(graph: Graph, top: int) -> Ints:
    level = np.full(graph.size, -1, np.int64)
    reached, _, rounds = spread(graph, np.array([top]))
    level[reached] = rounds
    return level


def _dead_ends(graph: Graph, level: Ints, depth: int) -> Mask:
    """(n + 1,) concepts on levels 1 to `depth` with no path to a concept below `depth`."""
    dead = (level >= 1) & (level <= depth)
    upward = graph.where(dead[graph.sources]).reverse()
    frontier = np.flatnonzero(level > depth)
    while len(frontier):
        _, above = upward.after(frontier)
        frontier = distinct(above[dead[above]])
        dead[frontier] = False
    return dead
