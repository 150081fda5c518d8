"""What abbreviations and cut words in the names of a list may stand for."""

import pytest
from made_ontologies import compare_letters, make_diseases, make_side

from termexplorer.trainer.mapping.abbreviations import (
    NameExpander,
    add_expansions,
    count_abbreviations,
    is_short_for,
    load_abbreviations,
)
from termexplorer.trainer.mapping.decide import MappingSettings, decide_mappings
from termexplorer.trainer.mapping.made_pairs import EXACT_MATCH
from termexplorer.trainer.mapping.sides import EXACT, INEXACT, PREFERRED

TARGET = [
    ["Urinary tract infection, site not specified"],
    ["Chronic obstructive pulmonary disease", "COPD"],
    ["Abdominal pain"],
    ["Fracture of the hip"],
    *([f"{word} of organ {number}"] for number in range(20) for word in ("all", "cyst")),
]


@pytest.mark.parametrize(
    ("short", "long", "stands"),
    [
        ("UTI", "urinary tract infection", True),
        ("HTN", "hypertension", True),
        ("COPD", "Chronic obstructive pulmonary disease", True),
        ("MI", "heart attack", False),
        ("UTI", "infection of the urinary tract", False),
        ("ab", "ba", False),
        ("--", "anything", False),
    ],
)
def test_letters_stand_in_order_from_the_first_on(short: str, long: str, stands: bool) -> None:
    assert is_short_for(short, long) is stands


def test_abbreviations_are_counted_by_concept() -> None:
    concepts = [
        ["COPD", "chronic obstructive pulmonary disease", "COPD chronic obstructive disease"],
        ["Chronic Obstructive Pulmonary Disease", "COPD", "copd"],
        ["gout", "MI", "heart attack"],
    ]
    counts = count_abbreviations([concepts])
    assert counts == {"copd": {"chronic obstructive pulmonary disease": 2}}


@pytest.mark.parametrize(
    ("name", "expanded"),
    [
        ("UTI", ["urinary tract infection"]),
        ("acute COPD", ["acute chronic obstructive pulmonary disease"]),
        ("abd pain", ["abdominal pain"]),
        ("Abd. pain", ["abdominal pain"]),
        ("DM2", ["diabetes mellitus type 2"]),
        ("ALL", []),  # all words are in capitals, so that these tell nothing
        ("relapsed ALL", ["relapsed leukemia"]),
        ("all of organ 3", []),  # a usual word of the target
        ("hip fracture", []),
    ],
)
def test_what_a_name_may_stand_for(name: str, expanded: list[str]) -> None:
    known = {
        "uti": ("urinary tract infection",),
        "dm": ("diabetes mellitus",),
        "all": ("leukemia",),
    }
    assert list(NameExpander(make_side(TARGET), known).expand(name)) == expanded


def test_readings_are_bounded_and_keep_what_is_written() -> None:
    known = {short: tuple(f"{short} {n}" for n in range(9)) for short in ("xa", "xb", "xc")}
    expander = NameExpander(make_side(TARGET), known)
    readings = list(expander.expand("xa xb xc"))
    assert readings[0] == "xa 0 xb 0 xc 0"
    assert len(readings) == 6
    side = add_expansions(make_side([["xa xb xc", "gout"], ["UTI"]]), expander)
    assert side.names == ["xa xb xc", "gout", *readings, "UTI"]
    assert side.kinds.tolist() == [PREFERRED, EXACT, *[EXACT] * 6, PREFERRED]
    assert side.concepts.tolist() == [0] * 8 + [1]


def test_what_a_cut_word_may_be_is_no_exact_name() -> None:
    expander = NameExpander(make_side(TARGET), {"uti": ("urinary tract infection",)})
    assert expander.expand("UTI and abd pain") == {
        "urinary tract infection and abdominal pain": INEXACT,
        "urinary tract infection and abd pain": EXACT,
        "UTI and abdominal pain": INEXACT,
    }


def test_a_list_is_mapped_by_what_its_abbreviations_stand_for() -> None:
    target = make_diseases()[1]
    failure = target.names.index("renal failure")
    listed = make_side([["RF"], ["kidney cyst"]])
    decided = [
        decide_mappings(listed, target, compare_letters, MappingSettings(abbreviations=known))
        for known in ({}, {"rf": ("renal failure",)})
    ]
    exact = [
        {
            int(pair[1])
            for pair, likely in zip(mapped.pairs, mapped.likelihoods, strict=True)
            if pair[0] == 0 and likely[EXACT_MATCH] >= 0.5
        }
        for mapped in decided
    ]
    assert exact == [set(), {int(target.concepts[failure])}]


def test_the_table_of_the_program_knows_usual_ones() -> None:
    known = load_abbreviations()
    assert known["copd"] == ("chronic obstructive pulmonary disease",)
    assert "urinary tract infection" in known["uti"]
    assert all(short == short.lower() and longs for short, longs in known.items())
