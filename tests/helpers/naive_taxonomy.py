"""The taxonomy's rules written down a second time, slowly and plainly."""

from collections import deque

import numpy as np
from hypothesis import strategies as st

from termexplorer.taxonomy import HLS_RULES, Rules, Taxonomy


def on_cycle(edges):
    """Edges (upper, lower) whose lower end leads back to the upper one."""
    return {(a, b) for a, b in edges if a in reach(edges, b)}


def reach(edges, start):
    """`start` and everything below it."""
    reached, todo = {start}, [start]
    while todo:
        node = todo.pop()
        for a, b in edges:
            if a == node and b not in reached:
                reached.add(b)
                todo.append(b)
    return reached


def levels(edges, tops, first):
    """Concept -> least number of links from a top, counted from `first`."""
    level = dict.fromkeys(tops, first)
    todo = deque(tops)
    while todo:
        node = todo.popleft()
        for a, b in sorted(edges):
            if a == node and b not in level:
                level[b] = level[node] + 1
                todo.append(b)
    return level


def clean(n, edges, root, shortcuts, dead_ends, depth):
    """(level of every concept below the root, kept concepts, kept edges)."""
    edges = set(edges) - on_cycle(set(edges))
    tops = [root] if root is not None else [c for c in range(n) if all(b != c for _, b in edges)]
    first = 0 if root is not None or len(tops) == 1 else 1
    level = levels(edges, tops, first)
    edges = {(a, b) for a, b in edges if a in level}
    if shortcuts:
        edges = {(a, b) for a, b in edges if level[b] == level[a] + 1}
    left = set(level)
    if dead_ends:
        deep = {c for c in level if level[c] > depth}
        left = {c for c in level if level[c] == 0 or deep & reach(edges, c)}
    return level, left, {(a, b) for a, b in edges if a in left and b in left}


def build(n, edges, root=None, rules=HLS_RULES):
    """A taxonomy from (upper, lower) links."""
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return Taxonomy.build(n, ends[:, 1], ends[:, 0], root, rules)


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 14))
    concept = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(concept, concept), max_size=35))
    downward = draw(st.booleans())
    edges = [(min(e), max(e)) for e in edges if e[0] != e[1]] if downward else edges
    return n, edges, draw(st.none() | concept)


rules = st.builds(Rules, st.booleans(), st.booleans(), st.integers(1, 4))
