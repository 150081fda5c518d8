"""What came of merging a file of answers, and what the author chose where it was in doubt."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from termexplorer.services.studies.answers_file import ReadAnswers
from termexplorer.services.studies.rows import ORIGIN, SKIPPED, Row, is_far_ahead
from termexplorer.services.studies.suggestion_verdicts import take_over
from termexplorer.services.verdicts.log import Answer, LoggedVerdict, VerdictSubject, now
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.signing import ACCEPTED, ADDED, REJECTED
from termexplorer.texts import tr, trn
from termexplorer.workspace import Workspace


class AnswersChoice(Enum):
    """What the author does with answers in doubt; the value is what the store keeps."""

    ACCEPT = ACCEPTED  # they count in place of what is here
    ADD = ADDED  # both count, and of one pair the later answer
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
        for difference in self.differing:
            yield tr(
                "“{left}” and “{right}” were answered twice: {earlier}, then {later}, which counts",
                left=difference.subject,
                right=difference.object,
                earlier=difference.earlier,
                later=difference.later,
            )


def describe_merged(
    workspace: Workspace, read: ReadAnswers, added: Sequence[Row], choice: AnswersChoice | None
) -> Merged:
    """Return what came of a file, and take over verdicts on suggestions that it has."""
    curated = 0
    counting: Sequence[LoggedVerdict] = ()
    if choice is not AnswersChoice.REJECT:
        curated = take_over(workspace.store, read.study.head, read.seat.annotator)
        if added:
            with workspace.store.reading() as connection:
                counting = verdicts.counting(connection, read.study.head.key, read.judge)
    moment = now()
    moments = [max(row.answer.shown_at, row.answer.answered_at) for row in added]
    received = sum(is_far_ahead(answer_moment, moment) for answer_moment in moments)
    return Merged(
        file=str(read.path),
        study_id=read.study.id,
        annotator=read.seat.annotator,
        rows=len(read.rows),
        new_rows=len(added),
        differing=tuple(_list_differing(counting, {row.id for row in read.rows})),
        curated=curated,
        signed=read.envelope.state.value,
        key=read.envelope.key,
        ahead=sum(answer_moment > moment for answer_moment in moments) - received,
        received=received,
        choice=choice.value if choice else "",
    )


def _list_differing(
    counting: Sequence[LoggedVerdict], file: Collection[str]
) -> Iterator[Differing]:
    """Pairs of which a file and other rows of the log say different things."""
    answers_by_origin: tuple[dict[VerdictSubject, Answer], dict[VerdictSubject, Answer]] = {}, {}
    for verdict in sorted(counting, key=lambda row: row.answer.answered_at):
        of_file = verdict.answer.details.get(ORIGIN, verdict.hash) in file
        answers_by_origin[of_file][verdict.subject] = verdict.answer
    for subject, own_answer in answers_by_origin[False].items():
        other = answers_by_origin[True].get(subject, own_answer)
        if own_answer.answer != other.answer and SKIPPED not in (own_answer.answer, other.answer):
            earlier, later = sorted((own_answer, other), key=lambda answer: answer.answered_at)
            yield Differing(subject.subject, subject.object, earlier.answer, later.answer)
