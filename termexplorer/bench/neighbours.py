"""Neighbours of one name among all of ICD-10-CM: hnswlib beside an exact scan."""

import time

import numpy as np

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import fasttext_encoder, icd10cm_workspace, quiet
from termexplorer.bench.times import quantile
from termexplorer.services.encoders.vectors import prepare
from termexplorer.store.encoders.encoders import index_file, vector_file
from termexplorer.store.kept_paths import locate_kept
from termexplorer.trainer.search.approximate import HnswIndex
from termexplorer.workers.process.supervision import JobControl

_LIMIT, _RECALL, _TOP = 1.0, 0.99, 10


def run(context: BenchContext) -> list[BenchFigure]:
    """Ask for the neighbours of names drawn at random."""
    workspace = icd10cm_workspace(context.folder)
    encoder = fasttext_encoder(workspace)
    prepare(workspace, encoder.id, 1, JobControl(), quiet)
    with workspace.store.reading() as connection:
        vectors_at, index_at = (
            find_file(connection, encoder.id, 1) for find_file in (vector_file, index_file)
        )
    assert vectors_at is not None  # noqa: S101 - prepared a moment ago
    assert index_at is not None  # noqa: S101
    vectors = np.load(locate_kept(workspace.folder, vectors_at.path))
    index = HnswIndex.load(locate_kept(workspace.folder, index_at.path))
    workspace.close()
    rows = np.random.default_rng(1).choice(len(vectors), 100 if context.quick else 1000)
    times, exact_times, recalls = [], [], []
    for vector in vectors[rows]:
        start = time.perf_counter()
        _, cosines = index.query(vector, _TOP)
        middle = time.perf_counter()
        products = vectors @ vector
        best = np.partition(products, -_TOP)[-_TOP:]
        exact_times.append(time.perf_counter() - middle)
        times.append(middle - start)
        recalls.append(float((cosines >= best.min() - 1e-5).mean()))
    return _recall_figures(times, exact_times, float(np.mean(recalls)), len(vectors))


def _recall_figures(
    times: list[float], exact_times: list[float], recall: float, count: int
) -> list[BenchFigure]:
    ours, exact = quantile(times, 0.5), quantile(exact_times, 0.5)
    return [
        BenchFigure(
            f"neighbours among {count:,} names, median", ours, "ms", "exact scan", exact,
            ours / exact, "under 1 ms", ours < _LIMIT,
        ),
        BenchFigure(
            "recall@10 of those neighbours", recall, "", "exact", 1.0, recall, "at least .99",
            recall >= _RECALL,
        ),
    ]  # fmt: skip
