import gc
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from toy_window import desks
from toy_workspace import make_imported
from view_fakes import FakeRanker, write_diseases

from termexplorer.desk import WindowController


@pytest.fixture(autouse=True)
def garbage_is_looked_for_in_the_thread_of_the_window() -> Iterator[None]:
    """As `collect_quietly` has it in the program: else a thread that reads could free widgets."""
    gc.disable()
    yield
    gc.collect(1)
    gc.enable()


@pytest.fixture(scope="session")
def diseases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the diseases; copied, not used."""
    folder = tmp_path_factory.mktemp("diseases")
    return make_imported(folder, write_diseases(folder))


@pytest.fixture
def folder(diseases: Path, tmp_path: Path) -> Path:
    return shutil.copytree(diseases, tmp_path / "workspace")


@pytest.fixture
def ranker() -> FakeRanker:
    return FakeRanker()


@pytest.fixture
def open_desk(
    qapp: QApplication, tmp_path: Path, ranker: FakeRanker
) -> Iterator[Callable[[Path], WindowController]]:
    with desks(qapp, tmp_path / "settings", lambda _folder: ranker) as open_one:
        yield open_one


@pytest.fixture
def desk(open_desk: Callable[[Path], WindowController], folder: Path) -> WindowController:
    return open_desk(folder)
