"""Pretrained vectors and what is made of them: trained here, opened from a file, for a release."""

import itertools
import secrets
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders.encoders import IndexFile, add_encoder, index_file, vector_file
from termexplorer.store.encoders.infos import (
    LEXICAL,
    EncoderInfo,
    encoder,
    encoders,
    prepared_beneath,
)
from termexplorer.store.kept_messages import join_messages, plain_message
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.store.title_templates import (
    FIRST_TOKEN,
    MATRIX,
    MEAN,
    NUMBERED,
    SETTINGS,
    WITH_TEXT,
    WITH_TEXTS,
    WITH_TWO_TEXTS,
)
from termexplorer.texts import tr, trn
from termexplorer.trainer.errors import Message
from termexplorer.trainer.representations.methods import METHODS
from termexplorer.workers.encoders.large_vectors import wants_index
from termexplorer.workers.encoders.vector_training import TrainVectorsRequest, train_on_text
from termexplorer.workers.encoders.vectors import (
    REPEATS,
    MadeVectors,
    OpenVectorsRequest,
    ReleaseVectorsRequest,
    make_release_vectors,
    open_vectors,
)
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import Limits
from termexplorer.workers.process.sound_files import is_there
from termexplorer.workers.process.supervision import Crashed, JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "METHODS",
    "TrainVectorsRequest",
    "add_made_vectors",
    "add_vectors",
    "prepare",
    "prepare_lexical",
    "release_vectors_missing",
    "repeats_text",
    "train_vectors",
]

_MOST_NAMED = 2  # texts in a title
_OPEN_SECONDS = 1_800
_MEMORY_FACTOR = 4  # of a model's size; a damaged header asks for far more
_MEMORY_BASE = 8 << 30  # address space of Python, NumPy and torch, most of it never touched


Request = TypeVar("Request")


def train_vectors(
    workspace: Workspace,
    ontology: Ontology,
    request: TrainVectorsRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> EncoderInfo:
    """Trains vectors on text and adds them as an untrained encoder.

    Raises:
        UserError: there is no such method, too little text, or a file that cannot be read.
        Cancelled: it was cancelled; nothing is left behind.
    """
    trained = request.trained()
    vectors = _make_in_new_folder(
        workspace, request.method, train_on_text, request, control, on_message
    )
    parameters: dict[str, object] = {
        "method": request.method,
        "ontology": ontology.id,
        "texts": [str(path) for path in request.texts],
        "pubtator": [str(path) for path in request.pubtator],
        **asdict(trained),
        **vectors.facts,
    }
    return add_made_vectors(workspace, vectors, _vector_title(ontology, request), parameters)


def _vector_title(ontology: Ontology, request: TrainVectorsRequest) -> Message:
    """Tells apart what was trained on one ontology: by the other texts, and what is unusual."""
    listed, texts = METHODS[request.method], (*request.texts, *request.pubtator)
    parts = [Message(listed.vectors), plain_message(ontology.label)]
    if len(texts) > _MOST_NAMED:
        parts.append(Message(WITH_TEXTS, n=len(texts)))
    elif len(texts) == _MOST_NAMED:
        parts.append(Message(WITH_TWO_TEXTS, text=texts[0].name, other_text=texts[1].name))
    elif texts:
        parts.append(Message(WITH_TEXT, text=texts[0].name))
    for name, template in SETTINGS.items():
        asked = getattr(request, name)
        if asked not in (None, getattr(listed.usual, name, asked)):
            parts.append(Message(template, n=asked))
    return join_messages(parts)


def _make_in_new_folder(
    workspace: Workspace,
    kind: str,
    make: Callable[[tuple[Path, Request], Channel], MadeVectors],
    request: Request,
    control: JobControl,
    on_message: Callable[[object], None],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> MadeVectors:
    """What a child makes in a new folder; all that it has begun goes if it does not end well."""
    folder = workspace.folder / "vectors" / f"{kind}-{secrets.token_hex(4)}"
    try:
        return supervise(make, (folder, request), control, on_message, limits)
    except BaseException:
        for begun in folder.parent.glob(f"*{folder.name}*"):
            shutil.rmtree(begun, ignore_errors=True)
        raise


def add_vectors(
    workspace: Workspace,
    source: Path,
    control: JobControl,
    on_message: Callable[[object], None],
    *,
    names: Path | None = None,
    pooling: str = "mean",
) -> EncoderInfo:
    """Opens vectors that were made elsewhere and keeps a copy.

    Args:
        workspace: that they go to.
        source: a `.bin`, `.vec`, `.vec.gz` or word2vec text file, the folder of a Hugging Face
            transformer, or a `.npy` matrix.
        control: to cancel it by.
        on_message: is told of progress.
        names: the names of a matrix's rows, a text file of one a line.
        pooling: of a transformer's tokens, mean or first.

    Raises:
        UserError: something is missing or damaged, or names are given for what is no matrix.
    """
    if names is not None and source.suffix != ".npy":
        raise UserError(
            tr("{file}: only a .npy matrix takes the names of its rows from a file", file=source)
        )
    limits = Limits(
        memory=_MEMORY_BASE + _MEMORY_FACTOR * _size_on_disk(source), seconds=_OPEN_SECONDS
    )
    request = OpenVectorsRequest(
        workspace.folder, source.resolve(), names and names.resolve(), pooling
    )
    try:
        vectors = _make_in_new_folder(
            workspace, "opened", open_vectors, request, control, on_message, limits
        )
    except Crashed as error:
        raise UserError(
            tr("{file}: is damaged or no vectors that we know; fetch it again", file=source)
        ) from error
    parameters: dict[str, object] = {"file": str(source)}
    if names is not None:
        parameters["names"] = str(names)
    if source.is_dir():
        parameters["pooling"] = pooling
    return add_made_vectors(
        workspace, vectors, _title_of(source, pooling), parameters | dict(vectors.facts)
    )


def repeats_text(encoder_info: EncoderInfo) -> str:
    """How many rows of a file of vectors were left out, as a sentence; "" where none was."""
    count = encoder_info.parameters.get(REPEATS, 0)
    if not count:
        return ""
    return trn(
        "{n:,} row is left out, as an earlier one has its name",
        "{n:,} rows are left out, as earlier ones have their names",
        count,
    )


def _size_on_disk(source: Path) -> int:
    files = source.iterdir() if source.is_dir() else [source]
    return sum(file.stat().st_size for file in files if file.is_file())


def _title_of(source: Path, pooling: str) -> Message:
    if source.is_dir():
        return Message(MEAN if pooling == "mean" else FIRST_TOKEN, title=source.resolve().name)
    return Message(MATRIX if source.suffix == ".npy" else MEAN, title=source.name.split(".")[0])


def add_made_vectors(
    workspace: Workspace,
    vectors: MadeVectors,
    title: str,
    parameters: dict[str, object],
    *,
    same: Callable[[EncoderInfo], bool] = lambda _encoder: False,
) -> EncoderInfo:
    """Add vectors whose folder is in the workspace already, under a title that no encoder has.

    Args:
        workspace: that has them.
        vectors: in their folder.
        title: a number follows it where an encoder has it already.
        parameters: what they were made with.
        same: tells an encoder that is these vectors already, as another process added it; then
            it is returned, and nothing is added.
    """
    with workspace.store.writing() as connection:  # nobody else writes meanwhile
        known = next(filter(same, encoders(connection)), None)
        if known is not None:
            return known
        new = add_encoder(
            connection,
            kind="untrained",
            method=vectors.kind,
            title=free_title(connection, title),
            dimension=vectors.dimension,
            path=vectors.path,
            content_hash=vectors.content_hash,
            parameters=parameters,
        )
        info = encoder(connection, new)
    assert info is not None  # noqa: S101 - it was added a moment ago
    return info


def free_title(connection: Connection, title: str) -> str:
    """A title that no encoder has: this one, or this one with a number."""
    taken = {encoder_info.title for encoder_info in encoders(connection)}
    numbered = (Message(NUMBERED, title=title, n=number) for number in itertools.count(2))
    return next(
        candidate for candidate in itertools.chain([title], numbered) if candidate not in taken
    )


def release_vectors_missing(workspace: Workspace, encoder_id: int, release_id: int) -> bool:
    """Whether `prepare` has anything to do."""
    encoder = find_encoder(workspace, encoder_id)
    with workspace.store.reading() as connection:
        needed = [
            (
                part,
                vector_file(connection, part.id, release_id),
                index_file(connection, part.id, release_id),
            )
            for part in prepared_beneath(connection, encoder)
        ]
    folder = workspace.folder
    return any(
        vectors is None
        or not is_there(folder, vectors)
        or (
            part.has_vectors and wants_index(folder, vectors) and not _is_index_there(folder, index)
        )
        for part, vectors, index in needed
    )


def _is_index_there(folder: Path, index: IndexFile | None) -> bool:
    return index is not None and is_there(folder, index)


def prepare(
    workspace: Workspace,
    encoder_id: int,
    release_id: int,
    control: JobControl,
    on_message: Callable[[object], None],
) -> None:
    """Makes what an encoder ranks a release by, if it is not there: vectors, indexes, TF-IDF."""
    if release_vectors_missing(workspace, encoder_id, release_id):
        request = ReleaseVectorsRequest(workspace.folder, encoder_id, release_id)
        supervise(make_release_vectors, request, control, on_message)


def prepare_lexical(
    workspace: Workspace, release_id: int, control: JobControl, on_message: Callable[[object], None]
) -> None:
    """Makes the lexical encoder's matrices for a release, as after every import."""
    prepare(workspace, LEXICAL, release_id, control, on_message)
