"""The encoders of a workspace: which there are, and finding one."""

from termexplorer.errors import UserError
from termexplorer.store import encoders as queries
from termexplorer.store.encoders import EncoderInfo
from termexplorer.store.runs import runs
from termexplorer.workspace import Workspace

__all__ = ["EncoderInfo", "find_encoder", "list_encoders", "rename_encoder", "trained_on_ontology"]


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


def trained_on_ontology(workspace: Workspace, ontology_id: int | None) -> list[int]:
    """Ids of the encoders that were trained on a release, ascending."""
    with workspace.store.reading() as connection:
        found = [run.encoder_id for run in runs(connection) if run.release_id == ontology_id]
    return sorted(id_ for id_ in found if id_ is not None)


def rename_encoder(workspace: Workspace, encoder_id: int, title: str) -> None:
    """Gives an encoder another title."""
    with workspace.store.writing() as connection:
        queries.rename_encoder(connection, encoder_id, title)
