"""Few-shot as the paper has it, batches of 16 and every pair: an epoch beside its bound."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch

from termexplorer.bench.bounds import network_products, parameters_of, step_bound
from termexplorer.bench.few_shot import CLASSES, SHOTS, WIDTH, synthetic_names
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.data.sampling import all_positives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import train

_GOAL = 2.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure some epochs, and take the best one."""
    recipe = FewShot.paper()
    labels, parts, vectors = synthetic_names()
    data = TrainingData.prepare(labels, parts, vectors, torch.device("cpu"))
    rows = _distinct_rows(recipe, data)
    steps = len(data.names) / recipe.batch
    bounds = [_measure_bound(recipe, rows, steps)]
    with tempfile.TemporaryDirectory() as folder:
        reports = train(
            recipe, labels, parts, vectors, seed=0, device="cpu", state_dir=Path(folder)
        )
        epochs = [
            report for _, report in zip(range(2 if context.quick else 5), reports, strict=False)
        ]
    bounds.append(_measure_bound(recipe, rows, steps))
    seconds = min(len(data.names) / report.names_per_second for report in epochs)
    bound = min(bounds)
    return [
        BenchFigure(
            f"few-shot paper, {CLASSES} x {SHOTS} names, batch {recipe.batch}, one epoch",
            seconds, "s", f"operations on {rows:.0f} names a step and Adam's memory traffic",
            bound, seconds / bound, f"within {_GOAL:g} of its bound", seconds / bound <= _GOAL,
        )
    ]  # fmt: skip


def _distinct_rows(recipe: FewShot, data: TrainingData) -> float:
    """Return how many names a step has on average, each counted once."""
    noise = RandomState(0, torch.device("cpu"))
    plan = recipe.plan(data, recipe.encoder(data, noise), noise, lambda: None)
    counts = []
    for start in range(0, len(plan["anchor"]), recipe.batch):
        block = slice(start, start + recipe.batch)
        anchor, negative = plan["anchor"][block], plan["negative"][block]
        _, positive = all_positives(data, data.of_names.starts[anchor])
        counts.append(len(torch.unique(torch.cat((anchor, positive, negative)))))
    return float(np.mean(counts))


def _measure_bound(recipe: FewShot, rows: float, steps: float) -> float:
    products = [
        type(part)(part.rows, part.inner, part.columns, part.times * steps)
        for part in network_products(round(rows), WIDTH, recipe.hidden)
    ]
    return step_bound(products, parameters_of(WIDTH, recipe.hidden), torch.float32, steps)
