"""Verdicts from tables, such as `verdict_files` writes: all rows, or none."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.written_tables import WrittenRow, read_written
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.verdict_rows import CuratorRows, Given, StudyRows
from termexplorer.services.verdicts.log import CURATORS, Answer, Judge, VerdictSubject
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies, verdicts
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["ImportedVerdicts", "Unfit", "import_verdicts"]

_NEEDED = ("judge", "predicate", "subject", "object", "answer", "answered at")
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
    rows = list(read_written(path, _NEEDED))
    if not rows:
        raise UserError(tr("{path}: there is no verdict in it", path=path))
    with workspace.store.reading() as connection:
        _, unfit = _read_rows(connection, rows, study)
    if unfit:
        return ImportedVerdicts(len(rows), 0, 0, tuple(unfit))
    unsaved = back_up_before(workspace, "verdicts")
    with workspace.store.writing() as connection:
        given, unfit = _read_rows(connection, rows, study)  # somebody may have judged since
        if unfit:
            return ImportedVerdicts(len(rows), 0, 0, tuple(unfit), unsaved)
        given.sort(key=lambda each: each[2].answered_at)
        if study is None:
            added, older = verdicts.append_current(connection, given)
        else:
            added, older = verdicts.append_new(connection, given), 0
        return ImportedVerdicts(len(rows), added, older, (), unsaved)


Moments = dict[tuple[Judge, VerdictSubject, str], Answer]


def _choose_reader(connection: Connection, study: KeptStudy | None) -> CuratorRows | StudyRows:
    if study is None:
        return CuratorRows()
    seats = studies.seats_of(connection, study.id)
    turns = {seat.annotator: studies.turns_of(connection, seat) for seat in seats}
    return StudyRows(study.head, turns)


def _moments_in_log(connection: Connection, study: str) -> Moments:
    """What everybody said at each moment, also what was taken back."""
    return {
        (each.judge, each.subject, each.answer.answered_at): each.answer
        for each in verdicts.given(connection, study)
    }


def _read_rows(
    connection: Connection, rows: Iterable[WrittenRow], study: KeptStudy | None
) -> tuple[list[Given], list[Unfit]]:
    """Read rows as verdicts that can stand beside what the log has; others with why not."""
    reader = _choose_reader(connection, study)
    there = _moments_in_log(connection, CURATORS if study is None else study.head.key)
    given: list[Given] = []
    unfit: list[Unfit] = []
    for row in rows:
        try:
            if row.unfit:
                raise ValueError(row.unfit)
            found = reader.read(row.cells)
            _check_moment(found, there)
            given.append(found)
        except ValueError as error:
            unfit.append(Unfit(row.line, str(error)))
    return given, unfit


def _check_moment(found: Given, there: Moments) -> None:
    """Refuses another answer at the very moment of one that is known: it was changed since."""
    judge, subject, said = found
    if len(said.answered_at) < _WHOLE:
        return  # several on one day may be right
    known = there.setdefault((judge, subject, said.answered_at), said)
    if (known.answer, known.note) != (said.answer, said.note):
        raise ValueError(
            tr(
                "{name} said {answer!r} of it at that moment; what was said is not changed by "
                "a file",
                name=judge.name,
                answer=known.answer,
            )
        )
