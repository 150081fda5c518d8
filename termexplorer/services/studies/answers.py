"""What annotators send back, and its merging into the log: in any order, as often as one likes.

Of two files of one annotator of which it is in doubt whose they are, the author chooses; nothing
of either is lost: what counts no more stays in the log, and the file itself is kept.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.signing.private_keys import seat_key
from termexplorer.services.studies.answer_doubts import AnswersInDoubtError, DoubtfulAnswers
from termexplorer.services.studies.answers_file import REJECTED, ReadAnswers, read_answers_file
from termexplorer.services.studies.envelopes import ANSWERS, write_envelope
from termexplorer.services.studies.rows import (
    ORIGIN,
    SKIPPED,
    Row,
    current_rows,
    find_counting,
    is_far_ahead,
    with_moments,
    write_rows,
)
from termexplorer.services.studies.set_aside import set_aside_file
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.studies.suggestion_verdicts import take_over
from termexplorer.services.verdicts.log import Answer, Judge, LoggedVerdict, VerdictSubject, now
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, verdicts
from termexplorer.store.judging.signing import KnownKey, SetAsideAnswers
from termexplorer.texts import tr, trn
from termexplorer.workspace import Workspace

__all__ = ["AnswersChoice", "Differing", "Merged", "SavedAnswers", "merge_answers", "write_answers"]


class AnswersChoice(Enum):
    """What the author does with answers in doubt; the value is what the store keeps."""

    ACCEPT = "accepted"  # they count in place of what is here
    ADD = "added"  # both count, and of one pair the later answer
    REJECT = REJECTED  # what is here counts


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
        signed: signed | unsigned | unchecked | invalid.
        key: that signed it; "" where none did soundly.
        ahead: how many new rows are of moments that are still to come, within a day.
        received: how many were further ahead, and have the moment at which they were merged.
        choice: what the author chose; "" where there was no doubt.
    """

    file: str
    study_id: int
    annotator: str
    rows: int
    new_rows: int
    differing: tuple[Differing, ...]
    curated: int = 0
    unsaved: str = ""
    signed: str = "unsigned"
    key: str = ""
    ahead: int = 0
    received: int = 0
    choice: str = ""

    def list_remarks(self) -> Iterator[str]:
        """Yield sentences on clocks that are wrong, and on pairs that were answered twice."""
        if self.ahead:
            yield trn(
                "{n:,} row is of a moment that is still to come: a clock is ahead",
                "{n:,} rows are of moments that are still to come: a clock is ahead",
                self.ahead,
            )
        if self.received:
            yield trn(
                "{n:,} row is of a moment more than a day ahead; it has the time of its receipt",
                "{n:,} rows are of moments more than a day ahead; they have the time of receipt",
                self.received,
            )
        for each in self.differing:
            yield tr(
                "“{left}” and “{right}” were answered twice: {earlier}, then {later}, which counts",
                left=each.subject,
                right=each.object,
                earlier=each.earlier,
                later=each.later,
            )


@dataclass(frozen=True, slots=True)
class SavedAnswers:
    """A file that was written.

    Attributes:
        rows: how many it has.
        key: that signed it; "" for none.
    """

    rows: int
    key: str


def write_answers(workspace: Workspace, study_id: int, annotator: str, path: Path) -> SavedAnswers:
    """Write all that an annotator said in a study, with what was taken back.

    Raises:
        UserError: no such study or annotator, or a place that cannot be written to.
    """
    study = find_study(workspace, study_id)
    seat, turns = find_seat(workspace, study, annotator)
    with workspace.store.reading() as connection:
        history = verdicts.history(connection, study.head.key, Judge(seat.annotator))
    rows = [row for row, _ in current_rows(history).values()]
    content = {
        "study": study.head.key,
        "title": study.head.pack_title,
        "annotator": seat.annotator,
        "pack": seat.pack_hash,
        "rows": write_rows(rows, turns, seat.pack_hash),
    }
    key = seat_key(workspace, study.head.key, seat.annotator)
    write_envelope(path, ANSWERS, content, signer=key)
    return SavedAnswers(len(history), key.public if key else "")


def merge_answers(
    workspace: Workspace, paths: Sequence[Path], choice: AnswersChoice | None = None
) -> list[Merged]:
    """Add what annotators said to the log, each row once; all files, or none.

    Args:
        workspace: that has the studies.
        paths: of the files.
        choice: what to do where it is in doubt whose answers they are.

    Raises:
        AnswersInDoubtError: it is in doubt whose a file is, and there is no choice; a copy of it
            is kept, and nothing was added.
        UserError: a file that is damaged or was changed, or answers to another study, to another
            version of it, or of somebody who does not judge in it; then nothing was added.
    """
    with workspace.store.reading() as connection:
        files = [read_answers_file(workspace, connection, path) for path in paths]
    doubtful = [file for file in files if file.doubt is not None]
    if choice is None and doubtful:
        raise _set_aside_files(workspace, doubtful)
    if choice is AnswersChoice.REJECT and len(doubtful) < len(files):
        clear = next(file.path for file in files if file.doubt is None)
        raise UserError(
            tr("{path}: it is in no doubt whose it is; merge it without a choice", path=clear)
        )
    adds = choice is not AnswersChoice.REJECT and any(file.new for file in files)
    unsaved = back_up_before(workspace, "verdicts") if adds else ""
    try:
        merged = _settle_files(workspace, paths, choice)
    except AnswersInDoubtError as error:  # against a file of the same call, or what came since
        with workspace.store.writing() as connection:
            file = read_answers_file(workspace, connection, Path(error.answers.file))
            _keep_file(workspace, connection, file, error.answers)
        raise
    return [replace(each, unsaved=unsaved) for each in merged]


def _settle_files(
    workspace: Workspace, paths: Sequence[Path], choice: AnswersChoice | None
) -> list[Merged]:
    merged = []
    with workspace.store.writing() as connection:
        for path in paths:
            file = read_answers_file(workspace, connection, path)
            if file.doubt is not None and choice is None:
                raise AnswersInDoubtError(file.doubt)
            merged.append(_settle_file(workspace, connection, file, choice))
    return merged


def _set_aside_files(workspace: Workspace, files: Sequence[ReadAnswers]) -> AnswersInDoubtError:
    """Keep copies of files in doubt that the author has not rejected; return the first doubt."""
    doubts = [file.doubt for file in files if file.doubt is not None]
    with workspace.store.writing() as connection:
        for file, doubt in zip(files, doubts, strict=True):
            if not doubt.rejected_at:
                _keep_file(workspace, connection, file, doubt)
    return AnswersInDoubtError(doubts[0])


def _keep_file(
    workspace: Workspace,
    connection: Connection,
    file: ReadAnswers,
    doubt: DoubtfulAnswers,
    choice: AnswersChoice | None = None,
) -> None:
    envelope, moment = file.envelope, now()
    chosen = (choice.value, moment) if choice else ("", "")
    kept = SetAsideAnswers(
        doubt.annotator, envelope.key, envelope.hash, doubt.doubt.value, len(file.rows),
        doubt.said_at, moment, *chosen,
    )  # fmt: skip
    set_aside_file(workspace, connection, file.study.head.key, kept, file.path)


def _settle_file(
    workspace: Workspace, connection: Connection, file: ReadAnswers, choice: AnswersChoice | None
) -> Merged:
    """Merge a file, or do with it what the author chose."""
    if file.doubt is None:
        choice = None
        _end_doubt(connection, file)
    else:
        _keep_file(workspace, connection, file, file.doubt, choice)
    _keep_keys(connection, file, choice)
    merged = Merged(
        str(file.path), file.study.id, file.seat.annotator, len(file.rows), 0, (),
        signed=file.envelope.state.value, key=file.envelope.key,
        choice=choice.value if choice else "",
    )  # fmt: skip
    return merged if choice is AnswersChoice.REJECT else _merge_file(connection, file, merged)


def _end_doubt(connection: Connection, file: ReadAnswers) -> None:
    """Note of a file that was in doubt, and is not any more, that it was merged."""
    study, envelope = file.study.head.key, file.envelope
    for kept in signing.set_aside_of(connection, study):
        same = (kept.annotator, kept.hash, kept.key) == (
            file.seat.annotator, envelope.hash, envelope.key,
        )  # fmt: skip
        if same and not kept.choice:
            kept = replace(kept, choice=AnswersChoice.ADD.value, chosen_at=now())
            signing.keep_set_aside(connection, study, kept)


def _keep_keys(connection: Connection, file: ReadAnswers, choice: AnswersChoice | None) -> None:
    """Keep whose answers are taken from now on: the first key of a seat, or what was chosen."""
    study, annotator, key = file.study.head.key, file.seat.annotator, file.envelope.key
    if choice is AnswersChoice.ACCEPT and file.doubt is not None:
        for other in file.doubt.keys_here:
            signing.keep_key(connection, study, KnownKey(annotator, other, False, now()))
    known = {
        each.key for each in signing.known_keys(connection, study) if each.annotator == annotator
    }
    if key and (choice is not None or not known):
        trusted = choice is not AnswersChoice.REJECT
        signing.keep_key(connection, study, KnownKey(annotator, key, trusted, now()))


def _merge_file(connection: Connection, file: ReadAnswers, merged: Merged) -> Merged:
    study, moment, ids = file.study.head, now(), dict(file.there)
    _take_back(connection, file.judge, [ids[row.id] for row in file.new if row.id in ids], moment)
    _append_rows(connection, file.judge, file.new, ids, moment)
    if merged.choice == AnswersChoice.ACCEPT.value:
        wanted = {ids[row_id] for row_id in find_counting(file.rows)}
        _count_alone(connection, study.key, file.judge, wanted, moment)
    counting = verdicts.counting(connection, study.key, file.judge) if file.new else []
    moments = [max(row.answer.shown_at, row.answer.answered_at) for row in file.new]
    received = sum(is_far_ahead(each, moment) for each in moments)
    return replace(
        merged,
        new_rows=len(file.new),
        differing=tuple(_list_differing(counting, {row.id for row in file.rows})),
        curated=take_over(connection, study, file.seat.annotator),
        ahead=sum(each > moment for each in moments) - received,
        received=received,
    )


def _append_rows(
    connection: Connection, judge: Judge, rows: Sequence[Row], ids: dict[str, int], moment: str
) -> None:
    for row in rows:
        answer = with_moments(row, moment)
        answer = replace(answer, details={**answer.details, ORIGIN: row.id})
        undoes = ids[row.undoes] if row.undoes else None
        ids[row.id] = verdicts.append(connection, judge, row.subject, answer, undoes)


def _count_alone(
    connection: Connection, study: str, judge: Judge, wanted: Collection[int], moment: str
) -> None:
    """Have some verdicts of a judge count, and no others; the rest is taken back, and stays."""
    counting = {each.id for each in verdicts.counting(connection, study, judge)}
    _take_back(connection, judge, sorted(counting.difference(wanted)), moment)
    undone_by = {
        each.undoes: each.id
        for each in verdicts.history(connection, study, judge)
        if each.undoes is not None
    }
    # of a verdict that was taken back, what took it back last is taken back
    _take_back(
        connection, judge, [undone_by[row] for row in sorted(set(wanted) - counting)], moment
    )


def _take_back(connection: Connection, judge: Judge, rows: Sequence[int], moment: str) -> None:
    answer = Answer("", "", moment, moment)
    for row in rows:
        subject = verdicts.find_row(connection, row).subject
        verdicts.append(connection, judge, subject, answer, row)


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
