"""Sound stores of workspaces, and settings of recipes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from termexplorer.bench.durability import judge_some, make_study_workspace
from termexplorer.bench.mutations.sound_file import FileReading, SoundFile, make_file
from termexplorer.bench.mutations.terminology_files import make_obo_files
from termexplorer.workspace import Workspace

_STORE = "workspace.sqlite"
_VERDICTS = 12


def make_store_files(folder: Path) -> list[SoundFile]:
    """Return the store of a workspace with an ontology, a study and verdicts."""
    from termexplorer.workers.importing.request import ImportRequest
    from termexplorer.workers.importing.run import run_import

    workspace = make_study_workspace(folder / "sound")
    judge_some(workspace, _VERDICTS)
    (ontology, _) = make_obo_files(folder)
    request = ImportRequest(workspace, str(ontology.write_contents(ontology.contents, folder)))
    run_import(request, QuietChannel())  # type: ignore[arg-type] # it tells nobody anything
    with closing(sqlite3.connect(workspace / _STORE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = {_STORE: (workspace / _STORE).read_bytes()}
    return [SoundFile("workspace", content, _read_store, is_folder=True)]


class QuietChannel:
    """A channel that nobody listens at."""

    def report(self, _message: object) -> None:
        """Tell nobody."""

    def progress(self, _fraction: float | None, _text: str, *, ending: bool = False) -> None:
        """Tell nobody."""

    def stopped(self) -> bool:
        """Return that nobody stops it."""
        return False

    def on_stop(self, _callback: object) -> None:
        """Leave the callback: nobody stops it."""


def _read_store(folder: Path) -> FileReading:
    from termexplorer.services.explore.browsing import search_names
    from termexplorer.services.verdicts.log import judged
    from termexplorer.services.workspace.check import check_workspace
    from termexplorer.workers.process.supervision import JobControl

    workspace = Workspace(folder)
    try:
        check_workspace(workspace, JobControl())
        search_names(workspace, "Zq1q")
        judged(workspace)
    finally:
        workspace.close()
    return FileReading("")


def make_setting_files(_folder: Path) -> list[SoundFile]:
    """Return hyper-parameters of each recipe, as commands and presets take them."""
    from termexplorer.services.recipes.presets import hyperparameters, read_change, recipes

    def read(path: Path) -> FileReading:
        recipe, *lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        changes = (
            dict(read_change(recipe, line) for line in lines if line) if recipe in recipes() else {}
        )
        hyperparameters(recipe, "paper", changes)
        return FileReading("")

    return [
        make_file(
            "settings.txt", read,
            tuple(f"{parameter.name}={parameter.paper}\n".encode() for parameter in parameters),
            f"{recipe}\n",
        )
        for recipe, parameters in recipes().items()
    ]  # fmt: skip
