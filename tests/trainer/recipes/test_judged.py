"""Learning from judged pairs: the loss, how pairs are parted, and what it changes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from grounding_steps import CPU, distance, nothing, synonym_sets
from hypothesis import assume, given
from hypothesis import strategies as st
from judged_steps import judged
from trainer_controls import After

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.data.judged_pairs import JudgedPairs, split_pairs, terms_shared
from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION, concept_split
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.evaluation.comparison import mcnemar
from termexplorer.trainer.evaluation.pairs.before_after import before_and_after
from termexplorer.trainer.evaluation.pairs.roc import middle_threshold
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.recipes.judged import Judged
from termexplorer.trainer.tensors.objectives import ordering_loss
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import BEST

SMALL = replace(
    Judged.quick(), hidden=64, learning_rate=0.003, passes=10, names=2, maximum_epochs=30
)


def prepared(pairs: JudgedPairs) -> TrainingData:
    labels, vectors = synonym_sets()
    parts = concept_split(labels, 0.1, 1, 1, 0)
    return TrainingData.prepare(labels, parts, vectors, CPU, judged=pairs)


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.booleans()), max_size=12),
    st.sampled_from((0.05, 0.3, 1.0)),
)
def test_the_loss_is_the_mean_of_the_formula(
    pairs: list[tuple[float, bool]], temperature: float
) -> None:
    similar = [value for value, label in pairs if label]
    other_values = [value for value, label in pairs if not label]
    wrong = [math.log1p(math.exp((i - j) / temperature)) for i in other_values for j in similar]
    result = ordering_loss(
        torch.tensor([value for value, _ in pairs], dtype=torch.float64),
        torch.tensor([label for _, label in pairs], dtype=torch.bool),
        temperature,
    )
    assert float(result) == pytest.approx(np.mean(wrong) if wrong else 0, rel=1e-9, abs=1e-12)


def test_its_gradient_is_that_of_finite_differences_and_0_for_one_kind() -> None:
    similarities = torch.rand(6, dtype=torch.float64, requires_grad=True)
    similar = torch.tensor([True, False, False, True, True, False])
    assert torch.autograd.gradcheck(lambda s: ordering_loss(s, similar, 0.3), similarities)
    alone = torch.autograd.grad(ordering_loss(similarities, similar | True, 0.3), similarities)
    assert alone[0].tolist() == [0.0] * 6


def test_losses_are_those_of_the_formulas_and_training_begins_with_what_lies_beneath() -> None:
    recipe = replace(SMALL, order_weight=2.0, name_weight=3.0, temperature=0.05)
    pairs = judged()
    data, noise = prepared(pairs), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    some = np.random.default_rng(1).normal(size=(5, 16)).astype(np.float32)
    units = some / np.linalg.norm(some, axis=1, keepdims=True)
    assert np.allclose(2 * encoder.encode(some), units, atol=1e-6)
    encoder.w2.copy_(torch.from_numpy(np.random.default_rng(2).normal(size=(64, 16))))
    plan = recipe.plan(data, encoder, noise, nothing)
    assert sorted(plan["pair"].tolist()) == sorted([*range((pairs.parts == TRAIN).sum())] * 10)
    batch = {key: column[:30] for key, column in plan.items()}
    losses = recipe.losses(data, batch, encoder.encode_units, noise)
    rows = np.flatnonzero(pairs.parts == TRAIN)[batch["pair"].numpy()]
    sides = [torch.from_numpy(pairs.vectors[side[rows]]) for side in (pairs.left, pairs.right)]
    before = torch.cat((*sides, data.names[batch["names"].flatten()]))
    before = torch.nn.functional.normalize(before, dim=1)
    after = encoder.encode_units(before)
    cosines = [1 - distance(after[at], after[at + 30]) for at in range(30)]
    wrong = [
        math.log1p(math.exp((cosines[i] - cosines[j]) / 0.05))
        for i in range(30)
        for j in range(30)
        if pairs.similar[rows[j]] and not pairs.similar[rows[i]]
    ]
    moved = np.mean([distance(first, second) for first, second in zip(after, before, strict=True)])
    assert float(losses["order"]) == pytest.approx(2 * np.mean(wrong), rel=1e-4)
    assert float(losses["name"]) == pytest.approx(3 * moved, rel=1e-4)


def test_held_out_pairs_are_told_apart_better_and_other_names_stay(tmp_path: Path) -> None:
    pairs = judged()
    labels, names = synonym_sets()
    parts = concept_split(labels, 0.1, 1, 1, 0)

    data = trainer.Data(labels, parts, vectors=names, judged=pairs)

    def trained(folder: str, recipe: Judged = SMALL, **more: Any) -> list[float]:
        run = trainer.train(recipe, data, device="cpu", state_dir=tmp_path / folder, **more)
        return [report.validation for report in run]

    whole = trained("whole")
    stopped = trained("parts", control=After(7))
    other_data = replace(data, judged=replace(pairs, similar=~pairs.similar))
    with pytest.raises(ValueError, match="is of other classes or judged pairs; start anew"):
        next(trainer.train(SMALL, other_data, state_dir=tmp_path / "parts", resume=True))
    assert stopped + trained("parts", resume=True) == whole
    trained("freely", replace(SMALL, name_weight=0.0))
    held, free = (encoders.load(tmp_path / folder / BEST) for folder in ("whole", "freely"))
    retained, moved = (np.mean(_cosines(names, encoder.encode(names))) for encoder in (held, free))
    assert retained > 0.95
    assert moved < retained - 0.02
    terms = tuple(map(str, range(len(pairs.similar))))
    vectors = pairs.vectors, held.encode(pairs.vectors)
    result = before_and_after(
        PairSet("toy", terms, terms, pairs.similar.astype(float)),
        *(_cosines(vector[pairs.left], vector[pairs.right]) for vector in vectors),
        chosen=pairs.parts == VALIDATION,
        tested=pairs.parts == TEST,
    )
    assert result.after[0].value > result.before[0].value + 0.1
    assert result.differences["AUC"].low > 0
    assert result.differences["AUC"].p < 0.01


def _cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return np.asarray((left * right).sum(axis=1) / lengths)


def test_before_and_after_are_those_of_a_naive_count() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 60).astype(float)
    first, second = rng.normal(size=60) + 0.5 * labels, rng.normal(size=60) + 2 * labels
    chosen = np.arange(60) < 20
    terms = tuple(map(str, range(60)))
    result = before_and_after(
        PairSet("some", terms, terms, labels), first, second, chosen=chosen, tested=~chosen
    )
    right = []
    for figures, values in ((result.before, first), (result.after, second)):
        similar = [v for v, label in zip(values[20:], labels[20:], strict=True) if label]
        other_values = [v for v, label in zip(values[20:], labels[20:], strict=True) if not label]
        area = np.mean([left > other for left in similar for other in other_values])
        ordered = sorted(values[:20], reverse=True)
        cuts = [np.inf, *((a + b) / 2 for a, b in pairwise(ordered))]
        best = max(cuts, key=lambda cut: np.mean((values[:20] >= cut) == labels[:20]))
        assert middle_threshold(labels[:20], values[:20]) == pytest.approx(best)
        right.append((values[20:] >= best) == labels[20:])
        assert [figure.value for figure in figures] == pytest.approx([area, right[-1].mean()])
        assert [figure.n for figure in figures] == [40, 40]
    better, worse = (int((left & ~two).sum()) for left, two in (right[::-1], right))
    accuracy = result.differences["accuracy"]
    assert (accuracy.better, accuracy.worse) == (better, worse)
    assert accuracy.p == mcnemar(better, worse)
    assert result.differences["AUC"].difference == pytest.approx(
        result.after[0].value - result.before[0].value
    )
    alone = before_and_after(
        PairSet("some", terms, terms, labels), first, second,
        chosen=chosen, tested=~chosen & (labels == 1),
    )  # fmt: skip
    assert "is a dissimilar one" in alone.undefined
    assert list(alone.differences) == ["accuracy"]


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 60), st.booleans(), st.booleans()),
        min_size=30,
        max_size=80,
    ),
    st.integers(0, 3),
)
def test_pairs_are_parted_by_terms_where_they_can_be(
    rows: list[tuple[int, int, bool, bool]], seed: int
) -> None:
    left, right = ([f"term {row[side]}" for row in rows] for side in (0, 1))
    right = [folded_term.upper() for folded_term in right]
    similar, at_random = (np.array([row[side] for row in rows]) for side in (2, 3))
    assume(min(similar.sum(), (~similar).sum()) >= 10)
    parts = split_pairs(left, right, similar, at_random, seed)
    assert parts.tolist() == split_pairs(left, right, similar, at_random, seed).tolist()
    for part in (TRAIN, VALIDATION, TEST):
        assert set(similar[parts == part].tolist()) == {True, False}
    parts_by_term: dict[str, set[int]] = {}
    for first, second, part in zip(left, right, parts.tolist(), strict=True):
        for term in (first, second.lower()):
            parts_by_term.setdefault(term, set()).add(part)
    assert terms_shared(left, right, parts) == sum(
        len(term_parts) > 1 for term_parts in parts_by_term.values()
    )


def test_terms_stay_together_and_random_pairs_are_tested() -> None:
    left = [f"left {at // 2}" for at in range(200)]
    right = [f"right {at}" for at in range(200)]
    similar, at_random = np.arange(200) % 3 == 0, np.arange(200) % 10 == 0
    parts = split_pairs(left, right, similar, at_random, 5)
    assert terms_shared(left, right, parts) == 0
    assert set(parts[at_random].tolist()) == {TEST}
    counts = [[int(((parts == p) & (similar == s)).sum()) for s in (0, 1)] for p in range(3)]
    assert np.abs(np.array(counts) - np.array([[66, 33], [27, 13], [40, 20]])).max() <= 3
    chain = [f"term {at}" for at in range(61)]  # all of them hang together
    parts = split_pairs(chain[:60], chain[1:], np.arange(60) % 2 == 0, np.zeros(60, bool), 0)
    assert np.bincount(parts).tolist() == [30, 12, 18]
    assert terms_shared(chain[:60], chain[1:], parts) > 0


def test_0_and_1_are_no_and_yes() -> None:
    pairs = judged()
    counted: Any = pairs.similar.astype(int)
    assert replace(pairs, similar=counted).similar.tolist() == pairs.similar.tolist()
    terms = [f"{n}" for n in range(60)], [f"other {n}" for n in range(60)]
    similar, at_random = np.arange(60) % 3 == 0, np.zeros(60, bool)
    asked: Any = similar.astype(int).tolist(), at_random.astype(float).tolist()
    parts = split_pairs(*terms, similar, at_random, 0)
    assert (split_pairs(*terms, *asked, 0) == parts).all()
    shares: Any = np.full(len(pairs.similar), 0.5)
    with pytest.raises(ValueError, match="is True or False; give bools, or 0 and 1"):
        replace(pairs, similar=shares)


def test_what_nothing_can_be_learned_from_is_refused() -> None:
    labels, vectors = synonym_sets()
    parts = concept_split(labels, 0.1, 1, 1, 0)
    with pytest.raises(ValueError, match="no judged pairs to learn from"):
        SMALL.prepared(TrainingData.prepare(labels, parts, vectors, CPU))
    pairs = judged()
    with pytest.raises(ValueError, match="both kinds are needed to train on"):
        replace(pairs, similar=pairs.similar | True)
    with pytest.raises(ValueError, match="1 similar and 9 dissimilar pairs are too few to train"):
        split_pairs(["a"] * 10, ["b"] * 10, np.arange(10) == 0, np.zeros(10, bool), 0)
    with pytest.raises(ValueError, match="do not fit together"):
        replace(pairs, parts=pairs.parts[1:])
    with pytest.raises(ValueError, match="temperature is 0"):
        replace(SMALL, temperature=0)
    with pytest.raises(ValueError, match="passes is 0; choose a number from 1"):
        replace(SMALL, passes=0)
