"""A file of answers as it came, held against the study and what its annotator said before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.signing.private_keys import read_seat_key
from termexplorer.services.studies.answer_doubts import (
    AnswersDoubt,
    AnswersEvidence,
    DoubtfulAnswers,
    find_doubt,
)
from termexplorer.services.studies.content import LONGEST_LINE, LONGEST_NAME
from termexplorer.services.studies.envelopes import ANSWERS, Envelope, read_envelope
from termexplorer.services.studies.rows import (
    ORIGIN,
    Row,
    current_rows,
    find_counting,
    read_rows,
)
from termexplorer.services.verdicts.log import Answer, Judge, LoggedVerdict
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, studies, verdicts
from termexplorer.store.judging.signing import REJECTED, UNFINISHED, KnownKey, SetAsideAnswers
from termexplorer.store.judging.studies import KeptStudy, Seat
from termexplorer.texts import mark, tr, translated
from termexplorer.workspace import Workspace

__all__ = ["ComparedAnswers", "ReadAnswers", "compare_with_log", "read_answers_file"]

_OTHER_VERSION = mark(
    "{path}: has answers to another version of the study {title!r}, which is not in this workspace"
)
_OTHER_STUDY = mark(
    "{path}: has answers to another study, {title!r}, which is not in this workspace"
)


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """A file that is sound, and of an annotator of a study.

    Attributes:
        path: where it is.
        study: that it is about.
        seat: of who gave the answers.
        envelope: who signed it.
        rows: all that it has.
    """

    path: Path
    study: KeptStudy
    seat: Seat
    envelope: Envelope
    rows: Sequence[Row]

    @property
    def judge(self) -> Judge:
        """Return what the log calls the annotator."""
        return Judge(self.seat.annotator)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """A file beside what its annotator said before.

    Attributes:
        read: the file.
        new: the rows that the log has not, or says something else of.
        logged: what the log has by the ids of rows of files, each with its row there.
        last: the last row of the log that was seen.
        keys: that files of the study were signed with.
        doubt: why it needs a choice; None where it does not.
        unfinished: the choice that was made before, and is not carried out yet; "" for none.
    """

    read: ReadAnswers
    new: Sequence[Row]
    logged: Mapping[str, tuple[Row, int]]
    last: int
    keys: Sequence[KnownKey]
    doubt: DoubtfulAnswers | None
    unfinished: str = ""


def read_answers_file(connection: Connection, path: Path) -> ReadAnswers:
    """Read a file, and hold it against the study.

    Raises:
        UserError: a file that is damaged or was changed, or answers to another study, to another
            version of it, or of somebody who does not judge in it.
    """
    envelope = read_envelope(path, ANSWERS)
    fields = envelope.content
    try:
        study, seat = _find_seat(connection, path, fields)
        turns = studies.turns_of(connection, seat)
        rows = read_rows(fields, study.head, turns, seat.pack_hash)
        fields.end()
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; ask for the file again", path=path, error=error)
        ) from error
    return ReadAnswers(path, study, seat, envelope, rows)


def compare_with_log(
    workspace: Workspace,
    connection: Connection,
    read: ReadAnswers,
    before: Sequence[ReadAnswers] = (),
) -> ComparedAnswers:
    """Hold a file against what its annotator and others said before.

    Args:
        workspace: that has the study.
        connection: to read on.
        read: the file.
        before: files that are merged before it.
    """
    study, envelope, judge = read.study.head.key, read.envelope, read.judge
    current = current_rows(verdicts.history(connection, study, judge))
    before = [file for file in before if file.study.head.key == study]
    known = {row_id: row for row_id, (row, _) in current.items()}
    known |= {row.id: row for file in before if file.judge == judge for row in file.rows}
    new = [row for row in read.rows if known.get(row.id) != row]
    keys = signing.known_keys(connection, study)
    own_key = read_seat_key(workspace, study, read.seat.annotator)
    evidence = AnswersEvidence(
        annotator=read.seat.annotator,
        key=envelope.key,
        state=envelope.state,
        own_key=own_key.public if own_key else "",
        known=[*keys, *_list_first_keys(before, keys)],
        rows=read.rows,
        new=new,
        changed=any(row.id in known for row in new),
        counting=[
            *verdicts.counting(connection, study, judge),
            *(verdict for file in before if file.judge == judge for verdict in _as_logged(file)),
        ],
        copied=_count_copied(connection, read, before) if new else 0,
    )
    set_aside = _find_set_aside(connection, read)
    unfinished = next(
        (c for c, word in UNFINISHED.items() if set_aside and set_aside.choice == word), ""
    )
    doubt = find_doubt(evidence)
    if set_aside and unfinished:
        doubt = AnswersDoubt(set_aside.doubt)
    described = None if doubt is None else _describe_doubt(read, evidence, doubt, set_aside)
    last = verdicts.last_row(connection)
    return ComparedAnswers(read, new, current, last, keys, described, unfinished)


def _find_set_aside(connection: Connection, read: ReadAnswers) -> SetAsideAnswers | None:
    """Return what is known of this very file from when it was in doubt."""
    envelope = read.envelope
    same = (read.seat.annotator, envelope.hash, envelope.key)
    set_aside_files = signing.set_aside_of(connection, read.study.head.key)
    return next(
        (
            set_aside
            for set_aside in set_aside_files
            if (set_aside.annotator, set_aside.hash, set_aside.key) == same
        ),
        None,
    )


def _list_first_keys(files: Sequence[ReadAnswers], keys: Sequence[KnownKey]) -> list[KnownKey]:
    """Return the keys of files that are the first of their seat."""
    seats = {seat_key.annotator for seat_key in keys}
    first: dict[str, KnownKey] = {}
    for file in files:
        annotator, key = file.seat.annotator, file.envelope.key
        if key and annotator not in seats:
            first.setdefault(annotator, KnownKey(annotator, key, True, ""))
    return list(first.values())


def _as_logged(file: ReadAnswers) -> list[LoggedVerdict]:
    """Return what counts of a file as the log will have it."""
    counting = find_counting(file.rows)
    return [
        LoggedVerdict(
            0, file.judge, row.subject,
            replace(row.answer, details={**row.answer.details, ORIGIN: row.id}),
        )
        for row in file.rows
        if row.id in counting
    ]  # fmt: skip


def _count_copied(connection: Connection, read: ReadAnswers, before: Sequence[ReadAnswers]) -> int:
    """Return how many answers of a file were given at the very moments of another annotator's."""
    moments = Counter(map(_moments_of, _list_answers(read)))
    copied = {
        moment
        for moment in verdicts.moments_of_others(connection, read.study.head.key, read.judge)
        if moment in moments
    }
    other_answers = (
        answer for file in before if file.judge != read.judge for answer in _list_answers(file)
    )
    copied.update(moment for moment in map(_moments_of, other_answers) if moment in moments)
    return sum(moments[moment] for moment in copied)


def _list_answers(file: ReadAnswers) -> list[Answer]:
    return [row.answer for row in file.rows if not row.undoes]


def _moments_of(answer: Answer) -> tuple[str, str]:
    return answer.shown_at, answer.answered_at


def _describe_doubt(
    read: ReadAnswers,
    evidence: AnswersEvidence,
    doubt: AnswersDoubt,
    set_aside: SetAsideAnswers | None,
) -> DoubtfulAnswers:
    counting = find_counting(evidence.rows)
    moments = [row.answer.answered_at for row in evidence.rows if row.id in counting]
    here = [verdict.answer.answered_at for verdict in evidence.counting]
    return DoubtfulAnswers(
        file=str(read.path),
        study_id=read.study.id,
        annotator=evidence.annotator,
        doubt=doubt,
        key=read.envelope.key,
        verdicts=len(moments),
        said_at=max(moments, default=""),
        keys_here=tuple(evidence.trusted),
        verdicts_here=len(here),
        said_at_here=max(here, default=""),
        rejected_at=set_aside.chosen_at if set_aside and set_aside.choice == REJECTED else "",
    )


def _find_seat(connection: Connection, path: Path, fields: Fields) -> tuple[KeptStudy, Seat]:
    """The study and the annotator that a file is about."""
    key, title = fields.hash("study"), fields.text("title", LONGEST_LINE)
    annotator, pack = fields.text("annotator", LONGEST_NAME), fields.hash("pack")
    known_studies = studies.studies(connection)
    study = next(
        (known_study for known_study in known_studies if known_study.head.key == key), None
    )
    if study is None:
        version = any(
            title in (known_study.head.title, known_study.head.pack_title)
            for known_study in known_studies
        )
        why = _OTHER_VERSION if version else _OTHER_STUDY
        raise UserError(translated(why, path=path, title=title))
    seats = {seat.annotator: seat for seat in studies.seats_of(connection, study.id)}
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
