"""The child that writes an encoder, with all that lies beneath it, into a folder of its own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.releases.corpus import release_names
from termexplorer.store.releases.ontologies import ontologies
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.read_names import READ_NAMES
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class EncoderExportRequest:
    """Which encoder goes where.

    Attributes:
        workspace: the workspace folder.
        encoder_id: one that has vectors.
        folder: a new one.
        foreign: write what the library sentence-transformers opens; else what `trainer.load` does.
    """

    workspace: Path
    encoder_id: int
    folder: Path
    foreign: bool


def write_encoder(request: EncoderExportRequest, channel: Channel) -> None:
    """Writes the folder.

    Raises:
        UserError: something beneath has changed or gone, or cannot be expressed in the library, or
            the folder cannot be written.
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
    except OSError as error:
        raise UserError(
            tr(
                "{path}: cannot be written ({error})",
                path=error.filename or request.folder,
                error=tell_reason(error),
            )
        ) from error
    finally:
        workspace.close()


def _all_names(store: Store) -> list[str]:
    with store.reading() as connection:
        releases = ontologies(connection)
        return [
            text for release in releases for text in release_names(connection, release.id).texts
        ]


def _write_foreign(encoders: Encoders, request: EncoderExportRequest, also: list[str]) -> None:
    from termexplorer.trainer.export import to_sentence_transformers

    to_sentence_transformers(encoders.representation(request.encoder_id), request.folder, also=also)


def _write_own(encoders: Encoders, request: EncoderExportRequest) -> None:
    """Copies of all that the encoder is made of, and how it is: `trainer.load` opens the whole."""
    from termexplorer.trainer.notebook import CHAIN

    copies = _Copies(encoders, request.workspace, request.folder)
    copies.write(request.encoder_id, request.folder / CHAIN)


class _Copies:
    """Encoders that have been copied, each once."""

    def __init__(self, encoders: Encoders, workspace: Path, folder: Path) -> None:
        self._encoders, self._workspace, self._folder = encoders, workspace, folder
        self._written: dict[int, Path] = {}

    def write(self, encoder_id: int, folder: Path) -> None:
        """Writes an encoder, and before it those that it builds on."""
        from termexplorer.trainer.encoders import chained, joined

        info = self._encoders.info(encoder_id)
        if info.part_ids:
            joined.write(folder, [self._beneath(part) for part in info.part_ids])
        elif info.input_id is None:
            self._copy(info, folder)
        else:
            weights = self._folder / f"weights-{info.id}"
            self._copy(info, weights)
            chained.write(folder, self._beneath(info.input_id), weights)

    def _copy(self, info: EncoderInfo, folder: Path) -> None:
        from termexplorer.trainer.files.folders import read_meta

        source = locate_kept(self._workspace, info.path)
        read_meta(source)  # it is what it was
        shutil.copytree(
            source,
            folder,
            ignore=shutil.ignore_patterns(READ_NAMES),
            copy_function=shutil.copyfile,  # not who may read it: weights of old are their owner's
        )

    def _beneath(self, encoder_id: int) -> Path:
        if encoder_id not in self._written:
            folder = self._folder / f"encoder-{encoder_id}"
            self.write(encoder_id, folder)
            self._written[encoder_id] = folder
        return self._written[encoder_id]
