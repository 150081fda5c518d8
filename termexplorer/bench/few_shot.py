"""Few-shot training beside its bound, and beside a plain loop of the authors' rule."""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.bench.bounds import best_seconds, network_products, parameters_of, step_bound
from termexplorer.bench.few_shot_peer import train_plainly
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.trainer import encoders, representations
from termexplorer.trainer.data.splits import TRAIN, VALIDATION, few_shot_split
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import Tape
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.tensors.matmul_speed import bfloat16_pays
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.run import BEST, train

CLASSES, SHOTS, WIDTH = 21, 15, 300
_STEP_GOAL, _SPEED_GOAL, _LOSS_GOAL = 2.0, 10.0, 0.02

Floats = NDArray[np.float32]
Encode = Callable[[Floats], Floats]


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure a step in each number format, and whole runs where there are data."""
    figures = [_measure_step("float32")]
    if bfloat16_pays(CLASSES * SHOTS, WIDTH, FewShot.quick().hidden, "cpu"):
        figures.append(_measure_step("bfloat16"))
    else:
        figures.append(not_measured("few-shot quick, a step, bfloat16", "not offered here"))
    return figures + _whole_runs(context)


def _measure_step(precision: str) -> BenchFigure:
    """Measure steps of the quick preset: 21 x 15 names at once."""
    recipe = replace(FewShot.quick(), precision=precision)
    noise = RandomState(0, torch.device("cpu"))
    data = _make_synthetic_data()
    encoder = recipe.encoder(data, noise)
    encoder.bfloat16 = precision == "bfloat16"
    adam = torch.optim.Adam(encoder.parameters(), lr=recipe.learning_rate, fused=True)
    plan = recipe.plan(data, encoder, noise, lambda: None)
    batch = {name: column[: len(data.names)] for name, column in plan.items()}

    def step() -> None:
        tape = Tape(encoder, noise, recipe.dropout)
        losses = recipe.losses(data, batch, tape, noise)
        torch.autograd.backward(torch.stack(list(losses.values())).sum())
        tape.backward()
        adam.step()

    dtype = torch.bfloat16 if encoder.bfloat16 else torch.float32
    products = network_products(CLASSES * SHOTS, WIDTH, recipe.hidden)
    rounds = [
        (step_bound(products, parameters_of(WIDTH, recipe.hidden), dtype), best_seconds(step, 5))
        for _ in range(7)  # in turn, so that both see the machine in the same state
    ]
    ratios = sorted((value / bound, value, bound) for bound, value in rounds)
    ratio, value, bound = ratios[len(ratios) // 2]
    return BenchFigure(
        f"few-shot quick, {CLASSES} x {SHOTS} names, {recipe.hidden:,} hidden, {precision} step",
        value * 1000, "ms", "operations and Adam's memory traffic", bound * 1000,
        ratio, f"within {_STEP_GOAL:g} of its bound", ratio <= _STEP_GOAL,
    )  # fmt: skip


def _make_synthetic_data() -> TrainingData:
    return TrainingData.prepare(*synthetic_names(), torch.device("cpu"))


def synthetic_names() -> tuple[LabelledNames, NDArray[np.uint8], Floats]:
    """Return names of classes, half of them for validation, and vectors that show the classes."""
    count = 2 * CLASSES * SHOTS
    of = np.arange(count) % CLASSES
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(CLASSES, WIDTH))[of] + 2 * rng.normal(size=(count, WIDTH))
    names, classes = (tuple(map(str, range(size))) for size in (count, CLASSES))
    labels = LabelledNames(names, classes, np.arange(count), of)
    parts = np.where(np.arange(count) < count // 2, TRAIN, VALIDATION).astype(np.uint8)
    return labels, parts, vectors.astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Relatedness:
    """A set of pairs with human judgements."""

    left: Floats
    right: Floats
    judgements: list[float]

    def spearman(self, encode: Encode) -> float:
        from scipy.stats import spearmanr

        left, right = encode(self.left), encode(self.right)
        norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        cosines = (left * right).sum(1) / np.maximum(norms, 1e-12)
        return float(spearmanr(cosines, self.judgements).statistic)


@dataclass(frozen=True, eq=False)
class _OpenData:
    """ICD-10 names by chapter and relatedness sets, with vectors."""

    labels: LabelledNames
    vectors: Floats
    sets: list[_Relatedness]

    @classmethod
    def read(cls, folder: Path) -> _OpenData | None:
        names = folder / "ontologies" / "icd10_fivez2021_names.json.gz"
        pairs = folder / "benchmarks" / "fivez2021_benchmarks.json"
        vectors = folder / "vectors"
        if not (names.is_file() and pairs.is_file() and vectors.is_dir()):
            return None
        representation = representations.load(vectors)
        if isinstance(representation, TfidfNames):
            return None
        labels = _make_labels(json.loads(gzip.decompress(names.read_bytes())))
        sets = json.loads(pairs.read_text(encoding="utf-8"))
        return cls(
            labels,
            representation.encode(labels.names),
            [_make_relatedness(representation, pairs) for pairs in sets.values()],
        )

    def mean_spearman(self, encode: Encode) -> float:
        """Return the mean over the sets."""
        return float(np.mean([pairs.spearman(encode) for pairs in self.sets]))


def _make_labels(chapters: dict[str, list[str]]) -> LabelledNames:
    names = tuple(name for members in chapters.values() for name in members)
    classes = np.repeat(np.arange(len(chapters)), [len(members) for members in chapters.values()])
    return LabelledNames(names, tuple(chapters), np.arange(len(names)), classes)


def _make_relatedness(representation: Representation, pairs: dict[str, list[str]]) -> _Relatedness:
    return _Relatedness(
        representation.encode(pairs["source"]),
        representation.encode(pairs["target"]),
        [float(judgement) for judgement in pairs["sims"]],
    )


def _whole_runs(context: BenchContext) -> list[BenchFigure]:
    name = "few-shot quick to its stopping rule"
    data = _OpenData.read(context.data) if context.data else None
    if data is None:
        return [not_measured(name, "needs a folder of ontologies, benchmarks and vectors")]
    samples = range(1 if context.quick else 5)
    ours = [_run_sample(data, seed, _train_quick) for seed in samples]
    theirs = [_run_sample(data, seed, _train_plain) for seed in samples]
    return _compare_runs(name, data, ours, theirs)


def _compare_runs(
    name: str,
    data: _OpenData,
    ours: Sequence[tuple[float, float]],
    theirs: Sequence[tuple[float, float]],
) -> list[BenchFigure]:
    (seconds, quality), (slow, peer) = (np.mean(pairs, axis=0) for pairs in (ours, theirs))
    untrained = data.mean_spearman(lambda rows: rows)
    return [
        BenchFigure(
            f"{name}, mean of {len(ours)} samples", float(seconds), "s",
            "plain loop of the authors' rule", float(slow), float(slow / seconds),
            f"at least {_SPEED_GOAL:g} times faster", bool(slow / seconds >= _SPEED_GOAL),
        ),
        BenchFigure(
            f"{name}, Spearman over {len(data.sets)} sets (untrained {untrained:.3f})",
            float(quality), "", "plain loop of the authors' rule", float(peer),
            float(quality - peer), f"not lower by more than {_LOSS_GOAL}",
            bool(quality >= peer - _LOSS_GOAL),
        ),
    ]  # fmt: skip


def _run_sample(
    data: _OpenData, seed: int, method: Callable[[_OpenData, NDArray[np.uint8], int], Encode]
) -> tuple[float, float]:
    """Return the seconds of a run on one sample, and the mean Spearman it comes to."""
    parts = few_shot_split(data.labels, SHOTS, seed)
    start = time.perf_counter()
    encode = method(data, parts, seed)
    return time.perf_counter() - start, data.mean_spearman(encode)


def _train_quick(data: _OpenData, parts: NDArray[np.uint8], seed: int) -> Encode:
    with tempfile.TemporaryDirectory() as folder:
        folder_path = Path(folder)
        for _ in train(
            FewShot.quick(), data.labels, parts, data.vectors,
            seed=seed, device="cpu", state_dir=folder_path,
        ):  # fmt: skip
            pass
        return encoders.load(folder_path / BEST).encode


def _train_plain(data: _OpenData, parts: NDArray[np.uint8], seed: int) -> Encode:
    return train_plainly(data.labels, parts, data.vectors, seed)[0]
