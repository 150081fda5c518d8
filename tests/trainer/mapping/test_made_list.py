"""Lists that are made of an ontology, and what is decided for a list."""

import numpy as np
from made_ontologies import compare_letters, make_diseases, make_side

from termexplorer.trainer.mapping.abbreviations import NameExpander
from termexplorer.trainer.mapping.choices import EXACT
from termexplorer.trainer.mapping.decide import decide_mappings
from termexplorer.trainer.mapping.made_list import copy_names
from termexplorer.trainer.mapping.made_pairs import NO_MATCH, hide_names, label_pairs
from termexplorer.trainer.mapping.sides import PREFERRED


def test_a_made_list_has_one_name_of_each_concept_and_no_links() -> None:
    side = make_diseases()[1]
    names_copy, same = copy_names(side, NameExpander(side, {}), 30, seed=2)
    assert (names_copy.count, len(names_copy.children)) == (30, 0)
    written = names_copy.kinds == PREFERRED
    assert written.sum() == 30  # the others are what these may stand for
    assert same[:, 0].tolist() == list(range(30))
    as_they_are = sum(names_copy.names[i] in set(side.names) for i in np.flatnonzero(written))
    assert 5 <= as_they_are < 30  # the others are spelled otherwise
    again, _ = copy_names(side, NameExpander(side, {}), 30, seed=2)
    assert again.names == names_copy.names
    everything, _ = copy_names(side, NameExpander(side, {}), 1000, seed=2)
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


def test_rows_of_a_list_do_not_compete_for_a_concept() -> None:
    """Several rows of a list may be called the same, or spell the same otherwise."""
    target = make_diseases()[1]
    label_rows = target.starts[:-1].tolist()
    codes = [5, 12, 20, 33, 40] * 6
    names = [target.names[label_rows[code]] for code in codes]
    names[10:] = [" ".join(reversed(name.split())) for name in names[10:]]
    decided = decide_mappings(make_side([[name] for name in names]), target, compare_letters)
    rows = decided.choices.candidates
    assert set(decided.choices.predicates) == {EXACT}
    assert decided.pairs[rows, 1].tolist() == codes


def test_a_target_without_synonyms_teaches_a_list_too() -> None:
    names = [
        f"{word} of the {organ}" for word in ("cyst", "wound", "tumor") for organ in "abcdefghij"
    ]
    target = make_side([[name] for name in names])
    decided = decide_mappings(make_side([["Cyst of a"]]), target, compare_letters)
    assert np.isfinite(decided.likelihoods).all()
    assert decided.choices.predicates == (EXACT,)


def test_unspecified_goes_from_most_names_unless_another_concept_is_called_so() -> None:
    bare = [[f"disease {n}, unspecified"] for n in range(100)]
    taken = [[f"illness {n}, unspecified"] for n in range(100)]
    side = make_side([*bare, *taken, *([f"illness {n}"] for n in range(100))])
    codes, same = copy_names(side, NameExpander(side, {}), 300, seed=0)
    written = [codes.names[start] for start in codes.starts[:-1]]
    named = dict(zip(same[:, 1].tolist(), written, strict=True))
    shortened = sum(named[n] == f"disease {n}" for n in range(100))
    assert 50 <= shortened < 100
    assert not any(named[100 + n].lower() == f"illness {n}" for n in range(100))


def test_what_several_concepts_are_called_is_no_name_of_a_list() -> None:
    """Else a pair would be learned from that is equal by name and no match."""
    side = make_side([["shared", f"own {n}"] for n in range(40)] + [["shared"]])
    codes, same = copy_names(side, NameExpander(side, {}), 100, seed=0)
    assert len(same) == 40
    assert not any(name == "shared" for name in codes.names)


def test_most_of_a_made_list_are_concepts_that_have_another_name() -> None:
    """What is called otherwise in a list is learned from those that have a name to hide."""
    several = [[f"disease {n}", f"illness {n}"] for n in range(20)]
    side = make_side([*([f"single {n}"] for n in range(180)), *several])
    _, same = copy_names(side, NameExpander(side, {}), 20, seed=0)
    assert (np.diff(side.starts)[same[:, 1]] > 1).sum() >= 14


def test_what_a_list_names_is_hidden_from_the_target_or_gone_with_all_that_is_near() -> None:
    target = make_diseases()[1]
    codes, same = copy_names(target, NameExpander(target, {}), target.count, seed=0)
    pairs = np.argwhere(np.ones((codes.count, target.count), np.bool_))
    labels = label_pairs(codes, target, pairs, same)
    gone = np.arange(len(same)) % 2 == 0
    near = labels != NO_MATCH
    view = hide_names(codes, target, pairs, same, gone, np.random.default_rng(0), near)
    assert not view.hidden_left.any()  # the only name of a code
    assert view.hidden_right.mean() > 0.2
    whole = [view.absent[near & (pairs[:, 0] == code)].all() for code in same[gone, 0]]
    related = [(near & (pairs[:, 0] == code)).sum() > 1 for code in same[gone, 0]]
    shares = np.array(whole)[related]
    assert 0.2 < shares.mean() < 0.8
    assert not view.absent[np.isin(pairs[:, 0], same[~gone, 0])].any()
    assert not view.absent[~near].any()
