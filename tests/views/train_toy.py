"""A window on a small ontology with vectors, on the pages Levels and Train."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot
from toy_ontology import write_toy, write_vectors

from termexplorer.desk import Desk
from termexplorer.services.importing import ImportRequest, import_release
from termexplorer.services.vectors import add_vectors, prepare_lexical
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace

LONG = 60_000  # milliseconds that a child may take


def quiet(_message: object) -> None:
    """Takes a job's messages."""


def make_workspace(folder: Path) -> Path:
    """A workspace with the toy ontology (1) and vectors (encoder 2)."""
    workspace = Workspace(folder / "workspace")
    request = ImportRequest(workspace.folder, str(write_toy(folder)))
    ontology = import_release(workspace, request, Control(), quiet)
    prepare_lexical(workspace, ontology.id, Control(), quiet)
    add_vectors(workspace, write_vectors(folder), Control(), quiet)
    workspace.close()
    return folder / "workspace"


def open_page(open_desk: Callable[[Path], Desk], made: Path, folder: Path, key: str) -> Any:
    """Opens a window on a copy of a workspace and shows a page of it; returns desk and page."""
    desk = open_desk(shutil.copytree(made, folder / "copy"))
    desk.shared.errands.show_page.emit(key)
    return desk, desk.window.page(key)


def idle(qtbot: QtBot, desk: Desk) -> None:
    """Waits until no job is left."""
    jobs = desk.shared.jobs
    qtbot.waitUntil(lambda: not jobs.running() and not jobs.waiting(), timeout=LONG)
