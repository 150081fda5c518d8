"""Verdicts from tables, such as `verdict_files` writes: if a row does not fit, none is stored.

Rows are read before anything is written, and then written by short batches, between which others
judge. An import that was broken off leaves a log that is whole, and is done again for the rest.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.written_tables import read_written
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.verdict_rows import CuratorRows, Given, StudyRows
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies
from termexplorer.store.judging.log_batches import append_in_batches
from termexplorer.store.judging.log_index import find_answer_at
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.store.judging.verdict_spool import VerdictSpool
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["ImportedVerdicts", "Unfit", "import_verdicts"]

_NEEDED = ("annotator", "predicate", "subject", "object", "answer", "answered at")
_WHOLE = len("2026-03-01T10:00")  # what is shorter is a day


@dataclass(frozen=True, slots=True)
class Unfit:
    """A row that is no verdict, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ImportedVerdicts:
    """What came of a file.

    Attributes:
        rows: how many it has.
        new: how many were not in the log yet.
        older: how many of curators' were left out, as they said something later on the same.
        unfit: rows that do not fit; if there is one, nothing was stored.
        unsaved: why no backup could be made first; "" where it was.
    """

    rows: int
    new: int
    older: int
    unfit: tuple[Unfit, ...]
    unsaved: str = ""


def import_verdicts(
    workspace: Workspace, path: Path, study_id: int | None = None
) -> ImportedVerdicts:
    """Adds the verdicts of a table to the log, each once, however often it is imported.

    What is in the log already stays as it is there, also if it was taken back.

    Args:
        workspace: whose log it is.
        path: of the table.
        study_id: of the study whose annotators gave them; None for curators' verdicts.

    Raises:
        UserError: no such study, or a file that cannot be read or has not the columns; then
            nothing was stored.
    """
    study = None if study_id is None else find_study(workspace, study_id)
    with VerdictSpool(by_moment=True) as spool:
        count, unfit = _read_rows(workspace, path, study, spool)
        if not count:
            raise UserError(tr("{path}: there is no verdict in it", path=path))
        if unfit:
            return ImportedVerdicts(count, 0, 0, tuple(unfit))
        unsaved = back_up_before(workspace, "verdicts")
        check = partial(_check_study_in_place, path, None if study is None else study.head.key)
        added = append_in_batches(workspace.store, spool, check, skip_older=study is None)
        return ImportedVerdicts(count, added.new, added.older, (), unsaved)


def _choose_reader(connection: Connection, study: KeptStudy | None) -> CuratorRows | StudyRows:
    if study is None:
        return CuratorRows()
    seats = studies.seats_of(connection, study.id)
    turns = {seat.annotator: studies.turns_of(connection, seat) for seat in seats}
    return StudyRows(study.head, turns)


def _read_rows(
    workspace: Workspace, path: Path, study: KeptStudy | None, spool: VerdictSpool
) -> tuple[int, list[Unfit]]:
    """Take rows as verdicts that can stand beside what the log has.

    Returns:
        How many there are, and which do not fit.
    """
    with workspace.store.reading() as connection:
        reader = _choose_reader(connection, study)
    unfit: list[Unfit] = []
    count = 0
    with workspace.store.looking() as log:
        for row in read_written(path, _NEEDED):
            count += 1
            try:
                if row.unfit:
                    raise ValueError(row.unfit)
                given = reader.read(row.cells)
                _check_moment(log, spool, given)
                spool.add(given)
            except ValueError as error:
                unfit.append(Unfit(row.line, str(error)))
    return count, unfit


def _check_moment(log: SqlReader, spool: VerdictSpool, given: Given) -> None:
    """Refuse another answer at the very moment of one that is known: it was changed since."""
    judge, subject, answer = given
    at = answer.answered_at
    if len(at) < _WHOLE:
        return  # several on one day may be right
    known = find_answer_at(log, judge, subject, at) or spool.find_answer_at(judge, subject, at)
    if known and known != (answer.answer, answer.note):
        raise ValueError(
            tr(
                "{name} said {answer!r} of it at that moment; what was said is not changed by "
                "a file",
                name=judge.name,
                answer=known[0],
            )
        )


def _check_study_in_place(path: Path, key: str | None, connection: Connection) -> None:
    """Refuse answers to a study that was changed or removed while they were read.

    Raises:
        UserError: it was.
    """
    if key is not None and not studies.has_study(connection, key):
        raise UserError(
            tr("{path}: the study was changed meanwhile; import the file again", path=path)
        )
