"""Negatives of an epoch, by each rule, beside the training steps of that epoch."""

from __future__ import annotations

import numpy as np
import torch

from termexplorer.bench.bounds import (
    Product,
    network_products,
    parameters_of,
    seconds_of,
    step_bound,
)
from termexplorer.bench.dan import WIDTH
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.data.negatives import RULES, draw_negatives
from termexplorer.trainer.data.splits import VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.text.names import LabelledNames

_NAMES, _CLASSES, _GOAL = 25_000, 500, 0.2
_CPU = torch.device("cpu")


def run(context: BenchContext) -> list[BenchFigure]:
    """Draw a negative for each name from encoded names, as [HLS] trains at paper size."""
    recipe, data = DeepAveraging.paper(), _make_synthetic_data()
    epoch = _measure_bound(recipe)
    figures = []
    for rule in RULES:
        seconds = [_time_rule(rule, recipe, data) for _ in range(1 if context.quick else 3)]
        ratio = min(seconds) / epoch
        figures.append(
            BenchFigure(
                f"negatives for {_NAMES:,} names, {rule}", min(seconds), "s",
                "the bound of a paper-size epoch's steps", epoch, ratio,
                f"under {_GOAL:.0%} of the epoch", ratio < _GOAL,
            )
        )  # fmt: skip
    return figures


def _measure_bound(recipe: DeepAveraging) -> float:
    steps = _NAMES / recipe.batch
    products = [
        Product(part.rows, part.inner, part.columns, part.times * steps)
        for part in network_products(3 * recipe.batch, WIDTH, recipe.hidden)
    ]
    return step_bound(products, parameters_of(WIDTH, recipe.hidden), torch.float32, steps)


def _time_rule(rule: str, recipe: DeepAveraging, data: TrainingData) -> float:
    names, noise = data.names, RandomState(0, _CPU)
    members, nearest = data.of_names, recipe.nearest
    return seconds_of(
        lambda: draw_negatives(rule, data, members, names, names, nearest, noise, lambda: None)
    )


def _make_synthetic_data() -> TrainingData:
    rng = np.random.default_rng(0)
    count = _NAMES + _CLASSES
    of = np.arange(count) % _CLASSES
    vectors = rng.normal(size=(_CLASSES, WIDTH))[of] + 2 * rng.normal(size=(count, WIDTH))
    texts, classes = (tuple(map(str, range(number))) for number in (count, _CLASSES))
    parts = np.zeros(count, dtype=np.uint8)
    parts[_NAMES:] = VALIDATION
    labels = LabelledNames(texts, classes, np.arange(count), of)
    return TrainingData.prepare(labels, parts, vectors.astype(np.float32), _CPU)
