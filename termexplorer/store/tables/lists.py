"""The typed tables of named lists."""

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base


class NamedListRow(Base):
    """A named set of concepts, names or pairs; the list `bookmarks` is always there."""

    __tablename__ = "list"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]  # concepts | names | pairs


class ListItemRow(Base):
    """A member of a list, told by CURIEs or terms so that it outlives a release."""

    __tablename__ = "list_item"
    __table_args__ = (UniqueConstraint("list_id", "terminology_id", "subject", "object"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    list_id: Mapped[int] = mapped_column(ForeignKey("list.id"))
    terminology_id: Mapped[int | None] = mapped_column(ForeignKey("terminology.id"))
    subject: Mapped[str]
    object: Mapped[str]  # the other half of a pair, or empty
    added_at: Mapped[str]
