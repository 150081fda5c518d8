import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_ontology import write_toy, write_vectors

from termexplorer.services.importing import ImportRequest, import_release
from termexplorer.services.vectors import add_vectors, prepare_lexical
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


def quiet(_message: object) -> None:
    """Takes a job's messages."""


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace folder with the toy ontology (1) and vectors (encoder 2); copied, not used."""
    folder = tmp_path_factory.mktemp("imported")
    workspace = Workspace(folder / "workspace")
    request = ImportRequest(workspace.folder, str(write_toy(folder)))
    ontology = import_release(workspace, request, Control(), quiet)
    prepare_lexical(workspace, ontology.id, Control(), quiet)
    add_vectors(workspace, write_vectors(folder), Control(), quiet)
    workspace.close()
    return folder


@pytest.fixture
def workspace(imported: Path, tmp_path: Path) -> Iterator[Workspace]:
    shutil.copytree(imported / "workspace", tmp_path / "workspace")
    workspace = Workspace(tmp_path / "workspace")
    yield workspace
    workspace.close()
