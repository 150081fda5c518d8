"""What annotators send back, and its merging into the log: in any order, as often as one likes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.studies.content import LONGEST_LINE, LONGEST_NAME
from termexplorer.services.studies.envelopes import ANSWERS, read_envelope, write_envelope
from termexplorer.services.studies.rows import ORIGIN, SKIPPED, Row, read_rows, rows_of, write_rows
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.studies.suggestion_verdicts import take_over
from termexplorer.services.verdicts.log import Answer, Judge, LoggedVerdict, VerdictSubject
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies, verdicts
from termexplorer.store.judging.studies import KeptStudy, Seat
from termexplorer.texts import mark, tr, translated
from termexplorer.workspace import Workspace

__all__ = ["Differing", "Merged", "merge_answers", "write_answers"]

_OTHER_VERSION = mark(
    "{path}: has answers to another version of the study {title!r}, which is not in this workspace"
)
_OTHER_STUDY = mark(
    "{path}: has answers to another study, {title!r}, which is not in this workspace"
)


@dataclass(frozen=True, slots=True)
class Differing:
    """A pair that somebody answered on two machines, and not alike; the later answer counts."""

    subject: str
    object: str
    earlier: str
    later: str


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of a file.

    Attributes:
        file: its path.
        study_id: whose answers they are.
        annotator: who gave them.
        rows: how many rows of the annotator's log it has, those too that were taken back.
        new_rows: how many of these were not in the log here.
        differing: pairs that were answered elsewhere too, and not alike.
        curated: how many rows it brought to curators' verdicts, where suggestions were asked about.
        unsaved: why no backup could be made first; "" where it was, or nothing is new.
    """

    file: str
    study_id: int
    annotator: str
    rows: int
    new_rows: int
    differing: tuple[Differing, ...]
    curated: int = 0
    unsaved: str = ""


def write_answers(workspace: Workspace, study_id: int, annotator: str, path: Path) -> int:
    """Writes all that an annotator said in a study, with what was taken back; returns the rows.

    Raises:
        UserError: no such study or annotator, or a place that cannot be written to.
    """
    study = find_study(workspace, study_id)
    seat, turns = find_seat(workspace, study, annotator)
    with workspace.store.reading() as connection:
        history = verdicts.history(connection, study.head.key, Judge(seat.annotator))
    content = {
        "study": study.head.key,
        "title": study.head.pack_title,
        "annotator": seat.annotator,
        "pack": seat.pack_hash,
        "rows": write_rows(rows_of(history), turns, seat.pack_hash),
    }
    write_envelope(path, ANSWERS, content)
    return len(history)


def merge_answers(workspace: Workspace, paths: Sequence[Path]) -> list[Merged]:
    """Adds what annotators said to the log, each row once; all files, or none.

    Raises:
        UserError: a file that is damaged or was changed, or answers to another study, to another
            version of it, or of somebody who does not judge in it; then nothing was added.
    """
    with workspace.store.reading() as connection:
        new = [_read_answers(connection, path).new for path in paths]
    unsaved = back_up_before(workspace, "verdicts") if any(new) else ""
    with workspace.store.writing() as connection:  # somebody may have merged since
        return [
            _merge_answers(connection, _read_answers(connection, path), unsaved) for path in paths
        ]


@dataclass(frozen=True, slots=True)
class _Answers:
    """A file that fits what is in the log.

    Attributes:
        there: the rows of the log by the ids of rows of files.
    """

    path: Path
    study: KeptStudy
    seat: Seat
    rows: Sequence[Row]
    new: Sequence[Row]
    there: Mapping[str, int]


def _read_answers(connection: Connection, path: Path) -> _Answers:
    """Read a file, and hold it against the study and the log.

    Raises:
        UserError: as of `merge_answers`.
    """
    fields, _ = read_envelope(path, ANSWERS)
    try:
        study, seat = _find_seat(connection, path, fields)
        turns = studies.turns_of(connection, seat)
        rows = read_rows(fields, study.head, turns, seat.pack_hash)
        fields.end()
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; ask for the file again", path=path, error=error)
        ) from error
    history = verdicts.history(connection, study.head.key, Judge(seat.annotator))
    there = {row.id: (row, each.id) for row, each in zip(rows_of(history), history, strict=True)}
    for number, row in enumerate(rows, 1):
        if row.id in there and there[row.id][0] != row:
            raise UserError(
                tr(
                    "{path}: row {number} was merged before and said something else; "
                    "ask for the file again",
                    path=path,
                    number=number,
                )
            )
    new = [row for row in rows if row.id not in there]
    ids = {row_id: at for row_id, (_, at) in there.items()}
    return _Answers(path, study, seat, rows, new, ids)


def _merge_answers(connection: Connection, file: _Answers, unsaved: str) -> Merged:
    study, seat, new = file.study, file.seat, file.new
    judge = Judge(seat.annotator)
    _append_rows(connection, judge, new, dict(file.there))
    counting = verdicts.counting(connection, study.head.key, judge) if new else []
    differing = tuple(_list_differing(counting, {row.id for row in file.rows}))
    curated = take_over(connection, study.head, seat.annotator)
    return Merged(
        str(file.path), study.id, seat.annotator, len(file.rows), len(new), differing, curated,
        unsaved,
    )  # fmt: skip


def _find_seat(connection: Connection, path: Path, fields: Fields) -> tuple[KeptStudy, Seat]:
    """The study and the annotator that a file is about."""
    key, title = fields.hash("study"), fields.text("title", LONGEST_LINE)
    annotator, pack = fields.text("annotator", LONGEST_NAME), fields.hash("pack")
    kept = studies.studies(connection)
    study = next((each for each in kept if each.head.key == key), None)
    if study is None:
        version = any(title in (each.head.title, each.head.pack_title) for each in kept)
        why = _OTHER_VERSION if version else _OTHER_STUDY
        raise UserError(translated(why, path=path, title=title))
    seats = {each.annotator: each for each in studies.seats_of(connection, study.id)}
    if annotator not in seats:
        raise UserError(
            tr(
                "{path}: is of {annotator!r}, who does not judge in study {study_id}; "
                "{annotators} do",
                path=path,
                annotator=annotator,
                study_id=study.id,
                annotators=", ".join(seats),
            )
        )
    if seats[annotator].pack_hash != pack:
        raise UserError(
            tr(
                "{path}: has answers to another version of study {study_id}; export the pack anew",
                path=path,
                study_id=study.id,
            )
        )
    return study, seats[annotator]


def _append_rows(
    connection: Connection, judge: Judge, rows: Sequence[Row], ids: dict[str, int]
) -> None:
    for row in rows:
        details = {**row.answer.details, ORIGIN: row.id}
        answer = replace(row.answer, details=details)
        undoes = ids[row.undoes] if row.undoes else None
        ids[row.id] = verdicts.append(connection, judge, row.subject, answer, undoes)


def _list_differing(
    counting: Sequence[LoggedVerdict], file: Collection[str]
) -> Iterator[Differing]:
    """Pairs of which a file and other rows of the log say different things."""
    said: tuple[dict[VerdictSubject, Answer], dict[VerdictSubject, Answer]] = {}, {}
    for each in sorted(counting, key=lambda row: row.answer.answered_at):
        of_file = each.answer.details.get(ORIGIN, each.hash) in file
        said[of_file][each.subject] = each.answer
    for subject, one in said[False].items():
        other = said[True].get(subject, one)
        if one.answer != other.answer and SKIPPED not in (one.answer, other.answer):
            earlier, later = sorted((one, other), key=lambda answer: answer.answered_at)
            yield Differing(subject.subject, subject.object, earlier.answer, later.answer)
