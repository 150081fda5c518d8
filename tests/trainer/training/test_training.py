from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from trainer_controls import After
from trainer_toy import Toy, make_toy
from training_steps import figures

from termexplorer.trainer import encoders
from termexplorer.trainer.data.splits import few_shot_split, hls_split
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.recipes.grounding import ConceptualGrounding
from termexplorer.trainer.training.run import (
    BEST,
    DivergedError,
    EpochReport,
    settled_precision,
    train,
)
from termexplorer.trainer.training.state import read_state, write_state

DAN = replace(DeepAveraging.quick(), hidden=32, batch=32, maximum_epochs=6)
FEW_SHOT = replace(FewShot.paper(), hidden=32, maximum_epochs=14)
GROUNDING = replace(ConceptualGrounding.quick(), hidden=32, batch=1500, maximum_epochs=6)
RECIPES = [DAN, FEW_SHOT, replace(FewShot.quick(), hidden=32, maximum_epochs=14), GROUNDING]


@dataclass(frozen=True)
class Task:
    toy: Toy
    folder: Path

    def start(
        self,
        recipe: FewShot | DeepAveraging | ConceptualGrounding,
        folder_name: str,
        **more: object,
    ) -> list[EpochReport]:
        toy = self.toy
        few_shot = isinstance(recipe, FewShot)
        parts = few_shot_split(toy.labels, 5, 0) if few_shot else hls_split(toy.labels, 2, 3, 0)
        options = {"seed": 7, "device": "cpu", "state_dir": self.folder / folder_name, **more}
        return list(train(recipe, toy.labels, parts, toy.vectors, **options))  # type: ignore[arg-type]

    def best(self, folder_name: str) -> np.ndarray:
        return encoders.load(self.folder / folder_name / BEST).encode(self.toy.vectors)


@pytest.fixture
def task(toy: Toy, tmp_path: Path) -> Task:
    return Task(toy, tmp_path)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_same_seed_gives_the_same_figures(task: Task, recipe: FewShot | DeepAveraging) -> None:
    first, again = task.start(recipe, "a"), task.start(recipe, "b")
    assert figures(first) == figures(again)
    assert (task.best("a") == task.best("b")).all()
    assert figures(task.start(recipe, "c", seed=8)) != figures(first)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("looks", [1, 9, 23])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(
    task: Task, recipe: FewShot | DeepAveraging, looks: int
) -> None:
    whole = task.start(recipe, "whole")
    parts = task.start(recipe, "parts", control=After(looks))
    assert len(parts) < len(whole)
    parts += task.start(recipe, "parts", resume=True)
    assert figures(parts) == figures(whole)
    assert (task.best("parts") == task.best("whole")).all()


def test_a_pause_changes_nothing_and_leaves_a_state(task: Task) -> None:
    whole = task.start(DAN, "whole")
    control = After(10**9, pause_at=12)
    assert figures(task.start(DAN, "paused", control=control)) == figures(whole)
    assert control.pauses == 3
    assert (task.folder / "paused" / "state" / "state.json").is_file()


def test_a_killed_run_goes_on_from_its_last_epoch(task: Task) -> None:
    whole = task.start(FEW_SHOT, "whole")
    parts = few_shot_split(task.toy.labels, 5, 0)
    options = {"seed": 7, "device": "cpu", "state_dir": task.folder / "killed"}
    run = train(FEW_SHOT, task.toy.labels, parts, task.toy.vectors, **options)  # type: ignore[arg-type]
    seen = [next(run) for _ in range(4)]
    del run
    rest = task.start(FEW_SHOT, "killed", resume=True)
    assert figures(seen)[: rest[0].epoch - 1] + figures(rest) == figures(whole)


def test_a_run_from_before_a_setting_goes_on_with_its_default(task: Task) -> None:
    whole = task.start(GROUNDING, "whole")
    file = task.folder / "older" / "state" / "state.json"
    parts = task.start(GROUNDING, "older", control=After(9))
    record = json.loads(file.read_text("utf-8"))
    del record["recipe"]["cca_power"]
    file.write_text(json.dumps(record), "utf-8")
    with pytest.raises(ValueError, match="other settings"):
        task.start(replace(GROUNDING, cca_power=1.0), "older", resume=True)
    assert figures(parts + task.start(GROUNDING, "older", resume=True)) == figures(whole)


def test_a_run_from_before_names_were_kept_goes_on(task: Task) -> None:
    whole = task.start(DAN, "whole")
    parts = task.start(DAN, "older", control=After(9))
    tensors, record = read_state(task.folder / "older" / "state")
    sample = tensors.pop("sample")
    del record["names"], record["classes"], record["seed"]
    write_state(task.folder / "older" / "state", tensors | {"first": -sample[:1]}, record)
    with pytest.raises(ValueError, match="other names or vectors"):
        task.start(DAN, "older", resume=True)
    write_state(task.folder / "older" / "state", tensors | {"first": sample[:1]}, record)
    assert figures(parts + task.start(DAN, "older", resume=True)) == figures(whole)


def test_a_stop_keeps_the_best_epoch(task: Task) -> None:
    reports = task.start(DAN, "run", control=After(40))
    assert 1 <= len(reports) < DAN.maximum_epochs
    assert task.best("run").shape == task.toy.vectors.shape


def test_training_helps(task: Task) -> None:
    reports = task.start(replace(DAN, maximum_epochs=25), "run")
    assert reports[-1].validation_metric == "validation mAP"
    best = max(report.validation for report in reports)
    assert best == reports[reports[-1].best_epoch - 1].validation
    assert best > reports[0].validation + 0.05
    assert reports[-1].estimated_epochs_left == 0


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("rate", [1e10, 1e30])  # at the first, losses stay finite
def test_a_diverged_run_keeps_the_last_good_epoch(task: Task, rate: float) -> None:
    seen: list[EpochReport] = []
    parts = hls_split(task.toy.labels, 2, 3, 0)
    options = {"seed": 7, "device": "cpu", "state_dir": task.folder / "run"}
    recipe = replace(DAN, learning_rate=rate)
    with pytest.raises(DivergedError, match="try a smaller learning rate"):
        seen.extend(train(recipe, task.toy.labels, parts, task.toy.vectors, **options))  # type: ignore[arg-type]
    if seen:
        assert np.isfinite(task.best("run")).all()


def test_a_missing_foreign_or_damaged_state_is_refused(task: Task) -> None:
    with pytest.raises(ValueError, match="no state to go on from"):
        task.start(DAN, "none", resume=True)
    task.start(DAN, "run", control=After(9))
    with pytest.raises(ValueError, match="other settings"):
        task.start(replace(DAN, margin=0.2), "run", resume=True)
    with pytest.raises(ValueError, match="other names or vectors"):
        Task(make_toy(120, 6, 16, 20), task.folder).start(DAN, "run", resume=True)
    state = task.folder / "run" / "state"
    record = json.loads((state / "state.json").read_text(encoding="utf-8"))
    file = state / record["file"]
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(ValueError, match="has changed"):
        task.start(DAN, "run", resume=True)


def test_the_number_format_is_settled_once() -> None:
    assert settled_precision(FewShot.paper(), 16, "cpu") == "float32"
    assert settled_precision(replace(DAN, precision="bfloat16"), 16, "cpu") == "bfloat16"
    small = replace(DAN, precision="auto")
    first = settled_precision(small, 16, "cpu")
    assert first in ("float32", "bfloat16")
    assert first == settled_precision(small, 16, "cpu")


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_both_number_formats_train(task: Task, precision: str) -> None:
    reports = task.start(replace(DAN, precision=precision, maximum_epochs=20), "run")
    assert max(report.validation for report in reports) > reports[0].validation + 0.05
