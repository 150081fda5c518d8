"""Vectors of millions of names: in 8 bits on the disk, searched exactly while that takes a second.

They are written block by block, and so is an index over them: a kill costs the block in work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock
from termexplorer.store.encoders.encoders import IndexFile, VectorFile
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.store.kept_paths import locate_kept
from termexplorer.texts import number, tr
from termexplorer.trainer.files.folders import META, sha256
from termexplorer.trainer.search.eight_bit import EightBitVectors, write_eight_bit
from termexplorer.trainer.search.inverted_lists import InvertedLists, has_faiss
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.process.child import Channel, trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.search.approximate import HnswIndex

LARGEST_MATRIX = 1 << 28  # bytes in float32; an index of hnswlib over more takes minutes to build
EXACT_SECONDS = 1.0  # of a query, up to which all vectors are searched

ReleaseVectors = Float32s | EightBitVectors


def is_large(count: int, dimension: int) -> bool:
    """Return whether vectors are written in 8 bits."""
    return count * dimension * 4 > LARGEST_MATRIX


def write_large_vectors(
    folder: Path,
    encoder: EncoderInfo,
    release_id: int,
    count: int,
    encode: Callable[[int, int], Float32s],
) -> VectorFile:
    """Write the vectors of an encoder for a release, or go on with what was begun.

    Args:
        folder: of the workspace.
        encoder: whose vectors.
        release_id: of which names.
        count: how many.
        encode: returns the vectors of the names from one number to before another.

    Raises:
        UserError: another process is writing them.
    """
    path = f"vectors/{encoder.id}-{release_id}.eight-bit"
    identity = {"encoder": encoder.id, "hash": encoder.content_hash, "release": release_id}
    with _lock_making(folder / path):
        vectors = write_eight_bit(folder / path, identity, count, encode)
    return VectorFile(encoder.id, release_id, path, sha256(folder / path / META), *vectors.shape)


def build_lists(folder: Path, file: VectorFile, channel: Channel) -> IndexFile:
    """Build the lists over large vectors, or go on with what was begun.

    Args:
        folder: of the workspace.
        file: the vectors.
        channel: is told of progress.

    Raises:
        UserError: another process is building them, or faiss is not installed.
    """
    vectors = EightBitVectors.load(locate_kept(folder, file.path))
    path = f"vectors/{file.encoder_id}-{file.release_id}.lists"
    with _lock_making(folder / path), trainer_errors():
        lists = InvertedLists.build(
            vectors,
            folder / path,
            {"vectors": file.content_hash},
            tick=lambda done: channel.progress(done, tr("Building the neighbour index")),
        )
    return IndexFile(
        file.encoder_id, file.release_id, path, sha256(folder / path / META), lists.recall
    )


def wants_lists(vectors: EightBitVectors) -> bool:
    """Return whether a query of all vectors takes so long that lists are built, and can be."""
    return vectors.seconds > EXACT_SECONDS and has_faiss()


def describe_search(
    vectors: ReleaseVectors | None, index: "HnswIndex | InvertedLists | None"
) -> str:
    """Return how neighbours among a release's names are found.

    Args:
        vectors: of its names; None where an encoder has none.
        index: what answers; None where all vectors are searched.
    """
    if isinstance(index, InvertedLists):
        recall, milliseconds = (
            number(index.recall, ".3f"),
            number(1000 * index.shape.seconds, ".0f"),
        )
        return f"faiss, recall@10 {recall}, {milliseconds} ms"
    if index is not None:
        return f"hnswlib, recall@10 {number(index.recall, '.3f')}"
    if not isinstance(vectors, EightBitVectors):
        return "exact"
    if vectors.seconds > EXACT_SECONDS and not has_faiss():
        return tr(
            "exact, 8 bit; {seconds} s a name, less with the extra `large`",
            seconds=number(vectors.seconds, ".1f"),
        )
    return tr("exact, 8 bit")


def wants_index(folder: Path, file: VectorFile) -> bool:
    """Return whether neighbours among vectors are found by an index that is built ahead.

    Args:
        folder: of the workspace.
        file: the vectors.
    """
    path = locate_kept(folder, file.path)
    return not path.is_dir() or wants_lists(EightBitVectors.load(path))


@contextmanager
def _lock_making(path: Path) -> Iterator[None]:
    path.parent.mkdir(exist_ok=True)
    lock = path.with_name(f"{path.name}.lock")
    try:
        with ProcessLock(lock):
            yield
    except LockHeldError as error:
        raise UserError(
            tr("{file} is being written by another process; wait until it is done", file=path)
        ) from error
