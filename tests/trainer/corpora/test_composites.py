from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.corpora.composites import split_composite


@pytest.mark.parametrize(
    ("mention", "parts"),
    [
        ("breast and ovarian cancer", "breast cancer|ovarian cancer"),
        ("pineal and retinal tumors", "pineal tumors|retinal tumors"),
        ("liver, blood, and renal disorders", "liver disorders|blood disorders|renal disorders"),
        ("colorectal and/or head and neck cancers", "colorectal cancers|head and neck cancers"),
        ("cancer of the renal pelvis, ureter or bladder",
         "cancer of the renal pelvis|cancer of the ureter|cancer of the bladder"),
        ("impairments in learning and memory", "impairments in learning|impairments in memory"),
        ("stenosis and dilation of the aorta", "stenosis of the aorta|dilation of the aorta"),
        ("cleft lip and palate", "cleft lip|cleft palate"),
        ("both fever & rash", "fever|rash"),
        ("hyper- or hypotension", "hypertension|hypotension"),
        ("Tachy- and bradycardia", "Tachycardia|bradycardia"),
        ("heparin- or drug-induced fever", "heparin-induced fever|drug-induced fever"),
        ("cancer of the lung and stenosis of the aorta",
         "cancer of the lung|stenosis of the aorta"),
        ("Tooth Agenesis, Selective", "Tooth Agenesis, Selective"),
        ("head and neck cancer", "head and neck cancer"),
        ("land and", "land and"),
        (" and b", " and b"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_the_pieces_share_goes_to_each(mention: str, parts: str) -> None:
    assert split_composite(mention) == tuple(parts.split("|"))


@pytest.mark.parametrize(
    ("mention", "parts"),
    [
        ("foot and mouth disease", "foot and mouth disease"),
        ("end-stage or malignant liver disease", "end-stage liver disease|malignant liver disease"),
        ("nausea and chest pain", "nausea|chest pain"),
        ("nausea and jaw pain", "nausea pain|jaw pain"),
    ],
)
def test_the_rule_that_makes_most_names_counts(mention: str, parts: str) -> None:
    names = {"foot and mouth disease", "end-stage liver disease", "nausea", "chest pain"}
    names |= {"nausea pain", "jaw pain"} if "jaw" in mention else set()
    assert split_composite(mention, names.__contains__) == tuple(parts.split("|"))


WORDS = st.lists(
    st.sampled_from(["acute", "of", "the", "and", "or", "both", "hyper-", "drug-", ",", "hypo"])
)


@given(st.one_of(st.text(), WORDS.map(" ".join)))
def test_no_mention_is_too_odd(mention: str) -> None:
    parts = split_composite(mention)
    assert parts == (mention,) or (len(parts) > 1 and all(part.strip() for part in parts))


@pytest.mark.parametrize(
    ("mention", "parts"),
    [
        ("cancer of the lung and of the liver", "cancer of the lung|cancer of the liver"),
        ("pain in the arm, leg and in the hip", "pain in the arm|pain in the leg|pain in the hip"),
        ("nephro- and hepatotoxicity", "nephrotoxicity|hepatotoxicity"),
        ("type 1 and 2 diabetes mellitus", "type 1 diabetes mellitus|type 2 diabetes mellitus"),
        ("nephro- and fever", "nephro-|fever"),
        ("pan- and proctocolitis", "pancolitis|proctocolitis"),
    ],
)
def test_pieces_with_a_preposition_and_what_only_the_dictionary_tells(
    mention: str, parts: str
) -> None:
    names = {"nephrotoxicity", "hepatotoxicity", "pancolitis", "proctocolitis"}
    names |= {"type 1 diabetes mellitus", "type 2 diabetes mellitus", "fever"}
    assert split_composite(mention, names.__contains__) == tuple(parts.split("|"))
