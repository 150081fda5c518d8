"""Encoders, runs, evaluations and maps are called what the user calls them."""

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder, rename_encoder
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.train.runs import find_run, list_runs, note_run
from termexplorer.store.encoders import evaluations as queries
from termexplorer.store.encoders import projections
from termexplorer.store.encoders.projections import ProjectionInfo
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_LONGEST = 200  # letters


def can_be_renamed(encoder: EncoderInfo) -> bool:
    """Return whether an encoder is not one of every workspace."""
    return not encoder.is_lexical or bool(encoder.part_ids)


def rename_own_encoder(workspace: Workspace, encoder_id: int, title: str) -> EncoderInfo:
    """Give an encoder another title, and the run that trained it as well.

    Raises:
        UserError: there is none, it belongs to every workspace, or the title is none.
    """
    encoder = find_encoder(workspace, encoder_id)
    if not can_be_renamed(encoder):
        raise UserError(
            tr("{encoder} belongs to every workspace; it keeps its name", encoder=encoder.label)
        )
    text = _checked_title(title)
    run = next(
        (candidate for candidate in list_runs(workspace) if candidate.encoder_id == encoder_id),
        None,
    )
    if run is None:
        rename_encoder(workspace, encoder_id, text)
    else:
        note_run(workspace, run.id, title=text, notes=run.notes)
    return find_encoder(workspace, encoder_id)


def rename_run(workspace: Workspace, run_id: int, title: str) -> None:
    """Give a run another title, and the encoder that came of it as well.

    Raises:
        UserError: there is none, or the title is none.
    """
    run = find_run(workspace, run_id)
    note_run(workspace, run_id, title=_checked_title(title), notes=run.notes)


def rename_evaluation(workspace: Workspace, evaluated: Evaluated, name: str) -> None:
    """Give an evaluation a name; without one it is called by its data.

    Raises:
        UserError: the name is too long.
    """
    text = _checked_title(name) if name.strip() else ""
    with workspace.store.writing() as connection:
        queries.name_evaluation(connection, evaluated.task, evaluated.data_hash, text)


def rename_map(workspace: Workspace, info: ProjectionInfo, title: str) -> None:
    """Give a map a title; without one it is called by what it is of.

    Raises:
        UserError: the title is too long.
    """
    text = _checked_title(title) if title.strip() else ""
    with workspace.store.writing() as connection:
        projections.put_title(connection, info.key, text)


def _checked_title(title: str) -> str:
    """Return a title in one line.

    Raises:
        UserError: it is empty or too long.
    """
    text = " ".join(title.split())
    if not 0 < len(text) <= _LONGEST:
        raise UserError(tr("give a name of 1 to {most} letters", most=_LONGEST))
    return text
