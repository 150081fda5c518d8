"""Queries on kept tables of suggestions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from termexplorer.store.database.engine import Store
from termexplorer.store.judging.log_batches import ShortBatches
from termexplorer.store.judging.verdicts import VerdictSubject
from termexplorer.store.tables.judging import SuggestionListRow, SuggestionRow
from termexplorer.trainer.errors import Message

_PER_INSERT = 2000
_UNFINISHED = "unfinished"  # the kind of a list that nobody sees yet


@dataclass(frozen=True, slots=True)
class ListHead:
    """What a table of suggestions is about.

    Attributes:
        kind: misplaced, deeper, names, duplicates, mappings or imported.
        title: for people.
        release_id: of the subjects; None of an imported list.
        object_release_id: of the objects.
        encoder_ids: what the suggestions come from.
        parameters: what else the finder was asked for; JSON.
        header: titles of the cells of each suggestion.
        facts: sentences on how good the finder is.
        head: slots of a whole mapping set that came from a file.
        made_at: ISO 8601 in UTC.
    """

    kind: str
    title: str
    release_id: int | None
    object_release_id: int | None
    encoder_ids: Sequence[int]
    parameters: Mapping[str, Any]
    header: Sequence[str]
    facts: Sequence[Message]
    head: Mapping[str, Any]
    made_at: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One suggestion.

    Attributes:
        about: what is judged.
        cells: what is shown, under the list's header.
        slots: the other slots of the mapping, as SSSOM calls them: `subject_label`, `confidence`.
    """

    about: VerdictSubject
    cells: Sequence[str | float | None]
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptList:
    """A table of suggestions that is kept."""

    id: int
    head: ListHead
    count: int


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """What became of suggestions that were found.

    Attributes:
        list_id: the list that they are kept in.
        count: how many they are.
        replaced: how many the same search had kept in that list before; None of a new list.
        unchanged: how many of them that list had before, too.
    """

    list_id: int
    count: int
    replaced: int | None = None
    unchanged: int = 0


def keep(connection: Connection, head: ListHead, suggestions: Sequence[Suggestion]) -> KeptSearch:
    """Keep a table; one of the same finder with the same parameters keeps its id for it."""
    replaced, unchanged = None, 0
    list_id, *other_ids = same(connection, head) or (None,)
    for other in other_ids:
        forget(connection, other)
    if list_id is None:
        list_id = _add_head(connection, head)
    else:
        before = {suggestion.about for suggestion in suggested(connection, list_id)}
        replaced = len(before)
        unchanged = sum(suggestion.about in before for suggestion in suggestions)
        _replace_head(connection, list_id, head)
    for start in range(0, len(suggestions), _PER_INSERT):
        _add_suggestions(connection, list_id, start, suggestions[start : start + _PER_INSERT])
    return KeptSearch(list_id, len(suggestions), replaced, unchanged)


def keep_in_batches(store: Store, head: ListHead, suggestions: Iterable[Suggestion]) -> int:
    """Keep a table that came from a file, however long, by batches for which nobody waits.

    Nobody sees it before it is whole; what an import that was broken off left of it is removed.
    """
    _forget_unfinished(store, head)
    with store.writing() as connection:
        list_id = _add_head(connection, replace(head, kind=_UNFINISHED))
    batches, waiting, position = ShortBatches(store), iter(suggestions), 0
    while batch := list(islice(waiting, batches.rows)):
        with batches.writing() as connection:
            _add_suggestions(connection, list_id, position, batch)
        position += len(batch)
    with store.writing() as connection:
        whole = update(SuggestionListRow).where(SuggestionListRow.id == list_id)
        connection.execute(whole.values(kind=head.kind))
    return list_id


def _forget_unfinished(store: Store, head: ListHead) -> None:
    """Remove what was kept of a file before its import was broken off."""
    columns = (SuggestionListRow.id, SuggestionListRow.parameters)
    with store.reading() as connection:
        query = select(*columns).where(SuggestionListRow.kind == _UNFINISHED)
        rows = connection.execute(query).tuples()
        left = [list_id for list_id, parameters in rows if parameters == head.parameters]
    for list_id in left:
        batches, removed = ShortBatches(store), 1
        while removed:
            some = select(SuggestionRow.id).where(SuggestionRow.list_id == list_id)
            with batches.writing() as connection:
                going = SuggestionRow.id.in_(some.limit(batches.rows))
                removed = connection.execute(delete(SuggestionRow).where(going)).rowcount
        with store.writing() as connection:
            forget(connection, list_id)


def _add_head(connection: Connection, head: ListHead) -> int:
    values = {name: getattr(head, name) for name in ListHead.__slots__}
    row = connection.execute(insert(SuggestionListRow).values(**values))
    return int(row.inserted_primary_key[0])  # type: ignore[index]


def _replace_head(connection: Connection, list_id: int, head: ListHead) -> None:
    """Empty a list, for what the same search found anew."""
    values = {name: getattr(head, name) for name in ListHead.__slots__}
    connection.execute(delete(SuggestionRow).where(SuggestionRow.list_id == list_id))
    statement = update(SuggestionListRow).where(SuggestionListRow.id == list_id)
    connection.execute(statement.values(**values))


def _add_suggestions(
    connection: Connection, list_id: int, start: int, suggestions: Sequence[Suggestion]
) -> None:
    rows = [
        {"list_id": list_id, "place": index, **_suggestion_values(suggestion)}
        for index, suggestion in enumerate(suggestions, start)
    ]
    if rows:
        connection.execute(insert(SuggestionRow), rows)


def forget(connection: Connection, list_id: int) -> None:
    """Takes a table away; the verdicts on it stay in the log."""
    connection.execute(delete(SuggestionRow).where(SuggestionRow.list_id == list_id))
    connection.execute(delete(SuggestionListRow).where(SuggestionListRow.id == list_id))


def same(connection: Connection, head: ListHead) -> list[int]:
    """Ids of what the same finder found with the same parameters; imported lists are all others."""
    if head.kind == "imported":
        return []
    names = ("kind", "release_id", "object_release_id", "encoder_ids", "parameters")
    wanted = [getattr(head, name) for name in names]
    lists = (stored_list for stored_list in kept_lists(connection))
    return [
        stored_list.id
        for stored_list in lists
        if [getattr(stored_list.head, name) for name in names] == wanted
    ]


def kept_lists(connection: Connection) -> list[KeptList]:
    """All that are kept, the newest first."""
    heads = [getattr(SuggestionListRow, name) for name in ListHead.__slots__]
    query = (
        select(SuggestionListRow.id, func.count(SuggestionRow.id), *heads)
        .where(SuggestionListRow.kind != _UNFINISHED)
        .outerjoin(SuggestionRow, SuggestionRow.list_id == SuggestionListRow.id)
        .group_by(SuggestionListRow.id)
        .order_by(SuggestionListRow.made_at.desc(), SuggestionListRow.id.desc())
    )
    rows = connection.execute(query).tuples()
    return [KeptList(list_id, ListHead(*head), count) for list_id, count, *head in rows]


def suggested(connection: Connection, list_id: int) -> list[Suggestion]:
    """What is in a table, in its order."""
    columns = (*(getattr(SuggestionRow, name) for name in _SUBJECT), SuggestionRow.cells)
    query = select(*columns, SuggestionRow.slots).where(SuggestionRow.list_id == list_id)
    return [
        Suggestion(VerdictSubject(*about), cells, slots)
        for *about, cells, slots in connection.execute(query.order_by(SuggestionRow.place)).tuples()
    ]


_SUBJECT = ("question", "subject", "object", "term")


def _suggestion_values(suggestion: Suggestion) -> dict[str, Any]:
    about = {name: getattr(suggestion.about, name) for name in _SUBJECT}
    return about | {"cells": list(suggestion.cells), "slots": dict(suggestion.slots)}
