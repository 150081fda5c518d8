"""Named lists of concepts, names or pairs. Bookmarks are the first of them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.judging.bookmarks import BOOKMARKS
from termexplorer.store.tables.lists import ListItemRow, NamedListRow
from termexplorer.store.tables.releases import ConceptRow, NameRow, ReleaseRow, SortedNameRow

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
class ListMembers:
    """What is on a list.

    Attributes:
        kind: concepts, names or pairs.
        subjects: CURIEs or names in the terminology of a release, or of none, sorted.
        elsewhere: how many others are on it.
    """

    kind: str
    subjects: tuple[str, ...]
    elsewhere: int


def members(connection: Connection, title: str, release_id: int) -> ListMembers | None:
    """What is on a list, looked at from a release; None where there is no such list."""
    kind = connection.scalar(select(NamedListRow.kind).where(NamedListRow.title == title))
    if kind is None:
        return None
    on_list = select(ListItemRow.subject).join(NamedListRow).where(NamedListRow.title == title)
    of_release = (
        select(ReleaseRow.terminology_id).where(ReleaseRow.id == release_id).scalar_subquery()
    )
    on_release = or_(ListItemRow.terminology_id.is_(None), ListItemRow.terminology_id == of_release)
    subjects = set(connection.scalars(on_list.where(on_release)))
    elsewhere = connection.scalar(
        select(func.count()).select_from(on_list.where(~on_release).subquery())
    )
    return ListMembers(kind, tuple(sorted(subjects)), int(elsewhere or 0))


def list_sizes(connection: Connection, release_id: int) -> list[ListInfo]:
    """The lists of concepts or names that have names in a release, with how many these are."""
    on_list = select(NamedListRow.title, func.count(NameRow.id.distinct())).join(ListItemRow)
    of_concepts = (
        on_list.join(ReleaseRow, ReleaseRow.terminology_id == ListItemRow.terminology_id)
        .join(
            ConceptRow,
            (ConceptRow.release_id == ReleaseRow.id) & (ConceptRow.curie == ListItemRow.subject),
        )
        .join(NameRow, NameRow.concept_id == ConceptRow.id)
        .where(NamedListRow.kind == CONCEPTS)
    )
    of_names = (
        on_list.join(SortedNameRow, SortedNameRow.text == ListItemRow.subject)
        .join(NameRow, NameRow.id == SortedNameRow.name_id)
        .join(ConceptRow, ConceptRow.id == NameRow.concept_id)
        .where(NamedListRow.kind == NAMES, NameRow.text == ListItemRow.subject)
        .join(ReleaseRow, ReleaseRow.id == SortedNameRow.release_id)
    )
    rows = [
        row
        for query in (of_concepts, of_names)
        for row in connection.execute(
            query.where(ReleaseRow.id == release_id, ~ConceptRow.obsolete).group_by(
                NamedListRow.title
            )
        ).tuples()
    ]
    return [ListInfo(*row) for row in sorted(rows)]


def concept_lists(connection: Connection) -> list[ListInfo]:
    """All lists of concepts by title, the empty ones too."""
    query = (
        select(NamedListRow.title, func.count(ListItemRow.id))
        .outerjoin(ListItemRow, ListItemRow.list_id == NamedListRow.id)
        .where(NamedListRow.kind == CONCEPTS)
        .group_by(NamedListRow.id)
        .order_by(NamedListRow.title)
    )
    return [ListInfo(*row) for row in connection.execute(query).tuples()]


def listed(connection: Connection, title: str, release_id: int) -> set[int]:
    """The concepts of a list, told by CURIE, that are in a release."""
    query = (
        select(ConceptRow.id)
        .join(ReleaseRow, ReleaseRow.id == ConceptRow.release_id)
        .join(
            ListItemRow,
            (ListItemRow.terminology_id == ReleaseRow.terminology_id)
            & (ListItemRow.subject == ConceptRow.curie),
        )
        .join(NamedListRow, NamedListRow.id == ListItemRow.list_id)
        .where(
            NamedListRow.title == title, NamedListRow.kind == CONCEPTS, ReleaseRow.id == release_id
        )
    )
    return set(connection.execute(query).scalars())


def add_to_list(connection: Connection, title: str, items: Sequence[Item]) -> int:
    """Adds concepts to a list, which is made if it is not there; returns how many were new."""
    rows = [
        {"list_id": _find_or_add_list(connection, title), "object": "", **asdict(item)}
        for item in items
    ]
    before = _list_size(connection, title)
    if rows:
        connection.execute(upsert(ListItemRow).on_conflict_do_nothing(), rows)
    return _list_size(connection, title) - before


def items_of(connection: Connection, release_id: int, curies: Iterable[str]) -> list[Item]:
    """Concepts of a release as they are on a list from now on."""
    query = select(ReleaseRow.terminology_id).where(ReleaseRow.id == release_id)
    terminology_id = connection.execute(query).scalar_one()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [Item(terminology_id, curie, now) for curie in curies]


def remove_list(connection: Connection, title: str) -> list[Item]:
    """Removes a list of concepts; returns what was on it."""
    of_title = select(NamedListRow.id).where(
        NamedListRow.title == title, NamedListRow.kind == CONCEPTS
    )
    columns = [getattr(ListItemRow, name) for name in Item.__slots__]
    query = select(*columns).where(ListItemRow.list_id.in_(of_title)).order_by(ListItemRow.id)
    items = [Item(*row) for row in connection.execute(query).tuples()]
    connection.execute(delete(ListItemRow).where(ListItemRow.list_id.in_(of_title)))
    connection.execute(delete(NamedListRow).where(NamedListRow.id.in_(of_title)))
    return items


def _list_size(connection: Connection, title: str) -> int:
    query = select(func.count()).select_from(ListItemRow).join(NamedListRow)
    return int(connection.execute(query.where(NamedListRow.title == title)).scalar_one())


def toggle_bookmark(connection: Connection, concept_id: int) -> bool:
    """Adds or takes away a bookmark, told by terminology and CURIE; returns whether it is set."""
    query = (
        select(ReleaseRow.terminology_id, ConceptRow.curie)
        .join(ReleaseRow, ReleaseRow.id == ConceptRow.release_id)
        .where(ConceptRow.id == concept_id)
    )
    terminology_id, curie = connection.execute(query).tuples().one()
    list_id = _find_or_add_list(connection, BOOKMARKS)
    same_item = (
        (ListItemRow.list_id == list_id)
        & (ListItemRow.terminology_id == terminology_id)
        & (ListItemRow.subject == curie)
    )
    if connection.execute(delete(ListItemRow).where(same_item)).rowcount:
        return False
    connection.execute(
        insert(ListItemRow).values(
            list_id=list_id,
            terminology_id=terminology_id,
            subject=curie,
            object="",
            added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
    )
    return True


def _find_or_add_list(connection: Connection, title: str) -> int:
    list_id = connection.scalar(select(NamedListRow.id).where(NamedListRow.title == title))
    if list_id is not None:
        return int(list_id)
    row = connection.execute(insert(NamedListRow).values(title=title, kind=CONCEPTS))
    return int(row.inserted_primary_key[0])  # type: ignore[index]
