"""Removing a run; a release: what was made with it at once, its rows in short transactions.

The row of a release that people saw stays behind, so that its id never means another one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from shutil import disk_usage

from sqlalchemy import ColumnElement, Connection, Select, delete, func, or_, select, update

from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.encoders import remove_encoder
from termexplorer.store.encoders.runs import delete_run
from termexplorer.store.indexes.fulltext import INDEXES
from termexplorer.store.indexes.search_keys import FOLDED_INDEX
from termexplorer.store.judging import suggestions
from termexplorer.store.tables.encoders import (
    EncoderPartRow,
    ProjectionRow,
    RanksRow,
    VectorIndexRow,
    VectorsRow,
)
from termexplorer.store.tables.judging import SuggestionListRow
from termexplorer.store.tables.releases import (
    ConceptRow,
    IdentifierRow,
    ImportRemarkRow,
    IsARow,
    NameRow,
    ReleaseRow,
    RowChecksumRow,
    SortedNameRow,
)
from termexplorer.store.tables.runs import EvaluationRow, FigureRow, RunRow, SplitNameRow, SplitRow

_AT_ONCE = 2_000  # rows of a transaction
_LEAST = 10  # and of one on a full disk
_AMPLE = 512 * 2**20  # free bytes that are more than the log of many transactions takes
_BYTES_A_ROW = 8 * 2**10  # of the log, more than one takes
_MADE = (RanksRow, ProjectionRow, VectorIndexRow, VectorsRow)


@dataclass(frozen=True, slots=True)
class Made:
    """What was made with a release, and goes with it.

    Attributes:
        runs: ids of those that were trained on it, the newest first.
        encoders: how many came of these.
        vectors: encoders that have vectors of its names.
        maps: that are kept.
        rankings: that Compare keeps.
        lists: of suggestions.
        holding_runs: ids of runs on other releases that learn on from encoders of these; as long
            as they are there, nothing can go.
        holding_encoders: ids of encoders that are made of encoders of these; so they hold it, too.
    """

    runs: tuple[int, ...]
    encoders: int
    vectors: int
    maps: int
    rankings: int
    lists: int
    holding_runs: tuple[int, ...]
    holding_encoders: tuple[int, ...]


def made_with(connection: Connection, release_id: int) -> Made:
    """What would go with a release."""

    def count(query: Select[tuple[int]]) -> int:
        return int(connection.scalar(query) or 0)

    makers = {
        table: count(select(func.count()).where(table.release_id == release_id))
        for table in (VectorsRow, ProjectionRow, RanksRow)
    }
    runs = connection.execute(_runs_on_release(release_id)).all()
    lists = count(select(func.count()).where(_lists_on_release(release_id)))
    return Made(
        tuple(row.id for row in runs),
        sum(row.encoder_id is not None for row in runs),
        makers[VectorsRow],
        makers[ProjectionRow],
        makers[RanksRow],
        lists,
        *_find_holders(connection, release_id),
    )


def remove_run(connection: Connection, run_id: int) -> list[str]:
    """Removes a run and the encoder that it made; returns the files and folders of both.

    Its lock is one of them: who waits for that finds no run of this id, now or later.

    Raises:
        UserError: another encoder or run builds on its encoder.
    """
    encoder_id = connection.scalar(select(RunRow.encoder_id).where(RunRow.id == run_id))
    delete_run(connection, run_id)
    files = remove_encoder(connection, encoder_id) if encoder_id else []
    return [*files, f"runs/{run_id}", f"runs/{run_id}.lock"]


def files_of_release(connection: Connection, release_id: int) -> list[str]:
    """Return the files made with a release: its graph, and vectors, indexes, maps and ranks."""
    files = [f"levels/{release_id}.npz"]  # the copy of its graph
    for table in _MADE:
        files += list(connection.scalars(select(table.path).where(table.release_id == release_id)))
    return files


def begin_removal(connection: Connection, release_id: int) -> list[str]:
    """Hides a release and removes what was made with it; returns the files and folders of that.

    Raises:
        UserError: another encoder or run builds on what was trained on it.
    """
    files = files_of_release(connection, release_id)
    for run in connection.execute(_runs_on_release(release_id)).all():
        files += remove_run(connection, run.id)
    for list_id in connection.scalars(
        select(SuggestionListRow.id).where(_lists_on_release(release_id))
    ).all():
        suggestions.forget(connection, list_id)
    for table in _MADE:
        connection.execute(delete(table).where(table.release_id == release_id))
    _forget_evaluations(connection, release_id)
    hidden = update(ReleaseRow).where(ReleaseRow.id == release_id).values(status="removing")
    connection.execute(hidden)
    return files


def unfinished_releases(store: Store) -> list[int]:
    """Releases that no reader sees: being imported or removed, or left over from that."""
    gone = ReleaseRow.status.in_(("importing", "removing"))  # no word that a bad disk made
    with store.reading() as connection:
        return list(connection.scalars(select(ReleaseRow.id).where(gone)))


def rows_of(store: Store, release_id: int) -> int:
    """How many rows `remove_release` has to remove, but for links and parts of splits."""
    with store.reading() as connection:
        return sum(
            connection.scalar(select(func.count()).where(table.release_id == release_id)) or 0
            for table in (SortedNameRow, NameRow, IdentifierRow, ConceptRow)
        )


def remove_release(store: Store, release_id: int, removed: Callable[[int], None]) -> None:
    """Removes a release that nobody sees, in short transactions.

    Args:
        store: where it is.
        release_id: the release.
        removed: is told after each transaction how many rows more are gone; may raise to stop.
    """
    while rows := _remove_some(store, release_id, _count_rows_at_once(store)):
        removed(rows)
    with store.writing() as connection:
        used = select(RunRow.split_id).where(RunRow.split_id.is_not(None))
        of_release = SplitRow.release_id == release_id
        connection.execute(delete(SplitRow).where(of_release, SplitRow.id.not_in(used)))
        connection.execute(delete(ImportRemarkRow).where(ImportRemarkRow.release_id == release_id))
        connection.execute(delete(RowChecksumRow).where(RowChecksumRow.release_id == release_id))
        mine = ReleaseRow.id == release_id
        seen = (
            update(ReleaseRow).where(mine, ReleaseRow.status == "removing").values(status="removed")
        )
        if not connection.execute(seen).rowcount:
            connection.execute(delete(ReleaseRow).where(mine))
        connection.exec_driver_sql(
            "DELETE FROM terminology WHERE id NOT IN (SELECT terminology_id FROM release)"
            " AND id NOT IN (SELECT terminology_id FROM list_item WHERE terminology_id NOT NULL)"
        )


def _count_rows_at_once(store: Store) -> int:
    """Return how many rows go in a transaction; fewer where the disk is nearly full.

    There the log beside the store is written into it before each, which gives back what it took.
    """
    free = disk_usage(store.path.parent).free
    if free >= _AMPLE:
        return _AT_ONCE
    store.write_log_into_file()
    free = disk_usage(store.path.parent).free
    return min(max(free // _BYTES_A_ROW, _LEAST), _AT_ONCE)


def _remove_some(store: Store, release_id: int, at_once: int) -> int:
    with store.filling() as connection:
        for remove in (_remove_parts, _remove_order, _remove_keys, _remove_words):
            if gone := remove(connection, release_id, at_once):
                return gone
        for table, odd in ((NameRow, 0), (IdentifierRow, 1)):
            rows = connection.execute(
                select(table.id, table.text).where(table.release_id == release_id).limit(at_once)
            ).all()
            if rows:
                _remove_from_index(connection, [(2 * row.id + odd, row.text) for row in rows])
                ids = [row.id for row in rows]
                if table is NameRow:
                    connection.execute(delete(SplitNameRow).where(SplitNameRow.name_id.in_(ids)))
                connection.execute(delete(table).where(table.id.in_(ids)))
                return len(ids)
        concepts = select(ConceptRow.id).where(ConceptRow.release_id == release_id).limit(at_once)
        ids = list(connection.scalars(concepts))
        connection.execute(
            delete(IsARow).where(IsARow.child_id.in_(ids) | IsARow.parent_id.in_(ids))
        )
        connection.execute(delete(ConceptRow).where(ConceptRow.id.in_(ids)))
        return len(ids)


def _remove_parts(connection: Connection, release_id: int, at_once: int) -> int:
    """Removes some names from splits that no run knows any more."""
    splits = select(SplitRow.id).where(SplitRow.release_id == release_id)
    used = select(RunRow.split_id).where(RunRow.split_id.is_not(None))
    part = select(SplitNameRow.split_id, SplitNameRow.name_id).where(
        SplitNameRow.split_id.in_(splits), SplitNameRow.split_id.not_in(used)
    )
    rows = connection.execute(part.limit(at_once)).all()
    for split_id in {row.split_id for row in rows}:
        ids = [row.name_id for row in rows if row.split_id == split_id]
        mine = SplitNameRow.split_id == split_id
        connection.execute(delete(SplitNameRow).where(mine, SplitNameRow.name_id.in_(ids)))
    return len(rows)


def _remove_order(connection: Connection, release_id: int, at_once: int) -> int:
    """Removes some names from the order of their texts."""
    query = """DELETE FROM sorted_name WHERE (release_id, text, name_id) IN
        (SELECT release_id, text, name_id FROM sorted_name WHERE release_id = ? LIMIT ?)"""
    return connection.exec_driver_sql(query, (release_id, at_once)).rowcount


def _remove_keys(connection: Connection, release_id: int, at_once: int) -> int:
    """Removes some codes and cross-references by which concepts are found."""
    query = """DELETE FROM lookup_key WHERE (release_id, key, concept_id, text) IN
        (SELECT release_id, key, concept_id, text FROM lookup_key WHERE release_id = ? LIMIT ?)"""
    return connection.exec_driver_sql(query, (release_id, at_once)).rowcount


def _remove_words(connection: Connection, release_id: int, at_once: int) -> int:
    """Removes some words with which slips are compared."""
    query = """DELETE FROM name_word WHERE (release_id, word) IN
        (SELECT release_id, word FROM name_word WHERE release_id = ? LIMIT ?)"""
    return connection.exec_driver_sql(query, (release_id, at_once)).rowcount


def _remove_from_index(connection: Connection, rows: list[tuple[int, str]]) -> None:
    for index in INDEXES:
        connection.exec_driver_sql(
            f"INSERT INTO {index}({index}, rowid, text) VALUES ('delete', ?, ?)",
            rows,
        )
    folded = f"DELETE FROM {FOLDED_INDEX} WHERE rowid = ?"
    connection.exec_driver_sql(folded, [(number,) for number, _ in rows])


def _forget_evaluations(connection: Connection, release_id: int) -> None:
    splits = select(SplitRow.id).where(SplitRow.release_id == release_id)
    mine = EvaluationRow.split_id.in_(splits)
    for row in connection.execute(
        select(EvaluationRow.task, EvaluationRow.data_hash).where(mine)
    ).all():
        same = (FigureRow.task == row.task, FigureRow.data_hash == row.data_hash)
        connection.execute(delete(FigureRow).where(*same))
    connection.execute(delete(EvaluationRow).where(mine))


def _runs_on_release(release_id: int) -> Select[tuple[int, int | None]]:
    query = select(RunRow.id, RunRow.encoder_id).where(RunRow.release_id == release_id)
    return query.order_by(RunRow.id.desc())


def _find_holders(
    connection: Connection, release_id: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Runs and encoders that build on what was trained on a release, and do not go with it."""
    going = select(RunRow.encoder_id).where(
        RunRow.release_id == release_id, RunRow.encoder_id.is_not(None)
    )
    runs = select(RunRow.id).where(RunRow.input_id.in_(going), RunRow.release_id != release_id)
    part_query = select(EncoderPartRow.encoder_id).where(
        EncoderPartRow.part_id.in_(going), EncoderPartRow.encoder_id.not_in(going)
    )
    return (
        tuple(connection.scalars(runs.order_by(RunRow.id))),
        tuple(connection.scalars(part_query.distinct().order_by(EncoderPartRow.encoder_id))),
    )


def _lists_on_release(release_id: int) -> ColumnElement[bool]:
    suggestion_list = SuggestionListRow
    return or_(
        suggestion_list.release_id == release_id, suggestion_list.object_release_id == release_id
    )
