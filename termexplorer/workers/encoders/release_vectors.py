"""What an encoder ranks a release by, in files: vectors, TF-IDF, and an index over vectors.

What is not there any more, or not what was written, is made anew.
"""

from collections.abc import Sequence
from pathlib import Path

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
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.sound_files import is_sound

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
        if stored is not None and is_sound(folder, stored):
            return stored
        if texts is None:
            texts = release_names(connection, release_id).texts
    blocks = []
    for start in range(0, len(texts), _ENCODED_AT_ONCE):
        if channel:
            channel.progress(start / len(texts), tr("Encoding all names"))
        blocks.append(encoders.encode_unit(encoder_id, texts[start : start + _ENCODED_AT_ONCE]))
    path = f"vectors/{encoder_id}-{release_id}.npy"
    matrix = np.concatenate(blocks)
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
    """Builds an index over vectors, unless there is one that is sound, or hnswlib is not there."""
    from termexplorer.trainer.search.approximate import HnswIndex, has_hnswlib

    if not has_hnswlib():
        return
    ids = (vectors.encoder_id, vectors.release_id)
    with store.reading() as connection:
        stored = index_file(connection, *ids)
    if stored is not None and is_sound(folder, stored):
        return
    channel.progress(None, tr("Building the neighbour index"))
    index = HnswIndex.build(np.load(locate_kept(folder, vectors.path), mmap_mode="r"))
    path = f"vectors/{vectors.encoder_id}-{vectors.release_id}.hnsw"
    index.save(folder / path)
    new_index = IndexFile(*ids, path, sha256(folder / path / META), index.recall)
    with store.writing() as connection:
        put_index(connection, new_index)
