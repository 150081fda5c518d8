"""t-SNE by openTSNE, which can be watched, paused and stopped while it runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.projection.base import (
    Float32s,
    MapStep,
    Projected,
    Watch,
    checked_start,
    directions,
)
from termexplorer.trainer.tensors.cores import count_cores

EXACT = 1_000  # so many names at the most: the forces between all pairs are computed
_EARLY, _EXAGGERATION = 250, 12.0  # iterations in which the neighbours pull harder, and how much
_MOMENTUM = 0.8
_NEIGHBOURS_SHARE = 0.2  # of the work, by time
_STEP_POINTS = 100_000  # between two looks of a watch an iteration or more, of so many points
_MOST_ITERATIONS = 5  # between two looks
_NOTHING = "stopped before there was anything to draw"

Int64s = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tsne:
    """t-SNE: exact for up to `EXACT` names, by interpolation (FIt-SNE) for more.

    It starts from the principal components. Affinities are Gaussian over the distances of vectors
    at unit length, to the nearest 3 × perplexity names, found exactly. The same seed makes the
    same map, to the last bit; the number of threads plays no part (openTSNE 1.0.4, 1 to 4 of them).

    Attributes:
        perplexity: about how many neighbours count; None for 30, or fewer where there are few
            names: a third of the others at the most.
        iterations: the first 250 with exaggerated attraction.
    """

    perplexity: float | None = None
    iterations: int = 750

    def __post_init__(self) -> None:
        if self.perplexity is not None and not 0 < self.perplexity < float("inf"):
            raise TrainerError(
                "a perplexity of {perplexity} cannot be; give one above 0",
                perplexity=self.perplexity,
            )
        if self.iterations < 1:
            raise TrainerError(
                "{iterations} iterations lay nothing out; give 1 or more",
                iterations=self.iterations,
            )

    def project(
        self, vectors: Float32s, seed: int, watch: Watch, start: Float32s | None = None
    ) -> Projected:
        """Lay (n, d) float32 vectors out; the watch sees positions every few iterations.

        A map that is stopped is the one of as many iterations. It starts from the principal
        components, or from (n, 2) positions: those of a t-SNE of other vectors. It keeps their
        scale, and goes without exaggeration then, which would have the points forget where they
        were (the disparity of two encoders' maps fell from 0.8 to 0.1, with figures as good).

        Raises:
            ValueError: for vectors that cannot be laid out, see `directions`, or a perplexity
                that needs more names.
            InterruptedError: it was stopped before the points had moved.
        """
        units = directions(vectors)
        chosen = replace(self, perplexity=self._perplexity(len(units)))
        descent = _Descent(units, chosen, seed, watch, start)
        descent.run()
        parameters = asdict(replace(chosen, iterations=descent.iterations))
        return Projected(descent.positions, parameters, {"divergence": descent.divergence})

    def _perplexity(self, names: int) -> float:
        most = (names - 1) / 3
        if self.perplexity is None:
            return min(30.0, most)
        if self.perplexity > most:
            raise TrainerError(
                "a perplexity of {perplexity:g} needs {least} names or more, there "
                "are {names}; give {file:,g} or less",
                perplexity=self.perplexity,
                least=int(3 * self.perplexity + 1),
                names=names,
                file=int(10 * most) / 10,
            )
        return self.perplexity


class _Descent:
    """One run of openTSNE."""

    def __init__(
        self, units: Float32s, asked: Tsne, seed: int, watch: Watch, start: Float32s | None
    ) -> None:
        from openTSNE import TSNEEmbedding, affinity, initialization

        from termexplorer.trainer.projection.neighbours import neighbours

        self.iterations, self.divergence = 0, float("nan")
        self._wanted, self._watch = asked.iterations, watch
        self._early = _EARLY if start is None else 0
        self._threads = count_cores()
        self._every = max(1, min(_MOST_ITERATIONS, _STEP_POINTS // len(units)))
        perplexity = float(asked.perplexity or 0)
        index = _Neighbours(*neighbours(units, max(1, int(3 * perplexity)), self._note_share))
        close = affinity.PerplexityBasedNN(
            knn_index=index, perplexity=perplexity, n_jobs=self._threads
        )
        exact = len(units) <= EXACT
        if start is None:
            first = initialization.pca(units, random_state=seed)
        else:
            first = initialization.jitter(checked_start(start, len(units)), random_state=seed)
        self._embedding: Any = TSNEEmbedding(
            first,
            close,
            negative_gradient_method="bh" if exact else "fft",
            theta=0,  # of the tree that "bh" would look through: nothing is approximated
            n_jobs=self._threads,
            random_state=seed,
        )

    @property
    def positions(self) -> Float32s:
        """Where the points are, (n, 2)."""
        return np.array(self._embedding, dtype=np.float32)

    def run(self) -> None:
        """Go down to the end, or until the watch says stop."""
        early = min(self._early, self._wanted)
        if self._optimize(early, exaggeration=_EXAGGERATION):
            self._optimize(self._wanted - early, exaggeration=1.0)
        if not self.iterations:
            raise InterruptedError(_NOTHING)

    def _optimize(self, iterations: int, exaggeration: float) -> bool:
        """Go some iterations on; return whether they were all."""
        from openTSNE.tsne import OptimizationInterrupt

        if not iterations:
            return True
        before = self.iterations
        try:
            self._embedding.optimize(
                iterations,
                inplace=True,
                propagate_exception=True,
                use_callbacks=True,
                callbacks=[
                    lambda number, error, now: self._is_over(before + number - 1, error, now)
                ],
                callbacks_every_iters=self._every,
                exaggeration=exaggeration,
                momentum=_MOMENTUM,
            )
        except OptimizationInterrupt:
            return False
        self.iterations, self.divergence = before + iterations, self._embedding.kl_divergence
        return True

    def _is_over(self, iterations: int, error: float, positions: Float32s) -> bool:
        """What openTSNE asks now and then, before it goes on from `iterations`."""
        self.iterations, self.divergence = iterations, float(error)
        share = iterations / self._wanted
        step = MapStep(
            _NEIGHBOURS_SHARE + (1 - _NEIGHBOURS_SHARE) * share,
            Message(
                "t-SNE, iteration {gone:,} of {iterations:,}",
                gone=iterations,
                iterations=self._wanted,
            ),
            iterations,
            self.divergence,
            np.array(positions, dtype=np.float32),
        )
        return not self._watch(step)

    def _note_share(self, share: float) -> None:
        step = MapStep(_NEIGHBOURS_SHARE * share, Message("Finding the nearest names"))
        if not self._watch(step):
            raise InterruptedError(_NOTHING)


class _Neighbours:
    """Neighbours that were found, in the form in which openTSNE asks for them."""

    def __init__(self, indices: Int64s, distances: NDArray[np.float64]) -> None:
        self.k = indices.shape[1]
        self._neighbours = (indices, distances)

    def build(self) -> tuple[Int64s, NDArray[np.float64]]:
        """Return the indices and distances."""
        return self._neighbours
