"""A graphics processor gives what the processor gives; skipped where there is none.

A run draws its random numbers on its own device, which gives others on each. Here they are drawn
on the processor for both, so that whole runs can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from grounding_steps import synonym_sets
from small_recipes import SMALL, Given, give, run_recipe, write_transformer
from torch import Tensor
from trainer_controls import After
from trainer_toy import make_toy

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.data.negatives import RULES, draw_negatives
from termexplorer.trainer.data.splits import (
    TEST,
    TRAIN,
    VALIDATION,
    ZERO_SHOT,
    concept_split,
    hls_split,
)
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.synonym_retrieval import synonym_retrieval
from termexplorer.trainer.recipes import RECIPES
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.search.retrieval import average_precisions
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.epochs import BEST, EpochReport

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA here")

CUDA, CPU = "cuda:0", "cpu"
NAMES = sorted(RECIPES)


class SameNoise:
    """The numbers that the processor draws, on any device."""

    def __init__(self, seed: int, device: torch.device) -> None:
        self.seed, self.device = seed, device
        self._noise = RandomState(seed, torch.device(CPU))
        self.state, self.restore = self._noise.state, self._noise.restore
        self.share_kept = self._noise.share_kept

    def keep(self, *given: Any) -> Tensor:
        return self._noise.keep(*given).to(self.device)

    def uniform(self, *shape: int) -> Tensor:
        return self._noise.uniform(*shape).to(self.device)

    def below(self, limits: Tensor) -> Tensor:
        return self._noise.below(limits.cpu()).to(self.device)

    def permutation(self, count: int) -> Tensor:
        return self._noise.permutation(count).to(self.device)


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_transformer(tmp_path_factory.mktemp("models"))


@pytest.fixture
def data(transformer: Path) -> Callable[[str], Given]:
    return partial(give, transformer=transformer)


@pytest.fixture
def same_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("termexplorer.trainer.training.run.RandomState", SameNoise)
    monkeypatch.setattr(DeepAveraging, "recordable", False)  # numbers come from elsewhere


def encoded(given: Given, folder: Path, device: str) -> np.ndarray:
    encoder: Any = encoders.load_any(folder / BEST, device)
    if not isinstance(encoder, encoders.WordEncoder):
        return np.asarray(encoder.encode(given.vectors))
    source = given.more.get("source", given.vectors)
    return np.asarray(encoder.encode_names(given.labels.names, source))


def test_every_recipe_is_tried() -> None:
    assert set(SMALL) == set(RECIPES)


@pytest.mark.usefixtures("same_noise")
@pytest.mark.parametrize("name", NAMES)
def test_a_run_comes_to_what_it_does_on_the_processor(
    name: str, data: Callable[[str], Given], tmp_path: Path
) -> None:
    reports_by_device = {
        device: run_recipe(SMALL[name], data(name), tmp_path / device, device)
        for device in (CPU, CUDA)
    }
    assert len(reports_by_device[CPU]) == len(reports_by_device[CUDA]) >= 1
    for first, second in zip(reports_by_device[CPU], reports_by_device[CUDA], strict=True):
        assert second.losses == pytest.approx(first.losses, rel=5e-3, abs=1e-4), first.epoch
        assert second.validation == pytest.approx(first.validation, rel=1e-2, abs=2e-3), first.epoch
    given = data(name)
    vectors = {device: encoded(given, tmp_path / device, CPU) for device in (CPU, CUDA)}
    lengths = np.linalg.norm(vectors[CPU], axis=1) * np.linalg.norm(vectors[CUDA], axis=1)
    cosines = (vectors[CPU] * vectors[CUDA]).sum(1)[lengths > 0] / lengths[lengths > 0]
    assert cosines.min() > 0.999


@pytest.mark.parametrize("name", NAMES)
def test_an_encoder_of_cuda_opens_on_either(
    name: str, data: Callable[[str], Given], tmp_path: Path
) -> None:
    reports = run_recipe(SMALL[name], data(name), tmp_path, CUDA)
    assert np.isfinite([report.validation for report in reports]).all()
    on_cuda = encoded(data(name), tmp_path, CUDA)
    np.testing.assert_allclose(on_cuda, encoded(data(name), tmp_path, CPU), atol=2e-5)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_figures(
    name: str, data: Callable[[str], Given], tmp_path: Path
) -> None:
    given = data(name)
    first, again = (run_recipe(SMALL[name], given, tmp_path / part, CUDA) for part in "ab")
    assert figures(first) == figures(again)
    left, right = (encoded(given, tmp_path / part, CUDA) for part in "ab")
    np.testing.assert_array_equal(left, right)


def test_recorded_steps_come_to_what_single_operations_do(
    data: Callable[[str], Given], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, replays = data("dan"), []
    replay = torch.cuda.CUDAGraph.replay
    monkeypatch.setattr(
        torch.cuda.CUDAGraph, "replay", lambda graph: [replays.append(1), replay(graph)]
    )
    recorded = run_recipe(SMALL["dan"], given, tmp_path / "recorded", CUDA)
    assert replays
    monkeypatch.setattr(DeepAveraging, "recordable", False)
    assert figures(run_recipe(SMALL["dan"], given, tmp_path / "one by one", CUDA)) == figures(
        recorded
    )
    first, second = (encoded(given, tmp_path / part, CUDA) for part in ("recorded", "one by one"))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(SMALL[name], "stops")])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(
    name: str, data: Callable[[str], Given], tmp_path: Path
) -> None:
    given = data(name)
    whole = run_recipe(SMALL[name], given, tmp_path / "whole", CUDA)
    parts = run_recipe(SMALL[name], given, tmp_path / "parts", CUDA, control=After(4))
    assert len(parts) < len(whole)
    parts += run_recipe(SMALL[name], given, tmp_path / "parts", CUDA, resume=True)
    assert figures(parts) == figures(whole)


def figures(reports: list[EpochReport]) -> list[list[float]]:
    return [[report.validation, *report.losses.values()] for report in reports]


@pytest.mark.parametrize("name", ["few-shot", "dan", "conceptual-grounding", "contrastive"])
def test_bfloat16_trains(name: str, data: Callable[[str], Given], tmp_path: Path) -> None:
    recipe = replace(SMALL[name], precision="bfloat16", maximum_epochs=12)
    reports = run_recipe(recipe, data(name), tmp_path, CUDA)
    losses = [sum(report.losses.values()) for report in reports]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("rule", RULES)
def test_negatives_are_those_of_the_processor(rule: str) -> None:
    toy = make_toy(900, 30, 16, 80)
    parts = hls_split(toy.labels, 1, 3, 0)
    drawn = {}
    for device in map(torch.device, (CPU, CUDA)):
        training_data = TrainingData.prepare(toy.labels, parts, toy.vectors, device)
        noise: Any = SameNoise(0, device)
        given = (
            rule,
            training_data,
            training_data.of_names,
            training_data.names,
            training_data.names,
            20,
            noise,
            lambda: None,
        )
        names, has_negative = draw_negatives(*given)
        drawn[device.type] = names.cpu(), has_negative.cpu()
    assert torch.equal(drawn["cpu"][1], drawn["cuda"][1])
    same = (drawn["cpu"][0] == drawn["cuda"][0]).float().mean()
    assert same > 0.99, "but where two cosines are the same to the last digit"


def test_rankings_with_ties_are_those_of_the_processor() -> None:
    noise = torch.Generator().manual_seed(0)
    similarities = torch.randint(0, 9, (60, 400), generator=noise).float() / 8
    relevant = torch.rand(60, 400, generator=noise) < 0.05
    relevant[7] = False
    expected = average_precisions(similarities, relevant)
    result = average_precisions(similarities.to(CUDA), relevant.to(CUDA))
    torch.testing.assert_close(result.cpu(), expected, rtol=0, atol=1e-12, equal_nan=True)


def test_figures_are_those_of_the_processor() -> None:
    labels, vectors = synonym_sets()
    parts = concept_split(labels, 0.1, 1, 1, 0)
    train, test, zero_shot = (np.flatnonzero(parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    places: dict[str, Any] = {"train": train, "test": test, "zero_shot": zero_shot}
    on_cpu, on_gpu = (
        synonym_retrieval(labels, cosine_scores(vectors, device=device), **places)
        for device in (CPU, CUDA)
    )
    for task, result in on_cpu.items():
        for metric, values in result.items.items():
            np.testing.assert_allclose(on_gpu[task].items[metric], values, atol=1e-6)


def test_the_notebook_takes_cuda_of_itself(tmp_path: Path) -> None:
    labels, vectors = synonym_sets()
    data = trainer.Data(labels, concept_split(labels, 0.1, 1, 1, 0), vectors=vectors)
    for _report in trainer.train(SMALL["contrastive"], data, state_dir=tmp_path / "run"):
        assert torch.cuda.memory_allocated() > 0
    assert (data.parts == VALIDATION).any()


@pytest.fixture
def little_memory() -> Iterator[Callable[[float], None]]:
    """Lets the test take no more of the card than some megabytes."""
    total = torch.cuda.get_device_properties(CUDA).total_memory

    def set_to(megabytes: float) -> None:
        torch.cuda.empty_cache()
        taken = torch.cuda.memory_reserved()
        torch.cuda.set_per_process_memory_fraction((taken + megabytes * 2**20) / total)

    yield set_to
    torch.cuda.set_per_process_memory_fraction(1.0)
    torch.cuda.empty_cache()


@pytest.mark.parametrize(("megabytes", "ends_on"), [(900, CUDA), (20, CPU)])
def test_a_batch_that_does_not_fit_is_halved_and_at_last_the_processor_taken(
    megabytes: float, ends_on: str, tmp_path: Path, little_memory: Callable[[float], None]
) -> None:
    from termexplorer.workers.process.memory import within_memory

    toy = make_toy(9000, 6, 16, 0)
    given = Given(toy.labels, hls_split(toy.labels, 2, 3, 0), toy.vectors, {})
    asked = replace(DeepAveraging.paper(), hidden=200_000, batch=1024, maximum_epochs=1)
    tried: list[tuple[int, str]] = []
    seen: list[str] = []

    def once(recipe: DeepAveraging, device: str) -> list[EpochReport]:
        tried.append((recipe.batch, device))
        recipe = recipe if device != CPU else replace(recipe, hidden=64)  # in a moment
        return run_recipe(recipe, given, tmp_path / str(len(tried)), device)

    little_memory(megabytes)
    (report,) = within_memory(asked, CUDA, once, seen.append)
    assert np.isfinite(report.validation)
    assert len(tried) > 1
    assert tried[-1][1] == ends_on
    assert len(seen) == len(tried) - 1
    assert seen[0] == f"{CUDA} is out of memory: the batch is now 512"
    batches = [batch for batch, device in tried if device == CUDA]
    assert batches == [1024 // 2**halved for halved in range(len(batches))]
