"""Queries on keys that files of studies were signed with, and on answers that were set aside."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, select, update

from termexplorer.store.tables.signing import SetAsideRow, SigningKeyRow

ACCEPTED, ADDED, REJECTED = "accepted", "added", "rejected"  # choices
UNFINISHED = {ACCEPTED: "accepting", ADDED: "adding"}
AUTHOR = ""  # stands for the author of a study where seats are named


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A public key that was seen.

    Attributes:
        annotator: whose seat it signed for; `AUTHOR` for packs.
        key: hexadecimal digits.
        trusted: whether answers that it signs are taken.
        seen_at: when it was seen first, ISO 8601 in UTC.
    """

    annotator: str
    key: str
    trusted: bool
    seen_at: str


@dataclass(frozen=True, slots=True)
class SetAsideAnswers:
    """A file of answers that waits for a choice, or waited.

    Attributes:
        annotator: whose it says that it is.
        key: that signed it; "" where none did soundly.
        hash: of its content.
        doubt: why it was not merged at once; a word.
        rows: how many it has.
        said_at: when its last answer was given, by its own clock.
        set_aside_at: when it came.
        choice: accepted | added | rejected; "" before, accepting | adding while it is carried out.
        chosen_at: when; "" before.
    """

    annotator: str
    key: str
    hash: str
    doubt: str
    rows: int
    said_at: str
    set_aside_at: str
    choice: str = ""
    chosen_at: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether there is no choice, or one that was not carried out to its end."""
        return self.choice == "" or self.choice in UNFINISHED.values()


def known_keys(connection: Connection, study: str) -> list[KnownKey]:
    """Return the keys that files of a study were signed with, in the order of being seen."""
    columns = [getattr(SigningKeyRow, name) for name in KnownKey.__slots__]
    query = select(*columns).where(SigningKeyRow.study == study).order_by(SigningKeyRow.id)
    return [KnownKey(*row) for row in connection.execute(query).tuples()]


def keep_key(connection: Connection, study: str, key: KnownKey) -> None:
    """Keep a key, or whether it is trusted if it is known."""
    same = (
        (SigningKeyRow.study == study)
        & (SigningKeyRow.annotator == key.annotator)
        & (SigningKeyRow.key == key.key)
    )
    row = update(SigningKeyRow).where(same).values(trusted=key.trusted)
    if not connection.execute(row).rowcount:
        connection.execute(insert(SigningKeyRow).values(study=study, **asdict(key)))


def set_aside_of(connection: Connection, study: str) -> list[SetAsideAnswers]:
    """Return the answers to a study that were set aside, in the order of their coming."""
    columns = [getattr(SetAsideRow, name) for name in SetAsideAnswers.__slots__]
    query = select(*columns).where(SetAsideRow.study == study).order_by(SetAsideRow.id)
    return [SetAsideAnswers(*row) for row in connection.execute(query).tuples()]


def keep_set_aside(connection: Connection, study: str, file: SetAsideAnswers) -> None:
    """Keep a file that was set aside; what was known of the same one is replaced."""
    connection.execute(
        delete(SetAsideRow).where(
            SetAsideRow.study == study,
            SetAsideRow.annotator == file.annotator,
            SetAsideRow.hash == file.hash,
            SetAsideRow.key == file.key,
        )
    )
    connection.execute(insert(SetAsideRow).values(study=study, **asdict(file)))
