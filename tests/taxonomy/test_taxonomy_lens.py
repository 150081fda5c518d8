from collections import Counter
from dataclasses import fields, replace

import naive_taxonomy as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_taxonomy import build, graphs, rules

from termexplorer.taxonomy import (
    FSL_RULES,
    ClassSelection,
    Examples,
    Lens,
    LevelSummary,
    Rules,
    Taxonomy,
    TrainingNames,
)


def naive_pairs(n, edges, root, rules, name_concepts, level, examples):
    levels, kept_nodes, links = naive.clean(
        n, edges, root, rules.shortcuts, rules.dead_ends, rules.depth
    )
    floor = max(level, rules.depth) if examples is Examples.BELOW_DEPTH else level
    return {
        (name, node)
        for node in kept_nodes
        if levels[node] == level
        for name, concept in enumerate(name_concepts)
        if concept in naive.reach(links, node) and levels[concept] > floor
    }


@given(graphs(), rules, st.lists(st.integers(0, 13)), st.integers(1, 4), st.sampled_from(Examples))
def test_names_and_sizes_are_those_of_the_plain_rules(graph, rules, owners, level, examples):
    n, edges, root = graph
    owners = [owner % n for owner in owners]
    lens = Lens(build(n, edges, root, rules), np.array(owners, np.int64))
    expected = naive_pairs(n, edges, root, rules, owners, level, examples)
    result = lens.training_names(level, examples)
    pairs = list(zip(result.names.tolist(), result.classes[result.labels].tolist(), strict=True))
    assert len(pairs) == len(expected)
    assert set(pairs) == expected

    summary = lens.summary(level, examples)
    sizes = Counter(class_number for _, class_number in expected)
    several = Counter(name for name, _ in expected)
    all_sizes = [sizes[concept] for concept in summary.concepts.tolist()]
    assert summary.sizes.tolist() == all_sizes
    assert summary.names == len(several)
    assert summary.ambiguous == sum(count > 1 for count in several.values())
    assert summary.singletons == all_sizes.count(1)
    assert (summary.min, summary.max) == (min(all_sizes, default=0), max(all_sizes, default=0))
    assert summary.median == (np.median(all_sizes) if all_sizes else 0)
    assert summary.names + sum(count for _, count in summary.names_left_out) == len(owners)


@pytest.mark.parametrize("examples", Examples)
@pytest.mark.parametrize("shortcuts", [True, False])
@pytest.mark.parametrize("depth", [1, 3])
def test_counted_by_branches_a_level_is_as_counted_name_by_name(examples, shortcuts, depth):
    """Only a cap, here one that nothing reaches, has names counted one by one."""
    for seed in range(12):
        draw = np.random.default_rng(seed)
        n, parents = 60, 2 + seed % 3
        lower = np.repeat(np.arange(1, n), draw.integers(1, parents, n - 1))
        upper = np.maximum(lower - draw.integers(1, 2 + seed, len(lower)), 0)
        rules = Rules(shortcuts, dead_ends=seed % 2 == 0, depth=depth)
        taxonomy = Taxonomy.build(n, lower, upper, rules=rules)
        lens = Lens(taxonomy, np.repeat(np.arange(n), draw.integers(0, 3, n)))
        left_out = frozenset(draw.integers(0, n, 2).tolist())
        for level in range(1, 6):
            for chosen in (
                ClassSelection(),
                ClassSelection(left_out, without_ambiguous=True, largest=3),
            ):
                by_branch = lens.summary(level, examples, chosen)
                by_name = lens.summary(level, examples, replace(chosen, cap=10**6))
                for field in fields(LevelSummary):
                    value, expected = (
                        getattr(training_names, field.name)
                        for training_names in (by_branch, by_name)
                    )
                    assert repr(value) == repr(expected), (field.name, level, seed)


def test_a_chain_of_thousands_of_levels_has_each_level_counted():
    n = 3000
    taxonomy = build(n, [(above, above + 1) for above in range(n - 1)], rules=FSL_RULES)
    lens = Lens(taxonomy, np.repeat(np.arange(n), 2))
    levels = range(1, taxonomy.levels() + 1)
    sizes = [lens.summary(level, Examples.ALL_DESCENDANTS).sizes.tolist() for level in levels]
    assert sizes == [[2 * (n - 1 - level)] for level in levels]


selections = st.builds(
    ClassSelection,
    st.frozensets(st.integers(0, 13), max_size=2),
    st.booleans(),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 2),
    st.integers(0, 5),
)


@given(graphs(), st.lists(st.integers(0, 13)), selections)
def test_a_selection_accounts_for_every_name_and_class(graph, owners, selection):
    n, edges, root = graph
    lens = Lens(build(n, edges, root, FSL_RULES), np.array([o % n for o in owners], np.int64))
    every = lens.summary(1, Examples.ALL_DESCENDANTS)
    some = lens.summary(1, Examples.ALL_DESCENDANTS, selection)
    assert some.names + sum(count for _, count in some.names_left_out) == len(owners)
    gone = [concept for left_out in some.classes_left_out for concept in left_out.concepts]
    assert sorted(gone + some.concepts.tolist()) == every.concepts.tolist()
    assert not selection.left_out & set(some.concepts.tolist())
    if selection.largest:
        assert some.classes <= selection.largest
        assert some.empty == 0
    if selection.without_ambiguous:
        assert some.ambiguous == 0
        if selection.cap:
            assert some.max <= selection.cap


@pytest.fixture
def two_classes():
    """0 over the classes 1 and 2; 3 and 4 below 1, 4 and 5 below 2; two names each."""
    taxonomy = build(6, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 5)], rules=FSL_RULES)
    return Lens(taxonomy, np.repeat(np.arange(6), 2))


def test_own_names_of_classes_are_never_examples(two_classes):
    result = two_classes.training_names(1, Examples.ALL_DESCENDANTS)
    assert result.classes.tolist() == [1, 2]
    assert result.names.tolist() == [6, 7, 8, 9, 8, 9, 10, 11]
    assert result.labels.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_ambiguity_counts_among_the_classes_that_are_left(two_classes):
    selection = ClassSelection(left_out=frozenset({2}), without_ambiguous=True)
    summary = two_classes.summary(1, Examples.ALL_DESCENDANTS, selection)
    assert summary.sizes.tolist() == [4]
    assert ("left out by hand", 2) in summary.names_left_out


def test_the_largest_are_counted_by_the_names_that_other_rules_leave():
    """Below 1 and 2 are the same five concepts and one more; below 3 two, below 4 one."""
    shared = [(parent, child) for parent in (1, 2) for child in range(5, 10)]
    own_pairs = [(1, 10), (3, 11), (3, 12), (4, 13)]
    taxonomy = build(14, [(0, n) for n in range(1, 5)] + shared + own_pairs, rules=FSL_RULES)
    lens = Lens(taxonomy, np.arange(14))
    for largest, expected in ((2, [1, 3]), (3, [1, 3, 4]), (4, [1, 3, 4])):
        selection = ClassSelection(largest=largest, without_ambiguous=True)
        result = lens.training_names(1, Examples.ALL_DESCENDANTS, selection)
        assert result.classes.tolist() == expected
        assert set(result.labels.tolist()) == set(range(len(expected)))


def test_the_same_seed_draws_the_same_names():
    taxonomy = build(3, [(0, 1), (1, 2)], rules=FSL_RULES)
    lens = Lens(taxonomy, np.full(50, 2))
    draws = [
        lens.training_names(1, Examples.ALL_DESCENDANTS, ClassSelection(cap=5, seed=seed)).names
        for seed in (1, 1, 2)
    ]
    assert len(draws[0]) == 5
    assert draws[0].tolist() == draws[1].tolist() != draws[2].tolist()


def test_a_class_that_the_dead_end_rule_removed_is_listed():
    taxonomy = build(5, [(0, 1), (1, 2), (2, 3), (0, 4)], rules=Rules(depth=2))
    summary = Lens(taxonomy, np.arange(5)).summary(1)
    assert [
        (left_out.reason, left_out.concepts.tolist()) for left_out in summary.classes_left_out
    ] == [("dead end", [4])]
    assert dict(summary.names_left_out) == {"dead end": 1, "on level 2 or above": 3}
    assert summary.imbalance == 1


def test_an_empty_level_is_summed_up_all_the_same():
    summary = Lens(build(1, []), np.array([0])).summary(3)
    assert (summary.classes, summary.names, summary.median, summary.imbalance) == (0, 0, 0, 0)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), unique=True),
    st.lists(st.sets(st.integers(0, 12)), max_size=3),
)
def test_names_of_further_classes_are_in_no_other(pairs, further):
    names, labels = (np.array([pair[at] for pair in pairs], np.int64) for at in (0, 1))
    chosen = TrainingNames(np.array([4, 2, 7]), names, labels)
    titles = {f"class {number}": sorted(members) for number, members in enumerate(further)}
    result = chosen.with_classes(
        {key: np.array(members, np.int64) for key, members in titles.items()}
    )
    taken = set().union(*further)
    expected = [(name, label) for name, label in pairs if name not in taken]
    expected += [(name, 3 + n) for n, members in enumerate(titles.values()) for name in members]
    assert list(zip(result.names.tolist(), result.labels.tolist(), strict=True)) == expected
    assert result.besides == tuple(titles)
    assert result.classes.tolist() == [4, 2, 7]
    assert (result.names.dtype, result.labels.dtype) == (np.int64, np.int64)


pairs_of_names = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), unique=True)


@given(pairs_of_names, st.lists(st.integers(0, 4), min_size=10, max_size=10))
def test_names_of_one_text_are_in_the_classes_of_all(pairs, texts):
    pairs = sorted(pairs, key=lambda pair: (pair[1], pair[0]))
    names, labels = (np.array([pair[at] for pair in pairs], np.int64) for at in (0, 1))
    chosen = TrainingNames(np.array([4, 2, 7]), names, labels, ("a list",))
    numbers = np.array(texts, np.int64)
    merged = chosen.by_text(numbers)
    expected = {
        (name, label) for name, _ in pairs for other, label in pairs if texts[name] == texts[other]
    }
    merged_pairs = list(zip(merged.names.tolist(), merged.labels.tolist(), strict=True))
    assert merged_pairs == sorted(expected, key=lambda pair: (pair[1], pair[0]))
    assert (merged.classes.tolist(), merged.besides) == ([4, 2, 7], ("a list",))

    classes = Counter(name for name, _ in merged_pairs)
    alone = merged.of_one_class(merged)
    assert set(alone.names.tolist()) == {name for name, count in classes.items() if count == 1}
    some = merged.once(numbers)
    assert set(some.of_one_class(merged).names.tolist()) == set(some.names) & set(alone.names)
    first = {min(n for n in classes if texts[n] == texts[name]) for name in classes}
    once = merged.once(numbers)
    assert set(once.names.tolist()) == first
    first_pairs = [pair for pair in merged_pairs if pair[0] in first]
    assert list(zip(once.names.tolist(), once.labels.tolist(), strict=True)) == first_pairs
