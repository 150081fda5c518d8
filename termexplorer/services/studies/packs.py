"""Study packs: what goes to an annotator who has nothing but termexplorer."""

from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.studies.content import PackContent, checked_content, read_content
from termexplorer.services.studies.envelopes import (
    FIRST_VERSION,
    PACK,
    RIGHT_ANSWERS,
    read_envelope,
    write_envelope,
)
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.verdicts.log import now
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyPair
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["OpenedPack", "open_pack", "write_pack"]

_OWN = ("plan", "made_at", "title", "sent_title")  # what packs do not tell, or told otherwise


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """A pack that is in the workspace.

    Attributes:
        study_id: of its study there.
        annotator: whose it is.
        new: whether it was not there before.
    """

    study_id: int
    annotator: str
    new: bool


def write_pack(workspace: Workspace, study_id: int, annotator: str, path: Path) -> int:
    """Writes what an annotator needs to judge; returns how often they are asked.

    The file holds neither labels nor sets, and is the same each time.

    Raises:
        UserError: no such study or annotator, or a place that cannot be written to.
    """
    study = find_study(workspace, study_id)
    seat, turns = find_seat(workspace, study, annotator)
    told = any(turn.right_answer for turn in turns)
    version = RIGHT_ANSWERS if told else FIRST_VERSION
    write_envelope(path, PACK, checked_content(study.head, seat.annotator, turns), version)
    return len(turns)


def open_pack(workspace: Workspace, path: Path) -> OpenedPack:
    """Takes a pack into the workspace, where its pairs can then be judged; once.

    Raises:
        UserError: it is no sound pack, or another version of a study that is there; then nothing
            was kept.
    """
    fields, pack_hash = read_envelope(path, PACK)
    try:
        content = read_content(fields, now())
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; ask for the file again", path=path, error=error)
        ) from error
    with workspace.store.writing() as connection:
        study_id = _add_study(connection, content, path)
        seats = {each.annotator: each for each in studies.seats_of(connection, study_id)}
        there = seats.get(content.annotator)
        if there is None:
            pairs = [
                replace(StudyPair.of((t.left, t.right), t.practice), known=t.right_answer)
                for t in content.turns
            ]
            studies.add_pairs(connection, study_id, list(dict.fromkeys(pairs)))
            seat = (study_id, content.annotator, pack_hash)
            there = studies.add_seat(connection, *seat, content.turns)
        if (there.pack_hash, studies.turns_of(connection, there)) != (pack_hash, content.turns):
            raise _other_version(path, study_id)
    return OpenedPack(study_id, content.annotator, content.annotator not in seats)


def _add_study(connection: Connection, content: PackContent, path: Path) -> int:
    """The study of a pack, which is added if it is not there."""
    for study in studies.studies(connection):
        if study.head.key == content.head.key:
            same = {name: getattr(study.head, name) for name in _OWN}
            renamed = content.head.title != study.head.pack_title
            if renamed or replace(content.head, **same) != study.head:
                raise _other_version(path, study.id)
            return study.id
    return studies.add_study(connection, content.head)


def _other_version(path: Path, study_id: int) -> UserError:
    return UserError(
        tr(
            "{path}: is another version of study {study_id}, which is there; ask who sent it "
            "which one counts",
            path=path,
            study_id=study_id,
        )
    )
