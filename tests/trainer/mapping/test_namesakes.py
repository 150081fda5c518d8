"""Concepts that are called as one above them is: what a list says cannot tell them apart."""

from itertools import product

import numpy as np
from made_ontologies import TROUBLES, compare_letters, make_side

from termexplorer.trainer.mapping.abbreviations import NameExpander
from termexplorer.trainer.mapping.choices import EXACT
from termexplorer.trainer.mapping.decide import decide_mappings
from termexplorer.trainer.mapping.made_list import copy_names
from termexplorer.trainer.mapping.made_pairs import EXACT_MATCH, NARROW_MATCH, label_pairs
from termexplorer.trainer.mapping.sides import MappingSide

SITES = ("lung", "ear", "skin", "bone", "eye", "throat")
KINDS = ("virus", "mold", "fungus")


def make_categories() -> MappingSide:
    """Return categories as ICD-10-CM has them: *…, unspecified organism* is one, and a child."""
    names, links = [["diseases"]], []
    for trouble, site in product(TROUBLES, SITES):
        category = len(names)
        links.append((category, 0))
        names.append([f"{trouble} of {site}, unspecified organism"])
        for kind in KINDS:
            links.append((len(names), category))
            names.append([f"{trouble} of {site} due to {kind}"])
        links.append((len(names), category))
        names.append([f"{trouble} of {site}, unspecified organism"])
    return make_side(names, links)


def test_namesakes_are_those_above_and_below_with_the_same_preferred_name() -> None:
    names = [
        ["asthma", "wheeze"], ["other asthma"], ["Unspecified asthma, uncomplicated"],
        ["Asthma", "x"], ["wheeze"], ["asthma, unspecified"],
    ]  # fmt: skip
    side = make_side(names, [(1, 0), (2, 1), (3, 2), (4, 0)])
    below = {(1, 0), (2, 1), (3, 2), (4, 0), (2, 0), (3, 0), (3, 1)}
    cores = [side.forms.cores[start] for start in side.starts[:-1]]
    wanted = {(a, b) for a, b in below if cores[a] == cores[b]}
    assert wanted == {(2, 0), (3, 0), (3, 2)}
    coords = np.stack(side.twins.tocoo().coords, axis=1).tolist()
    assert {tuple(pair) for pair in coords} == wanted | {(b, a) for a, b in wanted}
    assert side.repeated.tolist() == [0]
    assert make_side(names).twins.nnz == 0


def test_a_row_of_a_list_matches_all_namesakes_of_what_it_matches() -> None:
    side = make_side([["asthma"], ["asthma, unspecified"], ["asthma of dogs"]], [(1, 0), (2, 0)])
    pairs = np.array([(0, 0), (0, 1), (0, 2)])
    labels = label_pairs(make_side([["asthma"]]), side, pairs, np.array([(0, 0)]))
    assert labels.tolist() == [EXACT_MATCH, EXACT_MATCH, NARROW_MATCH]


def test_a_made_list_has_categories_whose_child_is_called_the_same() -> None:
    side = make_categories()
    _, same = copy_names(side, NameExpander(side, {}), side.count, seed=0)
    assert len(same) == side.count


def test_the_most_specific_concept_of_a_name_is_chosen() -> None:
    target = make_categories()
    codes = [f"{trouble} of {site}" for trouble, site in product(TROUBLES[:2], SITES)]
    decided = decide_mappings(make_side([[code] for code in codes]), target, compare_letters)
    chosen = decided.pairs[decided.choices.candidates, 1]
    assert set(decided.choices.predicates) == {EXACT}
    step = 2 + len(KINDS)
    assert chosen.tolist() == [step * (number + 1) for number in range(len(codes))]
