from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.data.splits import TEST, TRAIN, UNUSED, VALIDATION, ZERO_SHOT
from termexplorer.trainer.hierarchy.merge_synonym_sets import fuse
from termexplorer.trainer.notebook import labelled
from termexplorer.trainer.text.names import LabelledNames, plain

FIRST = labelled(
    {"a": ["Flu", "influenza", "grippe"], "b": ["cold", "coryza"], "z": ["gout", "podagra"]}
)
PARTS = np.array([TRAIN, TRAIN, TEST, TRAIN, TRAIN, ZERO_SHOT, ZERO_SHOT], dtype=np.uint8)


def sets(labels: LabelledNames) -> dict[str, list[str]]:
    members = zip(labels.classes, labels.members(), strict=True)
    return {label: [labels.names[at] for at in places] for label, places in members}


def test_sets_that_share_a_name_are_one() -> None:
    other = labelled({"x": ["FLU", "flu syndrome"], "y": ["measles", "rubeola"]})
    fused = fuse(FIRST, PARTS, [other])
    assert fused.labels.names[: len(FIRST.names)] == FIRST.names
    assert sets(fused.labels) == sets(FIRST) | {
        "a": ["Flu", "influenza", "grippe", "flu syndrome"],
        "y (2)": ["measles", "rubeola"],
    }
    assert fused.parts.tolist() == [*PARTS.tolist(), TRAIN, TRAIN, TRAIN]
    assert (fused.joined, fused.added, fused.held_out) == (1, 1, 0)


def test_a_set_goes_where_it_shares_most() -> None:
    other = labelled({"x": ["cold", "flu", "influenza", "flu-like cold"]})
    assert sets(fuse(FIRST, PARTS, [other]).labels)["a"][-2:] == ["cold", "flu-like cold"]


def test_a_later_terminology_meets_what_an_earlier_one_brought() -> None:
    second, third = labelled({"x": ["measles"]}), labelled({"y": ["Measles", "rubeola"]})
    fused = fuse(FIRST, PARTS, [second, third])
    assert sets(fused.labels)["x (2)"] == ["measles", "rubeola"]
    assert "y (3)" not in fused.labels.classes


def test_nothing_that_is_measured_on_is_learned() -> None:
    other = labelled({"x": ["Grippe", "flu", "la grippe"], "y": ["GOUT", "gouty arthritis"]})
    fused = fuse(FIRST, PARTS, [other])
    assert sets(fused.labels) == sets(FIRST) | {"a": ["Flu", "influenza", "grippe", "la grippe"]}
    assert (fused.joined, fused.added, fused.held_out) == (1, 0, 1)


def test_sets_that_are_referred_to_are_one_without_a_name_in_common() -> None:
    other = labelled(
        {
            "x": ["grippe", "grip", "flu-like illness"],  # `grippe` is a test name
            "y": ["flu", "rhinitis"],
            "g": ["gouty arthritis"],
            "n": ["measles"],
        }
    )
    same = {"x": {"a", "gone"}, "y": {"b", "a"}, "g": {"z"}, "n": set[str]()}
    fused = fuse(FIRST, PARTS, [other], [same])
    assert sets(fused.labels) == sets(FIRST) | {
        "a": ["Flu", "influenza", "grippe", "grip", "flu-like illness", "rhinitis"],
        "n (2)": ["measles"],
    }
    assert (fused.joined, fused.by_reference, fused.added, fused.held_out) == (2, 1, 1, 1)
    assert fuse(FIRST, PARTS, [other]).by_reference == 0


def test_a_reference_goes_before_a_shared_name() -> None:
    other = labelled({"x": ["flu", "influenza", "catarrh"]})
    fused = fuse(FIRST, PARTS, [other], [{"x": ["b"]}])
    assert sets(fused.labels)["b"] == ["Flu", "influenza", "cold", "coryza", "catarrh"]
    assert sets(fused.labels)["a"] == ["Flu", "influenza", "grippe"]


_WORDS = st.sampled_from(["a", "b", "c", "D", "d", "e", "f", "g"])
_SETS = st.dictionaries(_WORDS, st.lists(_WORDS, max_size=4), max_size=5).map(labelled)


@given(_SETS, st.lists(_SETS, max_size=3), st.data())
def test_the_first_terminology_stays_as_it_was(
    first: LabelledNames, synonym_sets: list[LabelledNames], data: st.DataObject
) -> None:
    every = (TRAIN, VALIDATION, TEST, UNUSED, ZERO_SHOT)
    drawn = [data.draw(st.sampled_from(every)) for _ in first.names]
    parts = np.array(drawn, dtype=np.uint8)
    fused = fuse(first, parts, synonym_sets)
    count = len(first.names)
    assert fused.labels.names[:count] == first.names
    assert fused.labels.classes[: len(first.classes)] == first.classes
    assert fused.parts[:count].tolist() == drawn
    assert (fused.parts[count:] == TRAIN).all()
    held_out = {plain(name) for name, part in zip(first.names, drawn, strict=True) if part != TRAIN}
    assert held_out.isdisjoint(map(plain, fused.labels.names[count:]))
    given_sets = sum(len(members) > 0 for other in synonym_sets for members in other.members())
    assert fused.joined + fused.added + fused.held_out == given_sets
