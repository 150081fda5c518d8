"""A DAN's epoch beside its bound."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from termexplorer.bench.bounds import Product, network_products, parameters_of, step_bound
from termexplorer.bench.figure import Context, Figure, not_measured
from trainer.names import LabelledNames
from trainer.rates import bfloat16_pays
from trainer.recipes.dan import DeepAveraging
from trainer.splits import hls_split
from trainer.training import EpochReport, train

_NAMES, _CLASSES, _WIDTH, _HIDDEN, _GOAL = 20_000, 200, 300, 9600, 1.7


def run(context: Context) -> list[Figure]:
    """Measure an epoch in float32, and in bfloat16 where that is offered here."""
    single, bound = _epoch(context, "float32")
    ratio = single / bound
    figures = [
        Figure(
            _name("float32"), single, "s", "operations and Adam's memory traffic", bound,
            ratio, f"within {_GOAL} of its bound", ratio <= _GOAL,
        )
    ]  # fmt: skip
    if not bfloat16_pays(512, _WIDTH, _HIDDEN, "cpu"):
        return [*figures, not_measured(_name("bfloat16"), "not offered here")]
    half, bound = _epoch(context, "bfloat16")
    return [
        *figures,
        Figure(
            f"{_name('bfloat16')} ({half / bound:.2f} of its bound)", half, "s", "in float32",
            single, half / single, "faster than in float32", half < single,
        ),
    ]  # fmt: skip


def _name(precision: str) -> str:
    return f"DAN, {_HIDDEN:,} hidden, {_NAMES:,} names, one epoch, {precision}"


def _epoch(context: Context, precision: str) -> tuple[float, float]:
    """Return the seconds of an epoch, and those of its bound."""
    recipe = replace(DeepAveraging.quick(), hidden=_HIDDEN, precision=precision)
    dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
    bounds = [_bound(recipe, dtype)]
    reports = _train(recipe, _synthetic(), epochs=1 if context.quick else 3)
    bounds.append(_bound(recipe, dtype))  # before and after, as the machine's state may change
    return min(_NAMES / report.names_per_second for report in reports), min(bounds)


def _bound(recipe: DeepAveraging, dtype: torch.dtype) -> float:
    """Return the seconds of an epoch: its steps, and the sampling of negatives."""
    steps, hidden = _NAMES / recipe.batch, recipe.hidden
    training = [
        Product(part.rows, part.inner, part.columns, part.times * steps)
        for part in network_products(3 * recipe.batch, _WIDTH, hidden)
    ]
    blocks = _NAMES / 1000
    encoding = [Product(1000, _WIDTH, hidden, blocks), Product(1000, hidden, _WIDTH, blocks)]
    similarities = Product(1000, _WIDTH, _NAMES, blocks)  # always in float32
    return (
        step_bound([*training, *encoding], parameters_of(_WIDTH, hidden), dtype, steps)
        + similarities.seconds(torch.float32)
    )  # fmt: skip


def _synthetic() -> tuple[LabelledNames, np.ndarray]:
    """Return names in classes of very different size, and vectors that show them a little."""
    rng = np.random.default_rng(0)
    validation = 2 * _CLASSES
    sizes = 1 / np.arange(1, _CLASSES + 1)
    of = rng.choice(_CLASSES, _NAMES + validation, p=sizes / sizes.sum())
    of[: 4 * _CLASSES] = np.tile(np.arange(_CLASSES), 4)
    centres = rng.normal(size=(_CLASSES, _WIDTH))
    vectors = centres[of] + 3 * rng.normal(size=(len(of), _WIDTH))
    names = tuple(f"name {number}" for number in range(len(of)))
    classes = tuple(f"class {number}" for number in range(_CLASSES))
    labels = LabelledNames(names, classes, np.arange(len(of)), of.astype(np.int64))
    return labels, vectors.astype(np.float32)


def _train(
    recipe: DeepAveraging, names: tuple[LabelledNames, np.ndarray], epochs: int
) -> list[EpochReport]:
    labels, vectors = names
    parts = hls_split(labels, 0, 2, 0)
    with tempfile.TemporaryDirectory() as folder:
        run = train(recipe, labels, parts, vectors, seed=0, device="cpu", state_dir=Path(folder))
        return [report for _, report in zip(range(epochs), run, strict=False)]
