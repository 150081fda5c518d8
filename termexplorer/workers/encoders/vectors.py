"""Children that open vectors of others, and that make what an encoder ranks a release by."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.files.missing_file import check_no_pipe, missing_file_error
from termexplorer.store.encoders.infos import prepared_beneath
from termexplorer.store.releases.corpus import release_names
from termexplorer.store.releases.ontologies import ontologies, ontology
from termexplorer.texts import tr
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.release_vectors import (
    build_index,
    release_tfidf,
    release_vectors,
)
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.process.devices import AUTO
from termexplorer.workspace import Workspace

REPEATS = "repeats_left_out"  # on the card of an encoder
_SAMPLE, _FEWEST = 500, 20  # names, by which it is seen whether vectors tell names apart


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
        facts: what there is to know of the text that they were trained on, or of the file that
            they were read from.
    """

    path: str
    kind: str
    dimension: int
    content_hash: str
    facts: Mapping[str, Any] = field(default_factory=dict)


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
    from termexplorer.trainer.representations import convert

    folder, request = asked
    for path in filter(None, (request.source, request.names)):
        check_no_pipe(path)
        if not path.exists():
            raise missing_file_error(path)
    channel.progress(None, tr("Reading {name}", name=request.source.name))
    with trainer_errors():
        convert(request.source, folder, names=request.names, pooling=request.pooling)
    vectors = made_in(request.workspace, folder)
    workspace = Workspace(request.workspace)
    with workspace.store.reading() as connection:
        names = [
            text
            for release in ontologies(connection)[-1:]
            for text in release_names(connection, release.id).texts
        ]
    workspace.close()
    return replace(vectors, facts={**vectors.facts, **spread_facts(folder, names)})


def spread_facts(folder: Path, names: Sequence[str]) -> dict[str, float]:
    """Return how much some of the names differ by new vectors; nothing where there are none."""
    from termexplorer.trainer.representations import load_dense
    from termexplorer.trainer.representations.spread import measure_spread

    sample = names[:: max(-(-len(names) // _SAMPLE), 1)]
    if len(sample) < _FEWEST:
        return {}
    spread = measure_spread(load_dense(folder).encode(sample))
    return {k: round(value, 3) for k, value in asdict(spread).items()}


def made_in(workspace: Path, folder: Path) -> MadeVectors:
    """What a folder of vectors says of itself."""
    from termexplorer.trainer.files.folders import META, read_meta, sha256
    from termexplorer.trainer.representations.base import REPEATED

    meta = read_meta(folder, verify=False)
    return MadeVectors(
        str(folder.relative_to(workspace)),
        str(meta["kind"]),
        int(meta["dimension"]),
        sha256(folder / META),
        {REPEATS: int(meta[REPEATED])} if REPEATED in meta else {},
    )


def make_release_vectors(request: ReleaseVectorsRequest, channel: Channel) -> None:
    """Makes what is missing of what an encoder ranks a release by: vectors, indexes, TF-IDF.

    Raises:
        UserError: the release was removed meanwhile.
    """
    workspace = Workspace(request.workspace)
    encoders = Encoders(workspace.folder, workspace.store, AUTO)
    with workspace.store.reading() as connection:
        if ontology(connection, request.release_id) is None:
            raise UserError(
                tr("ontology {release_id} is there no longer", release_id=request.release_id)
            )
        prepared = prepared_beneath(connection, encoders.info(request.encoder_id))
    at = (workspace.folder, workspace.store)
    for encoder in prepared:
        ids = (encoder.id, request.release_id)
        if encoder.is_lexical:
            release_tfidf(*at, *ids, channel)
        else:
            build_index(*at, release_vectors(*at, encoders, *ids, channel), channel)
    workspace.close()
