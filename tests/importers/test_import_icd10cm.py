from collections import Counter

import pytest
from importing import names, read


@pytest.fixture(scope="module")
def imported():
    return read("icd10cm", None)


def test_every_entry_is_there_once(imported):
    assert len(imported.concepts) == 98_505
    assert len({concept.curie for concept in imported.concepts}) == 98_505
    assert imported.header.terminology == "icd10cm"
    assert imported.header.version == "2026-04-01"
    assert imported.fraction == 1


def test_every_category_is_on_level_three(imported):
    by_curie = {concept.curie: concept for concept in imported.concepts}

    def above(concept):
        return by_curie[concept.parents[0]]

    kinds = Counter(concept.kind for concept in imported.concepts)
    assert (kinds["chapter"], kinds["block"], kinds["category"]) == (22, 297, 1_918)
    for concept in imported.concepts:
        if concept.kind == "category":
            assert [above(concept).kind, above(above(concept)).kind] == ["block", "chapter"]
        assert bool(concept.parents) == (concept.kind != "chapter")


def test_a_code_for_a_block_and_a_category_is_both(imported):
    both = [concept for concept in imported.concepts if concept.code in ("B99", "B99-B99")]
    block, category = both
    assert (block.curie, block.kind, block.parents) == ("ICD10CM:B99-B99", "block", ("ICD10CM:1",))
    assert (category.kind, category.parents) == ("category", ("ICD10CM:B99-B99",))
    assert names(block) != names(category)
    halves = (concept.code.split("-") for concept in imported.concepts if "-" in concept.code)
    assert sum(half[0] == half[1] for half in halves) == 39


def test_descriptions_are_clean_and_inclusion_terms_are_synonyms(imported):
    pneumonia = next(concept for concept in imported.concepts if concept.code == "J18.9")
    assert names(pneumonia)[0] == "Pneumonia, unspecified organism"
    every = [name for concept in imported.concepts for name in concept.names]
    assert all(name.text == " ".join(name.text.split()) for name in every)
    assert Counter(name.kind for name in every)["synonym"] > 12_000
    for concept in imported.concepts:
        assert len({name.casefold() for name in names(concept)}) == len(concept.names)


def test_what_a_category_includes_is_a_related_name_but_for_rules(imported):
    by_code = {concept.code: concept for concept in imported.concepts}
    related = {code: [n.text for n in by_code[code].names if n.scope] for code in by_code}
    assert "high blood pressure" in related["I10"]
    assert related["K64"] == ["piles"]
    assert "bed sore" in related["L89"]
    assert {name.scope for concept in imported.concepts for name in concept.names} == {
        "",
        "RELATED",
    }
    assert any("vitamin B12" in name for name in related["D53"])
    rules = [
        text
        for texts in related.values()
        for text in texts
        if "condition in I" in text or text.startswith(("conditions", "the listed")) or ": " in text
    ]
    assert rules == []
