"""Maps: PCA beside scikit-learn's, t-SNE with its watch beside openTSNE without."""

import numpy as np
from numpy.typing import NDArray

from termexplorer.bench.bounds import best_of_each, seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.projection import MapStep, Pca, Tsne

_MANY, _NAMES, _WIDTH, _GROUPS = 100_000, 20_000, 300, 200
_QUICK_NAMES = 5_000
_REPETITIONS, _PCA_WITHIN, _TSNE_WITHIN = 12, 1.5, 1.1

Float32s = NDArray[np.float32]


def run(context: BenchContext) -> list[BenchFigure]:
    """Lay random names out in groups; if it has to be quick, fewer by t-SNE."""
    return [
        _measure_pca(_make_vectors(_MANY)),
        _measure_tsne(_make_vectors(_QUICK_NAMES if context.quick else _NAMES)),
    ]


def _make_vectors(names: int) -> Float32s:
    """Unit vectors around as many middles as a level has classes."""
    rng = np.random.default_rng(0)
    middles = rng.normal(size=(_GROUPS, _WIDTH)).astype(np.float32)
    vectors = rng.normal(size=(names, _WIDTH)).astype(np.float32)
    vectors += middles[rng.integers(_GROUPS, size=names)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _go_on(_step: MapStep) -> bool:
    return True


def _measure_pca(vectors: Float32s) -> BenchFigure:
    from sklearn.decomposition import PCA

    seconds, peer = best_of_each(
        [
            lambda: Pca().project(vectors, 0, _go_on),
            lambda: PCA(2, svd_solver="covariance_eigh").fit_transform(vectors),
        ],
        _REPETITIONS,
    )
    return BenchFigure(
        f"PCA of {len(vectors):,} × {_WIDTH}", seconds, "s",
        "scikit-learn's covariance_eigh", peer, seconds / peer, "within 1.5 ×",
        seconds / peer <= _PCA_WITHIN,
    )  # fmt: skip


def _measure_tsne(vectors: Float32s) -> BenchFigure:
    """As openTSNE comes: its own neighbours and forces, on all cores, and nobody watching."""
    from openTSNE import TSNE

    peer = seconds_of(lambda: TSNE(metric="cosine", n_jobs=-1, random_state=0).fit(vectors))
    seconds = seconds_of(lambda: Tsne().project(vectors, 0, _go_on))
    return BenchFigure(
        f"t-SNE of {len(vectors):,} names, watched", seconds, "s", "openTSNE", peer,
        seconds / peer, "within 10 %", seconds / peer <= _TSNE_WITHIN,
    )  # fmt: skip
