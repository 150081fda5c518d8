"""The child that writes an encoder, with all that lies beneath it, into a folder of its own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from termexplorer.store.corpus import release_names
from termexplorer.store.engine import Store
from termexplorer.store.ontologies import ontologies
from termexplorer.texts import tr
from termexplorer.workers.child import Channel, trainer_errors
from termexplorer.workers.encoding import Encoders
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class EncoderExportRequest:
    """Which encoder goes where.

    Attributes:
        workspace: the workspace folder.
        encoder_id: one that has vectors.
        folder: a new one; it is begun beside its place, with `.part` after its name.
        foreign: write what the library sentence-transformers opens; else what `trainer.load` does.
    """

    workspace: Path
    encoder_id: int
    folder: Path
    foreign: bool


def write_encoder(request: EncoderExportRequest, channel: Channel) -> None:
    """Writes the folder.

    Raises:
        UserError: something beneath has changed or gone, or cannot be expressed in the library.
    """
    workspace = Workspace(request.workspace)
    try:
        encoders = Encoders(workspace.folder, workspace.store)
        with trainer_errors():
            if request.foreign:
                channel.progress(None, tr("Reading names"))
                also = _all_names(workspace.store)
                channel.progress(None, tr("Writing the vectors of words"))
                _write_foreign(encoders, request, also)
            else:
                channel.progress(None, tr("Copying"))
                _write_own(encoders, request)
    finally:
        workspace.close()


def _all_names(store: Store) -> list[str]:
    with store.reading() as connection:
        releases = ontologies(connection)
        return [text for each in releases for text in release_names(connection, each.id).texts]


def _write_foreign(encoders: Encoders, request: EncoderExportRequest, also: list[str]) -> None:
    from trainer.export import to_sentence_transformers

    to_sentence_transformers(encoders.representation(request.encoder_id), request.folder, also=also)


def _write_own(encoders: Encoders, request: EncoderExportRequest) -> None:
    """Copies of all that the encoder is made of, and how it is: `trainer.load` opens the whole."""
    from trainer.notebook import CHAIN

    part = request.folder.with_name(f"{request.folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    _Copies(encoders, request.workspace, part).write(request.encoder_id, part / CHAIN)
    part.rename(request.folder)


class _Copies:
    """Encoders that have been copied, each once."""

    def __init__(self, encoders: Encoders, workspace: Path, folder: Path) -> None:
        self._encoders, self._workspace, self._folder = encoders, workspace, folder
        self._written: dict[int, Path] = {}

    def write(self, encoder_id: int, place: Path) -> None:
        """Writes an encoder, and before it those that it builds on."""
        from trainer.representations import chained, joined

        info = self._encoders.info(encoder_id)
        if info.part_ids:
            joined.write(place, [self._beneath(part) for part in info.part_ids])
        elif info.input_id is None:
            shutil.copytree(self._workspace / info.path, place)
        else:
            weights = self._folder / f"weights-{info.id}"
            shutil.copytree(self._workspace / info.path, weights)
            chained.write(place, self._beneath(info.input_id), weights)

    def _beneath(self, encoder_id: int) -> Path:
        if encoder_id not in self._written:
            place = self._folder / f"encoder-{encoder_id}"
            self.write(encoder_id, place)
            self._written[encoder_id] = place
        return self._written[encoder_id]
