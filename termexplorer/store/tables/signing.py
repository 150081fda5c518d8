"""The typed tables of who signed what: keys that are known, and answers that were set aside."""

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base


class SigningKeyRow(Base):
    """A public key that files of a study were signed with; it stays when the study is removed."""

    __tablename__ = "signing_key"
    __table_args__ = (UniqueConstraint("study", "annotator", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str]  # its key
    annotator: Mapped[str]  # whose seat it signed for; empty: the author, who signed packs
    key: Mapped[str]
    trusted: Mapped[bool]  # False: its answers were refused
    seen_at: Mapped[str]


class SetAsideRow(Base):
    """A file of answers that was not merged at once, as it is in doubt whose it is."""

    __tablename__ = "set_aside_answers"
    __table_args__ = (UniqueConstraint("study", "annotator", "hash", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str]  # its key
    annotator: Mapped[str]  # whose it says that it is
    key: Mapped[str]  # that signed it; empty: none, or not soundly
    hash: Mapped[str]  # of its content
    doubt: Mapped[str]  # why; a word
    rows: Mapped[int]
    said_at: Mapped[str]  # when its last answer was given, by its own clock
    set_aside_at: Mapped[str]
    choice: Mapped[str]  # accepted | added | rejected; empty: the author has not chosen
    chosen_at: Mapped[str]
