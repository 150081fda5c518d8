"""Whole releases in one go: all live names, concepts and links, as arrays for number work."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from termexplorer.store.database.raw_sql import SqlReader

Int64s = NDArray[np.int64]

_AT_ONCE = 2_000  # rows


@dataclass(frozen=True, eq=False)
class ReleaseNames:
    """The n names of all live concepts of a release, in the order of their ids.

    Attributes:
        ids: (n,) int64.
        concept_ids: (n,) int64.
        texts: the names.
    """

    ids: Int64s
    concept_ids: Int64s
    texts: tuple[str, ...]

    def of(self, concept_ids: Collection[int]) -> "ReleaseNames":
        """Only the names of some concepts."""
        wanted = np.fromiter(concept_ids, np.int64, len(concept_ids))
        indices = np.flatnonzero(np.isin(self.concept_ids, wanted))
        texts = tuple(self.texts[index] for index in indices.tolist())
        return ReleaseNames(self.ids[indices], self.concept_ids[indices], texts)


@dataclass(frozen=True, eq=False)
class ReleaseGraph:
    """The live concepts of a release and the is-a links between them.

    Attributes:
        concept_ids: (c,) int64 in rising order; elsewhere a concept is its place in it.
        children: (e,) int64 places, with `parents` the links as pairs.
        parents: (e,) int64 places in rising order; of a parent, its children are in theirs.
    """

    concept_ids: Int64s
    children: Int64s
    parents: Int64s

    def places(self, concept_ids: Int64s) -> Int64s:
        """The places of live concepts of the release, by their ids."""
        return np.searchsorted(self.concept_ids, concept_ids)


def release_names(connection: Connection, release_id: int) -> ReleaseNames:
    """All names of the live concepts of a release."""
    query = """SELECT n.id, n.concept_id, n.text FROM name n JOIN concept c ON c.id = n.concept_id
               WHERE n.release_id = ? AND NOT c.obsolete ORDER BY n.id"""
    ids, concept_ids, texts = _query_columns(connection, query, release_id)
    return ReleaseNames(np.array(ids, np.int64), np.array(concept_ids, np.int64), tuple(texts))


def count_live_names(connection: SqlReader, release_id: int) -> int:
    """Return how many names the live concepts of a release have."""
    query = """SELECT count(*) FROM name n JOIN concept c ON c.id = n.concept_id
               WHERE n.release_id = ? AND NOT c.obsolete"""
    ((count,),) = connection.exec_driver_sql(query, (release_id,))
    return int(count)


def sample_names(connection: SqlReader, release_id: int, most: int) -> list[str]:
    """The texts of some names of a release, evenly spaced by their ids."""
    query = "SELECT MIN(id), MAX(id) FROM name WHERE release_id = ?"
    ((first, last),) = connection.exec_driver_sql(query, (release_id,))
    if first is None:
        return []
    step = max((last - first) // most, 1)
    query = "SELECT text FROM name WHERE release_id = ? AND (id - ?) % ? = 0 LIMIT ?"
    rows = connection.exec_driver_sql(query, (release_id, first, step, most))
    return [text for (text,) in rows]


def release_name_kinds(connection: Connection, release_id: int) -> list[tuple[str, str]]:
    """Kind and scope of each name of the live concepts of a release, as in `release_names`."""
    query = """SELECT n.kind, n.scope FROM name n JOIN concept c ON c.id = n.concept_id
               WHERE n.release_id = ? AND NOT c.obsolete ORDER BY n.id"""
    kinds, scopes = _query_columns(connection, query, release_id)
    return list(zip(kinds, scopes, strict=True))


def texts_of(connection: Connection, name_ids: Iterable[int]) -> list[str]:
    """The texts of some names."""
    query = "SELECT text FROM name WHERE id IN (SELECT value FROM json_each(?))"
    return list(connection.exec_driver_sql(query, (json.dumps(list(name_ids)),)).scalars())


def named(connection: Connection, name_ids: Iterable[int]) -> dict[int, tuple[str, int]]:
    """The text of each of some names and the id of its concept, by the name's id."""
    query = "SELECT id, text, concept_id FROM name WHERE id IN (SELECT value FROM json_each(?))"
    rows = connection.exec_driver_sql(query, (json.dumps(list(name_ids)),))
    return {row[0]: (row[1], row[2]) for row in rows}


def definitions(connection: Connection, release_id: int) -> dict[str, str]:
    """The definitions of the live concepts of a release that have one, by their CURIEs."""
    query = """SELECT curie, definition FROM concept
               WHERE release_id = ? AND NOT obsolete AND definition <> '' ORDER BY id"""
    rows = connection.exec_driver_sql(query, (release_id,))
    return {row.curie: row.definition for row in rows}


def release_labels(connection: Connection, release_id: int) -> dict[int, tuple[str, str, str]]:
    """CURIE, code and label of every live concept of a release, by id."""
    query = "SELECT id, curie, code, label FROM concept WHERE release_id = ? AND NOT obsolete"
    ids, *texts = _query_columns(connection, query, release_id)
    return dict(zip(ids, zip(*texts, strict=True), strict=True))


def release_graph(connection: Connection, release_id: int) -> ReleaseGraph:
    """The live concepts of a release and the links between them."""
    query = "SELECT id FROM concept WHERE release_id = ? AND NOT obsolete ORDER BY id"
    ids = np.array(connection.exec_driver_sql(query, (release_id,)).scalars().all(), np.int64)
    query = """SELECT l.child_id, l.parent_id FROM is_a l JOIN concept c ON c.id = l.child_id
               JOIN concept p ON p.id = l.parent_id
               WHERE c.release_id = ? AND NOT c.obsolete AND NOT p.obsolete"""
    links = (np.array(column, np.int64) for column in _query_columns(connection, query, release_id))
    children, parents = (np.searchsorted(ids, column) for column in links)
    order = np.lexsort((children, parents))
    return ReleaseGraph(ids, children[order], parents[order])


def name_counts(connection: Connection, concept_ids: Int64s) -> Int64s:
    """(n,) how many names each of some concepts has, by their ids in rising order."""
    if not len(concept_ids):
        return np.zeros(0, np.int64)
    query = """SELECT concept_id, count(*) FROM name WHERE concept_id BETWEEN ? AND ?
               GROUP BY concept_id"""
    span = (int(concept_ids[0]), int(concept_ids[-1]))
    named, counts = (
        np.array(column, np.int64) for column in _query_columns(connection, query, *span)
    )
    at = np.minimum(np.searchsorted(named, concept_ids), max(len(named) - 1, 0))
    return np.where(named[at] == concept_ids, counts[at], 0) if len(named) else 0 * concept_ids


def name_concepts(connection: Connection, release_id: int) -> Int64s:
    """(m,) the concept of each name of the live concepts of a release, as in `release_names`."""
    query = """SELECT n.concept_id FROM name n JOIN concept c ON c.id = n.concept_id
               WHERE n.release_id = ? AND NOT c.obsolete ORDER BY n.id"""
    (ids,) = _query_columns(connection, query, release_id)
    return np.array(ids, np.int64)


def labels_of(
    connection: Connection, concept_ids: Iterable[int]
) -> dict[int, tuple[str, str, str]]:
    """CURIE, code and label of some concepts, by id."""
    query = """SELECT id, curie, code, label FROM concept
               WHERE id IN (SELECT value FROM json_each(?))"""
    rows = connection.exec_driver_sql(query, (json.dumps(list(concept_ids)),))
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


def ids_of(connection: Connection, release_id: int, curies: Iterable[str]) -> list[int]:
    """Those concepts of a release that have one of some CURIEs."""
    query = """SELECT id FROM concept
               WHERE release_id = ? AND curie IN (SELECT value FROM json_each(?))"""
    values = (release_id, json.dumps(list(curies)))
    return list(connection.exec_driver_sql(query, values).scalars())


def _query_columns(connection: Connection, query: str, *values: int) -> tuple[list[Any], ...]:
    """The columns of all rows that a query finds.

    They are read by parts: a hundred thousand rows at once would be as many objects to look through
    for garbage, which stalls a window.
    """
    result = connection.exec_driver_sql(query, values)
    columns: tuple[list[Any], ...] = tuple([] for _ in range(len(result.keys())))
    for rows in result.partitions(_AT_ONCE):
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(values)
    return columns
