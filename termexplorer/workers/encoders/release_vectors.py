"""What an encoder ranks a release by, in files: vectors, TF-IDF, and an index over vectors.

What is not there any more, or not what was written, is made anew.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.files import atomic_write
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.encoders import (
    IndexFile,
    VectorFile,
    index_file,
    put_index,
    put_vectors,
    vector_file,
)
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.releases.corpus import release_names
from termexplorer.texts import tr
from termexplorer.trainer.files.folders import META, sha256
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.large_vectors import (
    ReleaseVectors,
    build_lists,
    is_large,
    wants_lists,
    write_large_vectors,
)
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.sound_files import is_sound, is_there

if TYPE_CHECKING:
    from termexplorer.trainer.search.approximate import HnswIndex
    from termexplorer.trainer.search.inverted_lists import InvertedLists

_ENCODED_AT_ONCE = 2_048  # a transformer on two cores takes some ten seconds for them


def release_vectors(
    folder: Path,
    store: Store,
    encoders: Encoders,
    encoder_id: int,
    release_id: int,
    channel: Channel | None = None,
    texts: Sequence[str] | None = None,
) -> VectorFile:
    """The unit-length vectors of all live names of a release.

    Args:
        folder: of the workspace.
        store: of the workspace.
        encoders: of the workspace.
        encoder_id: whose vectors.
        release_id: of which names.
        channel: is told of progress where they are made.
        texts: those names, where they have been read.
    """
    with store.reading() as connection:
        stored = vector_file(connection, encoder_id, release_id)
        if stored is not None and _is_as_written(folder, stored):
            return stored
        if texts is None:
            texts = release_names(connection, release_id).texts
    info = encoders.info(encoder_id)

    def encode(start: int, stop: int) -> Float32s:
        blocks = []
        for first in range(start, stop, _ENCODED_AT_ONCE):
            if channel:
                channel.progress(first / len(texts), tr("Encoding all names"))
            part = texts[first : min(first + _ENCODED_AT_ONCE, stop)]
            blocks.append(encoders.encode_unit(encoder_id, part))
        return np.concatenate(blocks)

    if is_large(len(texts), info.dimension):
        return _keep_vectors(
            store, write_large_vectors(folder, info, release_id, len(texts), encode)
        )
    path = f"vectors/{encoder_id}-{release_id}.npy"
    matrix = encode(0, len(texts))
    with atomic_write(folder / path) as fresh:
        with fresh.open("wb") as file:
            np.save(file, matrix)
        content_hash = sha256(fresh)
    return _keep_vectors(
        store, VectorFile(encoder_id, release_id, path, content_hash, *matrix.shape)
    )


def release_tfidf(
    folder: Path, store: Store, encoder_id: int, release_id: int, channel: Channel | None = None
) -> VectorFile:
    """The lexical encoder's matrices for a release, with arguments as of `release_vectors`."""
    from termexplorer.trainer.representations.tfidf import TfidfNames

    with store.reading() as connection:
        stored = vector_file(connection, encoder_id, release_id)
        if stored is not None and is_sound(folder, stored):
            return stored
        texts = release_names(connection, release_id).texts
    if channel:
        channel.progress(None, tr("Making the lexical encoder"))
    path = f"vectors/{encoder_id}-{release_id}"
    TfidfNames.fit(texts).save(folder / path)
    content_hash = sha256(folder / path / META)
    return _keep_vectors(
        store, VectorFile(encoder_id, release_id, path, content_hash, len(texts), 0)
    )


def _keep_vectors(store: Store, new_file: VectorFile) -> VectorFile:
    with store.writing() as connection:
        put_vectors(connection, new_file)
    return new_file


def build_index(folder: Path, store: Store, vectors: VectorFile, channel: Channel) -> None:
    """Build an index over vectors, unless there is one that is sound, or none is wanted."""
    opened = load_vectors(locate_kept(folder, vectors.path))
    if not can_index(opened):
        return
    ids = (vectors.encoder_id, vectors.release_id)
    with store.reading() as connection:
        stored = index_file(connection, *ids)
    if stored is not None and _is_as_written(folder, stored):
        return
    if not isinstance(opened, np.ndarray):
        new_index = build_lists(folder, vectors, channel)
    else:
        new_index = _build_graph(folder, ids, opened, channel)
    with store.writing() as connection:
        put_index(connection, new_index)


def _build_graph(
    folder: Path, ids: tuple[int, int], vectors: Float32s, channel: Channel
) -> IndexFile:
    from termexplorer.trainer.search.approximate import HnswIndex

    channel.progress(None, tr("Building the neighbour index"))
    index = HnswIndex.build(vectors)
    path = f"vectors/{ids[0]}-{ids[1]}.hnsw"
    index.save(folder / path)
    return IndexFile(*ids, path, sha256(folder / path / META), index.recall)


def load_vectors(path: Path) -> ReleaseVectors:
    """Open the vectors of a release, memory-mapped.

    Raises:
        ValueError: files are missing, or of another size.
    """
    if path.is_dir():
        return EightBitVectors.load(path)
    matrix: Float32s = np.load(path, mmap_mode="r", allow_pickle=False)
    return matrix


def load_index(path: Path, vectors: ReleaseVectors) -> "HnswIndex | InvertedLists":
    """Open the index over vectors.

    Raises:
        ValueError: files are missing, or not what was written.
    """
    from termexplorer.trainer.search.approximate import HnswIndex
    from termexplorer.trainer.search.inverted_lists import InvertedLists

    if isinstance(vectors, np.ndarray):
        return HnswIndex.load(path)
    return InvertedLists.load(path, vectors)


def can_index(vectors: ReleaseVectors) -> bool:
    """Return whether vectors have an index, which needs its library; else all are searched."""
    from termexplorer.trainer.search.approximate import has_hnswlib

    return has_hnswlib() if isinstance(vectors, np.ndarray) else wants_lists(vectors)


def _is_as_written(folder: Path, file: VectorFile | IndexFile) -> bool:
    """Return whether files are sound; of gigabytes, which take a minute to read, whether there."""
    is_large_file = file.path.endswith((".eight-bit", ".lists"))
    return is_there(folder, file) if is_large_file else is_sound(folder, file)
