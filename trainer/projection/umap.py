"""UMAP by umap-learn, where the extra `umap` is installed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from threading import RLock

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.projection.base import (
    Float32s,
    MapStep,
    Projected,
    Watch,
    checked_start,
    directions,
)

_RATE, _RATE_AFTER = 1.0, 0.1


@dataclass(frozen=True, slots=True)
class Umap:
    """UMAP by cosine, on one thread: only so does a seed make the same map again.

    Attributes:
        neighbours: that make the graph; fewer where there are fewer names.
        minimum_distance: that points are kept apart, from 0 to 1.
    """

    neighbours: int = 15
    minimum_distance: float = 0.1

    def __post_init__(self) -> None:
        if self.neighbours < 2:
            raise TrainerError(
                "{neighbours} neighbours make no graph; give 2 or more", neighbours=self.neighbours
            )
        if not 0 <= self.minimum_distance <= 1:
            raise TrainerError(
                "a minimum distance of {minimum_distance} cannot be; give 0 to 1",
                minimum_distance=self.minimum_distance,
            )

    def project(
        self, vectors: Float32s, seed: int, watch: Watch, start: Float32s | None = None
    ) -> Projected:
        """Lay (n, d) float32 vectors out.

        It starts from the principal components, or from (n, 2) positions of any scale: those of
        another map. It learns at a tenth of the rate then, which would have the points forget where
        they were (the disparity of two encoders' maps fell from 0.4 to 0.1, with figures as good).

        Raises:
            ValueError: for vectors that cannot be laid out, see `directions`, or if umap-learn is
                not installed.
        """
        try:
            from tqdm import tqdm
            from umap import UMAP
        except ImportError as error:
            raise TrainerError(
                "UMAP is not installed; `pip install 'termexplorer[umap]'` "
                "(packages come without it), or choose tsne"
            ) from error
        # its bars would share a lock among processes, which a child that ends at once leaves behind
        tqdm.set_lock(RLock())
        units = directions(vectors)
        chosen = replace(self, neighbours=min(self.neighbours, len(units) - 1))
        watch(MapStep(0.0, "UMAP"))
        model = UMAP(
            n_neighbors=chosen.neighbours,
            min_dist=chosen.minimum_distance,
            metric="cosine",
            random_state=seed,
            n_jobs=1,
            learning_rate=_RATE if start is None else _RATE_AFTER,
            init="pca" if start is None else checked_start(start, len(units)),
        )
        return Projected(model.fit_transform(units).astype(np.float32), asdict(chosen))
