"""The ranks that encoders are compared by, beside the bare products of their vectors."""

import multiprocessing
import sys
from functools import partial
from itertools import combinations

import numpy as np
import torch

from termexplorer.bench.bounds import seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.evaluation.overlap import rank_biased_overlap
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.top_ranks import TopRanks, top_ranks

_NAMES, _WIDTH, _A_CONCEPT, _ENCODERS = 20_000, 300, 4, 4
_NOISE = (1.0, 2.0, 4.0, 8.0)  # of the encoders: from right answers on top to anywhere
_BLOCK = 200  # rows of a bare product, as many as are ranked at a time
_TIMES, _GIGABYTES = 2.5, 2.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Rank each name for each other, in a process of its own whose memory is its alone."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        measured = pool.apply(measure, (1 if context.quick else 3,))
    name = f"{_NAMES:,} mentions × {_NAMES:,} names × {_ENCODERS} encoders"
    ours, products, gigabytes = measured["ours"], measured["products"], measured["gigabytes"]
    ratio = ours / products
    return [
        BenchFigure(
            f"first 100, best right ranks and overlaps, {name}", ours, "s", "matrix products",
            products, ratio, f"within {_TIMES:g} ×", ratio <= _TIMES,
        ),
        BenchFigure(
            "peak memory meanwhile", gigabytes, "GB", "limit", _GIGABYTES, gigabytes / _GIGABYTES,
            f"under {_GIGABYTES:g} GB", gigabytes < _GIGABYTES,
        ),
    ]  # fmt: skip


def measure(repetitions: int) -> dict[str, float]:
    """Seconds of both, each encoder's best of some repetitions in turn, and the peak memory."""
    import resource

    products = ours = 0.0
    tops = []
    for noise in _NOISE:
        table = _make_vectors(noise)
        tops.append(_rank_names(table).top)  # warms up
        bare, ranking = partial(_multiply_blocks, table), partial(_rank_names, table)
        times = [(seconds_of(bare), seconds_of(ranking)) for _ in range(repetitions)]
        products, ours = (
            total + min(durations)
            for total, durations in zip((products, ours), zip(*times, strict=True), strict=True)
        )
    ours += seconds_of(lambda: [rank_biased_overlap(*two) for two in combinations(tops, 2)])
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return {"products": products, "ours": ours, "gigabytes": peak / 1e9}


def _make_vectors(noise: float) -> np.ndarray:
    """Names around the concepts that they are of."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((_NAMES // _A_CONCEPT, _WIDTH), np.float32)
    around = noise * rng.standard_normal((_NAMES, _WIDTH), np.float32)
    return np.asarray(centres[_concept_of_names()] + around, np.float32)


def _concept_of_names() -> np.ndarray:
    return np.arange(_NAMES) // _A_CONCEPT


def _multiply_blocks(vectors: np.ndarray) -> None:
    table = torch.from_numpy(vectors)
    for start in range(0, _NAMES, _BLOCK):
        torch.mm(table[start : start + _BLOCK], table.T)


def _rank_names(vectors: np.ndarray) -> TopRanks:
    from scipy.sparse import csr_array

    names = np.arange(_NAMES)
    cells = names, _concept_of_names()
    classes = csr_array((np.ones(_NAMES, np.bool_), cells), shape=(_NAMES, _NAMES // _A_CONCEPT))
    return top_ranks(cosine_scores(vectors), names, names, classes, classes)
