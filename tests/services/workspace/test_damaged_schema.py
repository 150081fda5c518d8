"""A store whose tables are others than ours is damaged, and said to be; no bug of ours."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Change = Callable[[str, str, str], Path]


@pytest.fixture
def changed(toy: Path, tmp_path: Path) -> Change:
    """Replace something in the schema of a copy of a workspace."""

    def change(table: str, old: str, new: str) -> Path:
        folder = shutil.copytree(toy, tmp_path / "workspace")
        with closing(sqlite3.connect(folder / "workspace.sqlite")) as connection:
            connection.execute("PRAGMA writable_schema=ON")
            query = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?"
            assert connection.execute(query, (old, new, table)).rowcount == 1
            connection.commit()
        return folder

    return change


def test_a_column_that_is_called_otherwise_is_told(changed: Change) -> None:
    folder = changed("release", "imported_at", "imported_au")
    with closing(Workspace(folder)) as workspace, pytest.raises(UserError, match="is damaged"):
        list_ontologies(workspace)


@pytest.mark.parametrize(("old", "new"), [("fts5", "fts9"), ("content_rowid", "content_rowie")])
def test_a_search_index_that_cannot_be_made_anew_is_a_fault(
    changed: Change, old: str, new: str
) -> None:
    with closing(Workspace(changed("search_words", old, new))) as workspace:
        faults = check_workspace(workspace, JobControl()).faults
    assert any("could not be made anew" in fault.mend for fault in faults if fault.kind == "index")
