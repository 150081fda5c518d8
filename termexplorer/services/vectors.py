"""Pretrained vectors and what is made of them: trained here, opened from a file, for a release."""

import itertools
from collections.abc import Callable
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.encoders import (
    LEXICAL,
    EncoderInfo,
    add_encoder,
    encoder,
    encoders,
    index_file,
    vector_file,
)
from termexplorer.store.engine import Connection
from termexplorer.store.ontologies import Ontology
from termexplorer.workers.protocol import Limits
from termexplorer.workers.supervision import Control, Crashed, supervise
from termexplorer.workers.vectors import (
    FastTextRequest,
    MadeVectors,
    OpenVectorsRequest,
    ReleaseVectorsRequest,
    make_release_vectors,
    open_vectors,
    train_fasttext,
)
from termexplorer.workspace import Workspace

__all__ = [
    "FastTextRequest",
    "add_vectors",
    "prepare",
    "prepare_lexical",
    "release_vectors_missing",
    "train_vectors",
]

_MOST_NAMED = 2  # texts in a title
_OPEN_SECONDS = 1_800
_MEMORY_FACTOR = 4  # of a model's size; a damaged header asks for far more
_MEMORY_BASE = 8 << 30  # address space of Python, NumPy and torch, most of it never touched


def train_vectors(
    workspace: Workspace,
    ontology: Ontology,
    request: FastTextRequest,
    control: Control,
    on_message: Callable[[object], None],
) -> EncoderInfo:
    """Trains fastText vectors and adds them as an untrained encoder (the mean of a name's words).

    Raises:
        UserError: too little text, or a text file that cannot be read.
        Cancelled: it was cancelled; nothing is left behind.
    """
    made = supervise(train_fasttext, request, control, on_message)
    texts = [str(path) for path in request.texts]
    parameters = {
        "ontology": ontology.id,
        "texts": texts,
        "dimension": request.dimension,
        "epochs": request.epochs,
        "min_count": request.min_count,
        "buckets": request.buckets,
    }
    return _add(workspace, made, _title(ontology, request), parameters)


def _title(ontology: Ontology, request: FastTextRequest) -> str:
    """Tells apart what was trained on one ontology: by the other texts, and what is unusual."""
    parts = ["fastText mean", ontology.label]
    if len(request.texts) > _MOST_NAMED:
        parts.append(f"with {len(request.texts)} texts")
    elif request.texts:
        parts.append("with " + " and ".join(path.name for path in request.texts))
    usual = FastTextRequest(request.workspace, request.release_id)
    if request.dimension != usual.dimension:
        parts.append(f"dimension {request.dimension}")
    if request.epochs != usual.epochs:
        parts.append(f"epochs {request.epochs}")
    return ", ".join(parts)


def add_vectors(
    workspace: Workspace, file: Path, control: Control, on_message: Callable[[object], None]
) -> EncoderInfo:
    """Opens a `.bin`, `.vec`, `.vec.gz` or word2vec text file and keeps a copy of its matrices.

    Raises:
        UserError: it is missing or damaged.
    """
    size = file.stat().st_size if file.exists() else 0
    limits = Limits(memory=_MEMORY_BASE + _MEMORY_FACTOR * size, seconds=_OPEN_SECONDS)
    request = OpenVectorsRequest(workspace.folder, file.resolve())
    try:
        made = supervise(open_vectors, request, control, on_message, limits)
    except Crashed as error:
        raise UserError(f"{file}: is damaged or no model of fastText; fetch it again") from error
    return _add(workspace, made, f"{file.name.split('.')[0]} mean", {"file": str(file)})


def _add(
    workspace: Workspace, made: MadeVectors, title: str, parameters: dict[str, object]
) -> EncoderInfo:
    with workspace.store.writing() as connection:
        new = add_encoder(
            connection,
            kind="untrained",
            method=made.kind,
            title=_free_title(connection, title),
            dimension=made.dimension,
            path=made.path,
            content_hash=made.content_hash,
            parameters=parameters,
        )
        info = encoder(connection, new)
    assert info is not None  # noqa: S101 - it was added a moment ago
    return info


def _free_title(connection: Connection, title: str) -> str:
    """A title that no encoder has: this one, or this one with a number."""
    taken = {each.title for each in encoders(connection)}
    numbered = (f"{title} ({number})" for number in itertools.count(2))
    return next(each for each in itertools.chain([title], numbered) if each not in taken)


def release_vectors_missing(workspace: Workspace, encoder_id: int, release_id: int) -> bool:
    """Whether `prepare` has anything to do."""
    with workspace.store.reading() as connection:
        if vector_file(connection, encoder_id, release_id) is None:
            return True
        indexed = index_file(connection, encoder_id, release_id)
    return encoder_id != LEXICAL and indexed is None


def prepare(
    workspace: Workspace,
    encoder_id: int,
    release_id: int,
    control: Control,
    on_message: Callable[[object], None],
) -> None:
    """Makes the vectors of an encoder for a release and the index over them, if not there."""
    if release_vectors_missing(workspace, encoder_id, release_id):
        request = ReleaseVectorsRequest(workspace.folder, encoder_id, release_id)
        supervise(make_release_vectors, request, control, on_message)


def prepare_lexical(
    workspace: Workspace, release_id: int, control: Control, on_message: Callable[[object], None]
) -> None:
    """Makes the lexical encoder's matrices for a release, as after every import."""
    prepare(workspace, LEXICAL, release_id, control, on_message)
