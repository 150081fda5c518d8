"""Principal components: the plane through the vectors that keeps most of their variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from termexplorer.trainer.errors import Message
from termexplorer.trainer.projection.base import Float32s, MapStep, Projected, Watch, directions

_WIDEST = 2_000  # beyond, a covariance matrix costs more than looking for two components


@dataclass(frozen=True, slots=True)
class Pca:
    """scikit-learn's PCA, by the eigenvectors of the covariance; the seed plays no part."""

    def project(self, vectors: Float32s, seed: int, watch: Watch) -> Projected:
        """Lay (n, d) float32 vectors out by their first two components.

        Raises:
            ValueError: for vectors that cannot be laid out, see `directions`.
        """
        from sklearn.decomposition import PCA

        units = directions(vectors)
        watch(MapStep(0.0, Message("Finding principal components")))
        solver = "covariance_eigh" if units.shape[1] <= _WIDEST else "randomized"
        model = PCA(2, svd_solver=solver, random_state=seed)
        positions = model.fit_transform(units).astype(np.float32)
        shares = [float(share) for share in model.explained_variance_ratio_]
        return Projected(positions, {}, {"explained_variance": shares})
