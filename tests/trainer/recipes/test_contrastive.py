from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from grounding_steps import CPU, distance, nothing, synonym_sets

from termexplorer.trainer import encoders
from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT, concept_split
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.synonym_retrieval import synonym_retrieval
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.tensors.objectives import contrastive_loss
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import BEST, train

SMALL = replace(Contrastive.quick(), hidden=64, batch=32, precision="float32")


def prepared() -> TrainingData:
    labels, vectors = synonym_sets()
    return TrainingData.prepare(labels, concept_split(labels, 0.1, 1, 1, 0), vectors, CPU)


def told_apart(scores: list[float]) -> float:
    """The cross-entropy of choosing the first of some scores."""
    return -math.log(math.exp(scores[0]) / sum(map(math.exp, scores)))


def test_losses_are_those_of_the_formulas() -> None:
    recipe = replace(SMALL, contrast_weight=2.0, name_weight=3.0, prototype_weight=5.0)
    data, noise = prepared(), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    batch = {key: column[:40] for key, column in plan.items()}
    losses = recipe.losses(data, batch, encoder.encode_units, noise)
    f, number = encoder.encode_units(data.names), data.of_names.classes.tolist()
    anchor, positive = (batch[key].tolist() for key in ("anchor", "positive"))
    contrasts = []
    for at, name in enumerate(anchor):
        assert number[name] == number[positive[at]] == int(batch["class"][at])
        assert name != positive[at]
        other_names = [index for index in range(40) if number[anchor[index]] != number[name]]
        near = [(1 - distance(f[name], f[positive[index]])) / 0.05 for index in (at, *other_names)]
        back = [
            (1 - distance(f[anchor[index]], f[positive[at]])) / 0.05 for index in (at, *other_names)
        ]
        contrasts.append((told_apart(near) + told_apart(back)) / 2)
    distances = [distance(f[name], data.names[name]) for name in anchor]
    drawn = [distance(f[name], data.prototypes[number[name]]) for name in anchor]
    assert float(losses["contrast"]) == pytest.approx(2 * np.mean(contrasts), rel=1e-4)
    assert float(losses["name"]) == pytest.approx(3 * np.mean(distances), rel=1e-4)
    assert float(losses["prototype"]) == pytest.approx(5 * np.mean(drawn), rel=1e-4)


def test_a_pair_without_others_has_nothing_to_be_told_from() -> None:
    similarities = torch.tensor([[0.3]], requires_grad=True)
    loss = contrastive_loss(similarities, torch.zeros(1, 1, dtype=torch.bool), 0.05)
    loss.backward()
    assert float(loss.detach()) == 0
    assert similarities.grad is not None
    assert similarities.grad.tolist() == [[0.0]]


def test_the_gradient_is_that_of_finite_differences() -> None:
    similarities = torch.rand(5, 5, dtype=torch.float64, requires_grad=True)
    is_negative = ~torch.eye(5, dtype=torch.bool)
    is_negative[0, 3] = False

    def loss(values: torch.Tensor) -> torch.Tensor:
        return contrastive_loss(values, is_negative, 0.3)

    assert torch.autograd.gradcheck(loss, similarities)


def test_names_without_synonyms_are_no_anchors() -> None:
    data, noise = prepared(), RandomState(0, CPU)
    plan = SMALL.plan(data, SMALL.encoder(data, noise), noise, nothing)
    sizes = data.class_sizes[data.of_names.classes]
    assert sorted(plan["anchor"].tolist()) == (sizes > 1).nonzero().squeeze(1).tolist()


def test_settings_that_nothing_can_be_trained_by_are_refused() -> None:
    with pytest.raises(ValueError, match="no loss is left"):
        replace(SMALL, contrast_weight=0.0, name_weight=0.0, prototype_weight=0.0)
    with pytest.raises(ValueError, match="temperature is 0"):
        replace(SMALL, temperature=0)


def test_it_finds_synonyms_that_it_has_not_seen(tmp_path: Path) -> None:
    labels, vectors = synonym_sets(concepts=300)
    parts = concept_split(labels, 0.1, 1, 1, 0)
    list(train(SMALL, labels, parts, vectors, seed=0, device="cpu", state_dir=tmp_path))
    trained = encoders.load(tmp_path / BEST)
    train_, test, zero_shot = (np.flatnonzero(parts == p) for p in (TRAIN, TEST, ZERO_SHOT))
    before, after = (
        synonym_retrieval(
            labels, cosine_scores(encoded), train=train_, test=test, zero_shot=zero_shot
        )
        for encoded in (vectors, trained.encode(vectors))
    )
    for variant in ("test", "zero-shot"):
        value, base = after[variant].figures[0].value, before[variant].figures[0].value
        assert value > 1.2 * base
