"""A check finds a flipped bit in each table, in indexes, the version and the files beside them."""

import re
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from toy_studies import make

from termexplorer.bench.reliability.flipped_tables import TableBits, list_tables
from termexplorer.bench.reliability.flips import check_copy, flip_files, flip_tables
from termexplorer.cli.opening import opened
from termexplorer.errors import UserError
from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, give_verdict, now
from termexplorer.services.workspace.check import check_workspace
from termexplorer.store.opening import HEAD
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def has_pages() -> bool:
    """Whether Python's SQLite tells which pages a table has."""
    with closing(sqlite3.connect(":memory:")) as connection:
        return ("ENABLE_DBSTAT_VTAB",) in connection.execute("PRAGMA compile_options").fetchall()


needs_pages = pytest.mark.skipif(
    sys.platform == "win32" or not has_pages(), reason="SQLite tells no pages here"
)


def settle(workspace: Workspace) -> Path:
    """Check a workspace that is to be whole, and close it with all of it in its one file."""
    assert check_workspace(workspace, JobControl()).faults == ()
    workspace.close()
    with closing(sqlite3.connect(workspace.store.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return workspace.store.path


def judge(workspace: Workspace, *subjects: str) -> None:
    for subject in subjects:
        about = VerdictSubject("T:1", "skos:exactMatch", subject)
        give_verdict(workspace, Judge("Anna"), about, Answer("correct", "a note", now(), now()))


@needs_pages
@pytest.mark.parametrize(
    "tables",
    [
        "concept|name|is_a|identifier|sorted_name|lookup_key|name_word",
        "release|terminology|run|epoch|split|split_name|encoder|vectors|alembic_version",
        "study.*|verdict|list|list_item|person|copy_of_study.*",
        r"search_(words|trigrams|folded)_config|search_(words|trigrams)_data|search_folded_content",
    ],
)
def test_flips_in_any_table_are_found_and_named(with_run: Workspace, tables: str) -> None:
    make(with_run)
    judge(with_run, "T:2", "T:3")
    store = settle(with_run)
    chosen = [table for table in list_tables(store) if re.fullmatch(tables, table)]
    assert len(chosen) >= 5
    draw = Random(len(tables))  # noqa: S311
    assert flip_tables(with_run.folder, chosen, len(chosen), draw) == []


def test_flips_in_files_are_found_and_named(with_run: Workspace) -> None:
    judge(with_run, "T:2")
    settle(with_run)
    for pattern in ("vectors/*", "runs/*/best", "verdicts-head.json"):
        assert flip_files(with_run.folder, pattern, 4, Random(1)) == []  # noqa: S311


@needs_pages
def test_a_row_on_a_broken_page_is_named_by_its_copy(with_run: Workspace) -> None:
    store = settle(with_run)
    bits = TableBits(store, "encoder")
    content = bytearray(bits.whole)
    with closing(sqlite3.connect(store)) as connection:
        (page,) = connection.execute(
            "SELECT pgoffset FROM dbstat WHERE name = 'encoder'"
        ).fetchone()
    content[page + 3] ^= 0x40  # it has 16,384 rows more now
    store.write_bytes(content)
    fault = check_copy(with_run.folder)
    assert any(text.startswith("encoder ") for text in fault.where), fault


def test_a_version_that_changed_is_not_migrated_once_more(with_run: Workspace) -> None:
    store = settle(with_run)
    with closing(sqlite3.connect(store)) as connection, connection:
        before = f"{int(HEAD) - 1:04}"
        connection.execute("UPDATE alembic_version SET version_num = ?", (before,))
    for _ in range(2):
        with pytest.raises(UserError, match="alembic_version"):
            Workspace(with_run.folder)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (before,)
        ]
    assert not list((with_run.folder / "backups").glob("*"))


def test_a_version_that_is_none_is_one_error(with_run: Workspace) -> None:
    store = settle(with_run)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '00)9'")
        connection.execute("PRAGMA user_version = 0")  # as a store of an earlier version has it
    with pytest.raises(UserError, match="alembic_version"):
        Workspace(with_run.folder)


def test_a_trigger_that_is_gone_is_told(with_run: Workspace) -> None:
    store = settle(with_run)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DROP TRIGGER verdict_no_update")
    (fault,) = check_copy(with_run.folder).where
    assert "triggers" in fault


def test_an_end_of_the_log_that_was_cut_off_is_told_again_and_again(workspace: Workspace) -> None:
    judge(workspace, "T:2", "T:3", "T:4")
    store = settle(workspace)
    with closing(sqlite3.connect(store)) as connection, connection:
        (drop,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'verdict_no_delete'"
        ).fetchone()
        connection.execute("DROP TRIGGER verdict_no_delete")
        connection.execute("DELETE FROM verdict WHERE id = 3")
        connection.execute(drop)
    for _ in range(2):  # looking does not make it forgotten
        (fault,) = check_copy(workspace.folder).where
        assert "had 3 rows" in fault


def test_an_index_of_folded_names_is_compared_with_them_and_made_anew(workspace: Workspace) -> None:
    with workspace.store.writing() as connection:
        connection.exec_driver_sql("UPDATE name SET text = 'Crohn’s disease' WHERE id = 1")
    (fault, *_) = [
        problem for problem in check_copy(workspace.folder).where if "search_folded" in problem
    ]
    assert fault
    with workspace.store.looking() as reader:
        rows = reader.execute(
            "SELECT rowid FROM search_folded WHERE search_folded MATCH 'crohns'"
        ).fetchall()
    assert rows == [(2,)]
    assert not any("search_folded" in problem for problem in check_copy(workspace.folder).where)


def test_a_counter_of_ids_that_fell_behind_is_named(with_run: Workspace) -> None:
    with with_run.store.writing() as connection:
        connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'encoder'")
    (fault,) = check_copy(with_run.folder).where
    assert fault.startswith("sqlite_sequence 'encoder'")


def test_a_release_whose_status_is_another_word_is_kept(workspace: Workspace) -> None:
    store = settle(workspace)
    with closing(sqlite3.connect(store)) as connection, connection:
        (drop,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'copy_of_release_update'"
        ).fetchone()
        connection.execute("DROP TRIGGER copy_of_release_update")
        connection.execute("UPDATE release SET status = 'reidy'")
        connection.execute(drop)
    with opened(workspace.folder):  # what commands do first
        pass
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM name").fetchone()[0] > 0
    assert any(problem.startswith("release 1") for problem in check_copy(workspace.folder).where)


@needs_pages
def test_a_broken_link_is_named_by_its_checksum(workspace: Workspace) -> None:
    store = settle(workspace)
    content = bytearray(store.read_bytes())
    with closing(sqlite3.connect(store)) as connection:
        links = connection.execute("SELECT child_id, parent_id FROM is_a ORDER BY 1, 2").fetchall()
        leaf = "SELECT pgoffset FROM dbstat WHERE name = 'is_a' AND pagetype = 'leaf' ORDER BY path"
        (page,) = connection.execute(leaf).fetchone()
    number = 3  # of its rows
    at = page + 8 + 2 * number  # the pointer to the row
    row = page + int.from_bytes(content[at : at + 2], "big")
    content[row + 1] ^= 0x40  # its head is longer than the row: it has no child and no parent
    store.write_bytes(content)
    child, parent = links[number]
    assert any(
        text.startswith(f"is_a {child} {parent} ") for text in check_copy(workspace.folder).where
    )


def test_a_bit_of_an_index_that_sqlite_does_not_notice_is_found(workspace: Workspace) -> None:
    store = settle(workspace)
    query = "SELECT id, block FROM search_words_data WHERE id > 10 ORDER BY length(block) DESC"
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        (page, block) = connection.execute(query).fetchone()
        for at in range(len(block)):
            connection.execute("BEGIN")
            changed = block[:at] + bytes([block[at] ^ 1]) + block[at + 1 :]
            connection.execute(
                "UPDATE search_words_data SET block = ? WHERE id = ?", (changed, page)
            )
            with suppress(sqlite3.DatabaseError):
                check = "INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)"
                connection.execute(check)
                connection.execute("COMMIT")
                break
            connection.execute("ROLLBACK")
    (fault,) = check_copy(workspace.folder).where
    assert fault.startswith("search_words ")
    assert check_copy(workspace.folder).where == ()  # it was made anew


def test_a_checksum_of_no_table_is_named(workspace: Workspace) -> None:
    store = settle(workspace)
    with closing(sqlite3.connect(store)) as connection, connection:
        query = (
            "UPDATE row_checksum SET table_name = 'search_wordz' WHERE table_name = 'search_words'"
        )
        assert connection.execute(query).rowcount == 1
    (fault,) = check_copy(workspace.folder).where
    assert fault.startswith("row_checksum search_wordz")


def test_a_head_of_another_format_is_told_as_damage(workspace: Workspace) -> None:
    store = settle(workspace)
    content = bytearray(store.read_bytes())
    content[47] ^= 0x08  # the number of the format of its tables
    store.write_bytes(content)
    with pytest.raises(UserError, match="check --mend"):
        Workspace(workspace.folder)
