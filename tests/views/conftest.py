import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from view_fakes import FakeRanker, write_diseases

from termexplorer.desk import Desk, claimed
from termexplorer.services.importing import ImportRequest, import_release
from termexplorer.services.vectors import prepare_lexical
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


def quiet(_message: object) -> None:
    """Takes a job's messages."""


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace folder with the diseases; copied, not used."""
    folder = tmp_path_factory.mktemp("diseases")
    workspace = Workspace(folder / "workspace")
    request = ImportRequest(workspace.folder, str(write_diseases(folder)))
    ontology = import_release(workspace, request, Control(), quiet)
    prepare_lexical(workspace, ontology.id, Control(), quiet)
    workspace.close()
    return folder / "workspace"


@pytest.fixture
def folder(imported: Path, tmp_path: Path) -> Path:
    return shutil.copytree(imported, tmp_path / "workspace")


@pytest.fixture
def ranker() -> FakeRanker:
    return FakeRanker()


@pytest.fixture
def open_desk(
    qapp: QApplication, tmp_path: Path, ranker: FakeRanker
) -> Iterator[Callable[[Path], Desk]]:
    """Opens a window on a workspace; it is closed at the end, if it was not before."""
    opened: list[Desk] = []

    def open_one(folder: Path) -> Desk:
        desk = Desk(qapp, claimed(folder), tmp_path / "settings", lambda _folder: ranker)
        desk.window.resize(1280, 800)
        desk.window.show()
        opened.append(desk)
        return desk

    yield open_one
    for desk in opened:
        desk.close()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def desk(open_desk: Callable[[Path], Desk], folder: Path) -> Desk:
    return open_desk(folder)
