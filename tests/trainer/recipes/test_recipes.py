from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from torch import Tensor
from trainer_toy import Toy

from termexplorer.trainer.data.splits import TRAIN, few_shot_split, hls_split
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import FeedForwardEncoder
from termexplorer.trainer.recipes.base import best_epoch, meanings
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.tensors.objectives import HINGES, semantic_loss
from termexplorer.trainer.tensors.random_state import RandomState

CPU = torch.device("cpu")


def nothing() -> None:
    return None


def distance(left: Tensor, right: Tensor) -> float:
    return 1 - float(left @ right / (left.norm() * right.norm()))


def few_shot_data(toy: Toy) -> TrainingData:
    return TrainingData.prepare(toy.labels, few_shot_split(toy.labels, 5, 0), toy.vectors, CPU)


def hinge_of(triplets: list[tuple[float, float]], hinge: str) -> float:
    """The hinge loss with margin 0.1, triplet by triplet or of the means."""
    if hinge == "batch-mean":
        triplets = [tuple(np.mean(triplets, axis=0))]
    return float(np.mean([max(positive - negative + 0.1, 0) for positive, negative in triplets]))


@pytest.mark.parametrize("hinge", HINGES)
@pytest.mark.parametrize("recipe", [FewShot.paper(), FewShot.quick()])
def test_few_shot_losses_are_the_papers(clear_toy: Toy, recipe: FewShot, hinge: str) -> None:
    data = few_shot_data(clear_toy)
    recipe = replace(recipe, hidden=20, batch=recipe.batch and 1000, steps=1, hinge=hinge)
    noise = RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    losses = recipe.losses(data, plan, encoder.encode_units, noise)
    f = encoder.encode_units(data.names)
    number = data.of_names.classes.tolist()
    negative = dict(zip(plan["anchor"].tolist(), plan["negative"].tolist(), strict=True))
    triplets, grounding = [], []
    for a in range(len(f)):
        assert number[negative[a]] != number[a]
        triplets += [
            (distance(f[a], f[p]), distance(f[a], f[negative[a]]))
            for p in range(len(f))
            if p != a and number[p] == number[a]
        ]
        target = (data.names[a] + data.prototypes[number[a]]) / 2
        grounding.append(distance(f[a], target))
    assert float(losses["semantic"]) == pytest.approx(hinge_of(triplets, hinge), abs=1e-5)
    assert float(losses["grounding"]) == pytest.approx(np.mean(grounding), abs=1e-5)


def test_few_shot_validation_is_the_loss_of_the_held_out_names(clear_toy: Toy) -> None:
    data = few_shot_data(clear_toy)
    recipe = replace(FewShot.quick(), hidden=20, nearest=1)  # one negative to choose from
    encoder = recipe.encoder(data, RandomState(0, CPU))
    value = recipe.validate(data, encoder, RandomState(1, CPU), nothing)
    names, mentions = encoder.encode_units(data.names), encoder.encode_units(data.validation)
    number = data.of_names.classes.tolist()
    values = []
    for v, class_name in enumerate(data.of_validation.classes.tolist()):
        distances = [distance(mentions[v], name) for name in names]
        nearest = min(d for d, c in zip(distances, number, strict=True) if c != class_name)
        target = (data.validation[v] + data.prototypes[class_name]) / 2
        grounding = distance(mentions[v], target)
        values += [
            max(d - nearest + 0.1, 0) + grounding
            for d, c in zip(distances, number, strict=True)
            if c == class_name
        ]
    assert value == pytest.approx(np.mean(values), abs=1e-5)


def test_few_shot_refuses_names_of_several_classes(toy: Toy) -> None:
    parts = hls_split(toy.labels, 1, 2, 0)
    data = TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)
    recipe = replace(FewShot.quick(), hidden=8)
    with pytest.raises(ValueError, match="leave names of several unused"):
        recipe.prepared(data)


def test_few_shot_stops_when_no_lower_than_nine_epochs_before() -> None:
    recipe = FewShot.paper()
    falling = [1 - 0.01 * epoch for epoch in range(30)]
    assert not recipe.stops(falling)
    assert not recipe.stops([1.0] * 10)  # at least 11 epochs
    assert recipe.stops([1.0] * 11)
    assert recipe.stops([*falling[:10], falling[1]])
    assert not recipe.stops([*falling[:10], falling[1] - 1e-6])


@pytest.mark.parametrize("hinge", HINGES)
def test_dan_losses_are_the_papers(toy: Toy, hinge: str) -> None:
    parts = hls_split(toy.labels, 1, 2, 0)
    data = TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)
    recipe = replace(DeepAveraging.quick(), hidden=20, context_weight=2.0, hinge=hinge)
    noise = RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    assert sorted(plan["anchor"].tolist()) == list(range(int((parts == TRAIN).sum())))
    losses = recipe.losses(data, plan, encoder.encode_units, noise)
    f = encoder.encode_units(data.names)
    triplets, context, grounding = [], [], []
    for a, p, n, c in zip(
        *(plan[key].tolist() for key in ("anchor", "positive", "negative", "class")), strict=True
    ):
        triplets.append((distance(f[a], f[p]), distance(f[a], f[n])))
        context.append(2 * distance(f[a], data.names[a]))
        grounding.append(distance(f[a], (data.names[a] + data.prototypes[c]) / 2))
    assert float(losses["semantic"]) == pytest.approx(hinge_of(triplets, hinge), abs=1e-5)
    assert float(losses["context"]) == pytest.approx(np.mean(context), abs=1e-5)
    assert float(losses["grounding"]) == pytest.approx(np.mean(grounding), abs=1e-5)


def test_triplets_without_positive_or_negative_count_for_nothing() -> None:
    positive, negative = torch.tensor([0.5, 0.1, 0.9]), torch.tensor([0.2, 0.3, 0.1])
    for hinge in HINGES:
        some = semantic_loss(positive, negative, torch.tensor([1, 1, 0]), 0.1, hinge)
        assert float(some) == pytest.approx(hinge_of([(0.5, 0.2), (0.1, 0.3)], hinge))
        assert float(semantic_loss(positive, negative, torch.zeros(3), 0.1, hinge)) == 0


class Watched:
    """A forward pass that counts the names it is given."""

    def __init__(self, encoder: FeedForwardEncoder):
        self.encoder, self.names = encoder, 0

    def __call__(self, names: Tensor) -> Tensor:
        self.names += len(names)
        return self.encoder.encode_units(names)


@pytest.mark.parametrize(
    "recipe", [FewShot.paper(), replace(FewShot.quick(), steps=1), DeepAveraging.paper()]
)
def test_losses_of_weight_nought_are_not_computed(
    clear_toy: Toy, recipe: FewShot | DeepAveraging
) -> None:
    data = few_shot_data(clear_toy)
    recipe, noise = replace(recipe, hidden=20), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    whole = replace(recipe, batch=recipe.batch and 1000)
    plan = whole.plan(data, encoder, RandomState(0, CPU), nothing)
    everything = whole.losses(data, plan, encoder.encode_units, noise)
    for left_out in everything:
        rest = replace(whole, **{f"{left_out}_weight": 0.0})
        plan = rest.plan(data, encoder, RandomState(0, CPU), nothing)
        forward = Watched(encoder)
        losses = rest.losses(data, plan, forward, noise)
        assert losses.keys() == everything.keys() - {left_out}
        for name, loss in losses.items():
            assert float(loss) == pytest.approx(float(everything[name]), abs=1e-6)
        if left_out == "semantic":
            assert not plan.keys() & {"positive", "negative"}
            assert forward.names <= len(data.names) * (4 if isinstance(recipe, FewShot) else 1)
        assert np.isfinite(rest.validate(data, encoder, noise, nothing))


@pytest.mark.parametrize("recipe", [FewShot, DeepAveraging])
def test_settings_that_train_nothing_are_refused(
    recipe: type[FewShot | DeepAveraging],
) -> None:
    with pytest.raises(ValueError, match="choose one of nearest, density, random, hardest"):
        recipe(negatives="easiest")
    with pytest.raises(ValueError, match="choose one of triplet, batch-mean"):
        recipe(hinge="pair")
    nought = {name: 0.0 for name in meanings(recipe()) if name.endswith("_weight")}
    with pytest.raises(ValueError, match="no loss is left"):
        recipe(**nought)


def test_dan_validation_is_the_map_of_the_held_out_names(toy: Toy) -> None:
    parts = hls_split(toy.labels, 1, 3, 0)
    data = TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)
    recipe = replace(DeepAveraging.quick(), hidden=20)
    encoder = recipe.encoder(data, RandomState(0, CPU))
    membership = toy.labels.membership().toarray()
    vectors = encoder.encode(toy.vectors)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    precisions = []
    for mention in np.flatnonzero(parts == 1):
        order = np.argsort(-(vectors[parts == TRAIN] @ vectors[mention]), kind="stable")
        hits = (membership[parts == TRAIN][order] & membership[mention]).any(1)
        ranks = np.flatnonzero(hits) + 1
        precisions.append(np.mean(np.arange(1, len(ranks) + 1) / ranks))
    value = recipe.validate(data, encoder, RandomState(0, CPU), nothing)
    assert value == pytest.approx(np.mean(precisions), abs=1e-6)


def test_dan_stops_ten_epochs_after_its_best() -> None:
    recipe = DeepAveraging.paper()
    assert not recipe.stops([0.1, 0.5, *[0.2] * 9])
    assert recipe.stops([0.1, 0.5, *[0.2] * 10])
    assert recipe.stops([0.5] * 11)  # an equal figure is no improvement
    assert recipe.epochs_left([0.1, 0.5, 0.2]) == 9


def test_the_best_epoch_is_the_first_of_equal_ones() -> None:
    assert best_epoch([0.1, 0.5, 0.5], higher_is_better=True) == 2
    assert best_epoch([0.1, 0.5, 0.1], higher_is_better=False) == 1


@pytest.mark.parametrize("recipe", [FewShot.paper(), DeepAveraging.paper()])
def test_every_hyper_parameter_has_a_meaning(recipe: FewShot | DeepAveraging) -> None:
    meaning_by_name = meanings(recipe)
    assert list(meaning_by_name) == [field.name for field in fields(recipe)]
    assert all(meaning_by_name.values())


def test_the_papers_settings() -> None:
    few_shot, dan = FewShot.paper(), DeepAveraging.paper()
    assert (few_shot.hidden, few_shot.batch, few_shot.nearest) == (9600, 16, 1000)
    assert (few_shot.minimum_epochs, few_shot.maximum_epochs) == (11, 1000)
    assert (dan.hidden, dan.batch, dan.nearest, dan.patience) == (76_800, 64, 200, 10)
    for recipe in (few_shot, dan):
        assert (recipe.dropout, recipe.learning_rate, recipe.margin) == (0.5, 0.001, 0.1)
        assert recipe.precision == "float32"
