"""Lists that are made of an ontology, and what is decided for a list."""

import numpy as np
from made_ontologies import compare_letters, make_diseases, make_side

from termexplorer.trainer.mapping.choices import EXACT
from termexplorer.trainer.mapping.decide import decide_mappings
from termexplorer.trainer.mapping.made_list import copy_names


def test_a_made_list_has_one_name_of_each_concept_and_no_links() -> None:
    side = make_diseases()[1]
    names_copy, same = copy_names(side, 30, seed=2)
    assert (names_copy.count, len(names_copy.names), len(names_copy.children)) == (30, 30, 0)
    assert same[:, 0].tolist() == list(range(30))
    as_they_are = sum(names_copy.names[i] in set(side.names) for i in range(30))
    assert 5 <= as_they_are < 30  # the others are spelled otherwise
    again, _ = copy_names(side, 30, seed=2)
    assert again.names == names_copy.names
    everything, _ = copy_names(side, 1000, seed=2)
    assert everything.count == side.count


def test_codes_of_a_list_are_decided_without_a_hierarchy() -> None:
    target = make_diseases()[1]
    label_rows = target.starts[:-1].tolist()
    codes = [5, 12, 20, 33, 40]
    listed = make_side([[target.names[label_rows[code]]] for code in codes] + [["xylophone"]])
    decided = decide_mappings(listed, target, compare_letters)
    exact = {
        i: int(decided.pairs[row, 1])
        for i, (predicate, row) in enumerate(
            zip(decided.choices.predicates, decided.choices.candidates.tolist(), strict=True)
        )
        if predicate == EXACT
    }
    assert exact == dict(enumerate(codes))
    assert decided.copied == target.count


def test_a_target_without_synonyms_teaches_a_list_too() -> None:
    names = [
        f"{word} of the {organ}" for word in ("cyst", "wound", "tumor") for organ in "abcdefghij"
    ]
    target = make_side([[name] for name in names])
    decided = decide_mappings(make_side([["Cyst of a"]]), target, compare_letters)
    assert np.isfinite(decided.likelihoods).all()
    assert decided.choices.predicates == (EXACT,)
