"""Which concepts of two releases are the same."""

import pytest

from termexplorer.importers.text.prefixes import canonical
from termexplorer.workers.data.references import same_concepts


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("NCI:C3088", "NCIT:C3088"),
        ("NCI2004_11_17:C3088", "NCIT:C3088"),
        ("SNOMEDCT_US_2018_03_01:403977003", "SNOMEDCT:403977003"),
        ("MeSH:D006394", "MESH:D006394"),
        ("UMLS_CUI:C0018923", "UMLS:C0018923"),
        ("ICD9CM_2006:277.9", "ICD9CM:277.9"),
        ("ICD10CM:E88.9", "ICD10CM:E88.9"),
        ("DOID:1", "DOID:1"),
    ],
)
def test_a_code_has_the_prefix_that_concepts_have(code: str, expected: str) -> None:
    assert canonical(code) == expected


def test_the_same_are_those_of_which_one_refers_to_the_other() -> None:
    first = {
        "A:1": {"A:1", "B:1", "B:2"},
        "A:2": {"A:2", "B:2"},
        "A:3": {"A:3"},
        "A:4": {"A:4", "B:9"},
    }
    other = {"B:1": {"B:1"}, "B:2": {"B:2"}, "B:3": {"B:3", "A:3"}, "B:4": {"B:4", "A:9"}}
    assert same_concepts(first, other) == {"B:1": {"A:1"}, "B:2": {"A:1", "A:2"}, "B:3": {"A:3"}}


def test_a_code_of_another_system_tells_only_where_it_is_of_one_concept_each() -> None:
    first = {"A:1": {"A:1", "C:1", "C:2"}, "A:2": {"A:2", "C:2"}, "A:3": {"A:3", "C:3"}}
    other = {"B:1": {"B:1", "C:1"}, "B:2": {"B:2", "C:2"}, "B:3": {"C:3"}, "B:4": {"C:3"}}
    assert same_concepts(first, other) == {"B:1": {"A:1"}}


def test_groups_go_by_their_code() -> None:
    first = {"NCI:C1": {"NCIT:C1"}, "NCI:C2": {"NCIT:C2"}}
    other = {"NCIT:C1": {"NCIT:C1"}, "B:1": {"B:1", "NCIT:C2"}, "B:2": {"B:2", "NCIT:C2"}}
    assert same_concepts(first, other) == {
        "NCIT:C1": {"NCI:C1"}, "B:1": {"NCI:C2"}, "B:2": {"NCI:C2"},
    }  # fmt: skip
