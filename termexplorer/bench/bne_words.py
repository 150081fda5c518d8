"""A BiLSTM over words ([CG] 5.2): an epoch beside its bound."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.bench.bounds import Product, step_bound
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.recipes.bne_words import BiLSTMOverWords
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.run import train

_NAMES, _CONCEPTS, _WORDS, _WIDTH, _GOAL = 30_000, 10_000, 8_000, 300, 3.0
_PAIRS = _NAMES * (_NAMES // _CONCEPTS - 1)  # ordered ones of synonyms, the items of an epoch
_LENGTHS = (1, 2, 3, 4, 5, 6)  # words of a name, all as frequent


def run(_context: BenchContext) -> list[BenchFigure]:
    """Measure one epoch of the quick preset, the drawing of its negatives included."""
    recipe = BiLSTMOverWords.quick()
    names = _make_names()
    bounds = [_measure_bound(recipe)]
    with tempfile.TemporaryDirectory() as folder:
        reports = train(
            recipe, *names, seed=0, device="cpu", state_dir=Path(folder), source=_WordVectors()
        )
        report = next(reports)
        reports.close()  # type: ignore[attr-defined]
    bounds.append(_measure_bound(recipe))
    seconds, bound = _PAIRS / report.names_per_second, min(bounds)
    return [
        BenchFigure(
            f"BNE words only, {recipe.hidden} states a direction, {_NAMES:,} names, one epoch of "
            f"{_PAIRS:,} pairs",
            seconds, "s", "operations of the BiLSTM and Adam's memory traffic", bound,
            seconds / bound, f"within {_GOAL:g} of its bound", seconds / bound <= _GOAL,
        )
    ]  # fmt: skip


class _WordVectors:
    """Word vectors that depend on the word alone."""

    def __init__(self) -> None:
        self._vectors = np.random.default_rng(0).normal(size=(_WORDS, _WIDTH)).astype(np.float32)

    def token_vectors(self, tokens: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        rows = np.fromiter((int(token[1:]) for token in tokens), np.int64, len(tokens))
        return self._vectors[rows], np.ones(len(tokens), np.bool_)


def _make_names() -> tuple[LabelledNames, NDArray[np.uint8], NDArray[np.float32]]:
    """Return names of three a concept, and a few more for validation; and their mean vectors."""
    rng = np.random.default_rng(0)
    count = _NAMES + 500
    lengths = rng.choice(_LENGTHS, count)
    words = rng.integers(0, _WORDS, lengths.sum())
    texts = [
        " ".join(f"w{word}" for word in part) for part in np.split(words, lengths.cumsum()[:-1])
    ]
    of = np.arange(count) % _CONCEPTS
    classes = tuple(f"c{number}" for number in range(_CONCEPTS))
    labels = LabelledNames(tuple(texts), classes, np.arange(count), of)
    parts = np.where(np.arange(count) < _NAMES, TRAIN, VALIDATION).astype(np.uint8)
    table = _WordVectors()._vectors
    sums = np.add.reduceat(table[words], np.concatenate(([0], lengths.cumsum()[:-1])), axis=0)
    return labels, parts, (sums / lengths[:, None]).astype(np.float32)


def _measure_bound(recipe: BiLSTMOverWords) -> float:
    """Return the seconds of an epoch: forward and backward of each word of a step's triplets.

    A step of the BiLSTM multiplies all names that are still long enough; both directions, the
    gates from the input and from the state, three products each; the linear layer; and once in an
    epoch the encoding of all names, to draw negatives by.
    """
    rows, hidden = 3 * recipe.batch, recipe.hidden
    steps = _PAIRS / recipe.batch
    words = float(np.mean(_LENGTHS))
    products = [
        Product(round(rows * words), _WIDTH, 4 * hidden, 2 * 3 * steps),  # gates from the input
        Product(rows, 2 * hidden, _WIDTH, 3 * steps),
        Product(round(512 * words), _WIDTH, 4 * hidden, 2 * _NAMES / 512),
    ]
    for length in _LENGTHS:  # gates from the state: fewer names the longer they are
        share = (len(_LENGTHS) + 1 - length) / len(_LENGTHS)
        products.append(Product(round(rows * share), hidden, 4 * hidden, 2 * 3 * steps))
        products.append(Product(512, hidden, 4 * hidden, 2 * share * _NAMES / 512))
    parameters = 2 * 4 * hidden * (_WIDTH + hidden + 2) + (2 * hidden + 1) * _WIDTH
    similarities = Product(1000, _WIDTH, _NAMES, _NAMES / 1000)
    return step_bound([*products, similarities], parameters, torch.float32, steps)
