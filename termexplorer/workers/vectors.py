"""Children that make vectors: fastText training, opening of files, TF-IDF, vectors of a release."""

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.corpus import definitions, release_names
from termexplorer.store.encoders import (
    IndexFile,
    VectorFile,
    index_file,
    prepared_beneath,
    put_index,
    put_vectors,
    vector_file,
)
from termexplorer.store.engine import Store
from termexplorer.workers.child import Channel, trainer_errors
from termexplorer.workers.encoding import Encoders
from termexplorer.workspace import Workspace

_ENCODED_AT_ONCE = 8_192


@dataclass(frozen=True, slots=True)
class FastTextRequest:
    """Training of fastText vectors on the names and definitions of a release, and more text.

    Attributes:
        workspace: the workspace folder.
        release_id: whose names and definitions are read.
        texts: further text files, plain or `.gz`.
        dimension: width of the vectors.
        epochs: times that the text is read.
        min_count: rarer words have no vector of their own.
        buckets: rows that all character n-grams share.
    """

    workspace: Path
    release_id: int
    texts: tuple[Path, ...] = ()
    dimension: int = 300
    epochs: int = 5
    min_count: int = 5
    buckets: int = 200_000


@dataclass(frozen=True, slots=True)
class OpenVectorsRequest:
    """Opening of vectors that the user has.

    Attributes:
        source: a file of vectors, the folder of a transformer, or a `.npy` matrix.
        names: the text file of the names of a matrix's rows.
        pooling: of a transformer's tokens: mean or first.
    """

    workspace: Path
    source: Path
    names: Path | None = None
    pooling: str = "mean"


@dataclass(frozen=True, slots=True)
class MadeVectors:
    """A folder of pretrained vectors that is now in the workspace."""

    path: str
    kind: str
    dimension: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class ReleaseVectorsRequest:
    """The vectors of an encoder for all names of a release, and an index over them."""

    workspace: Path
    encoder_id: int
    release_id: int


def train_fasttext(request: FastTextRequest, channel: Channel) -> MadeVectors:
    """Trains fastText; the window's process is not the place for it: it holds ten threads."""
    from trainer.representations.fasttext_training import TrainingProgress, train, write_corpus

    workspace = Workspace(request.workspace)
    channel.progress(None, "Reading names and text")
    with workspace.store.reading() as connection:
        names = release_names(connection, request.release_id).texts
        lines = [*names, *definitions(connection, request.release_id)]

    def report(progress: TrainingProgress) -> None:
        channel.progress(progress.fraction, f"Training fastText, loss {progress.loss:.3f}")

    folder = _fresh_folder(workspace, "fasttext")
    with tempfile.TemporaryDirectory(dir=workspace.folder / "vectors") as place, trainer_errors():
        corpus = Path(place) / "corpus.txt"
        write_corpus(lines, request.texts, corpus)
        train(
            corpus,
            folder,
            dimension=request.dimension,
            epochs=request.epochs,
            min_count=request.min_count,
            buckets=request.buckets,
            progress=report,
        )
    return _made(workspace, folder)


def open_vectors(request: OpenVectorsRequest, channel: Channel) -> MadeVectors:
    """Makes our own copy of somebody's vectors; a damaged `.bin` may take this process with it."""
    from trainer.representations import convert

    for path in filter(None, (request.source, request.names)):
        if not path.exists():
            raise UserError(f"{path}: there is no such file; check the name")
    workspace = Workspace(request.workspace)
    channel.progress(None, f"Reading {request.source.name}")
    folder = _fresh_folder(workspace, "opened")
    with trainer_errors():
        convert(request.source, folder, names=request.names, pooling=request.pooling)
    return _made(workspace, folder)


def _fresh_folder(workspace: Workspace, kind: str) -> Path:
    return workspace.folder / "vectors" / f"{kind}-{secrets.token_hex(4)}"


def _made(workspace: Workspace, folder: Path) -> MadeVectors:
    from trainer.folders import META, read_meta, sha256

    meta = read_meta(folder, verify=False)
    workspace.close()
    return MadeVectors(
        str(folder.relative_to(workspace.folder)),
        str(meta["kind"]),
        int(meta["dimension"]),
        sha256(folder / META),
    )


def make_release_vectors(request: ReleaseVectorsRequest, channel: Channel) -> None:
    """Makes what is missing of what an encoder ranks a release by: vectors, indexes, TF-IDF."""
    workspace = Workspace(request.workspace)
    encoders = Encoders(workspace.folder, workspace.store)
    with workspace.store.reading() as connection:
        prepared = prepared_beneath(connection, encoders.info(request.encoder_id))
    for encoder in prepared:
        if encoder.is_lexical:
            _make_tfidf(workspace, encoder.id, request.release_id, channel)
        else:
            _make_dense(workspace, encoders, encoder.id, request.release_id, channel)
    workspace.close()


def _make_tfidf(workspace: Workspace, encoder_id: int, release_id: int, channel: Channel) -> None:
    from trainer.folders import META, sha256
    from trainer.representations.tfidf import TfidfNames

    with workspace.store.reading() as connection:
        if vector_file(connection, encoder_id, release_id):
            return
        texts = release_names(connection, release_id).texts
    channel.progress(None, "Making the lexical encoder")
    folder = workspace.folder / "vectors" / f"{encoder_id}-{release_id}"
    TfidfNames.fit(texts).save(folder)
    path = str(folder.relative_to(workspace.folder))
    made = VectorFile(encoder_id, release_id, path, sha256(folder / META), len(texts), 0)
    with workspace.store.writing() as connection:
        put_vectors(connection, made)


def _make_dense(
    workspace: Workspace, encoders: Encoders, encoder_id: int, release_id: int, channel: Channel
) -> None:
    with workspace.store.reading() as connection:
        vectors = vector_file(connection, encoder_id, release_id)
        indexed = index_file(connection, encoder_id, release_id)
    if vectors is None:
        ids = (encoder_id, release_id)
        vectors = encode_release(workspace.folder, workspace.store, encoders, *ids, channel)
    if indexed is None:
        _build_index(workspace, vectors, channel)


def encode_release(
    folder: Path,
    store: Store,
    encoders: Encoders,
    encoder_id: int,
    release_id: int,
    channel: Channel | None = None,
) -> VectorFile:
    """Writes the unit-length vectors of all live names of a release."""
    from trainer.folders import sha256

    with store.reading() as connection:
        texts = release_names(connection, release_id).texts
    blocks = []
    for start in range(0, len(texts), _ENCODED_AT_ONCE):
        if channel:
            channel.progress(start / len(texts), "Encoding all names")
        blocks.append(encoders.encode_unit(encoder_id, texts[start : start + _ENCODED_AT_ONCE]))
    path = f"vectors/{encoder_id}-{release_id}.npy"
    fresh = folder / f"{path}.{secrets.token_hex(4)}"
    matrix = np.concatenate(blocks)
    with fresh.open("wb") as file:
        np.save(file, matrix)
    content_hash = sha256(fresh)
    fresh.replace(folder / path)
    made = VectorFile(encoder_id, release_id, path, content_hash, *matrix.shape)
    with store.writing() as connection:
        put_vectors(connection, made)
    return made


def _build_index(workspace: Workspace, vectors: VectorFile, channel: Channel) -> None:
    from trainer.folders import META, sha256
    from trainer.retrieval import HnswIndex

    channel.progress(None, "Building the neighbour index")
    matrix = np.load(workspace.folder / vectors.path, mmap_mode="r")
    index = HnswIndex.build(matrix)
    folder = workspace.folder / f"vectors/{vectors.encoder_id}-{vectors.release_id}.hnsw"
    index.save(folder)
    path = str(folder.relative_to(workspace.folder))
    made = IndexFile(
        vectors.encoder_id, vectors.release_id, path, sha256(folder / META), index.recall
    )
    with workspace.store.writing() as connection:
        put_index(connection, made)
