"""Whether a file of answers is of who it says: its signature, held against what came before."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from termexplorer.errors import UserError
from termexplorer.services.signing.signatures import SignatureState, format_fingerprint
from termexplorer.services.studies.rows import ORIGIN, Row
from termexplorer.services.verdicts.log import LoggedVerdict
from termexplorer.store.judging.signing import AUTHOR, KnownKey
from termexplorer.texts import mark, tr, translated, trn

__all__ = [
    "AnswersDoubt",
    "AnswersEvidence",
    "AnswersInDoubtError",
    "DoubtfulAnswers",
    "find_doubt",
]

_FEWEST_COPIED = 3  # rows at the very moments of somebody else's: no chance


class AnswersDoubt(Enum):
    """Why a file of answers is not merged without a choice; its value is what the store keeps."""

    INVALID = "invalid"
    OTHER_KEY = "other-key"
    OTHER_SEAT = "other-seat"
    UNSIGNED = "unsigned"
    BESIDE = "beside"
    CHANGED = "changed"
    COPIED = "copied"


_TOLD = {
    AnswersDoubt.INVALID: mark("its signature is not that of who is said to have signed it"),
    AnswersDoubt.OTHER_KEY: mark("it is signed with another key than the answers before"),
    AnswersDoubt.OTHER_SEAT: mark("it is signed with the key of another annotator"),
    AnswersDoubt.UNSIGNED: mark("it is unsigned, while the answers before were signed"),
    AnswersDoubt.BESIDE: mark("it lacks answers that were merged before, unsigned"),
    AnswersDoubt.CHANGED: mark("it says something else of rows that were merged before"),
    AnswersDoubt.COPIED: mark("its answers were given at the very moments of another annotator's"),
}


@dataclass(frozen=True, slots=True)
class DoubtfulAnswers:
    """Two files of one annotator, of which the author chooses.

    Attributes:
        file: of the one that came now.
        study_id: whose answers they are.
        annotator: who gave them, as both say.
        doubt: why a choice is needed.
        key: that signed it; "" where none did soundly.
        verdicts: how many of it count.
        said_at: when its last answer was given.
        keys_here: of what was merged before.
        verdicts_here: how many of these count.
        said_at_here: when the last of these was given.
        rejected_at: when the author rejected this very file; "" if never.
    """

    file: str
    study_id: int
    annotator: str
    doubt: AnswersDoubt
    key: str
    verdicts: int
    said_at: str
    keys_here: tuple[str, ...]
    verdicts_here: int
    said_at_here: str
    rejected_at: str = ""

    @property
    def doubt_told(self) -> str:
        """Return why a choice is needed, in words."""
        return translated(_TOLD[self.doubt])

    @property
    def file_told(self) -> str:
        """Return what is in the file, in words."""
        return _describe_answers(self.verdicts, self.said_at, (self.key,) if self.key else ())

    @property
    def here_told(self) -> str:
        """Return what is here, in words."""
        return _describe_answers(self.verdicts_here, self.said_at_here, self.keys_here)


class AnswersInDoubtError(UserError):
    """A file of answers needs a choice.

    Attributes:
        answers: the file, and what is here.
    """

    def __init__(self, answers: DoubtfulAnswers) -> None:
        self.answers = answers
        why = answers.doubt_told
        if answers.rejected_at:
            why += tr("; it was rejected on {day}", day=answers.rejected_at[:10])
        super().__init__(
            tr(
                "{path}: is said to be of {annotator}, but {why}. Here: {here}; in the file: "
                "{file}; ask {annotator}, then merge it with --accept in place of these, --add "
                "beside them, or --reject",
                path=answers.file,
                annotator=answers.annotator,
                why=why,
                here=answers.here_told,
                file=answers.file_told,
            )
        )


@dataclass(frozen=True, slots=True)
class AnswersEvidence:
    """What tells whose a file of answers is.

    Attributes:
        annotator: whose it says that it is.
        key: that signed it; "" where none did soundly.
        state: of its signature.
        own_key: of the annotator's seat in this very workspace; "" without.
        known: all keys that files of the study were signed with.
        rows: of the file.
        new: those of them that the log has not.
        changed: whether the log has another row of the same id.
        counting: what counts of the annotator here.
        copied: how many answers were given at the very moments of another annotator's.
    """

    annotator: str
    key: str
    state: SignatureState
    own_key: str
    known: Sequence[KnownKey]
    rows: Sequence[Row]
    new: Sequence[Row]
    changed: bool
    counting: Sequence[LoggedVerdict]
    copied: int

    @property
    def trusted(self) -> list[str]:
        """Return the keys whose answers are taken as the annotator's."""
        return [
            known_key.key
            for known_key in self.known
            if self._is_mine(known_key) and known_key.trusted
        ]

    @property
    def refused(self) -> list[str]:
        """Return the keys whose answers were refused as the annotator's."""
        return [
            known_key.key
            for known_key in self.known
            if self._is_mine(known_key) and not known_key.trusted
        ]

    def _is_mine(self, key: KnownKey) -> bool:
        return key.annotator == self.annotator


def find_doubt(evidence: AnswersEvidence) -> AnswersDoubt | None:
    """Return why a file may not be merged without a choice; None where it may.

    A file that brings nothing new changes nothing, whoever signed it.
    """
    if evidence.state is SignatureState.INVALID:
        return AnswersDoubt.INVALID
    if evidence.changed:
        return AnswersDoubt.CHANGED
    if not evidence.new:
        return None
    return _find_doubt_about_key(evidence) or _find_doubt_about_copy(evidence)


def _find_doubt_about_key(evidence: AnswersEvidence) -> AnswersDoubt | None:
    key, trusted = evidence.key, evidence.trusted
    if not key:
        return AnswersDoubt.UNSIGNED if trusted else None
    if key in (*trusted, evidence.own_key):
        return None
    of_others = {
        known_key.key
        for known_key in evidence.known
        if known_key.annotator not in (AUTHOR, evidence.annotator)
    }
    if key in of_others:
        return AnswersDoubt.OTHER_SEAT
    if trusted or key in evidence.refused:
        return AnswersDoubt.OTHER_KEY
    ids = {row.id for row in evidence.rows}
    merged = [row.answer.details[ORIGIN] for row in evidence.counting if _is_merged(row)]
    return None if ids.issuperset(merged) else AnswersDoubt.BESIDE


def _find_doubt_about_copy(evidence: AnswersEvidence) -> AnswersDoubt | None:
    """Compare the moments of a file with those of others: a file may have been relabelled."""
    answer_count, copied = sum(not row.undoes for row in evidence.rows), evidence.copied
    return AnswersDoubt.COPIED if copied >= _FEWEST_COPIED and 2 * copied > answer_count else None


def _is_merged(verdict: LoggedVerdict) -> bool:
    return ORIGIN in verdict.answer.details


def _describe_answers(verdicts: int, said_at: str, keys: Sequence[str]) -> str:
    signed = ", ".join(tr("key {key}", key=format_fingerprint(key)) for key in keys)
    return trn(
        "{n:,} answer, of {moment} UTC, {signed}",
        "{n:,} answers, the last of {moment} UTC, {signed}",
        verdicts,
        moment=said_at[:16].replace("T", " ") or "–",
        signed=signed or tr("unsigned"),
    )
