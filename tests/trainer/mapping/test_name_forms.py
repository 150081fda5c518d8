"""Names of the same form, and words whose swap keeps a concept."""

import pytest
from made_ontologies import make_side

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.name_forms import list_words, make_forms
from termexplorer.trainer.mapping.word_swaps import count_swaps


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Tumours of the liver", "Liver tumor"),
        ("anaemia, type II", "Type 2 Anemia"),
        ("Ménière's disease", "Meniere disease"),
        ("arteries", "Artery"),
        ("of the", "the of"),
    ],
)
def test_names_that_differ_in_spelling_and_order_have_the_same_words(name: str, other: str) -> None:
    assert list_words(name) == list_words(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("left kidney", "right kidney"), ("type 1", "type 2"), ("with pain", "without pain")],
)
def test_words_that_tell_concepts_apart_stay(name: str, other: str) -> None:
    assert list_words(name) != list_words(other)


def test_the_core_leaves_general_words_out_unless_nothing_else_is_there() -> None:
    forms = make_forms(["kidney disease", "Renal disorder NOS", "disease", "β-Zelle 1"])
    assert forms.cores == ("kidney", "renal", "disease", "1 zelle β")
    assert forms.letters[3] == "βzelle1"


def test_swaps_are_counted_within_each_ontology_alone() -> None:
    ours = make_side([["kidney cyst", "renal cyst"], ["kidney stone", "renal stone"]])
    theirs = make_side([["acute gout", "gout attack"], ["chronic gout"], ["gout"], ["renal gout"]])
    swaps = count_swaps([ours, theirs])
    assert swaps.same["kidney", "renal"] == swaps.same["renal", "kidney"] == 2
    assert swaps.different["kidney", "renal"] == 0
    assert (swaps.different["acute", "chronic"], swaps.same["acute", "chronic"]) == (1, 0)
    assert swaps.different["acute", ""] == 1  # acute gout and gout
    assert swaps.same["acute", "attack"] == 1
    keeps, counted = swaps.rate_swap("kidney", "renal")
    assert (keeps > swaps.rate_swap("acute", "chronic")[0], counted) == (True, 2)
    assert swaps.rate_swap("never", "seen") == (pytest.approx(swaps.usual), 0)


def test_a_side_without_names_or_with_a_nameless_concept_is_refused() -> None:
    with pytest.raises(TrainerError, match="no concept"):
        make_side([])
    with pytest.raises(TrainerError, match="order"):
        make_side([["one"], [], ["three"]])
