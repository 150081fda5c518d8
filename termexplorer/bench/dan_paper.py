"""A DAN of the paper's size ([HLS]): an epoch beside its bound, and the memory it takes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

from termexplorer.bench.bounds import parameters_of
from termexplorer.bench.dan import GOAL, WIDTH, measured_epoch
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.tensors.matmul_speed import bfloat16_pays

NAMES, _MEMORY_GOAL = 25_000, 3.0
_HIDDEN = DeepAveraging.paper().hidden
_STATE_BYTES = 3 * 4 * parameters_of(WIDTH, _HIDDEN)  # weights, and Adam's two moments
_MEGABYTE = 1_000_000


def run(_context: BenchContext) -> list[BenchFigure]:
    """Measure one epoch in float32, and in bfloat16 where that is offered here."""
    single = _in_a_process("float32")
    figures = [_epoch_figure("float32", single), _memory_figure(single)]
    if not bfloat16_pays(512, WIDTH, _HIDDEN, "cpu"):
        return [*figures, not_measured(epoch_name("bfloat16"), "not offered here")]
    return [*figures, _epoch_figure("bfloat16", _in_a_process("bfloat16"))]


def _epoch_figure(precision: str, measured: dict[str, float]) -> BenchFigure:
    ratio = measured["seconds"] / measured["bound"]
    return BenchFigure(
        epoch_name(precision), measured["seconds"], "s", "operations and Adam's memory traffic",
        measured["bound"], ratio, f"within {GOAL} of its bound", ratio <= GOAL,
    )  # fmt: skip


def _memory_figure(measured: dict[str, float]) -> BenchFigure:
    ratio = measured["bytes"] / _STATE_BYTES
    return BenchFigure(
        f"{epoch_name('float32')}, peak memory", measured["bytes"] / _MEGABYTE, "MB",
        "parameters and optimiser state", _STATE_BYTES / _MEGABYTE, ratio,
        f"under {_MEMORY_GOAL:g} times", ratio < _MEMORY_GOAL,
    )  # fmt: skip


def epoch_name(precision: str) -> str:
    """Return what the report calls an epoch in a number format."""
    return f"DAN of the paper, {_HIDDEN:,} hidden, {NAMES:,} names, one epoch, {precision}"


def _in_a_process(precision: str) -> dict[str, float]:
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "termexplorer.bench.dan_paper", precision],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    result: dict[str, Any] = json.loads(output.splitlines()[-1])
    return result


def main(precision: str) -> None:
    """Print seconds, bound and peak bytes of a process that does nothing else."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    recipe = replace(DeepAveraging.paper(), precision=precision)
    seconds, bound = measured_epoch(recipe, NAMES, epochs=2)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    print(json.dumps({"seconds": seconds, "bound": bound, "bytes": peak}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
