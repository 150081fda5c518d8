"""A DAN of the paper's size ([HLS]) on the graphics processor, where there is one."""

from __future__ import annotations

from dataclasses import replace

import torch

from termexplorer.bench.dan import measured_epoch
from termexplorer.bench.dan_paper import NAMES, epoch_name
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.trainer.recipes.dan import DeepAveraging

_DEVICE, _CARD, _GOAL = "cuda:0", "H200", 1.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure one epoch in either number format."""
    if not torch.cuda.is_available():
        return [not_measured(f"{epoch_name('float32')}, on CUDA", "no CUDA here")]
    return [_measure_epoch(precision, context.quick) for precision in ("float32", "bfloat16")]


def _measure_epoch(precision: str, quick: bool) -> BenchFigure:
    recipe = replace(DeepAveraging.paper(), precision=precision)
    seconds, bound = measured_epoch(recipe, NAMES, 2 if quick else 5, _DEVICE)
    card = torch.cuda.get_device_name(_DEVICE)
    return BenchFigure(
        f"{epoch_name(precision)}, on {card}", seconds, "s", "operations and Adam's memory traffic",
        bound, seconds / bound, f"under {_GOAL:g} s on one {_CARD}",
        seconds < _GOAL if _CARD in card else None,
    )  # fmt: skip
