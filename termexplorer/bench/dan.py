"""A DAN's epoch beside its bound."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from termexplorer.bench.bounds import (
    Product,
    network_products,
    parameters_of,
    step_bound,
)
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.trainer.data.splits import hls_split
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.tensors.matmul_speed import bfloat16_pays
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.run import EpochReport, train

_NAMES, _CLASSES, WIDTH, _HIDDEN, GOAL = 20_000, 200, 300, 9600, 1.7


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure an epoch in float32, and in bfloat16 where that is offered here."""
    single, bound = _measure_epoch(context, "float32")
    ratio = single / bound
    figures = [
        BenchFigure(
            _figure_name("float32"), single, "s", "operations and Adam's memory traffic", bound,
            ratio, f"within {GOAL} of its bound", ratio <= GOAL,
        )
    ]  # fmt: skip
    if not bfloat16_pays(512, WIDTH, _HIDDEN, "cpu"):
        return [*figures, not_measured(_figure_name("bfloat16"), "not offered here")]
    half, bound = _measure_epoch(context, "bfloat16")
    return [
        *figures,
        BenchFigure(
            f"{_figure_name('bfloat16')} ({half / bound:.2f} of its bound)",
            half, "s", "in float32",
            single, half / single, "faster than in float32", half < single,
        ),
    ]  # fmt: skip


def _figure_name(precision: str) -> str:
    return f"DAN, {_HIDDEN:,} hidden, {_NAMES:,} names, one epoch, {precision}"


def _measure_epoch(context: BenchContext, precision: str) -> tuple[float, float]:
    """Return the seconds of an epoch, and those of its bound."""
    recipe = replace(DeepAveraging.quick(), hidden=_HIDDEN, precision=precision)
    return measured_epoch(recipe, _NAMES, epochs=1 if context.quick else 3)


def measured_epoch(
    recipe: DeepAveraging, names: int, epochs: int, device: str = "cpu"
) -> tuple[float, float]:
    """Return the seconds of the best of some epochs, and those of its bound."""
    dtype = torch.bfloat16 if recipe.precision == "bfloat16" else torch.float32
    bounds = [_measure_bound(recipe, names, dtype, device)]
    reports = _train_epochs(recipe, _make_synthetic_names(names), epochs, device)
    # before and after: the machine's state may change
    bounds.append(_measure_bound(recipe, names, dtype, device))
    return min(names / report.names_per_second for report in reports), min(bounds)


def _measure_bound(recipe: DeepAveraging, names: int, dtype: torch.dtype, device: str) -> float:
    """Return the seconds of an epoch: its steps, and the sampling of negatives."""
    steps, hidden = names / recipe.batch, recipe.hidden
    training = [
        Product(part.rows, part.inner, part.columns, part.times * steps)
        for part in network_products(3 * recipe.batch, WIDTH, hidden)
    ]
    blocks = names / 1000
    encoding = [Product(1000, WIDTH, hidden, blocks), Product(1000, hidden, WIDTH, blocks)]
    similarities = Product(1000, WIDTH, names, blocks)  # always in float32
    parameters = parameters_of(WIDTH, hidden)
    steps_seconds = step_bound([*training, *encoding], parameters, dtype, steps, device)
    return steps_seconds + similarities.seconds(torch.float32, device)


def _make_synthetic_names(names: int) -> tuple[LabelledNames, np.ndarray]:
    """Return names in classes of very different size, and vectors that show them a little."""
    rng = np.random.default_rng(0)
    validation = 2 * _CLASSES
    sizes = 1 / np.arange(1, _CLASSES + 1)
    of = rng.choice(_CLASSES, names + validation, p=sizes / sizes.sum())
    of[: 4 * _CLASSES] = np.tile(np.arange(_CLASSES), 4)
    centres = rng.normal(size=(_CLASSES, WIDTH))
    vectors = centres[of] + 3 * rng.normal(size=(len(of), WIDTH))
    texts = tuple(f"name {number}" for number in range(len(of)))
    classes = tuple(f"class {number}" for number in range(_CLASSES))
    labels = LabelledNames(texts, classes, np.arange(len(of)), of.astype(np.int64))
    return labels, vectors.astype(np.float32)


def _train_epochs(
    recipe: DeepAveraging, names: tuple[LabelledNames, np.ndarray], epochs: int, device: str
) -> list[EpochReport]:
    labels, vectors = names
    parts = hls_split(labels, 0, 2, 0)
    with tempfile.TemporaryDirectory() as folder:
        run = train(recipe, labels, parts, vectors, seed=0, device=device, state_dir=Path(folder))
        return [report for _, report in zip(range(epochs), run, strict=False)]
