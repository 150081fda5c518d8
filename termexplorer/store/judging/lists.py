"""Named lists of concepts, names or pairs. Bookmarks are the first of them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.judging.bookmarks import BOOKMARKS
from termexplorer.store.tables.lists import ListItem, NamedList
from termexplorer.store.tables.releases import Concept, Name, Release, SortedName

CONCEPTS, NAMES = "concepts", "names"


@dataclass(frozen=True, slots=True)
class ListInfo:
    """A list of concepts.

    Attributes:
        title: which tells it.
        items: how many there are in it, of whatever terminology.
    """

    title: str
    items: int


@dataclass(frozen=True, slots=True)
class Item:
    """A concept on a list, told by terminology and CURIE so that it outlives a release."""

    terminology_id: int | None
    subject: str
    added_at: str


@dataclass(frozen=True, slots=True)
class Members:
    """What is on a list.

    Attributes:
        kind: concepts, names or pairs.
        subjects: CURIEs or names in the terminology of a release, or of none, sorted.
        elsewhere: how many others are on it.
    """

    kind: str
    subjects: tuple[str, ...]
    elsewhere: int


def members(connection: Connection, title: str, release_id: int) -> Members | None:
    """What is on a list, looked at from a release; None where there is no such list."""
    kind = connection.scalar(select(NamedList.kind).where(NamedList.title == title))
    if kind is None:
        return None
    on_list = select(ListItem.subject).join(NamedList).where(NamedList.title == title)
    of_release = select(Release.terminology_id).where(Release.id == release_id).scalar_subquery()
    own = or_(ListItem.terminology_id.is_(None), ListItem.terminology_id == of_release)
    subjects = set(connection.scalars(on_list.where(own)))
    elsewhere = connection.scalar(select(func.count()).select_from(on_list.where(~own).subquery()))
    return Members(kind, tuple(sorted(subjects)), int(elsewhere or 0))


def list_sizes(connection: Connection, release_id: int) -> list[ListInfo]:
    """The lists of concepts or names that have names in a release, with how many these are."""
    on_list = select(NamedList.title, func.count(Name.id.distinct())).join(ListItem)
    of_concepts = (
        on_list.join(Release, Release.terminology_id == ListItem.terminology_id)
        .join(Concept, (Concept.release_id == Release.id) & (Concept.curie == ListItem.subject))
        .join(Name, Name.concept_id == Concept.id)
        .where(NamedList.kind == CONCEPTS)
    )
    of_names = (
        on_list.join(SortedName, SortedName.text == ListItem.subject)
        .join(Name, Name.id == SortedName.name_id)
        .join(Concept, Concept.id == Name.concept_id)
        .where(NamedList.kind == NAMES, Name.text == ListItem.subject)
        .join(Release, Release.id == SortedName.release_id)
    )
    rows = [
        row
        for query in (of_concepts, of_names)
        for row in connection.execute(
            query.where(Release.id == release_id, ~Concept.obsolete).group_by(NamedList.title)
        ).tuples()
    ]
    return [ListInfo(*row) for row in sorted(rows)]


def concept_lists(connection: Connection) -> list[ListInfo]:
    """All lists of concepts by title, the empty ones too."""
    query = (
        select(NamedList.title, func.count(ListItem.id))
        .outerjoin(ListItem, ListItem.list_id == NamedList.id)
        .where(NamedList.kind == CONCEPTS)
        .group_by(NamedList.id)
        .order_by(NamedList.title)
    )
    return [ListInfo(*row) for row in connection.execute(query).tuples()]


def listed(connection: Connection, title: str, release_id: int) -> set[int]:
    """The concepts of a list, told by CURIE, that are in a release."""
    query = (
        select(Concept.id)
        .join(Release, Release.id == Concept.release_id)
        .join(
            ListItem,
            (ListItem.terminology_id == Release.terminology_id)
            & (ListItem.subject == Concept.curie),
        )
        .join(NamedList, NamedList.id == ListItem.list_id)
        .where(NamedList.title == title, NamedList.kind == CONCEPTS, Release.id == release_id)
    )
    return set(connection.execute(query).scalars())


def add_to_list(connection: Connection, title: str, items: Sequence[Item]) -> int:
    """Adds concepts to a list, which is made if it is not there; returns how many were new."""
    rows = [{"list_id": _list(connection, title), "object": "", **asdict(item)} for item in items]
    before = _size(connection, title)
    if rows:
        connection.execute(upsert(ListItem).on_conflict_do_nothing(), rows)
    return _size(connection, title) - before


def items_of(connection: Connection, release_id: int, curies: Iterable[str]) -> list[Item]:
    """Concepts of a release as they are on a list from now on."""
    query = select(Release.terminology_id).where(Release.id == release_id)
    terminology_id = connection.execute(query).scalar_one()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [Item(terminology_id, curie, now) for curie in curies]


def remove_list(connection: Connection, title: str) -> list[Item]:
    """Removes a list of concepts; returns what was on it."""
    own = select(NamedList.id).where(NamedList.title == title, NamedList.kind == CONCEPTS)
    columns = [getattr(ListItem, name) for name in Item.__slots__]
    query = select(*columns).where(ListItem.list_id.in_(own)).order_by(ListItem.id)
    items = [Item(*row) for row in connection.execute(query).tuples()]
    connection.execute(delete(ListItem).where(ListItem.list_id.in_(own)))
    connection.execute(delete(NamedList).where(NamedList.id.in_(own)))
    return items


def _size(connection: Connection, title: str) -> int:
    query = select(func.count()).select_from(ListItem).join(NamedList)
    return int(connection.execute(query.where(NamedList.title == title)).scalar_one())


def toggle_bookmark(connection: Connection, concept_id: int) -> bool:
    """Adds or takes away a bookmark, told by terminology and CURIE; returns whether it is set."""
    query = (
        select(Release.terminology_id, Concept.curie)
        .join(Release, Release.id == Concept.release_id)
        .where(Concept.id == concept_id)
    )
    terminology_id, curie = connection.execute(query).tuples().one()
    list_id = _list(connection, BOOKMARKS)
    there = (
        (ListItem.list_id == list_id)
        & (ListItem.terminology_id == terminology_id)
        & (ListItem.subject == curie)
    )
    if connection.execute(delete(ListItem).where(there)).rowcount:
        return False
    connection.execute(
        insert(ListItem).values(
            list_id=list_id,
            terminology_id=terminology_id,
            subject=curie,
            object="",
            added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
    )
    return True


def _list(connection: Connection, title: str) -> int:
    found = connection.scalar(select(NamedList.id).where(NamedList.title == title))
    if found is not None:
        return int(found)
    row = connection.execute(insert(NamedList).values(title=title, kind=CONCEPTS))
    return int(row.inserted_primary_key[0])  # type: ignore[index]
