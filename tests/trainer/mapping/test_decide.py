"""Decisions from one end to the other, on ontologies that are made here."""

import numpy as np
import pytest
from made_ontologies import compare_letters, make_diseases, make_side

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.choices import BROAD, EXACT, NARROW, NONE, RELATED, choose_matches
from termexplorer.trainer.mapping.decide import (
    MappingDecisions,
    MappingSettings,
    decide_mappings,
)
from termexplorer.trainer.mapping.decision_model import (
    Calibrator,
    MadeRows,
    calibrate_apart,
    measure_made,
)
from termexplorer.trainer.mapping.made_copy import copy_part
from termexplorer.trainer.mapping.made_pairs import (
    BROAD_MATCH,
    EXACT_MATCH,
    NARROW_MATCH,
    NO_MATCH,
    UNKNOWN,
    find_anchors,
    hide_names,
    label_pairs,
)
from termexplorer.trainer.mapping.sides import PREFERRED


@pytest.fixture(scope="module")
def decided() -> MappingDecisions:
    source, target = make_diseases()
    return decide_mappings(source, target, compare_letters, MappingSettings(one_to_one=True))


def test_concepts_that_are_called_otherwise_are_found(decided: MappingDecisions) -> None:
    target = make_diseases()[1]
    chosen = decided.choices
    exact = {
        i: int(decided.pairs[row, 1])
        for i, (predicate, row) in enumerate(
            zip(chosen.predicates, chosen.candidates.tolist(), strict=True)
        )
        if predicate == EXACT
    }
    right = sum(exact.get(i) == i for i in range(target.count))
    assert right >= 0.9 * target.count
    assert sum(i != j for i, j in exact.items()) <= 0.1 * target.count
    assert len(set(exact.values())) == len(exact)


def test_likelihoods_are_those_of_four_classes(decided: MappingDecisions) -> None:
    assert decided.likelihoods.shape == (len(decided.pairs), 4)
    assert decided.likelihoods.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert decided.quality["macro-F1"] > 0.6
    assert decided.copied > 0  # few are called the same and by no other name
    chances = decided.choices.likelihoods
    assert ((chances >= 0.5) & (chances <= 1)).all()


def test_the_same_is_decided_again(decided: MappingDecisions) -> None:
    source, target = make_diseases()
    again = decide_mappings(source, target, compare_letters, MappingSettings(one_to_one=True))
    assert (again.likelihoods == decided.likelihoods).all()
    assert again.choices.predicates == decided.choices.predicates


def test_too_few_synonyms_to_learn_from_are_told() -> None:
    side = make_side([["gout"], ["flu"]])
    with pytest.raises(TrainerError, match="synonym"):
        decide_mappings(side, side, compare_letters)


def test_anchors_are_called_the_same_as_no_others() -> None:
    source = make_side([["Gout"], ["flu"], ["FLU"], ["mumps", "parotitis"]])
    target = make_side([["flu"], ["gout", "mumps"], ["parotitis", "mumps"]])
    assert find_anchors(source, target).tolist() == [[0, 1]]
    source = make_side([["Gout", "podagra"], ["flu", "grippe"], ["cold", "coryza"]])
    target = make_side([["arthritis", "podagra"], ["influenza", "flu"], ["flu B", "grippe"]])
    assert find_anchors(source, target).tolist() == [[0, 0]]  # flu shares names with two


def test_pairs_around_an_anchor_are_broad_narrow_or_none() -> None:
    # 0 - 1 - 2 - 3, and 1 - 4
    links = ((1, 0), (2, 1), (3, 2), (4, 1))
    source, target = (make_side([[letter] for letter in "abcde"], links) for _ in range(2))
    pairs = np.array([(2, j) for j in range(5)] + [(1, 2), (0, 2), (3, 2), (4, 2), (4, 4)])
    labels = label_pairs(source, target, pairs, np.array([(2, 2)]))
    assert labels.tolist() == [
        *(UNKNOWN, BROAD_MATCH, EXACT_MATCH, NARROW_MATCH, NO_MATCH),
        *(NARROW_MATCH, UNKNOWN, BROAD_MATCH, NO_MATCH, UNKNOWN),
    ]


def test_hidden_names_leave_each_concept_one_and_one_preferred() -> None:
    source, target = make_diseases()
    anchors = np.stack([np.arange(target.count)] * 2, axis=1)
    gone = np.arange(target.count) % 3 == 0
    view = hide_names(source, target, anchors, anchors, gone, np.random.default_rng(0))
    assert (view.absent == gone).all()
    assert view.hidden_left.any()
    assert view.hidden_right.any()
    for side, hidden, kinds in (
        (source, view.hidden_left, view.kinds_left),
        (target, view.hidden_right, view.kinds_right),
    ):
        seen = np.bincount(side.concepts[~hidden], minlength=side.count)
        preferred = np.bincount(side.concepts[~hidden & (kinds == PREFERRED)], minlength=side.count)
        assert (seen >= 1).all()
        assert (preferred == 1).all()


def test_a_copy_has_the_names_and_links_of_what_it_is_a_part_of() -> None:
    side = make_diseases()[1]
    copy, same = copy_part(side, 10, seed=1)
    assert len(same) == 10
    for concept, origin in same.tolist():
        names, origin_names = (
            [s.names[n] for n in np.flatnonzero(s.concepts == c)]
            for s, c in ((copy, concept), (side, origin))
        )
        assert names == origin_names
        assert len(names) > 1
        assert copy.up[[concept]].nnz == side.up[[origin]].nnz


def test_calibrated_likelihoods_come_true_as_often_as_they_say() -> None:
    random = np.random.default_rng(0)
    chance = random.random(4000)
    labels = np.where(random.random(4000) < chance**2, EXACT_MATCH, NO_MATCH)
    likelihoods = np.zeros((4000, 4), np.float32)
    likelihoods[:, EXACT_MATCH], likelihoods[:, NO_MATCH] = chance, 1 - chance
    table = Calibrator.fit(likelihoods, labels, np.ones(4000)).calibrate(likelihoods)
    for low in (0.1, 0.4, 0.7):
        rows = (table[:, EXACT_MATCH] > low) & (table[:, EXACT_MATCH] < low + 0.2)
        share = (labels[rows] == EXACT_MATCH).mean()
        assert table[rows, EXACT_MATCH].mean() == pytest.approx(share, abs=0.05)
    assert (np.diff(table[np.argsort(chance), EXACT_MATCH]) >= 0).mean() > 0.9


def test_the_likeliest_exact_match_is_chosen_or_else_what_is_likeliest() -> None:
    side = make_side([[letter] for letter in "abcdef"], [(5, 4)])
    pairs = np.array([(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (3, 3)], np.int64)
    likelihoods = np.array(
        [
            (0.6, 0.0, 0.0, 0.4),
            (0.9, 0.0, 0.0, 0.1),
            (0.1, 0.7, 0.0, 0.2),
            (0.8, 0.1, 0.0, 0.1),
            (0.2, 0.2, 0.3, 0.3),
            (0.1, 0.0, 0.1, 0.8),
        ],
        np.float32,
    )
    chosen = choose_matches(side, side, pairs, likelihoods, one_to_one=False)
    assert chosen.predicates == (EXACT, BROAD, EXACT, NONE, NONE, NONE)
    assert chosen.candidates.tolist() == [1, 2, 3, 5, -1, -1]
    assert chosen.likelihoods.tolist() == pytest.approx([0.9, 0.7, 0.8, 0.8, 1, 1])
    single = choose_matches(side, side, pairs, likelihoods, one_to_one=True)
    assert single.predicates == (EXACT, BROAD, EXACT, NONE, NONE, NONE)
    assert single.candidates.tolist()[:3] == [0, 2, 3]
    likelihoods[4] = (0.1, 0.1, 0.2, 0.1)
    likelihoods[3, EXACT_MATCH] = 0.4
    likelihoods[5] = (0, 0, 0.6, 0.4)
    chosen = choose_matches(side, side, pairs, likelihoods, one_to_one=False)
    assert chosen.predicates[2:4] == (RELATED, NARROW)
    rows = make_side([[letter] for letter in "abcdef"])
    chosen = choose_matches(rows, side, pairs, likelihoods, one_to_one=False)
    assert chosen.predicates[2:4] == (EXACT, NARROW)  # in a list what is likeliest, if a match is
    assert chosen.likelihoods[2] == pytest.approx(0.4)


def test_rows_are_calibrated_by_curves_of_the_other_fold() -> None:
    """Labels that are noise come true as often in the other fold, and no better in their own."""
    random = np.random.default_rng(0)
    likelihoods = random.dirichlet(np.ones(4), size=400).astype(np.float32)
    labels = random.integers(0, 4, size=400)
    rows = MadeRows(likelihoods, labels, np.arange(400) % 2, np.ones(400))
    apart = calibrate_apart(likelihoods, rows)
    for fold in (0, 1):
        mine, other = rows.folds == fold, rows.folds != fold
        curves = Calibrator.fit(likelihoods[other], labels[other], rows.weights[other])
        np.testing.assert_array_equal(apart[mine], curves.calibrate(likelihoods[mine]))
    seen = Calibrator.fit(likelihoods, labels, rows.weights).calibrate(likelihoods)
    errors = [measure_made(table, rows)["calibration error"] for table in (seen, apart)]
    assert errors[0] < errors[1]


def test_a_row_counts_for_as_many_pairs_as_it_stands_for() -> None:
    """Of pairs that are no match one in twenty is taken: they are no likelier to be one."""
    random = np.random.default_rng(1)
    labels = np.where(random.random(8000) < 0.05, EXACT_MATCH, NO_MATCH)
    likelihoods = np.full((8000, 4), 0.25, np.float32)
    likelihoods[:, EXACT_MATCH] += random.random(8000).astype(np.float32) / 100
    taken = (labels == EXACT_MATCH) | (random.random(8000) < 0.05)
    weights = np.where(labels == EXACT_MATCH, 1.0, 20.0)[taken]
    rows = MadeRows(likelihoods[taken], labels[taken], np.arange(taken.sum()) % 2, weights)
    table = Calibrator.fit(rows.features, rows.labels, weights).calibrate(likelihoods)
    assert table[:, EXACT_MATCH].mean() == pytest.approx(0.05, abs=0.02)
    assert measure_made(table[taken], rows)["calibration error"] < 0.02
    once = MadeRows(rows.features, rows.labels, rows.folds, np.ones(taken.sum()))
    assert measure_made(table[taken], once)["calibration error"] > 0.3
