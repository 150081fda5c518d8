from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from termexplorer.trainer.text.name_filters import METATAGS, filter_names
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize


def labelled(sets: dict[str, list[str]]) -> LabelledNames:
    """Synonym sets; a text that is in several is a name in several."""
    names = list(dict.fromkeys(name for several in sets.values() for name in several))
    pairs = [
        (names.index(name), number)
        for number, several in enumerate(sets.values())
        for name in several
    ]
    name_index, class_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    return LabelledNames(tuple(names), tuple(sets), name_index, class_index)


def everything(_: str) -> bool:
    return True


def test_the_four_filters_in_their_order_with_what_each_removed() -> None:
    labels = labelled(
        {
            "A": [
                "schizoid fantasy",
                "schizoid fantasy (disorder)",
                "Schizoid  Fantasy ( finding ) (NOS)",
                "fantasy, schizoid",
                "qqxyz fantasy (disorder)",
            ],
            "B": ["introverted (finding)", "introverted (disorder)", "shared name"],
            "C": [
                "one two three four five six",
                "one two three four five six seven",
                "Shared Name",
            ],
            "D": ["schizoid fantasy (situation)"],
        }
    )
    filtered = filter_names(labels, lambda word: word != "qqxyz")
    assert filtered.labels.names == (
        "schizoid fantasy",
        "fantasy, schizoid",
        "introverted (finding)",
        "one two three four five six",
        "schizoid fantasy (situation)",
    )
    assert list(filtered.removed.items()) == [
        ("unknown words", 1),
        ("metatags", 3),
        ("tokens", 1),
        ("several classes", 2),
    ]
    assert filtered.labels.classes == labels.classes
    assert [len(names) for names in filtered.labels.members()] == [2, 1, 1, 1]
    assert [labels.names[name] for name in filtered.name_indices] == list(filtered.labels.names)


def test_every_metatag_of_the_papers_appendix_is_a_duplicates_only_difference() -> None:
    assert len(METATAGS) == 13
    for tag in METATAGS:
        names = labelled({"A": [f"asthma ({tag})", "asthma"]})
        assert filter_names(names, everything).labels.names == ("asthma",)
    other = labelled({"A": ["asthma (severe)", "asthma"]})
    assert len(filter_names(other, everything).name_indices) == 2


def test_a_name_that_is_but_a_metatag_stays() -> None:
    assert filter_names(labelled({"A": ["(finding)"]}), everything).labels.names == ("(finding)",)


def test_limits_are_as_asked() -> None:
    labels = labelled({"A": ["one two", "one two three", "one (odd)"]})
    filtered = filter_names(labels, everything, tokens=2, metatags=("odd",))
    assert filtered.labels.names == ("one two",)
    assert filter_names(labels, everything, metatags=()).removed["metatags"] == 0


def test_each_token_is_asked_about_once() -> None:
    asked: list[str] = []
    filter_names(labelled({"A": ["b a", "A b c"]}), lambda token: not asked.append(token))
    assert sorted(asked) == ["a", "b", "c"]


def test_a_filter_that_is_left_out_counts_nothing() -> None:
    filtered = filter_names(labelled({"A": ["b a", "A b c"]}), None)
    assert list(filtered.removed) == ["metatags", "tokens", "several classes"]
    assert len(filtered.name_indices) == 2


def test_no_names_are_no_trouble() -> None:
    filtered = filter_names(labelled({"A": []}), everything)
    assert filtered.labels.names == ()
    assert set(filtered.removed.values()) == {0}


WORDS = ["ache", "Ache", "joint", "qqq", "of", "(disorder)", "(finding)"]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
SETS = st.lists(st.lists(NAMES, min_size=1, max_size=6, unique=True), min_size=1, max_size=5)


TAG = r"( \((disorder|finding)\))+$"


def naive(sets: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Filter after filter by its definition, on pairs of a class and a text in lower case."""
    left = {
        (concept, name.lower())
        for concept, several in sets.items()
        for name in several
        if "qqq" not in tokenize(name)
    }
    plain = {}
    for concept, text in sorted(left, key=lambda pair: len(pair[1])):
        plain.setdefault((concept, re.sub(TAG, "", text)), len(text))
    left = {pair for pair in left if plain[pair[0], re.sub(TAG, "", pair[1])] == len(pair[1])}
    left = {pair for pair in left if len(tokenize(pair[1])) <= 6}
    return {
        (concept, text) for concept, text in left if sum(text == other for _, other in left) == 1
    }


@settings(deadline=None, max_examples=150)
@example([["(disorder)", "(disorder) (disorder)"]])
@given(SETS)
def test_what_is_left_is_what_the_definitions_leave(sets: list[list[str]]) -> None:
    named = {f"C{number}": several for number, several in enumerate(sets)}
    labels = labelled(named)
    filtered = filter_names(labels, lambda word: word != "qqq")
    membership = filtered.labels.membership().toarray()
    matched = {
        (filtered.labels.classes[number], name.lower())
        for name, row in zip(filtered.labels.names, membership, strict=True)
        for number in np.flatnonzero(row)
    }
    assert matched <= naive(named)
    bare = [{(c, re.sub(TAG, "", text)) for c, text in those} for those in (matched, naive(named))]
    assert bare[0] == bare[1]
    assert len(filtered.name_indices) + sum(filtered.removed.values()) == len(labels.names)


@pytest.mark.parametrize("times", [1, 2])
def test_filtering_again_removes_nothing(times: int) -> None:
    labels = labelled({"A": ["x (finding)", "x", "y z"], "B": ["y z", "w"]})
    for _ in range(times):
        labels = filter_names(labels, everything).labels
    assert labels.names == ("x", "w")
