import subprocess
import sys
from itertools import pairwise

import naive_taxonomy as naive
import numpy as np
import pytest
from hypothesis import given
from naive_taxonomy import build, graphs, rules

from termexplorer.taxonomy import FSL_RULES, Rules, Taxonomy


@given(graphs(), rules)
def test_levels_and_classes_are_those_of_the_plain_rules(graph, rules):
    n, edges, root = graph
    taxonomy = build(n, edges, root, rules)
    level, kept_nodes, _ = naive.clean(
        n, edges, root, rules.shortcuts, rules.dead_ends, rules.depth
    )
    assert taxonomy.level.tolist() == [level.get(c, -1) for c in range(n)]
    assert set(np.flatnonzero(taxonomy.is_kept)) == kept_nodes
    for index in range(1, 8):
        on_it = {c for c in level if level[c] == index}
        assert set(taxonomy.classes(index)) == on_it & kept_nodes
        assert set(taxonomy.dead_ends(index)) == on_it - kept_nodes


@given(graphs(), rules)
def test_memberships_are_everything_below_each_class(graph, rules):
    n, edges, root = graph
    taxonomy = build(n, edges, root, rules)
    level, kept_nodes, links = naive.clean(
        n, edges, root, rules.shortcuts, rules.dead_ends, rules.depth
    )
    for index in range(1, 5):
        classes = sorted(c for c in kept_nodes if level[c] == index)
        expected = {(b, c) for c in classes for b in naive.reach(links, c) - {c}}
        concepts, labels = taxonomy.memberships(index)
        pairs = list(zip(concepts.tolist(), [classes[label] for label in labels], strict=True))
        assert len(pairs) == len(expected)
        assert set(pairs) == expected


@given(graphs())
def test_what_was_removed_is_counted(graph):
    n, edges, root = graph
    taxonomy = build(n, edges, root)
    cyclic = naive.on_cycle(set(edges))
    level, kept_nodes, _ = naive.clean(n, edges, root, True, True, 4)
    sound = {(a, b) for a, b in set(edges) - cyclic if a in level}
    removed = taxonomy.removed
    assert removed.cycle_edges == len(cyclic)
    assert removed.unreachable == n - len(level)
    assert removed.dead_ends == len(set(level) - kept_nodes)
    assert removed.shortcut_edges == sum(level[b] != level[a] + 1 for a, b in sound)


def test_one_top_is_the_root_and_several_are_level_one():
    taxonomy = build(3, [(0, 1), (1, 2)], rules=FSL_RULES)
    several = build(3, [(0, 1)], rules=FSL_RULES)
    assert (taxonomy.root, taxonomy.level.tolist()) == (0, [0, 1, 2])
    assert (several.root, several.level.tolist()) == (None, [1, 2, 1])


def test_without_links_there_are_no_levels():
    assert build(3, [], rules=FSL_RULES).levels() == 0
    assert build(0, [], rules=FSL_RULES).levels() == 0
    assert build(2, [(0, 0), (0, 1), (1, 0)]).levels() == 0


def test_a_shortcut_keeps_the_shorter_way():
    # 0 - 1 - 2 - 3 and 0 - 3: 3 is on level 1, so 2 - 3 leads upward and goes.
    taxonomy = build(4, [(0, 1), (1, 2), (2, 3), (0, 3)], rules=Rules(True, False))
    assert taxonomy.level.tolist() == [0, 1, 2, 1]
    assert taxonomy.removed.shortcut_edges == 1
    assert taxonomy.memberships(1)[0].tolist() == [2]


def test_dead_ends_need_something_below_the_depth():
    chain = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5)]
    taxonomy = build(6, chain, rules=Rules(depth=2))
    assert taxonomy.classes(1).tolist() == [1]
    assert taxonomy.dead_ends(1).tolist() == [4]
    assert taxonomy.removed.dead_ends == 2
    assert taxonomy.deepest() == 3


def test_parents_of_other_classes_are_found_though_their_link_is_a_shortcut():
    taxonomy = build(4, [(0, 1), (0, 2), (1, 2), (2, 3)], rules=Rules(True, False))
    assert taxonomy.parents_of_classes(1).tolist() == [1]


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_chain_of_100_000_concepts(shuffled):
    n = 100_000
    order = np.random.default_rng(0).permutation(n) if shuffled else np.arange(n)
    taxonomy = Taxonomy.build(n, order[1:], order[:-1])
    assert taxonomy.levels() == n - 1
    assert taxonomy.level[order[-1]] == n - 1
    assert len(taxonomy.memberships(2)[0]) == n - 3


def test_a_deep_ladder_where_shortcuts_stay():
    n = 3_000  # two rails, every rung crossed: many ways of different lengths
    steps = np.arange(n - 2)
    parents, children = np.tile(steps, 2), np.concatenate((steps + 1, steps + 2))
    taxonomy = Taxonomy.build(n, children, parents, rules=FSL_RULES)
    assert taxonomy.level[-1] == (n - 1 + 1) // 2
    concepts, _ = taxonomy.memberships(1)
    assert len(concepts) == (n - 2) + (n - 3)


def test_a_ring_of_100_000_falls_apart():
    n = 100_000
    ring = np.arange(n)
    taxonomy = Taxonomy.build(n, np.roll(ring, -1), ring, rules=FSL_RULES)
    assert taxonomy.removed.cycle_edges == n
    assert taxonomy.levels() == 0


@pytest.mark.parametrize(
    ("edges", "root", "depth"),
    [([(0, 2)], None, 4), ([(-1, 1)], None, 4), ([(0, 1)], 5, 4), ([(0, 1)], None, 0)],
)
def test_what_is_outside_is_refused(edges, root, depth):
    with pytest.raises(ValueError, match=r"\d"):
        build(2, edges, root, Rules(depth=depth))


def test_scipy_is_not_imported_without_a_cycle():
    script = (
        "import sys, numpy as np; from termexplorer.taxonomy import Taxonomy;"
        "Taxonomy.build(3, np.array([1, 2]), np.array([0, 1])).memberships(1);"
        "assert not any(name.startswith('scipy') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(("classes", "links"), [(3, 1), (3, 3), (40, 3), (400, 1), (400, 3)])
def test_memberships_of_many_concepts_with_several_parents(classes, links):
    """Of classes that have most of 2,000 concepts, or few of them."""
    draw = np.random.default_rng(classes * links)
    tiers = np.split(np.arange(2_001 + classes), [1, 1 + classes, 1_001 + classes])
    below: dict[int, set[int]] = {}
    for upper, lower in pairwise(tiers):
        for child in lower.tolist():
            for parent in draw.choice(upper, links).tolist():
                below.setdefault(parent, set()).add(child)
    parents, children = np.array([(a, b) for a, all_b in below.items() for b in all_b]).T
    taxonomy = Taxonomy.build(2_001 + classes, children, parents, rules=FSL_RULES)
    concepts, labels = taxonomy.memberships(1)
    expected = {
        (concept, class_name)
        for class_name in taxonomy.classes(1).tolist()
        for child in below.get(class_name, ())
        for concept in {child} | below.get(child, set())
    }
    memberships = list(zip(concepts.tolist(), taxonomy.classes(1)[labels].tolist(), strict=True))
    assert len(memberships) == len(set(memberships))
    assert set(memberships) == expected
