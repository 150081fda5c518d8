"""A GPU whose memory is too small, simulated: this machine may have none."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from toy_workspace import FEW_SHOT

from termexplorer.services.recipes.presets import hyperparameters
from termexplorer.store.kept_messages import decode_message
from termexplorer.trainer.recipes.cca import CanonicalCorrelation
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.training.run import EpochReport, train
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.memory import within_memory
from termexplorer.workers.train.training import run_training
from termexplorer.workers.train.training_messages import Prepared, TrainingRequest


class Machine:
    """Trains what fits.

    Attributes:
        fits: the largest batch that the GPU can take.
        tried: batch and device of each attempt.
    """

    def __init__(self, fits: int) -> None:
        self.fits = fits
        self.tried: list[tuple[int, str]] = []
        self.messages: list[str] = []

    def train(self, recipe: DeepAveraging | FewShot, device: str) -> str:
        self.tried.append((recipe.batch, device))
        if device != "cpu" and not 0 < recipe.batch <= self.fits:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return "trained"


def test_the_batch_is_halved_until_it_fits() -> None:
    machine = Machine(fits=20)
    recipe = replace(DeepAveraging.quick(), batch=64)
    assert within_memory(recipe, "cuda:0", machine.train, machine.messages.append) == "trained"
    assert machine.tried == [(64, "cuda:0"), (32, "cuda:0"), (16, "cuda:0")]
    assert machine.messages == [
        "cuda:0 is out of memory: the batch is now 32",
        "cuda:0 is out of memory: the batch is now 16",
    ]


@pytest.mark.parametrize("units", [10**13, 10**17])
def test_what_no_machine_has_room_for_is_told_as_that(units: int) -> None:
    with pytest.raises(MemoryError):
        within_memory(
            DeepAveraging.quick(), "cpu", lambda *_: torch.empty(units, 300), lambda _: None
        )


def test_at_last_it_trains_on_the_processor_with_the_batch_that_was_asked_for() -> None:
    machine = Machine(fits=0)
    recipe = replace(DeepAveraging.quick(), batch=4)
    within_memory(recipe, "cuda:0", machine.train, machine.messages.append)
    assert machine.tried == [(4, "cuda:0"), (2, "cuda:0"), (1, "cuda:0"), (4, "cpu")]
    assert machine.messages[-1] == "cuda:0 is out of memory whatever the batch: trained on the CPU"


def test_all_names_at_once_become_batches_as_in_the_paper() -> None:
    machine = Machine(fits=16)
    within_memory(FewShot.quick(), "cuda:0", machine.train, machine.messages.append)
    assert [batch for batch, _ in machine.tried] == [0, 16]


def test_a_recipe_without_batches_goes_to_the_processor_at_once() -> None:
    tried = []

    def train(_recipe: CanonicalCorrelation, device: str) -> None:
        tried.append(device)
        if device != "cpu":
            raise RuntimeError("HIP out of memory")

    within_memory(CanonicalCorrelation(), "cuda:1", train, lambda _note: None)
    assert tried == ["cuda:1", "cpu"]


@pytest.mark.parametrize("device", ["cuda:0", "cpu"])
def test_other_errors_are_not_swallowed(device: str) -> None:
    def train(_recipe: DeepAveraging, _device: str) -> None:
        raise RuntimeError("shapes do not fit" if device != "cpu" else "out of memory")

    with pytest.raises(RuntimeError):
        within_memory(DeepAveraging.quick(), device, train, lambda _note: None)


class Reports:
    """What a child would send."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.cards: list[dict[str, Any]] = []

    def kept_notes(self) -> list[str]:
        return [str(decode_message(note)) for note in self.cards[-1]["memory"]]

    def report(self, message: object) -> None:
        if isinstance(message, Prepared):
            self.cards.append(dict(message.facts))

    def progress(self, _fraction: float | None, text: str, *, ending: bool = False) -> None:
        self.texts.append(text)

    def stopped(self) -> bool:
        return False

    def paused(self) -> bool:
        return False


def test_a_run_says_so_in_its_log_and_on_its_card(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train_where_there_is_memory(
        recipe: FewShot, *data: object, device: str, **more: object
    ) -> Iterator[EpochReport]:
        if device != "cpu" and recipe.batch > 4:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return train(recipe, *data, device="cpu", **more)  # type: ignore[arg-type]

    offered = (("auto", "Auto"), ("cpu", "CPU"), ("cuda:0", "Simulated"))
    monkeypatch.setattr("termexplorer.workers.process.devices.devices", lambda *_: offered)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _device: "Simulated")
    monkeypatch.setattr("termexplorer.trainer.training.run.train", train_where_there_is_memory)
    settings = {"hidden": 8, "batch": 16, "precision": "float32", "maximum_epochs": 2}
    asked = replace(FEW_SHOT, hyperparameters=settings)
    workspace = shutil.copytree(toy, tmp_path / "workspace")
    request = TrainingRequest(
        workspace=workspace,
        folder=tmp_path / "run",
        run=replace(asked, device="cuda:0"),
        hyperparameters=hyperparameters("few-shot", "quick", settings),
    )
    reports = Reports()
    trained = run_training(request, cast("Channel", reports))
    notes = [f"cuda:0 is out of memory: the batch is now {batch}" for batch in (8, 4)]
    assert [text for text in reports.texts if "memory" in text] == notes
    assert reports.kept_notes() == notes
    assert "memory" not in reports.cards[0]
    assert trained.best_epoch >= 0
    again = Reports()
    run_training(replace(request, resume=True), cast("Channel", again))
    assert again.kept_notes() == ["Goes on with the batch of 4 that fitted"]
