"""One run in two processes beside the same run in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from termexplorer.bench.few_shot import synthetic_names
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.training.epochs import EpochReport
from termexplorer.trainer.training.run import train
from termexplorer.workers.train.ranks import SharedTraining, started_ranks

_PROCESSES = 2
_TOLERANCE, _SLOWER = 1e-5, 2.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Train a run of the quick preset by one process, then by two."""
    hidden, epochs = (1_200, 4) if context.quick else (9_600, 12)
    recipe = replace(
        FewShot.quick(),
        hidden=hidden,
        precision="float32",
        minimum_epochs=epochs,
        maximum_epochs=epochs,
    )
    alone, together = (
        _train_run(recipe, count, context.folder / f"devices-{count}") for count in (1, _PROCESSES)
    )
    difference = max(
        abs(first - second)
        for before, after in zip(alone, together, strict=True)
        for first, second in zip(_list_values(before), _list_values(after), strict=True)
    )
    seconds = [median(report.seconds for report in reports) for reports in (alone, together)]
    ratio = seconds[1] / seconds[0]
    what_runs = f"few-shot quick, {recipe.hidden:,} hidden, {epochs} epochs"
    return [
        BenchFigure(
            f"{what_runs}: largest difference of losses and validation, {_PROCESSES} processes",
            difference, "", "one process", 0.0, None,
            f"within {_TOLERANCE:g}", difference <= _TOLERANCE,
        ),
        BenchFigure(
            f"{what_runs}: an epoch by {_PROCESSES} processes", seconds[1] * 1000, "ms",
            "one process on all cores", seconds[0] * 1000, ratio,
            f"within {_SLOWER:g} of one process on the same cores", ratio <= _SLOWER,
        ),
    ]  # fmt: skip


def _train_run(recipe: FewShot, count: int, folder: Path) -> list[EpochReport]:
    labels, parts, vectors = synthetic_names()
    arguments: dict[str, Any] = {
        "recipe": recipe, "labels": labels, "parts": parts, "vectors": vectors, "seed": 0,
        "state_dir": folder,
    }  # fmt: skip
    with started_ranks(count, SharedTraining(arguments, "cpu")) as ranks:
        return list(train(**arguments, device="cpu", ranks=ranks))


def _list_values(report: EpochReport) -> Sequence[float]:
    return (*report.losses.values(), report.validation)
