"""Verdicts from elsewhere come into the log by batches: others judge between them."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.log_batches import (
    AddedVerdicts,
    MergedMeanwhileError,
    PlannedRow,
    append_in_batches,
    append_planned,
)
from termexplorer.store.judging.log_index import GivenVerdict, find_answer_at, is_known
from termexplorer.store.judging.suggestions import (
    ListHead,
    Suggestion,
    keep_in_batches,
    kept_lists,
    suggested,
)
from termexplorer.store.judging.verdict_spool import VerdictSpool
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject
from termexplorer.store.opening import open_store

ANNA, BEN = Judge("Anna"), Judge("Ben")
MANY = 450  # more than a batch


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "store.sqlite")
    yield store
    store.close()


def about(number: int) -> VerdictSubject:
    return VerdictSubject("skos:exactMatch", f"A:{number}", "B:1")


def said(answer: str, second: int = 0) -> Answer:
    at = f"2026-01-01T00:00:{second:02}.000+00:00"
    return Answer(answer, "", at, at)


def many(judge: Judge = ANNA) -> list[GivenVerdict]:
    return [(judge, about(number), said("correct")) for number in range(MANY)]


def rows_of(store: Store) -> list[verdicts.LoggedVerdict]:
    with store.reading() as connection:
        verdicts.check_log(connection)
        return verdicts.given(connection, verdicts.CURATORS)


def test_others_judge_between_the_batches_of_an_import(store: Store) -> None:
    other = open_store(store.path)

    def given() -> Iterator[GivenVerdict]:
        for number, verdict in enumerate(many()):
            if number % 100 == 50:  # the import reads its file: nobody may wait for it now
                with other.writing() as connection:
                    verdicts.append(connection, BEN, about(number), said("wrong"))
            yield verdict

    assert append_in_batches(store, given()) == AddedVerdicts(MANY, 0)
    other.close()
    judges = [row.judge for row in rows_of(store)]
    assert judges.count(BEN) == 4
    assert judges.index(BEN) < len(judges) - 4


def test_the_log_beside_the_file_stays_short_so_that_nobody_else_has_to_write_it(
    store: Store,
) -> None:
    rows = [(ANNA, about(n), said("wrong" * 40, n % 60)) for n in range(4 * MANY)]
    append_in_batches(store, rows)
    with store.looking() as connection:
        _, pages, written = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    assert written == pages
    assert pages * 4096 < store.path.stat().st_size


def test_two_imports_of_one_file_at_once_add_each_row_once(store: Store) -> None:
    def import_all() -> int:
        own_store = open_store(store.path)
        try:
            return append_in_batches(own_store, many()).new
        finally:
            own_store.close()

    with ThreadPoolExecutor(2) as pool:
        added = [job.result() for job in [pool.submit(import_all) for _ in range(2)]]
    assert sum(added) == MANY
    assert len(rows_of(store)) == MANY


def test_an_import_that_broke_off_is_done_again_for_the_rest(store: Store) -> None:
    def broken() -> Iterator[GivenVerdict]:
        yield from many()[: MANY // 2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        append_in_batches(store, broken())
    row_count = len(rows_of(store))
    assert 0 < row_count < MANY
    assert append_in_batches(store, many()) == AddedVerdicts(MANY - row_count, 0)
    assert len(rows_of(store)) == MANY


def append_all(store: Store, planned: Iterable[PlannedRow], last: int = 0) -> dict[str, int]:
    return append_planned(
        store, ANNA, planned, last, "2026-02-01T00:00:00.000+00:00", lambda _: None
    )


def planned_rows() -> list[PlannedRow]:
    """Verdicts, each of which the next row takes back."""
    rows = []
    for number in range(MANY // 2):
        rows.append(PlannedRow(about(number), said("wrong"), key=f"said {number}"))
        rows.append(PlannedRow(about(number), said(""), undoes=f"said {number}"))
    return rows


def test_others_judge_between_the_batches_of_a_merge(store: Store) -> None:
    other = open_store(store.path)

    def planned() -> Iterator[PlannedRow]:
        for number, row in enumerate(planned_rows()):
            if number % 100 == 50:
                with other.writing() as connection:
                    verdicts.append(connection, BEN, about(number), said("correct"))
            yield row

    ids = append_all(store, planned())
    other.close()
    assert [row.judge for row in rows_of(store)].count(BEN) == 4
    with store.reading() as connection:
        history = verdicts.history(connection, verdicts.CURATORS, ANNA)
        assert verdicts.counting(connection, verdicts.CURATORS, ANNA) == []
    assert len(history) == len(planned_rows())
    assert ids == {f"said {n}": row.id for n, row in enumerate(history[::2])}
    assert all(
        after.undoes == row.id for row, after in zip(history[::2], history[1::2], strict=True)
    )


def test_what_was_merged_meanwhile_is_planned_anew(store: Store) -> None:
    other = open_store(store.path)
    merged = Answer("wrong", "", "", said("").answered_at, details={"origin": "a" * 64})

    def planned() -> Iterator[PlannedRow]:
        yield from planned_rows()[:150]
        with other.writing() as connection:
            verdicts.append(connection, BEN, about(1), merged)
        yield from planned_rows()[150:]

    with pytest.raises(MergedMeanwhileError) as error:
        append_all(store, planned())
    other.close()
    assert error.value.added == 100
    with store.reading() as connection:
        assert len(verdicts.history(connection, verdicts.CURATORS, ANNA)) == 100
        last = verdicts.last_row(connection)
    append_all(store, planned_rows()[100:], last)
    assert len(rows_of(store)) == MANY // 2 + 1


def test_a_row_replaces_another_at_once(store: Store) -> None:
    ids = append_all(store, [PlannedRow(about(0), said("wrong"), key="one")])
    replaced = ids["one"], about(0)
    append_all(store, [PlannedRow(about(1), said("correct"), replaces=replaced)], ids["one"])
    with store.reading() as connection:
        (counts,) = verdicts.counting(connection, verdicts.CURATORS, ANNA)
    assert (counts.subject, counts.answer.answer) == (about(1), "correct")


def test_what_may_not_be_added_any_more_ends_an_import_between_batches(store: Store) -> None:
    calls: list[None] = []

    def check(_connection: object) -> None:
        calls.append(None)
        if len(calls) > 1:
            raise UserError("the study was changed")

    with pytest.raises(UserError, match="was changed"):
        append_in_batches(store, many(), check)
    assert 0 < len(rows_of(store)) < MANY


def test_verdicts_of_one_file_do_not_overrule_each_other(store: Store) -> None:
    with store.writing() as connection:
        verdicts.append(connection, ANNA, about(0), said("unsure", 5))
    filler = many(BEN)
    given = [
        (ANNA, about(0), said("wrong", 9)),
        *filler,
        (ANNA, about(0), said("correct", 7)),  # the file's own order is kept
        *((BEN, about(MANY), said("wrong", second)) for second in (3, 1)),
        (ANNA, about(0), said("wrong", 4)),
    ]
    assert append_in_batches(store, given, skip_older=True) == AddedVerdicts(MANY + 4, 1)
    with store.reading() as connection:
        last = {(row.judge, row.subject): row.answer for row in verdicts.judged(connection)}
    assert last[ANNA, about(0)] == said("correct", 7)
    assert last[BEN, about(MANY)] == said("wrong", 1)


def test_a_verdict_is_found_by_the_same_work_in_a_long_log(store: Store) -> None:
    def work() -> int:
        steps = 0

        def count() -> None:
            nonlocal steps
            steps += 1

        with store.looking() as connection:
            connection.set_progress_handler(count, 1)
            assert is_known(connection, (ANNA, about(0), said("correct")))
            assert find_answer_at(connection, BEN, about(0), said("wrong").answered_at) is None
            connection.set_progress_handler(None, 0)
        return steps

    append_in_batches(store, many()[:1])
    short = work()
    append_in_batches(store, many())
    append_in_batches(store, many(BEN)[1:])
    assert work() <= short + 10


def test_a_list_is_seen_when_it_is_whole_and_once(store: Store) -> None:
    head = ListHead("imported", "A list", None, None, [], {"rows": "ab"}, ["one"], [], {}, "now")
    rows = [Suggestion(about(number), [number]) for number in range(MANY)]

    def broken() -> Iterator[Suggestion]:
        yield from rows[: MANY // 2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep_in_batches(store, head, broken())
    with store.reading() as connection:
        assert kept_lists(connection) == []
    list_id = keep_in_batches(store, head, rows)
    with store.reading() as connection:
        assert [suggestion_list.id for suggestion_list in kept_lists(connection)] == [list_id]
        assert suggested(connection, list_id) == rows
        count = connection.exec_driver_sql("SELECT count(*) FROM suggestion").scalar_one()
    assert count == MANY  # nothing is left of what broke off


@pytest.mark.parametrize("by_moment", [True, False])
def test_verdicts_come_out_of_a_spool_as_they_went_in(by_moment: bool) -> None:
    given = [
        (ANNA, about(n), Answer("wrong", "é", "", f"{9 - n}", "h", {"a": [0.1, None]}))
        for n in (1, 2)
    ]
    with VerdictSpool(by_moment=by_moment) as spool:
        for verdict in given:
            spool.add(verdict)
        assert list(spool) == (given[::-1] if by_moment else given)
        assert spool.find_answer_at(ANNA, about(1), "8") == ("wrong", "é")
        assert spool.find_answer_at(BEN, about(1), "8") is None
