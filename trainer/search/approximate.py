"""Approximate neighbours by hnswlib, with the recall measured after each build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import read_meta, replacing
from termexplorer.trainer.tensors.cores import count_cores

KIND = "hnsw"
GOAL = 0.99
INDEX, STARTS, MEMBERS = "index.bin", "starts.npy", "members.npy"
_LINKS, _BUILD_WIDTH = 16, 200
_WIDTHS = (64, 96, 128, 192, 256, 384, 512, 1024)  # of the search, tried in turn
_SAMPLE, _NEIGHBOURS = 200, 10
_BATCH = 2000

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """What a saved index must agree with.

    Attributes:
        dimension: the width d.
        count: vectors, equal ones included.
        distinct: vectors in the graph.
        width: hnswlib's ``ef`` for searching.
        recall: recall@10 against exact search at that width, on sampled vectors, themselves not
            counted.
        space: hnswlib's name of the distance.
    """

    dimension: int
    count: int
    distinct: int
    width: int
    recall: float
    space: str = "ip"


class HnswIndex:
    """Neighbours of a vector among n; equal vectors are kept once in the graph.

    Attributes:
        goal: the recall below which exact ranking is the better choice.
        shape: sizes, and the recall that was measured.
    """

    goal = GOAL

    def __init__(self, graph: Any, starts: Int64s, members: Int64s, shape: Shape):
        self.shape = shape
        self._graph, self._starts, self._members = graph, starts, members

    @property
    def recall(self) -> float:
        """Recall@10 measured after the build."""
        return self.shape.recall

    @classmethod
    def build(
        cls,
        vectors: Float32s,
        seed: int = 0,
        threads: int | None = None,
        tick: Callable[[float], None] = lambda fraction: None,
    ) -> HnswIndex:
        """Index (n, d) float32 vectors at unit length (zero ones are left where they are).

        Args:
            vectors: the vectors.
            seed: of levels in the graph and of the sample that the recall is measured on.
            threads: that add vectors, all that may be used if None; the graph differs a little with
                them.
            tick: called with the share that is done; may raise to stop.

        Raises:
            ValueError: for an empty matrix, or values that are not finite; or if hnswlib is not
                installed, see `has_hnswlib`.
        """
        hnswlib = _import_hnswlib()
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
            raise TrainerError(
                "cannot index {shape}: no vectors, or values not finite", shape=vectors.shape
            )
        distinct, starts, members = _group_equal_vectors(vectors)
        graph = hnswlib.Index(space="ip", dim=vectors.shape[1])
        graph.init_index(len(distinct), M=_LINKS, ef_construction=_BUILD_WIDTH, random_seed=seed)
        graph.set_num_threads(threads or count_cores())
        for start in range(0, len(distinct), _BATCH):
            tick(start / len(distinct))
            graph.add_items(distinct[start : start + _BATCH])
        shape = Shape(vectors.shape[1], len(vectors), len(distinct), _WIDTHS[0], 0.0)
        index = cls(graph, starts, members, shape)
        index._measure(distinct, seed)
        return index

    def _measure(self, distinct: Float32s, seed: int) -> None:
        """Widen the search until the recall is as wanted, or no wider search is allowed."""
        from termexplorer.trainer.search.retrieval import top_k

        rng = np.random.default_rng(seed)
        sample = rng.permutation(len(distinct))[:_SAMPLE]
        k = min(_NEIGHBOURS + 1, len(distinct))  # each finds itself, which is no achievement
        least = top_k(distinct[sample], distinct, k)[1][:, -1]
        for width in _WIDTHS:
            self._graph.set_ef(max(width, k))
            _, distances = self._graph.knn_query(distinct[sample], k=k)
            reached = ((1 - distances) >= least[:, None] - 1e-5).sum(1)
            recall = float((reached - 1).mean() / max(k - 1, 1)) if k > 1 else 1.0
            self.shape = replace(self.shape, width=max(width, k), recall=recall)
            if recall >= GOAL:
                return

    def query(self, vector: Float32s, k: int) -> tuple[Int64s, Float32s]:
        """Return the k nearest vectors.

        Args:
            vector: (d,) float32 at unit length.
            k: how many; all n if there are fewer.

        Returns:
            (k,) int64 indices and (k,) float32 cosines, falling; equal ones by rising index.

        Raises:
            ValueError: for a vector of another width.
        """
        if vector.shape != (self.shape.dimension,):
            raise TrainerError(
                "the index takes ({dimension},), not {shape}",
                dimension=self.shape.dimension,
                shape=vector.shape,
            )
        wanted = min(k, self.shape.distinct)
        if wanted > self.shape.width:
            self._graph.set_ef(wanted)
        groups, distances = self._graph.knn_query(np.asarray(vector, np.float32), k=wanted)
        if wanted > self.shape.width:
            self._graph.set_ef(self.shape.width)
        return self._expand(groups[0].astype(np.int64), 1 - distances[0], k)

    def _expand(self, groups: Int64s, cosines: Float32s, k: int) -> tuple[Int64s, Float32s]:
        """Put the equal vectors of each group in its place."""
        sizes = self._starts[groups + 1] - self._starts[groups]
        enough = int(np.searchsorted(np.cumsum(sizes), k)) + 1
        members = [self._members[self._starts[g] : self._starts[g + 1]] for g in groups[:enough]]
        return np.concatenate(members)[:k], np.repeat(cosines[:enough], sizes[:enough])[:k]

    def save(self, folder: Path) -> None:
        """Write the index with a sidecar that says what it must agree with."""
        with replacing(folder, {"kind": KIND, **vars(self.shape)}) as part:
            self._graph.save_index(str(part / INDEX))
            np.save(part / STARTS, self._starts, allow_pickle=False)
            np.save(part / MEMBERS, self._members, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> HnswIndex:
        """Open a saved index in a new object; build it anew on any ``ValueError``.

        Raises:
            ValueError: for a missing or changed file, or sizes that do not agree.
        """
        hnswlib = _import_hnswlib()
        meta = read_meta(folder)
        if meta.get("kind") != KIND:
            raise TrainerError("{folder} holds no index of neighbours", folder=folder)
        shape = Shape(**{name: meta[name] for name in Shape.__dataclass_fields__})
        graph = hnswlib.Index(space=shape.space, dim=shape.dimension)
        try:
            graph.load_index(str(folder / INDEX), max_elements=shape.distinct)
            graph.set_num_threads(count_cores())
        except RuntimeError as error:
            raise TrainerError(
                "{file} is damaged; build the index anew", file=folder / INDEX
            ) from error
        starts, members = (np.load(folder / name, allow_pickle=False) for name in (STARTS, MEMBERS))
        if graph.get_current_count() != shape.distinct or len(members) != shape.count:
            raise TrainerError(
                "the files in {folder} do not belong together; build the index anew", folder=folder
            )
        graph.set_ef(shape.width)
        return cls(graph, starts, members, shape)


def has_hnswlib() -> bool:
    """Return whether an index can be built; all vectors are searched, exactly, where it cannot."""
    return find_spec("hnswlib") is not None


def _import_hnswlib() -> Any:
    try:
        import hnswlib
    except ImportError as error:
        raise TrainerError(
            "hnswlib is not installed, which searches for near vectors; `pip install hnswlib`, or "
            "rank exactly"
        ) from error
    return hnswlib


def _group_equal_vectors(vectors: Float32s) -> tuple[Float32s, Int64s, Int64s]:
    """Return the distinct vectors, and for each the rows that equal it, in rising order.

    Returns:
        (g, d) float32, (g + 1,) int64 starts, and (n,) int64 rows.
    """
    rows = (vectors + np.float32(0)).view(np.dtype((np.void, vectors.shape[1] * 4))).ravel()
    _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(group, kind="stable").astype(np.int64)
    starts = np.searchsorted(group[order], np.arange(len(first) + 1)).astype(np.int64)
    return vectors[first], starts, order
