"""The encoders of a workspace: which there are, finding one, and removing one."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.files.making_room import (
    files_made_anew_of,
    locate_files,
    remove_begun_vectors,
    remove_files,
    write_making_room,
)
from termexplorer.store.encoders.infos import EncoderInfo, encoders, trained_on_release
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.store.database.sqlalchemy_engine import Connection

__all__ = [
    "EncoderInfo",
    "can_be_removed",
    "encoders_beneath",
    "find_encoder",
    "inputs_of",
    "list_encoders",
    "remove_encoder",
    "rename_encoder",
    "trained_on_ontology",
]

_MOST_TOLD = 12  # encoders in an error
_NEAREST = 3  # encoders that are named where one is not there


def list_encoders(workspace: Workspace) -> list[EncoderInfo]:
    """All encoders by id, of every kind."""
    with workspace.store.looking() as connection:
        return encoders(connection)


def find_encoder(workspace: Workspace, encoder_id: int) -> EncoderInfo:
    """One encoder.

    Raises:
        UserError: there is none of that id.
    """
    known_encoders = list_encoders(workspace)
    for encoder in known_encoders:
        if encoder.id == encoder_id:
            return encoder
    if len(known_encoders) > _MOST_TOLD:
        near = sorted(known_encoders, key=lambda candidate: abs(candidate.id - encoder_id))[
            :_NEAREST
        ]
        raise UserError(
            tr(
                "there is no encoder {encoder}; did you mean {near}? `termexplorer encoder list` "
                "shows the {count:,} there are",
                encoder=encoder_id,
                near=", ".join(f"{candidate.id} ({candidate.title})" for candidate in near),
                count=len(known_encoders),
            )
        )
    known = ", ".join(f"{e.id} ({e.title})" for e in known_encoders)
    raise UserError(
        tr("there is no encoder {encoder}; there are {known}", encoder=encoder_id, known=known)
        if known
        else tr("there is no encoder {encoder}; there are none yet", encoder=encoder_id)
    )


def encoders_beneath(workspace: Workspace) -> dict[int, int]:
    """Return the id of what lies beneath each encoder that was trained on another, by its id."""
    return inputs_of(list_encoders(workspace))


def inputs_of(known_encoders: Iterable[EncoderInfo]) -> dict[int, int]:
    """Return the same of encoders at hand."""
    return {
        encoder.id: encoder.input_id for encoder in known_encoders if encoder.input_id is not None
    }


def trained_on_ontology(workspace: Workspace, ontology_id: int | None) -> list[int]:
    """Ids of the encoders that were trained on a release, ascending."""
    if ontology_id is None:
        return []
    with workspace.store.looking() as connection:
        return trained_on_release(connection, ontology_id)


def rename_encoder(workspace: Workspace, encoder_id: int, title: str) -> None:
    """Gives an encoder another title."""
    from termexplorer.store.encoders import encoders as operations

    with workspace.store.writing() as connection:
        operations.rename_encoder(connection, encoder_id, title)


def can_be_removed(encoder: EncoderInfo) -> bool:
    """Whether it is neither of every workspace nor of a run, with which it would go."""
    of_everyone = encoder.is_lexical and not encoder.part_ids
    return not of_everyone and encoder.kind != "trained"


def remove_encoder(workspace: Workspace, encoder_id: int) -> None:
    """Removes vectors that were added or trained, or an encoder that was made of others.

    Raises:
        UserError: it is not there, belongs to every workspace, came of a run, or others build on
            it.
    """
    from termexplorer.store.encoders import encoders as operations
    from termexplorer.store.encoders.runs import run_of_encoder

    encoder = find_encoder(workspace, encoder_id)
    if encoder.is_lexical and not encoder.part_ids:
        raise UserError(
            tr("{encoder} belongs to every workspace; it cannot be removed", encoder=encoder.label)
        )

    def check_free(connection: "Connection") -> None:
        run = run_of_encoder(connection, encoder_id)
        if run is not None:
            raise UserError(
                tr(
                    "{encoder} came of run {run}; remove that run on the Train page, or with "
                    "`termexplorer run remove {run}`",
                    encoder=encoder.label,
                    run=run.id,
                )
            )
        operations.check_unused(connection, encoder_id)

    def remove_rows() -> list[Path]:
        with workspace.store.writing() as connection:
            check_free(connection)
            return locate_files(workspace, operations.remove_encoder(connection, encoder_id))

    with workspace.store.reading() as connection:
        check_free(connection)  # before files go that it would need
    going = files_made_anew_of(workspace, encoder_id)
    remove_files(write_making_room(workspace, remove_rows, going))
    remove_begun_vectors(workspace)
