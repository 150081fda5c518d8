from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from termexplorer.trainer.corpora.abbreviations import (
    best_long_form,
    defined_abbreviations,
    resolved,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "the heat shock transcription factor (HSF) binds",
            ("HSF", "heat shock transcription factor"),
        ),
        ("Gcn5-related N-acetyltransferase (GNAT)", ("GNAT", "Gcn5-related N-acetyltransferase")),
        ("of thyroid transcription factor 1 (TTF-1)", ("TTF-1", "transcription factor 1")),
        ("the gene for RNA polymerase I (Pol I)", ("Pol I", "polymerase I")),
        ("in HSF (heat shock transcription factor)", ("HSF", "heat shock transcription factor")),
        ("scleroderma renal crisis (SRC; see 2)", ("SRC", "scleroderma renal crisis")),
        ("a loss of DA (dopamine) and of dopamine (DA)", ("DA", "dopamine")),
        ("it ended. Renal papillary necrosis (RPN)", ("RPN", "Renal papillary necrosis")),
        ("the (beta) lactam blocker (BLB (1))", ("BLB (1)", None)),
    ],
)
def test_definitions_are_found(text: str, expected: tuple[str, str | None]) -> None:
    short, long = expected
    assert defined_abbreviations(text) == ({short: long} if long else {})


@pytest.mark.parametrize(
    "text",
    [
        "cyclophilin seven suppressor (CNS1)",  # a sign that does not occur
        "serotonin (5-HT)",
        "the anterior thalamus (ATN)",  # in another order
        "Heat was lost. Shock followed, and fever (HSF)",  # over the end of a sentence
        "heat and shock at the very far end of one long line of words and a factor (HSF)",
        "an x-ray (1) of two (2.5) kinds (a) of (more than two words of text) it",
        "sodium (sodium)",
        "rats (n = 12, SD)",
        "(HSF) alone",
        "open (HSF",
        "",
    ],
)
def test_what_defines_nothing_is_left_alone(text: str) -> None:
    assert defined_abbreviations(text) == {}


def test_the_first_definition_counts() -> None:
    text = "myocardial infarction (MI) or a mental illness (MI)"
    assert defined_abbreviations(text) == {"MI": "myocardial infarction"}


def is_spread_over(signs: str, text: str) -> bool:
    rest = iter(text)
    return all(sign in rest for sign in signs)


def naive_long_form(short: str, candidate: str) -> str | None:
    """The last word start from which the signs follow in their order, and all from its word on."""
    signs = "".join(filter(str.isalnum, short)).lower()
    for index in reversed(range(len(candidate))):
        starts = index == 0 or not candidate[index - 1].isalnum()
        begins = starts and candidate[index].lower() == signs[0]
        if begins and is_spread_over(signs, candidate[index:].lower()):
            long = candidate[candidate.rfind(" ", 0, index) + 1 :]
            return long if len(long) > len(short) and short not in long.split() else None
    return None


@given(
    st.text("abcAB1-", min_size=1, max_size=5).filter(lambda short: short[0].isalnum()),
    st.text("abcdABC12 -", max_size=25),
)
@example("a-", "ba -a")
def test_long_forms_are_those_of_the_written_rule(short: str, candidate: str) -> None:
    assert best_long_form(short, candidate) == naive_long_form(short, candidate)


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    for short, long in defined_abbreviations(text).items():
        assert short in text
        assert len(long) > len(short)


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("MI", "myocardial infarction"),
        ("acute MIs", "acute myocardial infarctions"),
        ("MI-associated HIT", "myocardial infarction-associated heparin thrombocytopenia"),
        ("AMI", "AMI"),
        ("HITT", "HIT with thrombosis"),
        ("mi", "mi"),
        ("SL", "a \\g<1> b\\1"),
        ("Myocardial infarction (MI)", "Myocardial infarction"),
        ("myocardial infarction MI", "myocardial infarction"),
        ("myocardial (MI) stroke", "myocardial (myocardial infarction) stroke"),
    ],
)
def test_mentions_are_resolved(mention: str, expected: str) -> None:
    definitions = {
        "MI": "myocardial infarction",
        "SL": "a \\g<1> b\\1",
        "HIT": "heparin thrombocytopenia",
        "HITT": "HIT with thrombosis",
    }
    if mention == "HITT":
        definitions.pop("HIT")
    assert resolved(mention, definitions) == expected
    assert resolved(mention, {}) == mention
