"""The encoder that comes with the program, as one of a workspace's encoders."""

import shutil
from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.store.title_templates import BUILT_IN
from termexplorer.trainer.errors import Message
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = [
    "ensure_built_in",
    "find_built_in",
    "is_built_in",
    "sort_own_last",
    "suggest_encoders",
]

_FOLDER = ("encoders", "built_in")  # in the resources
_HASH = "built_in"  # the parameter that tells it from others, and one version from another


def find_built_in(workspace: Workspace) -> EncoderInfo | None:
    """Return the newest built-in encoder that a workspace has, if any."""
    return next((info for info in reversed(list_encoders(workspace)) if is_built_in(info)), None)


def is_built_in(encoder: EncoderInfo) -> bool:
    """Whether an encoder came with the program."""
    return _HASH in encoder.parameters


def sort_own_last(encoders: Iterable[EncoderInfo]) -> list[EncoderInfo]:
    """Return encoders in the order in which they came, the built-in one before the user's own."""
    return sorted(encoders, key=lambda encoder: (not is_built_in(encoder), encoder.id))


def ensure_built_in(workspace: Workspace) -> EncoderInfo | None:
    """Return the built-in encoder of a workspace; it is copied there first where it is missing.

    The workspace keeps the copy that its figures were measured on; a later version of the program
    that brings another one adds that beside it.

    Returns:
        None where it is missing and nothing can be written.
    """
    from termexplorer.trainer.files.folders import META, sha256

    present = find_built_in(workspace)
    with as_file(locate_shipped()) as shipped:
        content_hash = sha256(shipped / META)
        if present is not None and present.parameters[_HASH] == content_hash:
            return present
        if workspace.read_only:
            return present
        return _copy_into(workspace, shipped, content_hash)


def suggest_encoders(workspace: Workspace) -> list[int]:
    """Return what is measured where nobody has chosen: the built-in encoder, and TF-IDF."""
    from termexplorer.store.encoders.infos import LEXICAL

    built_in = ensure_built_in(workspace)
    return [built_in.id, LEXICAL] if built_in else [LEXICAL]


def locate_shipped() -> "Traversable":
    """Return the folder of the encoder that comes with the program."""
    return files("termexplorer.resources").joinpath(*_FOLDER)


def _copy_into(workspace: Workspace, shipped: Path, content_hash: str) -> EncoderInfo:
    from termexplorer.services.encoders.vectors import add_made_vectors
    from termexplorer.trainer.files.folders import read_meta, room_beside
    from termexplorer.trainer.files.synced import move_synced
    from termexplorer.workers.encoders.vectors import made_in

    read_meta(shipped)  # with its files verified
    folder = workspace.folder / "vectors" / f"built-in-{content_hash[:8]}"
    if not folder.exists():
        with room_beside(folder) as room:
            shutil.copytree(shipped, room / "copy")
            try:
                move_synced(room / "copy", folder)
            except OSError:
                if not folder.is_dir():  # else another process was quicker
                    raise
    copied = made_in(workspace.folder, folder)
    return add_made_vectors(
        workspace,
        copied,
        Message(BUILT_IN),
        {_HASH: content_hash},
        same=lambda encoder: encoder.parameters.get(_HASH) == content_hash,
    )
