"""Queries on studies: what they ask, which pairs, of whom, and in which order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from termexplorer.store.judging.verdicts import VerdictSubject
from termexplorer.store.tables.studies import StudyPairRow, StudyRow, StudySeatRow, StudyTurnRow


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """One answer that can be given.

    Attributes:
        answer: the word that the log keeps.
        meaning: what else is said of it; empty where the word tells.
        value: for figures; None where it is no rating.
        key: that gives it, besides its button; empty where the screen chooses one.
        hint: what is said of it while practising.
    """

    answer: str
    meaning: str = ""
    value: float | None = None
    key: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a glossary."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class LookUp:
    """Where a term may be looked up, if somebody asks for it.

    Attributes:
        web: by a search of the web.
        glossary: that the author of the study added; empty where there is none.
    """

    web: bool = False
    glossary: tuple[Entry, ...] = ()


NOWHERE = LookUp()


@dataclass(frozen=True, slots=True)
class StudyHead:
    """What all of a study share.

    Attributes:
        key: tells it from all others, in whatever workspace.
        title: for people.
        question: what is asked of each pair.
        answers: that can be given, as they are shown.
        level: of measurement: nominal, ordinal or interval.
        guidelines: to be read before; plain text.
        plan: how it was drawn; JSON, empty where it came in packs.
        made_at: ISO 8601 in UTC.
        look_up: where annotators may look terms up.
        sent_title: what packs call it, where it was renamed since; else empty.
    """

    key: str
    title: str
    question: str
    answers: tuple[AnswerChoice, ...]
    level: str
    guidelines: str
    plan: Mapping[str, Any]
    made_at: str
    look_up: LookUp = NOWHERE
    sent_title: str = ""

    @property
    def pack_title(self) -> str:
        """What packs call it, also when it was renamed since: they are hashed."""
        return self.sent_title or self.title


@dataclass(frozen=True, slots=True)
class KeptStudy:
    """A study in the workspace."""

    id: int
    head: StudyHead


@dataclass(frozen=True, slots=True)
class StudyPair:
    """A pair to be judged.

    Attributes:
        subject: the term that sorts first.
        object: the other.
        practice: whether it only teaches how to judge.
        set_name: the set that it was drawn from; empty where it came in a pack.
        score: there; 1 for similar and 0 for not, or a rating.
        known: the answer that is right, where the study knows it: told after a practice pair, and
            what a check is held against, which counts in no figure.
    """

    subject: str
    object: str
    practice: bool
    set_name: str = ""
    score: float | None = None
    known: str = ""

    @property
    def counts(self) -> bool:
        """Whether figures are of it: practice and checks are not what is studied."""
        return not self.practice and not self.known

    @classmethod
    def of(cls, terms: Sequence[str], practice: bool = False) -> "StudyPair":
        """The pair of two terms, whichever comes first."""
        return cls(min(terms), max(terms), practice)


@dataclass(frozen=True, slots=True)
class Seat:
    """One who judges.

    Attributes:
        id: its row.
        annotator: their name.
        pack_hash: of what they are given.
        pack_signature: who signed it, as `key` and `value`, where it came as a pack.
    """

    id: int
    annotator: str
    pack_hash: str
    pack_signature: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One time that an annotator is asked about a pair.

    Attributes:
        place: from 0, practice first.
        left: the term that stands there.
        right: the other.
        showing: 1, or 2 where the pair is repeated.
        practice: whether it only teaches how to judge.
        right_answer: of a practice pair, told after it was answered; empty where none is told.
    """

    place: int
    left: str
    right: str
    showing: int
    practice: bool
    right_answer: str = ""

    def about(self, head: StudyHead) -> VerdictSubject:
        """What the log calls it."""
        subject, other = sorted((self.left, self.right))
        return VerdictSubject(head.question, subject, other, study=head.key, showing=self.showing)


def studies(connection: Connection) -> list[KeptStudy]:
    """All of a workspace, in the order in which they came."""
    names = StudyHead.__dataclass_fields__
    columns = (StudyRow.id, *(getattr(StudyRow, name) for name in names))
    kept_studies = []
    for row in connection.execute(select(*columns).order_by(StudyRow.id)):
        values = {name: getattr(row, name) for name in names}
        values["answers"] = tuple(AnswerChoice(**answer) for answer in row.answers)
        entries = tuple(Entry(**entry) for entry in row.look_up.get("glossary", ()))
        values["look_up"] = LookUp(row.look_up.get("web", False), entries)
        kept_studies.append(KeptStudy(row.id, StudyHead(**values)))
    return kept_studies


def has_study(connection: Connection, key: str) -> bool:
    """Return whether a study of a key is there; one that is changed gets another."""
    return connection.scalar(select(StudyRow.id).where(StudyRow.key == key)) is not None


def add_study(connection: Connection, head: StudyHead) -> int:
    """Adds a study without pairs."""
    row = connection.execute(insert(StudyRow).values(**asdict(head)))
    return int(row.inserted_primary_key[0])  # type: ignore[index]


def add_pairs(connection: Connection, study_id: int, pairs: Sequence[StudyPair]) -> None:
    """Adds those pairs of a study that are not there yet."""
    known_pairs = {(pair.subject, pair.object) for pair, _ in all_pairs_of(connection, study_id)}
    new = [pair for pair in pairs if (pair.subject, pair.object) not in known_pairs]
    if new:
        connection.execute(
            insert(StudyPairRow), [{"study_id": study_id, **asdict(pair)} for pair in new]
        )


def add_seat(
    connection: Connection,
    study_id: int,
    annotator: str,
    pack_hash: str,
    turns: Sequence[Turn],
    pack_signature: Mapping[str, str] | None = None,
) -> Seat:
    """Adds one who judges pairs that are there."""
    query = select(StudyPairRow.subject, StudyPairRow.object, StudyPairRow.id)
    rows = connection.execute(query.where(StudyPairRow.study_id == study_id)).tuples()
    ids = {(subject, other): pair_id for subject, other, pair_id in rows}
    values = {
        "study_id": study_id,
        "annotator": annotator,
        "pack_hash": pack_hash,
        "pack_signature": dict(pack_signature or {}),
    }
    row = connection.execute(insert(StudySeatRow).values(**values))
    seat_id = int(row.inserted_primary_key[0])  # type: ignore[index]
    connection.execute(
        insert(StudyTurnRow),
        [
            {
                "seat_id": seat_id,
                "place": turn.place,
                "pair_id": ids[min(turn.left, turn.right), max(turn.left, turn.right)],
                "showing": turn.showing,
                "swapped": turn.left > turn.right,
            }
            for turn in turns
        ],
    )
    return Seat(seat_id, annotator, pack_hash, pack_signature or {})


def change_study(connection: Connection, study_id: int, **values: Any) -> None:
    """Writes other values into columns of a study."""
    connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(**values))


def remove_study(connection: Connection, study_id: int) -> None:
    """Removes a study, its pairs and who judges; the log keeps what was said."""
    seats = select(StudySeatRow.id).where(StudySeatRow.study_id == study_id)
    connection.execute(delete(StudyTurnRow).where(StudyTurnRow.seat_id.in_(seats)))
    for table in (StudySeatRow, StudyPairRow):
        connection.execute(delete(table).where(table.study_id == study_id))
    connection.execute(delete(StudyRow).where(StudyRow.id == study_id))


def change_seat(connection: Connection, seat: Seat, pack_hash: str) -> None:
    """Writes another hash of what an annotator is given."""
    row = update(StudySeatRow).where(StudySeatRow.id == seat.id)
    connection.execute(row.values(pack_hash=pack_hash))


def leave_out(
    connection: Connection, study_id: int, pairs: Iterable[StudyPair], reason: str
) -> None:
    """Leaves pairs of a study out, or takes them in again where there is no reason."""
    for pair in pairs:
        mine = (StudyPairRow.study_id == study_id) & (StudyPairRow.subject == pair.subject)
        row = update(StudyPairRow).where(mine, StudyPairRow.object == pair.object)
        connection.execute(row.values(left_out=reason))


def pairs_of(connection: Connection, study_id: int) -> list[StudyPair]:
    """The pairs of a study that are asked about, in the order in which they were drawn."""
    return [pair for pair, reason in all_pairs_of(connection, study_id) if not reason]


def all_pairs_of(connection: Connection, study_id: int) -> list[tuple[StudyPair, str]]:
    """The pairs of a study, each with why it is left out; empty for those that are not."""
    columns = [getattr(StudyPairRow, name) for name in StudyPair.__slots__]
    query = select(*columns, StudyPairRow.left_out).where(StudyPairRow.study_id == study_id)
    rows = connection.execute(query.order_by(StudyPairRow.id)).tuples()
    return [(StudyPair(*row[:-1]), row[-1]) for row in rows]


def seats_of(connection: Connection, study_id: int) -> list[Seat]:
    """Those who judge, in the order in which they were named."""
    columns = [getattr(StudySeatRow, name) for name in Seat.__slots__]
    query = select(*columns).where(StudySeatRow.study_id == study_id).order_by(StudySeatRow.id)
    return [Seat(*row) for row in connection.execute(query).tuples()]


def turns_of(connection: Connection, seat: Seat) -> tuple[Turn, ...]:
    """All that an annotator is asked, in that order."""
    shown = (StudyTurnRow.showing, StudyTurnRow.swapped, StudyPairRow.practice, StudyPairRow.known)
    query = (
        select(*shown, StudyPairRow.subject, StudyPairRow.object)
        .join(StudyPairRow, StudyPairRow.id == StudyTurnRow.pair_id)
        .where(StudyTurnRow.seat_id == seat.id, StudyPairRow.left_out == "")
        .order_by(StudyTurnRow.place)
    )
    turns = []
    rows = connection.execute(query).tuples()
    for index, (showing, swapped, practice, known, *terms) in enumerate(rows):
        left, right = reversed(terms) if swapped else terms
        turns.append(Turn(index, left, right, showing, practice, known if practice else ""))
    return tuple(turns)
