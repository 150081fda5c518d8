from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_workspace import opened_copy

from termexplorer.workspace import Workspace


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(toy, tmp_path) as workspace:
        yield workspace


@pytest.fixture
def with_run(trained: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(trained, tmp_path) as workspace:
        yield workspace


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace(tmp_path / "empty")
    yield workspace
    workspace.close()
