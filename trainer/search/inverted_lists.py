"""Approximate neighbours among millions by faiss: lists of 8-bit vectors on the disk.

Vectors are shared out to the lists of the nearest of some thousand centres; a query looks through
the lists of its nearest centres alone, as many as the recall that was measured asks for [JDS].

[JDS] Jégou, Douze, Schmid 2011, Product quantization for nearest neighbor search, section IV.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.block_folder import BlockFolder
from termexplorer.trainer.files.folders import read_meta
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.trainer.search.ties import order_shown
from termexplorer.trainer.tensors.cores import count_cores

KIND = "inverted-lists"
GOAL = 0.97  # recall@10
_TRAINED = "trained.faiss"
_BLOCK_ROWS, _AT_ONCE = 500_000, 20_000
_LARGEST, _CLIPPED = 127, 0.8  # of a unit vector's components, 8 bits hold those up to this
_MOST_LISTS, _ROWS_A_LIST, _ROUNDS = 2_048, 40, 10  # rows that the centres are found from
_QUERIES, _NEIGHBOURS, _SPARE = 200, 10, 40
_PROBES = (1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 1_024)  # tried in turn

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class ListsShape:
    """What saved lists must agree with, and what was measured of them.

    Attributes:
        dimension: the width d.
        count: vectors n.
        lists: into which they are parted.
        probes: lists that a query looks through.
        recall: recall@10 against the exact answer, of rows that neither the centres nor
            ``probes`` were chosen by, themselves not counted.
        seconds: of a query, the median.
    """

    dimension: int
    count: int
    lists: int
    probes: int
    recall: float
    seconds: float


class InvertedLists:
    """Neighbours of a vector among n.

    Attributes:
        goal: the recall below which exact ranking is the better choice.
        shape: sizes, and the recall that was measured.
        vectors: among which.
        parts: of the lists, each with some of the vectors.
    """

    goal = GOAL

    def __init__(self, parts: Sequence[Any], vectors: EightBitVectors, shape: ListsShape) -> None:
        self.shape, self.vectors = shape, vectors
        self.parts = parts
        for part in parts:
            part.nprobe = shape.probes

    @property
    def recall(self) -> float:
        """Recall@10 measured after the build."""
        return self.shape.recall

    def query(self, vector: Float32s, k: int) -> tuple[Int64s, Float32s]:
        """Return the k nearest vectors of those that were looked at.

        Args:
            vector: (d,) float32 at unit length.
            k: how many; fewer are returned where the lists have fewer.

        Returns:
            (k,) int64 rows and (k,) float32 cosines, falling; equal ones by rising row. The
            cosines are those of the exact search.
        """
        codes = _as_codes(vector[None])
        nearness, lists = self.parts[0].quantizer.search(codes, self.shape.probes)
        candidates = np.concatenate(
            [
                part.search_preassigned(codes, k + _SPARE, lists, nearness)[1][0]
                for part in self.parts
            ]
        )
        rows = np.sort(candidates[candidates >= 0])
        cosines = self.vectors.cosines_of(rows, vector)
        order = order_shown(cosines, k)
        return rows[order], cosines[order]

    @classmethod
    def build(
        cls,
        vectors: EightBitVectors,
        folder: Path,
        identity: Mapping[str, Any],
        seed: int = 0,
        tick: Callable[[float], None] = lambda fraction: None,
        block_rows: int = _BLOCK_ROWS,
    ) -> InvertedLists:
        """Build lists block by block; after a kill the next call goes on where it was.

        Args:
            vectors: the vectors.
            folder: where the lists go.
            identity: what ``vectors`` are; what was begun of anything else is thrown away.
            seed: of the rows that centres and recall are measured by.
            tick: called with the share that is done; may raise to stop.
            block_rows: of a block.

        Raises:
            ValueError: faiss is not installed, or there are no vectors.
        """
        faiss = _import_faiss()
        if not len(vectors):
            raise TrainerError("cannot index {shape}: no vectors", shape=vectors.shape)
        lists = count_lists(len(vectors))
        settings = {"seed": seed, "lists": lists, "block_rows": block_rows}
        begun = BlockFolder(folder, {**identity, **settings})
        draw = np.random.default_rng(seed).permutation(len(vectors))
        queries, trained_on = draw[: 2 * _QUERIES], draw[2 * _QUERIES :]
        sample = np.sort((trained_on if len(trained_on) else draw)[: lists * _ROWS_A_LIST])
        begun.write(
            _TRAINED,
            lambda path: faiss.write_index(_train_centres(vectors, sample, lists, seed), str(path)),
        )
        names = []
        for start in range(0, len(vectors), block_rows):
            tick(start / len(vectors))
            stop = min(start + block_rows, len(vectors))
            names.append(f"{start // block_rows:05d}.faiss")
            begun.write(
                names[-1],
                lambda path, start=start, stop=stop: _add_block(  # type: ignore[misc]
                    begun.path(_TRAINED), vectors, range(start, stop), path
                ),
            )
        parts = [_map_part(begun.path(name)) for name in names]
        shape = _measure_recall(parts, vectors, lists, queries)
        begun.finish({"kind": KIND, "parts": names, **asdict(shape)})
        return cls(parts, vectors, shape)

    @classmethod
    def load(cls, folder: Path, vectors: EightBitVectors) -> InvertedLists:
        """Open saved lists over the vectors that they were built of.

        Raises:
            ValueError: faiss is not installed, a file is missing, or sizes do not agree.
        """
        _import_faiss()
        meta = read_meta(folder, verify=False)
        if meta.get("kind") != KIND:
            raise TrainerError("{folder} holds no index of neighbours", folder=folder)
        shape = ListsShape(**{name: meta[name] for name in ListsShape.__dataclass_fields__})
        parts = [_map_part(folder / Path(name).name) for name in meta["parts"]]
        widths = {part.d for part in parts}
        if (sum(part.ntotal for part in parts), widths) != (len(vectors), {vectors.shape[1]}):
            raise TrainerError(
                "the files in {folder} do not belong together; build the index anew", folder=folder
            )
        return cls(parts, vectors, shape)


def has_faiss() -> bool:
    """Return whether lists can be built; all vectors are searched, exactly, where they cannot."""
    return find_spec("faiss") is not None


def count_lists(count: int) -> int:
    """Return how many lists n vectors are parted into: the power of two that √n is next to."""
    return min(1 << round(math.log2(max(count, 1)) / 2), _MOST_LISTS)


def _import_faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise TrainerError(
            "faiss is not installed, which finds near vectors among millions; "
            "`.venv/bin/python -m pip install -e '.[large]'` in termexplorer's folder, or rank "
            "exactly"
        ) from error
    faiss.omp_set_num_threads(count_cores())
    return faiss


def _as_codes(units: Float32s) -> Float32s:
    """Return unit vectors as the integers that the lists hold, in float32."""
    codes: Float32s = np.rint(units * (_LARGEST / _CLIPPED)).clip(-_LARGEST, _LARGEST)
    return codes.astype(np.float32)


def _train_centres(vectors: EightBitVectors, sample: Int64s, lists: int, seed: int) -> Any:
    import faiss

    dimension = vectors.shape[1]
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dimension), dimension, lists,
        faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT, False,
    )  # fmt: skip
    index.cp.seed, index.cp.niter, index.cp.spherical = seed, _ROUNDS, True
    index.cp.min_points_per_centroid = 1
    index.train(_as_codes(vectors[sample]))
    return index


def _add_block(trained: Path, vectors: EightBitVectors, rows: range, path: Path) -> None:
    import faiss

    index = faiss.read_index(str(trained))
    for start in range(rows.start, rows.stop, _AT_ONCE):
        part = np.arange(start, min(start + _AT_ONCE, rows.stop))
        index.add_with_ids(_as_codes(vectors[part]), part)
    faiss.write_index(index, str(path))


def _map_part(path: Path) -> Any:
    """Open a block with its lists left on the disk.

    Raises:
        ValueError: faiss cannot read it.
    """
    import faiss

    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    except RuntimeError as error:
        raise TrainerError("{file} is damaged; build the index anew", file=path) from error


def _measure_recall(
    parts: Sequence[Any], vectors: EightBitVectors, lists: int, queries: Int64s
) -> ListsShape:
    """Look through more lists until the recall of one half is as wanted; report the other's."""
    half = (len(queries) + 1) // 2
    least = _tenth_cosines(vectors, queries)
    probes, shape = [number for number in _PROBES if number < lists] + [lists], None
    for number in probes:
        shape = ListsShape(vectors.shape[1], len(vectors), lists, number, 0.0, 0.0)
        searched = InvertedLists(parts, vectors, shape)
        if _recall_of(searched, queries[:half], least[:half])[0] >= GOAL:
            break
    assert shape is not None  # noqa: S101 - there is one list or more
    held_out = slice(half, None) if len(queries) > half else slice(None)
    recall, seconds = _recall_of(searched, queries[held_out], least[held_out])
    return ListsShape(**{**asdict(shape), "recall": recall, "seconds": seconds})


def _tenth_cosines(vectors: EightBitVectors, queries: Int64s) -> Float32s:
    """Return the cosine of the last of the nearest ten of each row, itself not counted, (q,)."""
    from termexplorer.trainer.search.all_pairs import RoundedRows, rank_all_pairs

    count = min(_NEIGHBOURS + 1, len(vectors))
    return rank_all_pairs(RoundedRows(*vectors.read_rows(queries)), vectors, count).cosines[:, -1]


def _recall_of(searched: InvertedLists, queries: Int64s, least: Float32s) -> tuple[float, float]:
    """Return the recall@10 of rows, themselves not counted, and the median seconds of one."""
    count = min(_NEIGHBOURS + 1, searched.shape.count)
    reached, seconds = [], []
    for vector, last in zip(searched.vectors[queries], least, strict=True):
        start = time.perf_counter()
        _, cosines = searched.query(vector, count)
        seconds.append(time.perf_counter() - start)
        reached.append(np.count_nonzero(cosines >= last) - 1)
    return float(np.mean(reached) / max(count - 1, 1)) if count > 1 else 1.0, float(
        np.median(seconds)
    )
