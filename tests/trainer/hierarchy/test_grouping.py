from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from termexplorer.trainer.hierarchy.grouping import group_by_cross_map
from termexplorer.trainer.text.names import LabelledNames


def labelled(pairs: list[tuple[int, int]], names: int, classes: int) -> LabelledNames:
    name_index, class_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    return LabelledNames(
        tuple(f"name {n}" for n in range(names)),
        tuple(f"C{n}" for n in range(classes)),
        name_index,
        class_index,
    )


def test_the_sets_of_concepts_with_one_code_are_fused() -> None:
    """[CG] table 1: three concepts of SNOMED CT are one code of ICD-10."""
    labels = LabelledNames(
        (
            "schizoid fantasy",
            "schizoid fantasy - mental defense mechanism",
            "introverted personality disorder",
            "introverted personality",
            "schizoid personality disorder",
            "unspecified schizoid personality disorder",
            "asthma",
        ),
        ("C0564504", "C0338969", "C0036339", "C0004096"),
        np.arange(7),
        np.array([0, 0, 1, 1, 2, 2, 3]),
    )
    codes = {"C0564504": ["F60.1"], "C0338969": ["F60.1"], "C0036339": ["F60.1"], "C1": ["X"]}
    grouped = group_by_cross_map(labels, codes)
    assert grouped.labels.classes == ("F60.1",)
    assert grouped.labels.names == labels.names
    assert grouped.labels.members()[0].tolist() == [0, 1, 2, 3, 4, 5]
    assert (grouped.mapped, grouped.unmapped, grouped.several_codes) == (3, 1, 0)
    assert (grouped.ungrouped_names, grouped.names_of_several) == (1, 0)


def test_a_map_of_other_concepts_is_refused() -> None:
    with pytest.raises(ValueError, match="no concept is in the cross-map"):
        group_by_cross_map(labelled([(0, 0)], 1, 1), {"other": ["F60.1"], "C0": []})


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 5)), unique=True),
    st.dictionaries(
        st.integers(0, 7).map("C{}".format),
        st.lists(st.sampled_from(["J45", "F60.1", "A00"]), max_size=4),
    ),
)
def test_groups_are_what_a_plain_loop_finds(
    pairs: list[tuple[int, int]], codes: dict[str, list[str]]
) -> None:
    labels = labelled(pairs, 12, 6)
    mapped = {label for label in labels.classes if codes.get(label)}
    if not mapped:
        return
    grouped = group_by_cross_map(labels, codes)
    expected = {
        (name, code) for name, number in pairs for code in codes.get(labels.classes[number], [])
    }
    group_labels = grouped.labels
    assert {
        (name, group_labels.classes[group])
        for name, group in zip(
            group_labels.name_index.tolist(), group_labels.class_index.tolist(), strict=True
        )
    } == expected
    of_each = [{code for name, code in expected if name == n} for n in range(12)]
    has_concept = {name for name, _ in pairs}
    assert grouped.names_of_several == sum(len(several) > 1 for several in of_each)
    assert grouped.ungrouped_names == sum(not of_each[name] for name in has_concept)
    assert grouped.mapped == len(mapped)
    assert grouped.unmapped == 6 - len(mapped)
    assert grouped.several_codes == sum(len(set(codes[label])) > 1 for label in mapped)
