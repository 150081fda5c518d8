"""What annotators send back, and its merging into the log: in any order, as often as one likes.

Of two files of one annotator of which it is in doubt whose they are, the author chooses; nothing
of either is lost: what counts no more stays in the log, and the file itself is kept.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.signing.private_keys import seat_key
from termexplorer.services.studies.answer_doubts import AnswersInDoubtError, DoubtfulAnswers
from termexplorer.services.studies.answers_file import (
    ComparedAnswers,
    ReadAnswers,
    compare_with_log,
    read_answers_file,
)
from termexplorer.services.studies.envelopes import ANSWERS, write_envelope
from termexplorer.services.studies.merge_results import AnswersChoice, Merged, describe_merged
from termexplorer.services.studies.rows import (
    ORIGIN,
    Row,
    current_rows,
    find_counting,
    with_moments,
    write_rows,
)
from termexplorer.services.studies.set_aside import copy_set_aside
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.verdicts.log import Answer, Judge, now
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.database.engine import Store
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, studies, verdicts
from termexplorer.store.judging.log_batches import (
    MergedMeanwhileError,
    PlannedRow,
    append_planned,
)
from termexplorer.store.judging.signing import (
    ADDED,
    UNFINISHED,
    KnownKey,
    SetAsideAnswers,
)
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


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
    workspace: Workspace,
    paths: Sequence[Path],
    choice: AnswersChoice | None = None,
    *,
    copies: bool = True,
) -> list[Merged]:
    """Add what annotators said to the log, each row once, by batches between which others judge.

    Merging that was broken off is done again for the rest.

    Args:
        workspace: that has the studies.
        paths: of the files.
        choice: what to do where it is in doubt whose answers they are.
        copies: whether the store is copied before.

    Raises:
        AnswersInDoubtError: it is in doubt whose a file is, and there is no choice; a copy of it
            is kept, and nothing was added.
        UserError: a file that is damaged or was changed, or answers to another study, to another
            version of it, or of somebody who does not judge in it; then nothing was added.
    """
    with workspace.store.reading() as connection:
        read = [read_answers_file(connection, path) for path in paths]
        files = [
            compare_with_log(workspace, connection, file, read[:number])
            for number, file in enumerate(read)
        ]
    doubtful = [file for file in files if file.doubt is not None]
    waiting = [file for file in doubtful if not file.unfinished]
    if choice is None and waiting:
        raise _set_aside_files(workspace, waiting)
    if choice is AnswersChoice.REJECT and len(doubtful) < len(files):
        clear = next(file.read.path for file in files if file.doubt is None)
        raise UserError(
            tr("{path}: it is in no doubt whose it is; merge it without a choice", path=clear)
        )
    adds = choice is not AnswersChoice.REJECT and any(file.new for file in files)
    unsaved = back_up_before(workspace, "verdicts") if adds and copies else ""
    del files, doubtful, waiting
    return [replace(_merge_file(workspace, file, choice), unsaved=unsaved) for file in read]


def _set_aside_files(workspace: Workspace, files: Sequence[ComparedAnswers]) -> AnswersInDoubtError:
    """Keep copies of files in doubt that the author has not rejected; return the first doubt."""
    doubts = [file.doubt for file in files if file.doubt is not None]
    for file, doubt in zip(files, doubts, strict=True):
        if not doubt.rejected_at:
            _set_aside(workspace, file.read, doubt)
    return AnswersInDoubtError(doubts[0])


def _set_aside(
    workspace: Workspace, read: ReadAnswers, doubt: DoubtfulAnswers, choice: str = ""
) -> None:
    envelope, moment = read.envelope, now()
    set_aside = SetAsideAnswers(
        doubt.annotator, envelope.key, envelope.hash, doubt.doubt.value, len(read.rows),
        doubt.said_at, moment, choice, moment if choice else "",
    )  # fmt: skip
    copy_set_aside(workspace, set_aside, read.path)
    with workspace.store.writing() as connection:
        signing.keep_set_aside(connection, read.study.head.key, set_aside)


def _merge_file(workspace: Workspace, read: ReadAnswers, choice: AnswersChoice | None) -> Merged:
    """Merge a file, or do with it what the author chose; again, where others merged meanwhile."""
    added: list[Row] = []
    while True:
        with workspace.store.reading() as connection:
            file = compare_with_log(workspace, connection, read)
        if file.doubt is None:
            chosen = None
        else:
            chosen = AnswersChoice(file.unfinished) if file.unfinished else choice
            if chosen is None:  # of what came since the file was read
                raise _set_aside_files(workspace, [file])
        try:
            _settle_file(workspace, file, chosen)
        except MergedMeanwhileError as error:
            added += file.new[: error.added]
            continue
        if chosen is not AnswersChoice.REJECT:
            added += file.new
        return describe_merged(workspace, read, added, chosen)


def _settle_file(workspace: Workspace, file: ComparedAnswers, choice: AnswersChoice | None) -> None:
    """Add the rows of a file; a choice is kept before and after, that it is carried out once."""
    if file.doubt is not None and choice is not None:
        _set_aside(workspace, file.read, file.doubt, UNFINISHED.get(choice.value, choice.value))
    if choice in (None, AnswersChoice.REJECT):
        _keep_keys(workspace, file, choice)
    if choice is not AnswersChoice.REJECT:
        ids = _append_rows(workspace.store, file)
        if choice is AnswersChoice.ACCEPT:
            wanted = {ids[row_id] for row_id in find_counting(file.read.rows)}
            _count_alone(workspace.store, file.read, wanted)
    if file.doubt is not None and choice in (AnswersChoice.ACCEPT, AnswersChoice.ADD):
        _keep_keys(workspace, file, choice)
        _set_aside(workspace, file.read, file.doubt, choice.value)
    elif choice is None:
        _end_doubt(workspace, file.read)


def _end_doubt(workspace: Workspace, read: ReadAnswers) -> None:
    """Note of a file that was in doubt, and is not any more, that it was merged."""
    study, envelope = read.study.head.key, read.envelope
    same = (read.seat.annotator, envelope.hash, envelope.key)
    with workspace.store.writing() as connection:
        for set_aside in signing.set_aside_of(connection, study):
            if (
                set_aside.annotator,
                set_aside.hash,
                set_aside.key,
            ) == same and not set_aside.choice:
                set_aside = replace(set_aside, choice=ADDED, chosen_at=now())
                signing.keep_set_aside(connection, study, set_aside)


def _keep_keys(workspace: Workspace, file: ComparedAnswers, choice: AnswersChoice | None) -> None:
    """Keep whose answers are taken from now on: the first key of a seat, or what was chosen.

    Raises:
        MergedMeanwhileError: another key came since, so that it may be in doubt whose the file is.
    """
    study, annotator = file.read.study.head.key, file.read.seat.annotator
    key, moment = file.read.envelope.key, now()
    with workspace.store.writing() as connection:
        keys = signing.known_keys(connection, study)
        if keys != file.keys:
            raise MergedMeanwhileError(0)
        if choice is AnswersChoice.ACCEPT and file.doubt is not None:
            for other in file.doubt.keys_here:
                signing.keep_key(connection, study, KnownKey(annotator, other, False, moment))
        known = {known_key.key for known_key in keys if known_key.annotator == annotator}
        if key and (choice is not None or not known):
            trusted = choice is not AnswersChoice.REJECT
            signing.keep_key(connection, study, KnownKey(annotator, key, trusted, moment))


def _append_rows(store: Store, file: ComparedAnswers) -> dict[str, int]:
    """Add the new rows of a file; return the rows of the log by the ids of all its rows."""
    moment = now()
    ids = {row_id: number for row_id, (_, number) in file.logged.items()}
    new = {row.id for row in file.new}
    planned = []
    for row in file.new:
        answer = with_moments(row, moment)
        answer = replace(answer, details={**answer.details, ORIGIN: row.id})
        undoes: int | str | None = row.undoes or None
        if row.undoes and row.undoes not in new:
            undoes = ids[row.undoes]
        replaces = None
        if row.id in file.logged:
            before, number = file.logged[row.id]
            replaces = number, before.subject
        planned.append(PlannedRow(row.subject, answer, undoes, row.id, replaces))
    check = partial(_check_study_in_place, file.read)
    return ids | append_planned(store, file.read.judge, planned, file.last, moment, check)


def _check_study_in_place(read: ReadAnswers, connection: Connection) -> None:
    """Refuse answers to a study that was changed or removed while they were read.

    Raises:
        UserError: it was.
    """
    if not studies.has_study(connection, read.study.head.key):
        raise UserError(
            tr("{path}: the study was changed meanwhile; merge the file again", path=read.path)
        )


def _count_alone(store: Store, read: ReadAnswers, wanted: Collection[int]) -> None:
    """Have some verdicts of a judge count, and no others; the rest is taken back, and stays."""
    study, judge, moment = read.study.head.key, read.judge, now()
    with store.reading() as connection:
        counting = {verdict.id for verdict in verdicts.counting(connection, study, judge)}
        history = {verdict.id: verdict for verdict in verdicts.history(connection, study, judge)}
        last = verdicts.last_row(connection)
    undone_by = {
        verdict.undoes: verdict.id for verdict in history.values() if verdict.undoes is not None
    }
    # of a verdict that was taken back, what took it back last is taken back
    again = [undone_by[row] for row in sorted(set(wanted) - counting)]
    nothing = Answer("", "", moment, moment)
    planned = [
        PlannedRow(history[row].subject, nothing, row)
        for row in [*sorted(counting.difference(wanted)), *again]
    ]
    check = partial(_check_study_in_place, read)
    append_planned(store, judge, planned, last, moment, check)
