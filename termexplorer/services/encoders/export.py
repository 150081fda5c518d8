"""Taking an encoder elsewhere: into a notebook, or to the library sentence-transformers."""

import json
from collections.abc import Callable
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.encoders.cards import encoder_card
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr, translated
from termexplorer.trainer.files.folders import is_free, room_beside
from termexplorer.trainer.files.synced import move_synced
from termexplorer.workers.encoders.export import EncoderExportRequest, write_encoder
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

CARD = "encoder.json"  # how it was made, in its folder


def export_encoder(
    workspace: Workspace,
    encoder_id: int,
    folder: Path,
    foreign: bool,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Path:
    """Writes an encoder and all that it is made of into a folder that stands alone.

    Args:
        workspace: that it is in.
        encoder_id: one that has vectors.
        folder: a new one, or an empty one.
        foreign: a folder for `SentenceTransformer(folder)`, with the words of every ontology of
            the workspace; else one for `trainer.load(folder)`.
        control: to cancel it by.
        on_message: is told of progress.

    Returns:
        The folder.

    Raises:
        UserError: the folder is in the workspace, there is something at it or it cannot be
            written, the encoder has no vectors, its files are not there, or that library cannot
            express it.
        Cancelled: it was cancelled; nothing is left behind.
    """
    encoder = find_encoder(workspace, encoder_id)
    if not encoder.has_vectors:
        raise UserError(
            tr(
                "{encoder} is {kind}: it has no vectors to export",
                encoder=encoder.label,
                kind=translated(encoder.kind),
            )
        )
    folder = folder.expanduser().resolve()
    _check_folder(workspace, folder)
    card = json.dumps(encoder_card(workspace, encoder_id), indent=2, ensure_ascii=False)
    try:
        with room_beside(folder) as room:
            part = room / folder.name
            request = EncoderExportRequest(workspace.folder, encoder_id, part, foreign)
            supervise(write_encoder, request, control, on_message)
            (part / CARD).write_text(card + "\n", "utf-8")
            if folder.exists():
                folder.rmdir()
            move_synced(part, folder)
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be written ({error})", path=folder, error=tell_reason(error))
        ) from error
    return folder


def _check_folder(workspace: Workspace, folder: Path) -> None:
    """Refuses a folder that something would be lost in, at once or later."""
    if folder.is_relative_to(workspace.folder.resolve()):
        raise UserError(
            tr(
                "{target} is in the workspace, which keeps folders of its own there; choose one "
                "outside of it",
                target=folder,
            )
        )
    if not is_free(folder):
        raise UserError(
            tr("{target} is there already and not empty; choose another folder", target=folder)
        )


def opens(folder: Path, foreign: bool) -> str:
    """The line of Python that opens a folder which `export_encoder` has written."""
    name = json.dumps(str(folder), ensure_ascii=False)
    return f"SentenceTransformer({name})" if foreign else f"trainer.load({name})"
