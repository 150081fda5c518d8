"""Which classes of a level each concept is below, without listing what is below each class.

A concept with one parent is below what its parent is below, and the parent itself. So concepts of
one parent are taken together with the nearest class or concept of several parents above them, which
stands for them all: its *branch*. What is left to do for a level is to unite the classes above the
parents of concepts with several; equal sets of classes are made once.
"""

from dataclasses import dataclass

import numpy as np

from termexplorer.taxonomy.graph import Graph, Ints, distinct, divided, rank_nodes

_SCRAMBLE = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # SplitMix64


@dataclass(frozen=True, slots=True)
class ClassSets:
    """Sets of classes, and the branches that are below them.

    Attributes:
        branches: (b,) topmost node of each branch that is below a class or is one.
        sets: (b,) the set of classes that what is below it in its branch is below.
        starts: (s + 1,) where each set starts in `labels`; set 0 is empty.
        labels: places of classes, set by set, ascending.
    """

    branches: Ints
    sets: Ints
    starts: Ints
    labels: Ints

    def pairs(self) -> tuple[Ints, Ints]:
        """Return (p,) set and (p,) class place, for every class of every set."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)), self.labels


class Branches:
    """A graph without cycles, parted into the trees that concepts of one parent make.

    Args:
        graph: Its links from concepts of one parent must lead one level down.
        level: (n,) level of each node, -1 where it has none.

    Attributes:
        first: (n,) position of each node, in an order in which its tree's nodes below it follow it.
        last: (n,) position after the last of these.
    """

    def __init__(self, graph: Graph, level: Ints) -> None:
        self._level = level
        self._parent = np.full(graph.size, -1, np.int64)
        only_parent = graph.incoming[graph.targets] == 1
        self._parent[graph.targets[only_parent]] = graph.sources[only_parent]
        size = _subtree_sizes(self._parent, level)
        self.first, self._head = _find_positions(self._parent, size)
        self.last = self.first + size
        self._rank = rank_nodes(graph)
        order = np.argsort(self._rank[graph.targets[~only_parent]], kind="stable")
        self._sources = graph.sources[~only_parent][order]
        self._targets = graph.targets[~only_parent][order]

    def class_sets(self, level: int, classes: Ints) -> ClassSets:
        """Return the sets of classes of a level, (k,) nodes on it, ascending."""
        sources, targets = self._links(level, classes)
        bases = self._branches_of(sources, classes)
        uniting = _Uniting(len(self._level), classes)
        ends = np.flatnonzero(np.diff(self._rank[targets], append=-1)) + 1
        start = 0
        for end in ends.tolist():
            uniting.unite(bases[start:end], targets[start:end])
            start = end
        below = distinct(targets[self._level[targets] > level])
        branches = np.concatenate((classes, below))
        set_numbers = uniting.set_of[branches]
        is_in_set = set_numbers > 0
        return ClassSets(branches[is_in_set], set_numbers[is_in_set], *uniting.sets())

    def accumulate(self, values: Ints) -> Ints:
        """Return (n + 1,) sums of (n,) values of the nodes before each position."""
        ordered = np.empty_like(values)
        ordered[self.first] = values
        return np.concatenate(([0], np.cumsum(ordered)))

    def sum_below(self, nodes: Ints, sums: Ints) -> Ints:
        """Return (k,) sums over each node's tree from it down; `sums` are of `accumulate`."""
        below: Ints = sums[self.last[nodes]] - sums[self.first[nodes]]
        return below

    def _links(self, level: int, classes: Ints) -> tuple[Ints, Ints]:
        """Return the links to branches that classes may be above, by rank and then by target."""
        sources, targets = self._sources, self._targets
        upper = self._rank[classes].min(initial=np.iinfo(np.int64).max)
        reached = self._rank[targets] > upper
        sources, targets = sources[reached], targets[reached]
        single = classes[self._parent[classes] >= 0]
        nested = single[self._rank[single] > upper]  # only these may be below other classes
        if len(nested):
            sources = np.concatenate((sources, self._parent[nested]))
            targets = np.concatenate((targets, nested))
        order = np.lexsort((targets, self._rank[targets])) if len(nested) else slice(None)
        return sources[order], targets[order]

    def _branches_of(self, nodes: Ints, classes: Ints) -> Ints:
        """Return (m,) the topmost node of the branch that each node is in."""
        heads = self._head[nodes]
        if not len(classes) or not len(nodes):
            return heads
        ordered = classes[np.argsort(self.first[classes])]
        index = np.searchsorted(self.first[ordered], self.first[nodes], side="right") - 1
        nearest = ordered[np.maximum(index, 0)]
        inside = (index >= 0) & (self.first[nodes] < self.last[nearest])
        return np.where(inside, nearest, heads)


class _Uniting:
    """Sets of classes as they are made.

    Attributes:
        set_of: (n,) set of each node that stands for a branch; 0 is the empty one.
    """

    def __init__(self, size: int, classes: Ints) -> None:
        self._classes = max(len(classes), 1)
        self.set_of = np.zeros(size, np.int64)
        self.set_of[classes] = np.arange(1, len(classes) + 1)
        self._sizes = np.ones(len(classes) + 1, np.int64)
        self._sizes[0] = 0
        self._labels = np.arange(len(classes))
        self._used_sets, self._used = len(self._sizes), len(self._labels)
        self._starts = np.maximum(np.arange(len(classes) + 1) - 1, 0)

    def sets(self) -> tuple[Ints, Ints]:
        """Return starts and labels as in `ClassSets`."""
        starts = np.append(self._starts[: self._used_sets], self._used)
        return starts, self._labels[: self._used]

    def unite(self, bases: Ints, targets: Ints) -> None:
        """Give each target the classes above the bases that lead to it, and itself if it is one."""
        nodes = distinct(targets)
        places = np.concatenate((np.searchsorted(nodes, targets), np.arange(len(nodes))))
        sets = np.concatenate((self.set_of[bases], self.set_of[nodes]))
        has_set = sets > 0
        if not has_set.any():
            return
        places, sets = divided(
            distinct(places[has_set] * self._used_sets + sets[has_set]), self._used_sets
        )
        starts, counts = _find_runs(places)
        nodes = nodes[places[starts]]
        self.set_of[nodes] = sets[starts]  # of those that one set leads to
        several = counts > 1
        if several.any():
            repeats = np.repeat(several, counts)
            self.set_of[nodes[several]] = self._united(sets[repeats], counts[several])

    def _united(self, sets: Ints, counts: Ints) -> Ints:
        """Return the sets that runs of sets make when united."""
        whole, which = _equal_runs(sets, counts)
        starts = np.cumsum(counts) - counts
        members = sets[_number_ranges(starts[whole], counts[whole])]
        lengths = self._sizes[members]
        labels = self._labels[_number_ranges(self._starts[members], lengths)]
        union = np.repeat(np.repeat(np.arange(len(whole)), counts[whole]), lengths)
        union, labels = divided(distinct(union * self._classes + labels), self._classes)
        _, sizes = _find_runs(union)
        once, same = _equal_runs(labels, sizes)
        starts = np.cumsum(sizes) - sizes
        first = self._used_sets
        self._append(labels[_number_ranges(starts[once], sizes[once])], sizes[once])
        return first + same[which]

    def _append(self, labels: Ints, sizes: Ints) -> None:
        starts = self._used + np.cumsum(sizes) - sizes
        self._labels = _grow_array(self._labels, self._used, labels)
        self._starts = _grow_array(self._starts, self._used_sets, starts)
        self._sizes = _grow_array(self._sizes, self._used_sets, sizes)
        self._used += len(labels)
        self._used_sets += len(sizes)


def _subtree_sizes(parent: Ints, level: Ints) -> Ints:
    """Return (n,) nodes of each node's tree from it down, itself among them."""
    sizes = [1] * len(parent)
    children = np.flatnonzero(parent >= 0)
    upwards = children[np.argsort(-level[children], kind="stable")]
    for node, above in zip(upwards.tolist(), parent[upwards].tolist(), strict=True):
        sizes[above] += sizes[node]
    return np.array(sizes, np.int64)


def _find_positions(parent: Ints, size: Ints) -> tuple[Ints, Ints]:
    """Return (n,) positions as in `Branches`, and (n,) the top of each node's tree."""
    order = np.argsort(parent, kind="stable")  # tops first, then brothers beside each other
    before = np.cumsum(size[order]) - size[order]
    starts, counts = _find_runs(parent[order])
    offset = np.empty_like(size)
    offset[order] = before - np.repeat(before[starts], counts)
    above = np.where(parent < 0, np.arange(len(parent)), parent)
    step = np.where(parent < 0, 0, offset + 1)
    head = above
    position = step
    while not np.array_equal(above, head[above]):  # twice as far up in every round
        position = position + np.where(above == np.arange(len(above)), 0, position[above])
        above = above[above]
        head = above
    return position + offset[above], above


def _find_runs(values: Ints) -> tuple[Ints, Ints]:
    """Return where runs of equal values start, and how long they are."""
    starts = np.flatnonzero(np.diff(values, prepend=values[0] - 1)) if len(values) else values
    return starts, np.diff(starts, append=len(values))


def _number_ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return the numbers from each start on, so many of each, one after the other."""
    before = np.cumsum(lengths) - lengths
    numbers: Ints = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return numbers


def _equal_runs(values: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Return one of each equal run, and (r,) which of these each run is; by sums of 64-bit hashes.

    Args:
        values: Runs of ascending values, one after the other.
        lengths: (r,) of the runs, none of them 0.
    """
    hashed = values.astype(np.uint64) * np.uint64(_SCRAMBLE[0]) + np.uint64(_SCRAMBLE[0])
    for shift, factor in ((30, _SCRAMBLE[1]), (27, _SCRAMBLE[2])):
        hashed = (hashed ^ (hashed >> np.uint64(shift))) * np.uint64(factor)
    sums = np.add.reduceat(hashed ^ (hashed >> np.uint64(31)), np.cumsum(lengths) - lengths)
    _, first, which = np.unique(sums, return_index=True, return_inverse=True)
    return first, which


def _grow_array(array: Ints, used: int, more: Ints) -> Ints:
    """Return the array with more after what is used of it, in twice the room where it is full."""
    if used + len(more) > len(array):
        wider = np.empty(2 * (used + len(more)), array.dtype)
        wider[:used] = array[:used]
        array = wider
    array[used : used + len(more)] = more
    return array
