"""Words and letters that are learned beside pretrained vectors, against the formulas."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from grounding_steps import CPU, nothing
from spelled_steps import WIDTH, word_pairs
from trainer_controls import After
from training_steps import figures

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.data.spelling import Speller, pieces_of
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.spelled import SpelledEncoder
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.spelled import ContrastiveSpelled
from termexplorer.trainer.representations.matrix import MatrixNames
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import BEST, train

SMALL = replace(
    ContrastiveSpelled.quick(), hidden=32, width=16, batch=64, maximum_epochs=4, precision="float32"
)


def prepared() -> TrainingData:
    labels, parts, vectors = word_pairs()
    return SMALL.prepared(TrainingData.prepare(labels, parts, vectors, CPU))


def test_pieces_are_words_and_runs_of_letters() -> None:
    assert pieces_of("Ear-X") == [
        "ear", "x",
        "#<ea", "#ear", "#ar>", "#<ear", "#ear>", "#<ear>", "#<x>",
    ]  # fmt: skip
    assert pieces_of(" - ") == []


def test_bags_hold_what_two_names_share_weighted_by_its_rarity() -> None:
    names = ["ear pain", "ear", "nose"]
    speller = Speller.fit(names, CPU)
    assert set(speller.pieces) == set(pieces_of("ear"))
    inverse = math.log((1 + 3) / (1 + 2)) + 1
    bags = speller.bags(["ear ear", "gnome", "ear"])
    count = len(pieces_of("ear"))
    assert bags.starts.tolist() == [0, count, count, 2 * count]
    last = bags.pieces[count:].tolist()
    assert sorted(speller.pieces[at] for at in last) == sorted(pieces_of("ear"))
    assert bags.weights[:count].tolist() == pytest.approx([2 * inverse] * count)
    some = bags.of(torch.tensor([2, 1, 2]))
    assert some.starts.tolist() == [0, count, count, 2 * count]
    assert some.weights.tolist() == pytest.approx([inverse] * 2 * count)


def test_names_without_anything_in_common_are_refused() -> None:
    with pytest.raises(ValueError, match="no two of the 2 names share a word or three letters"):
        Speller.fit(["ab", "cd"], CPU)


def test_the_encoder_is_its_formula() -> None:
    data = prepared()
    encoder = SMALL.encoder(data, RandomState(1, CPU))
    names = ["acute renal pain", "late lung gnome", "zzz"]
    vectors = np.random.default_rng(1).normal(size=(3, WIDTH)).astype(np.float32)
    of = {name: weight.double().numpy() for name, weight in encoder.tensors.items()}
    rarity = dict(zip(encoder.speller.pieces, encoder.speller.weights.tolist(), strict=True))
    number = {piece: row for row, piece in enumerate(encoder.speller.pieces)}
    expected = []
    for name, vector in zip(names, vectors.astype(np.float64), strict=True):
        known = [piece for piece in pieces_of(name) if piece in number]
        summed = sum((rarity[p] * of["table"][number[p]] for p in known), np.zeros(16))
        spelled = summed / (np.linalg.norm(summed) or 1) * of["length"]
        unit = vector / np.linalg.norm(vector)
        hidden = np.maximum(of["w1"] @ np.concatenate((unit, spelled)) + of["b1"], 0)
        expected.append((of["w2"] @ hidden + of["b2"] + unit) / 2)
    np.testing.assert_allclose(encoder.encode_names(names, vectors), expected, atol=2e-6)


def test_gradients_are_those_of_finite_differences() -> None:
    data = prepared()
    recipe = replace(SMALL, dropout=0.0)
    encoder = recipe.encoder(data, RandomState(1, CPU))
    plan = recipe.plan(data, encoder, RandomState(2, CPU), nothing)
    batch = {key: column[:20] for key, column in plan.items()}
    noise = RandomState(3, CPU)

    def loss() -> torch.Tensor:
        step = encoder.step(data, noise, recipe.dropout)
        return torch.stack(list(recipe.losses(data, batch, step, noise).values())).sum()

    loss().backward()
    gradients = {name: weight.grad for name, weight in encoder.tensors.items()}
    for name, weight in encoder.tensors.items():
        gradient = gradients[name]
        assert gradient is not None
        analytic = gradient.flatten()
        position, by = int(analytic.abs().argmax()), 1e-2
        flat = weight.detach().view(-1)
        here = float(flat[position])
        flat[position] = here + by
        above = float(loss().detach())
        flat[position] = here - by
        below = float(loss().detach())
        flat[position] = here
        assert float(analytic[position]) == pytest.approx((above - below) / (2 * by), rel=0.05), (
            name
        )


def test_it_learns_which_words_mean_the_same(tmp_path: Path) -> None:
    labels, parts, vectors = word_pairs()
    longer = {"maximum_epochs": 30, "patience": 30, "learning_rate": 0.01, "batch": 16}
    without = replace(Contrastive.quick(), hidden=32, precision="float32", **longer)
    best = {}
    for recipe in (replace(SMALL, **longer), without):
        reports = list(
            train(
                recipe,
                labels,
                parts,
                vectors,
                seed=0,
                device="cpu",
                state_dir=tmp_path / recipe.name,
            )
        )
        best[recipe.name] = max(report.validation for report in reports)
    assert best["contrastive"] < 0.3 < 0.8 < best["contrastive-spelled"]


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    labels, parts, vectors = word_pairs()

    def start(folder_name: str, **more: object) -> list[trainer.training.run.EpochReport]:
        folder = tmp_path / folder_name
        return list(
            train(SMALL, labels, parts, vectors, seed=3, device="cpu", state_dir=folder, **more)
        )

    whole = start("whole")
    before = start("parts", control=After(5))
    assert len(before) < len(whole)
    assert figures(before + start("parts", resume=True)) == figures(whole)
    first, second = (
        encoders.load_any(tmp_path / folder_name / BEST) for folder_name in ("whole", "parts")
    )
    names = list(labels.names)
    assert isinstance(first, SpelledEncoder)
    assert isinstance(second, SpelledEncoder)
    assert (first.encode_names(names, vectors) == second.encode_names(names, vectors)).all()


def test_a_chain_encodes_by_vectors_and_spelling_together(tmp_path: Path) -> None:
    labels, parts, vectors = word_pairs()
    list(train(SMALL, labels, parts, vectors, seed=0, device="cpu", state_dir=tmp_path))
    encoder = encoders.load_any(tmp_path / BEST)
    assert isinstance(encoder, SpelledEncoder)
    with pytest.raises(ValueError, match="reads names, not vectors of names"):
        encoders.load(tmp_path / BEST)
    chain = ChainedNames(MatrixNames(vectors, labels.names), encoder)
    asked = [*labels.names[:5], "never heard of"]
    encoded = chain.encode(asked)
    alone = encoder.encode_names(asked[:5], vectors[:5])
    alone /= np.linalg.norm(alone, axis=1, keepdims=True)
    np.testing.assert_allclose(encoded[:5], alone, atol=1e-6)
    assert not encoded[5].any()  # nothing is known of it beneath
    with pytest.raises(ValueError, match=r"takes \(5, 12\) vectors, not \(5, 11\)"):
        encoder.encode_names(asked[:5], vectors[:5, 1:])
