"""A file of answers as it came, held against the study and what its annotator said before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.signing.private_keys import read_seat_key
from termexplorer.services.studies.answer_doubts import (
    AnswersEvidence,
    DoubtfulAnswers,
    find_doubt,
)
from termexplorer.services.studies.content import LONGEST_LINE, LONGEST_NAME
from termexplorer.services.studies.envelopes import ANSWERS, Envelope, read_envelope
from termexplorer.services.studies.rows import Row, current_rows, find_counting, read_rows
from termexplorer.services.verdicts.log import Judge
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, studies, verdicts
from termexplorer.store.judging.studies import KeptStudy, Seat
from termexplorer.texts import mark, tr, translated
from termexplorer.workspace import Workspace

__all__ = ["REJECTED", "ReadAnswers", "read_answers_file"]

REJECTED = "rejected"  # a choice, as the store keeps it
_OTHER_VERSION = mark(
    "{path}: has answers to another version of the study {title!r}, which is not in this workspace"
)
_OTHER_STUDY = mark(
    "{path}: has answers to another study, {title!r}, which is not in this workspace"
)


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """A file that fits what is in the log.

    Attributes:
        path: where it is.
        study: that it is about.
        seat: of who gave the answers.
        envelope: who signed it.
        rows: all that it has.
        new: those that the log has not, or says something else of.
        there: the rows of the log by the ids of rows of files.
        doubt: why it needs a choice; None where it does not.
    """

    path: Path
    study: KeptStudy
    seat: Seat
    envelope: Envelope
    rows: Sequence[Row]
    new: Sequence[Row]
    there: Mapping[str, int]
    doubt: DoubtfulAnswers | None

    @property
    def judge(self) -> Judge:
        """Return what the log calls the annotator."""
        return Judge(self.seat.annotator)


def read_answers_file(workspace: Workspace, connection: Connection, path: Path) -> ReadAnswers:
    """Read a file, and hold it against the study and the log.

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
    current = current_rows(verdicts.history(connection, study.head.key, Judge(seat.annotator)))
    new = [row for row in rows if row.id not in current or current[row.id][0] != row]
    counting = verdicts.counting(connection, study.head.key)
    own = read_seat_key(workspace, study.head.key, seat.annotator)
    evidence = AnswersEvidence(
        annotator=seat.annotator,
        key=envelope.key,
        state=envelope.state,
        own_key=own.public if own else "",
        known=signing.known_keys(connection, study.head.key),
        rows=rows,
        new=new,
        changed=any(row.id in current for row in new),
        counting=[each for each in counting if each.judge.name == seat.annotator],
        others=[each for each in counting if each.judge.name != seat.annotator],
    )
    doubt = _describe_doubt(connection, path, study, envelope, evidence)
    there = {row_id: at for row_id, (_, at) in current.items()}
    return ReadAnswers(path, study, seat, envelope, rows, new, there, doubt)


def _describe_doubt(
    connection: Connection,
    path: Path,
    study: KeptStudy,
    envelope: Envelope,
    evidence: AnswersEvidence,
) -> DoubtfulAnswers | None:
    doubt = find_doubt(evidence)
    if doubt is None:
        return None
    counting = find_counting(evidence.rows)
    said = [row.answer.answered_at for row in evidence.rows if row.id in counting]
    here = [each.answer.answered_at for each in evidence.counting]
    rejected = [
        each.chosen_at
        for each in signing.set_aside_of(connection, study.head.key)
        if (each.hash, each.key, each.choice) == (envelope.hash, envelope.key, REJECTED)
    ]
    return DoubtfulAnswers(
        file=str(path),
        study_id=study.id,
        annotator=evidence.annotator,
        doubt=doubt,
        key=envelope.key,
        verdicts=len(said),
        said_at=max(said, default=""),
        keys_here=tuple(evidence.trusted),
        verdicts_here=len(here),
        said_at_here=max(here, default=""),
        rejected_at=rejected[-1] if rejected else "",
    )


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
