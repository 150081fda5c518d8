"""The whole import of ICD-10-CM beside its least work: the package, and plain inserts."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from termexplorer.bench.figure import Context, Figure
from termexplorer.bench.import_run import cost_of_import
from termexplorer.bench.prepared import ICD10CM
from termexplorer.workspace import Workspace

_RATIO, _MEGABYTES = 2.0, 400.0
_TABLES = ("terminology", "release", "concept", "name", "identifier", "is_a")


def run(context: Context) -> list[Figure]:
    """Import into fresh workspaces, and do the plain work, in turn."""
    pairs = []
    for number in range(1 if context.quick else 3):
        folder = context.folder / f"import-{number}"
        Workspace(folder).close()
        cost = cost_of_import(folder, ICD10CM)
        plain = _seconds([sys.executable, "-c", "import simple_icd_10_cm"])
        plain += _plain_inserts(folder / "workspace.sqlite", context.folder / f"plain-{number}")
        pairs.append((cost.seconds / plain, cost, plain))
    ratio, ours, plain = sorted(pairs, key=lambda pair: pair[0])[len(pairs) // 2]
    megabytes = max(cost.megabytes for _, cost, _ in pairs)
    return [
        Figure(
            f"import of {ICD10CM}, whole, searchable", ours.seconds, "s",
            "package + plain inserts", plain, ratio, "under 2 times", ratio < _RATIO,
        ),
        Figure(
            "memory of that import, its largest process", megabytes, "MB", "limit", _MEGABYTES,
            megabytes / _MEGABYTES, "about 400 MB", megabytes < 1.1 * _MEGABYTES,
        ),
    ]  # fmt: skip


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ourselves
    return time.perf_counter() - start


def _plain_inserts(source: Path, target: Path) -> float:
    """Seconds to insert the same rows, with the same indexes, in one plain transaction."""
    with closing(sqlite3.connect(source)) as connection:
        rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in _TABLES}
        schema = [
            sql
            for name, sql in connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE sql <> ''"
            )
            if not name.startswith(("search_words_", "search_trigrams_", "sqlite_"))
        ]
        searchable = connection.execute("SELECT id, text FROM searchable").fetchall()
    start = time.perf_counter()
    with closing(sqlite3.connect(target)) as connection:
        for statement in schema:
            connection.execute(statement)
        with connection:
            for table in _TABLES:
                _insert(connection, table, rows[table])
            for index in ("search_words", "search_trigrams"):
                connection.executemany(
                    f"INSERT INTO {index}(rowid, text) VALUES (?, ?)", searchable
                )
    return time.perf_counter() - start


def _insert(connection: sqlite3.Connection, table: str, rows: list[Any]) -> None:
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
