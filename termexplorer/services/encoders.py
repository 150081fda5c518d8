"""The encoders of a workspace: which there are, and finding one."""

from termexplorer.errors import UserError
from termexplorer.store import encoders as queries
from termexplorer.store.encoders import EncoderInfo
from termexplorer.workspace import Workspace

__all__ = ["EncoderInfo", "find_encoder", "list_encoders", "rename_encoder"]


def list_encoders(workspace: Workspace) -> list[EncoderInfo]:
    """All encoders by id: lexical, untrained and trained."""
    with workspace.store.reading() as connection:
        return queries.encoders(connection)


def find_encoder(workspace: Workspace, encoder_id: int) -> EncoderInfo:
    """One encoder.

    Raises:
        UserError: there is none of that id.
    """
    there = list_encoders(workspace)
    for encoder in there:
        if encoder.id == encoder_id:
            return encoder
    known = ", ".join(f"{e.id} ({e.title})" for e in there)
    raise UserError(f"there is no encoder {encoder_id}; there are {known or 'none yet'}")


def rename_encoder(workspace: Workspace, encoder_id: int, title: str) -> None:
    """Gives an encoder another title."""
    with workspace.store.writing() as connection:
        queries.rename_encoder(connection, encoder_id, title)
