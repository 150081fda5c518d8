"""Differences of one word that count: names that are alike else mean something else."""

import pytest

from termexplorer.trainer.text.telling_words import difference_of_concepts, find_difference


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        ("Fracture of left femur", "Fracture of right femur", "left / right"),
        ("Diabetes mellitus type I", "Diabetes mellitus type II", "1 / 2"),
        ("Diabetes mellitus type 1", "Diabetes mellitus type II", "1 / 2"),
        ("Asthma with exacerbation", "Asthma without exacerbation", "with / without"),
        ("Acute bronchitis", "Chronic bronchitis", "acute / chronic"),
        ("Male infertility", "Female infertility", "male / female"),
        ("Primary syphilis", "Secondary syphilis", "primary / secondary"),
        ("Hodgkin lymphoma", "Non-Hodgkin lymphoma", "– / non"),
        ("Trisomy 13", "Trisomy 18", "13 / 18"),
        ("Spinocerebellar ataxia", "Spinocerebellar ataxia 4", "– / 4"),
        ("Hyperthyroidism of pregnancy", "Hypothyroidism of pregnancy",
         "hyperthyroidism / hypothyroidism"),
        ("Hyperkalemia", "Hypokalemia", "hyperkalemia / hypokalemia"),
    ],
)  # fmt: skip
def test_words_that_count_are_named(first: str, second: str, difference: str) -> None:
    assert find_difference(first, second) == difference
    assert find_difference(second, first) == " / ".join(reversed(difference.split(" / ")))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Renal failure", "Kidney failure"),
        ("Femur, left", "Left femur"),
        ("Type 2 diabetes", "Diabetes type II"),
        ("Left arm", "Right leg"),  # more than one word
        ("Acute bronchitis", "Viral bronchitis"),
        ("Left", "Right"),  # nothing is shared
        ("Heart attack", "Myocardial infarction"),
        ("Injury", "After injury"),
        ("Viral bronchitis", "Bronchitis"),
        ("", ""),
    ],
)
def test_other_differences_may_be_of_one_concept(first: str, second: str) -> None:
    assert not find_difference(first, second)


def test_concepts_that_share_a_name_are_not_told_apart() -> None:
    assert difference_of_concepts(["Acute bronchitis"], ["Chronic bronchitis"]) == "acute / chronic"
    shared = ["Acute bronchitis", "Bronchitis"], ["Chronic bronchitis", "bronchitis"]
    assert not difference_of_concepts(*shared)
    unlike = ["Nephritis", "Acute renal failure"], ["Uraemia", "Chronic renal failure"]
    assert difference_of_concepts(*unlike) == "acute / chronic"
