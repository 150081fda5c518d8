"""The top bit of a text, in each column of each table: it is no text any more, and is named."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.flips import check_copy, copy_rich
from termexplorer.bench.reliability.program import call_program

_STORE = "workspace.sqlite"
_TABLES = """SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
    AND name NOT LIKE 'search%' AND name NOT LIKE 'copy_of%' ORDER BY name"""
_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
_COMMANDS = (("doctor",), ("workspace", "check", "--quick"), ("verdicts", "check"))
_OF_PROGRAM = 10  # the real program is asked in one of so many


def list_text_columns(store: Path) -> list[tuple[str, str]]:
    """Return the tables and columns of a store that have a text in some row."""
    with closing(sqlite3.connect(store)) as connection:
        text_columns = []
        for (table,) in connection.execute(_TABLES).fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                query = f"SELECT 1 FROM {table} WHERE {_is_text(column)}"
                if connection.execute(query).fetchone():
                    text_columns.append((table, column))
        return text_columns


def change_top_bit(store: Path, table: str, column: str, number: int) -> None:
    """Change the top bit of the first byte of one text, and nothing that is kept of the row.

    Args:
        store: the file.
        table: its table.
        column: of the text.
        number: of the row among those with a text, counted around.
    """
    with closing(sqlite3.connect(store)) as connection, connection:
        triggers = connection.execute(_TRIGGERS, (table,)).fetchall()
        for name, _sql in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        query = f"SELECT CAST({column} AS BLOB) FROM {table} WHERE {_is_text(column)}"
        texts = [text for (text,) in connection.execute(query)]
        before: bytes = texts[number % len(texts)]
        after = bytes([before[0] ^ 0x80]) + before[1:]
        connection.execute(
            f"UPDATE OR IGNORE {table} SET {column} = CAST(? AS TEXT)"
            f" WHERE CAST({column} AS BLOB) = ?",
            (after, before),
        )
        for _name, sql in triggers:
            connection.execute(sql)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _is_text(column: str) -> str:
    return f"typeof({column}) = 'text' AND length({column}) > 0"


def _change_top_bits(attempt: Attempt) -> list[str]:
    sound = copy_rich(attempt)
    columns = list_text_columns(sound / _STORE)
    fell = []
    for number in range(max(attempt.rounds, len(columns))):
        workspace = Path(shutil.copytree(sound, attempt.folder / "changed"))
        table, column = columns[number % len(columns)]
        change_top_bit(workspace / _STORE, table, column, attempt.draw.randrange(1000))
        check = check_copy(workspace)
        if not any(table in text for text in check.where):
            fell.append(f"{table}.{column}: {check.where[:2] or 'not found'}")
        if number % _OF_PROGRAM == 0:
            ended = call_program("--workspace", workspace, *attempt.draw.choice(_COMMANDS))
            if fault := ended.find_fault(0, 1):
                fell.append(f"{table}.{column}: {fault}")
        shutil.rmtree(workspace)
    return fell


TOP_BITS = (
    BreakingFault("the top bit of a text, in each column", 0.2, _change_top_bits, at_once=True),
)
