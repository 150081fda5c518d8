"""Children that open vectors of others, and that make what an encoder ranks a release by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from termexplorer.errors import UserError
from termexplorer.files import beside
from termexplorer.store.corpus import release_names
from termexplorer.store.encoder_infos import prepared_beneath
from termexplorer.store.encoders import (
    IndexFile,
    VectorFile,
    index_file,
    put_index,
    put_vectors,
    vector_file,
)
from termexplorer.store.engine import Store
from termexplorer.store.ontologies import ontology
from termexplorer.texts import tr
from termexplorer.workers.child import Channel, trainer_errors
from termexplorer.workers.encoding import Encoders
from termexplorer.workspace import Workspace

_ENCODED_AT_ONCE = 2_048  # a transformer on two cores takes some ten seconds for them


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
    """A folder of pretrained vectors that is now in the workspace.

    Attributes:
        facts: what there is to know of the text that they were trained on.
    """

    path: str
    kind: str
    dimension: int
    content_hash: str
    facts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReleaseVectorsRequest:
    """The vectors of an encoder for all names of a release, and an index over them."""

    workspace: Path
    encoder_id: int
    release_id: int


def open_vectors(asked: tuple[Path, OpenVectorsRequest], channel: Channel) -> MadeVectors:
    """Makes our own copy of somebody's vectors; a damaged `.bin` may take this process with it.

    Args:
        asked: the folder of the copy, and what is opened.
        channel: to report by.

    Raises:
        UserError: something is missing or damaged.
    """
    from trainer.representations import convert

    folder, request = asked
    for path in filter(None, (request.source, request.names)):
        if not path.exists():
            raise UserError(tr("{path}: there is no such file; check the name", path=path))
    channel.progress(None, tr("Reading {name}", name=request.source.name))
    with trainer_errors():
        convert(request.source, folder, names=request.names, pooling=request.pooling)
    return made_in(request.workspace, folder)


def made_in(workspace: Path, folder: Path) -> MadeVectors:
    """What a folder of vectors says of itself."""
    from trainer.folders import META, read_meta, sha256

    meta = read_meta(folder, verify=False)
    return MadeVectors(
        str(folder.relative_to(workspace)),
        str(meta["kind"]),
        int(meta["dimension"]),
        sha256(folder / META),
    )


def make_release_vectors(request: ReleaseVectorsRequest, channel: Channel) -> None:
    """Makes what is missing of what an encoder ranks a release by: vectors, indexes, TF-IDF.

    Raises:
        UserError: the release was removed meanwhile.
    """
    workspace = Workspace(request.workspace)
    encoders = Encoders(workspace.folder, workspace.store)
    with workspace.store.reading() as connection:
        if ontology(connection, request.release_id) is None:
            raise UserError(
                tr("ontology {release_id} is there no longer", release_id=request.release_id)
            )
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
    channel.progress(None, tr("Making the lexical encoder"))
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
            channel.progress(start / len(texts), tr("Encoding all names"))
        blocks.append(encoders.encode_unit(encoder_id, texts[start : start + _ENCODED_AT_ONCE]))
    path = f"vectors/{encoder_id}-{release_id}.npy"
    matrix = np.concatenate(blocks)
    with beside(folder / path) as fresh:
        with fresh.open("wb") as file:
            np.save(file, matrix)
        content_hash = sha256(fresh)
    made = VectorFile(encoder_id, release_id, path, content_hash, *matrix.shape)
    with store.writing() as connection:
        put_vectors(connection, made)
    return made


def _build_index(workspace: Workspace, vectors: VectorFile, channel: Channel) -> None:
    from trainer.folders import META, sha256
    from trainer.retrieval import HnswIndex

    channel.progress(None, tr("Building the neighbour index"))
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
