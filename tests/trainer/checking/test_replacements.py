"""What takes the place of terms that a newer release does not have any more."""

from dataclasses import replace

from checked_terms import list_known_terms, make_term

from termexplorer.trainer.built_in import builtin
from termexplorer.trainer.checking.replacements import rank_replacements


def test_the_likeliest_replacement_comes_first_and_is_never_another_retired_term() -> None:
    known = list_known_terms()
    retired = [term for term in known if term.label in ("kidney cyst", "renal failure")]
    retired.append(replace(retired[0], curie="R:1"))
    live = [term for term in known if term not in retired]
    live.append(make_term("N:1", "cyst of the kidney", "renal cyst", parents=["T:1"]))
    for candidates in rank_replacements(live, retired, builtin()):
        probabilities = [candidate.probability for candidate in candidates]
        assert candidates[0].term.curie == "N:1"
        assert probabilities == sorted(probabilities, reverse=True)
        assert not {"R:1", retired[0].curie} & {c.term.curie for c in candidates}


def test_terms_without_a_name_have_no_replacement() -> None:
    assert rank_replacements(list_known_terms(), [make_term("R:1")], builtin()) == [[]]
    assert rank_replacements(list_known_terms(), [], builtin()) == []
