"""A DAN of the paper's size ([HLS]) on the graphics processor, where there is one."""

from __future__ import annotations

from dataclasses import replace

import torch

from termexplorer.bench.dan import GOAL, measured_epoch
from termexplorer.bench.dan_paper import MEGABYTE, MEMORY_GOAL, NAMES, STATE_BYTES, epoch_name
from termexplorer.bench.figure import Context, Figure, not_measured
from trainer.recipes.dan import DeepAveraging

_DEVICE, _CARD, _SECONDS_GOAL = "cuda:0", "H200", 1.0


def run(context: Context) -> list[Figure]:
    """Measure one epoch in either number format, and the card's memory that it takes."""
    if not torch.cuda.is_available():
        return [not_measured(f"{epoch_name('float32')}, on CUDA", "no CUDA here")]
    figures: list[Figure] = []
    for precision in ("float32", "bfloat16"):
        figures += _measured(precision, epochs=2 if context.quick else 5)
    return figures


def _measured(precision: str, epochs: int) -> list[Figure]:
    recipe = replace(DeepAveraging.paper(), precision=precision)
    torch.cuda.init()  # which asking for the memory does not
    torch.cuda.reset_peak_memory_stats(_DEVICE)
    seconds, bound = measured_epoch(recipe, NAMES, epochs, _DEVICE)
    taken = torch.cuda.max_memory_allocated(_DEVICE)
    card = torch.cuda.get_device_name(_DEVICE)
    name = f"{epoch_name(precision)}, on {card}"
    ratio, share = seconds / bound, taken / STATE_BYTES
    return [
        Figure(
            name, seconds, "s", "operations and Adam's memory traffic", bound, ratio,
            f"within {GOAL} of its bound", ratio <= GOAL,
        ),
        Figure(
            name, seconds, "s", "", None, None, f"under {_SECONDS_GOAL:g} s on one {_CARD}",
            seconds < _SECONDS_GOAL if _CARD in card else None,
        ),
        Figure(
            f"{name}, peak memory of the card", taken / MEGABYTE, "MB",
            "parameters and optimiser state", STATE_BYTES / MEGABYTE, share,
            f"under {MEMORY_GOAL:g} times", share < MEMORY_GOAL,
        ),
    ]  # fmt: skip
