"""The last layers of a transformer, trained further."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_transformer import write_bert
from trainer_controls import After
from tuned_steps import sets

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders import load_any
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.tuned import TunedTransformer
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.tuned import Tuned
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import BEST, train

CPU = torch.device("cpu")
SMALL = Tuned(layers=1, batch=8, learning_rate=0.01, maximum_epochs=3, patience=3)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> TransformerNames:
    folder = tmp_path_factory.mktemp("models")
    write_bert(folder / "tiny")
    convert_folder(folder / "tiny", folder / "copy")
    return TransformerNames.load(folder / "copy")


def data_of(source: TransformerNames) -> TrainingData:
    labels, parts = sets()
    return TrainingData.prepare(labels, parts, source.encode(labels.names), CPU, source)


def test_a_step_has_the_gradients_of_the_transformer_itself(source: TransformerNames) -> None:
    data, noise = data_of(source), RandomState(0, CPU)
    recipe = replace(SMALL, name_weight=0.5, longest=6)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, lambda: None)
    step = encoder.step(data, noise, recipe.dropout)
    losses = recipe.losses(data, plan, step, noise)
    torch.stack(list(losses.values())).sum().backward()
    model = copy.deepcopy(source.model).requires_grad_(True)
    labels, _ = sets()
    trained = [name for index, name in enumerate(labels.names) if index % 4 < 3]
    rows = [
        model(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(0)
        for ids in source.pieces(trained, 6)
    ]
    units = unit(torch.stack(rows))
    anchors, positives = units[plan["anchor"]], units[plan["positive"]]
    scores = anchors @ positives.T / recipe.temperature
    same = plan["class"][:, None] == plan["class"][None, :]
    scores = scores.masked_fill(same & ~torch.eye(len(same), dtype=torch.bool), -torch.inf)
    target = torch.arange(len(scores))
    cross = torch.nn.functional.cross_entropy
    contrast = (cross(scores, target) + cross(scores.T, target)) / 2
    near = (1 - (anchors * data.names[plan["anchor"]]).sum(1)).mean()
    assert float(losses["contrast"].detach()) == pytest.approx(float(contrast.detach()), abs=1e-5)
    assert float(losses["name"].detach()) == pytest.approx(0.5 * float(near.detach()), abs=1e-5)
    (contrast + 0.5 * near).backward()
    parameters = dict(model.named_parameters())
    assert encoder.weights().keys() == {n for n in parameters if n.startswith("encoder.layer.1.")}
    for name, weight in encoder.weights().items():
        torch.testing.assert_close(weight.grad, parameters[name].grad, atol=1e-5, rtol=1e-3)


def test_it_learns_and_goes_on_as_if_never_stopped(
    source: TransformerNames, tmp_path: Path
) -> None:
    labels, parts = sets()
    vectors, untouched = source.encode(labels.names), copy.deepcopy(source.model.state_dict())
    options = {"seed": 3, "device": "cpu", "source": source}

    def run(folder: str, **more: object) -> list[float]:
        run_folder = tmp_path / folder
        reports = train(SMALL, labels, parts, vectors, state_dir=run_folder, **options, **more)  # type: ignore[arg-type]
        return [report.losses["contrast"] for report in reports]

    whole = run("whole")
    assert whole[-1] < whole[0]
    part = run("part", control=After(3))
    assert part + run("part", resume=True) == whole
    for name, weight in source.model.state_dict().items():
        assert torch.equal(weight, untouched[name])
    tuned = [load_any(tmp_path / folder / BEST) for folder in ("whole", "part")]
    names = [ChainedNames(source, encoder).encode([*labels.names, ""]) for encoder in tuned]
    np.testing.assert_array_equal(names[0], names[1])
    np.testing.assert_allclose(np.linalg.norm(names[0][:-1], axis=1), 1, atol=1e-5)
    assert not names[0][-1].any()
    assert np.abs(names[0][:-1] - unit(torch.from_numpy(vectors)).numpy()).max() > 0.01


def test_half_of_the_way_is_half_of_it(source: TransformerNames, tmp_path: Path) -> None:
    labels, parts = sets()
    vectors = source.encode(labels.names)
    weights_by_share = {}
    for share in (0.25, 1.0):
        recipe = replace(SMALL, share=share, maximum_epochs=1)
        folder = tmp_path / str(share)
        given = {"seed": 3, "device": "cpu", "state_dir": folder, "source": source}
        list(train(recipe, labels, parts, vectors, **given))  # type: ignore[arg-type]
        encoder = load_any(folder / BEST)
        assert isinstance(encoder, TunedTransformer)
        weights_by_share[share] = encoder.weights()
    start = source.layers(1)
    for name, whole in weights_by_share[1.0].items():
        expected = start[name] + 0.25 * (whole - start[name])
        torch.testing.assert_close(weights_by_share[0.25][name], expected, atol=1e-6, rtol=1e-5)
        assert not torch.equal(whole, start[name])
    with pytest.raises(ValueError, match=r"share is 0\.0; choose a number above 0 and up to 1"):
        replace(SMALL, share=0.0)


def test_what_cannot_be_tuned_is_refused(source: TransformerNames) -> None:
    with pytest.raises(ValueError, match="layers is 0"):
        replace(SMALL, layers=0)
    assert len(source.layers(3)) == len(source.layers(2)) == 2 * len(source.layers(1))
    words = WordVectors(np.eye(16, dtype=np.float32), [f"w{n}" for n in range(16)])
    with pytest.raises(ValueError, match="WordVectors is not"):
        ChainedNames(words, TunedTransformer.initial(source, 1))
    with pytest.raises(ValueError, match="of width 16"):
        TunedTransformer(16, {}).encode_names(["fever"], _Wider(source))


class _Wider(TransformerNames):
    def __init__(self, of: TransformerNames) -> None:
        super().__init__(of.model, of.tokenizer, of.pooling, of.longest)
        self.dimension = 17


@pytest.mark.parametrize("recipe", [Contrastive, Tuned])
def test_an_epoch_may_be_of_some_pairs(
    source: TransformerNames, recipe: type[Contrastive | Tuned]
) -> None:
    data, noise = data_of(source), RandomState(0, CPU)
    plans = [recipe(pairs=5).plan(data, None, noise, lambda: None) for _ in range(2)]
    assert [len(plan["anchor"]) for plan in plans] == [5, 5]
    assert not torch.equal(plans[0]["anchor"], plans[1]["anchor"])
    with pytest.raises(ValueError, match="pairs is -1"):
        recipe(pairs=-1)


class _Told(TransformerNames):
    """Says where it was taken, and where the weights were that it encoded by."""

    def __init__(self, of: TransformerNames) -> None:
        super().__init__(of.model, of.tokenizer, of.pooling, of.longest)
        self.taken: list[torch.device] = []
        self.here = torch.device("cpu")

    @property
    def device(self) -> torch.device:
        return self.here

    def to(self, device: torch.device) -> None:
        self.taken.append(device)

    def encode_with(self, weights: Mapping[str, torch.Tensor], names: Sequence[str]) -> np.ndarray:
        assert {weight.device for weight in weights.values()} <= {self.here}
        return np.zeros((len(names), self.dimension), dtype=np.float32)


def test_the_transformer_and_the_weights_are_on_one_device(
    source: TransformerNames, tmp_path: Path
) -> None:
    recorder, (labels, parts) = _Told(source), sets()
    given = {"seed": 3, "device": "cpu", "state_dir": tmp_path, "source": recorder}
    recipe = replace(SMALL, maximum_epochs=1)
    list(train(recipe, labels, parts, source.encode(labels.names), **given))  # type: ignore[arg-type]
    assert recorder.taken == [torch.device("cpu")]
    recorder.here = torch.device("meta")  # as a graphics processor, which is not there
    encoder = load_any(tmp_path / BEST)
    assert isinstance(encoder, TunedTransformer)
    assert encoder.encode_names(["fever"], recorder).shape == (1, 16)
