"""New terms tested against those that are there."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from checked_terms import list_known_terms, make_term

from termexplorer.trainer.built_in import builtin
from termexplorer.trainer.checking.check import check_terms
from termexplorer.trainer.checking.duplicate_model import DuplicateModel
from termexplorer.trainer.checking.facts import find_cycle, find_facts
from termexplorer.trainer.checking.findings import CheckSettings, TermFinding
from termexplorer.trainer.checking.pair_features import TermComparison
from termexplorer.trainer.checking.parents import ParentModel
from termexplorer.trainer.checking.reworded import NameRewording
from termexplorer.trainer.checking.terms import OntologyTerm, TermTable
from termexplorer.trainer.mapping.word_swaps import count_swaps


def _find_facts(*new: OntologyTerm, known: Sequence[OntologyTerm] = ()) -> list[TermFinding]:
    table = TermTable.build([*(known or list_known_terms())], new)
    return list(find_facts(table, [term for term in new if not term.names]))


def _rules(findings: Sequence[TermFinding], curie: str) -> dict[str, TermFinding]:
    return {finding.rule: finding for finding in findings if finding.term.curie == curie}


def test_a_name_that_another_term_has_is_found_whatever_its_case_and_signs() -> None:
    findings = _find_facts(make_term("N:1", "Renal-cyst", parents=["T:1"]))
    taken = _rules(findings, "N:1")["name-taken"]
    assert taken.other is not None
    assert taken.other.curie == "T:102"
    assert "Renal-cyst" in taken.evidence
    assert 0.8 <= taken.probability < 1  # a synonym of the other, not its label


def test_labels_clash_more_surely_than_synonyms_and_less_with_withdrawn_terms() -> None:
    known = list_known_terms()
    withdrawn = [replace(term, obsolete=term.curie == "T:102") for term in known]
    labels = _find_facts(make_term("N:1", "kidney cyst"))
    synonyms = _find_facts(make_term("N:1", "new", "renal cyst"))
    obsolete = _find_facts(make_term("N:1", "kidney cyst"), known=withdrawn)
    of_rule = [_rules(clashes, "N:1")["name-taken"].probability for clashes in (labels, synonyms)]
    assert of_rule[0] == 1 > of_rule[1]
    assert _rules(obsolete, "N:1")["name-taken"].probability < of_rule[1]


def test_two_new_terms_of_one_name_are_told_once() -> None:
    findings = _find_facts(make_term("N:1", "odd thing"), make_term("N:2", "odd thing"))
    assert [f.term.curie for f in findings if f.rule == "name-taken"] == ["N:2"]


def test_parents_that_are_withdrawn_or_not_there_and_terms_without_any_are_found() -> None:
    known = [replace(term, obsolete=term.curie == "T:2") for term in list_known_terms()]
    findings = _find_facts(
        make_term("N:1", "one thing", parents=["T:2"]),
        make_term("N:2", "other thing", parents=["T:9999"]),
        make_term("N:3", "third thing"),
        make_term("N:4", parents=["T:1"]),
        known=known,
    )
    assert "obsolete-parent" in _rules(findings, "N:1")
    assert "unknown-parent" in _rules(findings, "N:2")
    assert "missing-parent" in _rules(findings, "N:3")
    assert "missing-name" in _rules(findings, "N:4")


def test_a_cycle_is_told_as_the_way_from_a_term_up_to_itself() -> None:
    above = {0: [1], 1: [2, 3], 2: [], 3: [0]}
    assert find_cycle(0, above.__getitem__) == [0, 1, 3, 0]
    assert find_cycle(2, above.__getitem__) == []
    findings = _find_facts(
        make_term("N:1", "thing A", parents=["N:2"]), make_term("N:2", "thing B", parents=["N:1"])
    )
    assert _rules(findings, "N:1")["cycle"].evidence == "thing A → thing B → thing A"


def test_an_id_that_another_term_has_as_its_alternative_is_found() -> None:
    known = list_known_terms()
    known[9] = replace(known[9], alternative_ids=("N:1",))
    findings = _find_facts(make_term("N:1", "thing", parents=["T:1"]), known=known)
    assert _rules(findings, "N:1")["id-taken"].other == known[9]


def test_a_synonym_is_missed_where_the_terms_beside_have_some() -> None:
    findings = _find_facts(
        make_term("N:1", "kidney scar", parents=["T:1"]), make_term("N:2", "eye", parents=["T:0"])
    )
    beside, among = (_rules(findings, curie)["missing-synonym"] for curie in ("N:1", "N:2"))
    assert beside.probability > among.probability  # organs have none
    assert "missing-synonym" not in _rules(_find_facts(make_term("N:1", "a", "b")), "N:1")


@pytest.fixture(scope="module")
def learned() -> DuplicateModel:
    """A model of the known terms, with new ones among them."""
    new = [
        make_term("N:1", "cyst of the kidney", "renal cysts", parents=["T:1"]),
        make_term("N:2", "brain bleeding", parents=["T:0"]),
    ]
    table = TermTable.build(list_known_terms(), new)
    return DuplicateModel.fit(TermComparison(table, builtin().encode))


def test_a_term_added_a_second_time_is_likelier_a_duplicate_than_a_new_one(
    learned: DuplicateModel,
) -> None:
    table = learned.comparison.table
    likely = learned.judge(table.new)
    best: dict[int, tuple[float, int]] = {}
    for (number, other), probability in zip(
        likely.pairs.tolist(), likely.probabilities.tolist(), strict=True
    ):
        assert table.new[number] != other  # nothing is a duplicate of itself
        best[number] = max(best.get(number, (0.0, -1)), (probability, other))
    assert table.terms[best[0][1]].label == "kidney cyst"
    assert best[0][0] > 5 * best[1][0]


def test_made_duplicates_are_told_from_terms_that_are_not_there(learned: DuplicateModel) -> None:
    probabilities, is_there = learned.tried.T
    assert learned.tried.shape == (2 * learned.copies, 2)
    assert probabilities[is_there == 1].mean() > 2 * probabilities[is_there == 0].mean()
    assert 0 < learned.first_right <= 1


def test_a_parent_that_the_name_contradicts_is_more_doubtful_than_a_right_one() -> None:
    new = [
        make_term("N:1", "kidney scar", parents=["T:1"]),
        make_term("N:2", "kidney bruise", parents=["T:6"]),
    ]
    table = TermTable.build(list_known_terms(), new)
    model = ParentModel.fit(table, builtin())
    assert model is not None
    right, wrong = model.judge(table.new)
    assert wrong.probability > right.probability
    assert table.terms[wrong.better].curie == "T:1"


def test_a_definition_of_another_term_is_more_doubtful_than_the_own_one() -> None:
    known = [
        term if term.definition else replace(term, definition=f"Any {term.label} of a patient.")
        for term in list_known_terms()
    ]
    new = [
        make_term(
            "N:1", "kidney scar", parents=["T:1"], definition="A scar that is in the kidney."
        ),
        make_term("N:2", "lung scar", parents=["T:4"], definition="A stone that is in the liver."),
        make_term("N:3", "skin scar", parents=["T:5"], definition=known[-1].definition.upper()),
    ]
    settings = CheckSettings(
        at_least=0, rules=frozenset({"doubtful-definition", "repeated-definition"})
    )
    findings = check_terms(known, new, builtin(), settings).findings
    right, wrong = (_rules(findings, curie)["doubtful-definition"] for curie in ("N:1", "N:2"))
    assert wrong.probability > 2 * right.probability
    assert wrong.other is not None
    assert wrong.other.label == "liver stone"
    assert _rules(findings, "N:3")["repeated-definition"].other == known[-1]
    assert "repeated-definition" not in _rules(findings, "N:2")


def test_findings_come_by_probability_and_only_those_asked_for() -> None:
    new = [
        make_term(
            "N:1", "renal cyst", parents=["T:9999"], definition="A cyst that is in the kidney."
        ),
        make_term("N:2", "liver stone", parents=["T:0"]),
    ]
    steps: list[str] = []
    result = check_terms(list_known_terms(), new, builtin(), begin=steps.append)
    probabilities = [finding.probability for finding in result.findings]
    assert probabilities == sorted(probabilities, reverse=True)
    assert steps == ["facts", "duplicates", "parents", "definitions"]
    assert (result.checked, result.known) == (2, 55)
    only = CheckSettings(at_least=0.95, rules=frozenset({"name-taken"}))
    chosen = check_terms(list_known_terms(), new, builtin(), only).findings
    assert [(f.rule, f.term.curie) for f in chosen] == [("name-taken", "N:2")]


def test_names_are_reworded_by_swaps_that_the_ontology_has() -> None:
    table = TermTable.build(list_known_terms(), [])
    rewording, random = NameRewording(count_swaps([table.side])), np.random.default_rng(0)
    reworded = {rewording.reword("renal scar", random) for _ in range(200)}
    assert "kidney scar" in reworded
    assert len(reworded) > 5
    assert all(name.strip() for name in reworded)


def test_nothing_new_is_nothing_to_find_and_learns_nothing() -> None:
    result = check_terms(list_known_terms(), [], builtin())
    assert (result.findings, result.checked, result.copies) == ((), 0, 0)


def test_too_few_known_terms_are_refused() -> None:
    with pytest.raises(ValueError, match="20 at least"):
        check_terms(list_known_terms()[:5], [make_term("N:1", "thing")], builtin())
