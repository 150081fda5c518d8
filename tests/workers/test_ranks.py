"""Training by several processes: the figures of one, and what is left where one is killed."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trainer_toy import make_toy
from training_steps import figures

from termexplorer.errors import UserError
from termexplorer.trainer import encoders
from termexplorer.trainer.data.splits import few_shot_split, hls_split
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.cca import CanonicalCorrelation
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.recipes.grounding import ConceptualGrounding
from termexplorer.trainer.tensors.ranks import RankLostError, Ranks
from termexplorer.trainer.training.run import BEST, STATE, EpochReport, train
from termexplorer.workers.train.ranks import (
    SharedTraining,
    _find_free_port,
    _start_rank,
    check_devices,
    started_ranks,
)

TOY = make_toy(names=120, classes=6, width=12, ambiguous=0)
RECIPES: dict[str, Any] = {
    "few-shot, all names": replace(FewShot.quick(), hidden=33, precision="float32"),
    "few-shot": replace(FewShot.paper(), hidden=32),
    "contrastive": replace(Contrastive.quick(), hidden=32, batch=25, precision="float32"),
    "dan": replace(DeepAveraging.quick(), hidden=32, batch=31, precision="float32"),
    "grounding": replace(ConceptualGrounding.quick(), hidden=32, precision="float32"),
}


def arguments(recipe: Any, folder: Path, **more: object) -> dict[str, Any]:
    few_shot = isinstance(recipe, FewShot)
    parts = few_shot_split(TOY.labels, 9, 0) if few_shot else hls_split(TOY.labels, 2, 3, 0)
    values = {"recipe": recipe, "labels": TOY.labels, "parts": parts, "vectors": TOY.vectors}
    return {**values, "seed": 7, "state_dir": folder, **more}


@pytest.mark.parametrize("name", RECIPES)
def test_two_processes_come_to_the_figures_of_one(name: str, tmp_path: Path) -> None:
    recipe = replace(RECIPES[name], maximum_epochs=3)
    alone = list(train(**arguments(recipe, tmp_path / "alone"), device="cpu"))
    shared = SharedTraining(arguments(recipe, tmp_path / "shared"), "cpu")
    with started_ranks(2, shared) as ranks:
        together = list(train(**shared.arguments, device="cpu", ranks=ranks))
    assert len(together) == len(alone) == 3
    for report, other in zip(together, alone, strict=True):
        assert report.losses == pytest.approx(other.losses, rel=1e-5, abs=1e-5)
        assert report.validation == pytest.approx(other.validation, rel=1e-5, abs=1e-5)
        assert report.best_epoch == other.best_epoch
    vectors = [encoders.load(tmp_path / f / BEST).encode(TOY.vectors) for f in ("alone", "shared")]
    assert np.abs(vectors[0] - vectors[1]).max() < 1e-4


class KillingControl:
    """Kills another process of the training at a look."""

    def __init__(self, process: int, looks: int) -> None:
        self._process, self._looks = process, looks

    def paused(self) -> bool:
        return False

    def stopped(self) -> bool:
        self._looks -= 1
        if self._looks == 0:
            os.kill(self._process, signal.SIGKILL)
        return False


def test_a_killed_process_ends_the_run_which_goes_on_from_its_last_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from termexplorer.workers.train import ranks as module

    recipe = replace(RECIPES["contrastive"], maximum_epochs=4)
    whole = list(train(**arguments(recipe, tmp_path / "whole"), device="cpu"))
    started: list[int] = []
    popen = module.subprocess.Popen

    def start(*words: Any, **options: Any) -> Any:
        process = popen(*words, **options)
        started.append(process.pid)
        return process

    monkeypatch.setattr(module.subprocess, "Popen", start)
    shared = SharedTraining(arguments(recipe, tmp_path / "parts"), "cpu")
    reports: list[EpochReport] = []
    with started_ranks(2, shared) as ranks:
        control = KillingControl(started[0], looks=12)
        run = train(**shared.arguments, device="cpu", ranks=ranks, control=control)
        with pytest.raises(RankLostError):
            reports.extend(run)
    assert len(reports) < len(whole)
    assert (tmp_path / "parts" / STATE).is_dir()
    rest = arguments(recipe, tmp_path / "parts", resume=True)
    reports += train(**rest, device="cpu")
    assert [report.epoch for report in reports] == [1, 2, 3, 4]
    for report, other in zip(reports, whole, strict=True):
        assert report.validation == pytest.approx(other.validation, abs=1e-5)
    assert len(figures(reports)) == len(figures(whole))


def test_a_process_ends_with_the_one_that_started_it() -> None:
    nowhere = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_find_free_port()), "WORLD_SIZE": "2"}
    process = _start_rank(1, nowhere, 1)
    assert process.stdin is not None
    process.stdin.close()  # as the system does for one that is killed
    assert process.wait(60) == 1


def test_a_stop_is_heard_by_all_processes_at_once(tmp_path: Path) -> None:
    class Stopping(KillingControl):
        def stopped(self) -> bool:
            self._looks -= 1
            return self._looks <= 0

    recipe = replace(RECIPES["contrastive"], maximum_epochs=50)
    shared = SharedTraining(arguments(recipe, tmp_path), "cpu")
    with started_ranks(2, shared) as ranks:
        reports = list(
            train(**shared.arguments, device="cpu", ranks=ranks, control=Stopping(0, 20))
        )
    assert 0 < len(reports) < 50
    assert (tmp_path / BEST).is_dir()


def test_what_cannot_be_shared_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="choose fewer"):
        check_devices(10_000, "cpu")
    for recipe in (CanonicalCorrelation(),):
        shared = SharedTraining(arguments(recipe, tmp_path), "cpu")
        with (
            pytest.raises(TrainerError, match=r"on one device; leave --devices out"),
            started_ranks(2, shared) as ranks,
        ):
            list(train(**shared.arguments, device="cpu", ranks=ranks))


def test_each_row_is_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.distributed.get_world_size", lambda: 3)
    monkeypatch.setattr("torch.distributed.get_backend", lambda: "gloo")
    for rows in range(12):
        seen: list[int] = []
        for number in range(3):
            monkeypatch.setattr("torch.distributed.get_rank", lambda number=number: number)
            seen += range(rows)[Ranks().share(rows)]
        assert seen == list(range(rows))
