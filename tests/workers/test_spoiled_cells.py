"""What a spreadsheet has spoiled is told before the first row of a table is stored."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from sqlalchemy import text

from termexplorer.workers.importing.request import ImportRequest, SpoiledCells
from termexplorer.workers.importing.run import run_import
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace


class CountingChannel:
    """Keeps the reports of an import, each with the number of concepts stored by then."""

    def __init__(self, workspace: Workspace) -> None:
        self.reports: list[tuple[object, int]] = []
        self._workspace = workspace

    def report(self, message: object) -> None:
        with self._workspace.store.reading() as connection:
            stored = connection.execute(text("SELECT count(*) FROM concept")).scalar_one()
        self.reports.append((message, stored))

    def progress(self, fraction: float | None, message: str) -> None:
        self.report((fraction, message))

    def stopped(self) -> bool:
        return False

    def on_stop(self, callback: Callable[[], None]) -> None:
        pass


def import_table(tmp_path: Path, *rows: str) -> list[tuple[object, int]]:
    """Import a table in this process, and return what was reported, with counts of concepts."""
    path = tmp_path / "table.csv"
    path.write_text("\n".join(("id,name", *rows, "")), encoding="utf-8")
    workspace = Workspace(tmp_path / "workspace")
    channel = CountingChannel(workspace)
    run_import(ImportRequest(workspace.folder, str(path)), cast("Channel", channel))
    workspace.close()
    return channel.reports


def test_spoiled_cells_are_told_with_counts_before_a_concept_is_stored(tmp_path: Path) -> None:
    rows = [
        "#N/A,lost",
        *(f"A{n},name {n}" for n in range(30)),
        "7.3211E+17,late",
        "A99,2020-01-02",
    ]
    reports = import_table(tmp_path, *rows)
    ((message, stored),) = [report for report in reports if isinstance(report[0], SpoiledCells)]
    assert isinstance(message, SpoiledCells)
    assert stored == 0
    assert reports[-1][1] == 32, "the channel sees what is stored"
    assert [word in message.warnings[0] for word in ("1 id", "#N/A", "line 2")] == [True] * 3
    assert [len(message.warnings), "7.3211E+17" in message.warnings[1]] == [3, True]


def test_a_table_that_nothing_spoiled_warns_of_nothing(tmp_path: Path) -> None:
    reports = import_table(tmp_path, "A1,measles", "A2,mumps")
    assert not [report for report in reports if isinstance(report[0], SpoiledCells)]
