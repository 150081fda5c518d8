"""What all tests share: no screen, no settings of the user's, nothing left running."""

import gc
import logging
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from x_screen import SCREEN, Screen

from termexplorer.errors import UserError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

# tests never time anything, and say the same of the same tree each time they are run; new
# examples are what the profile "fuzz" looks for
settings.register_profile("same", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("fuzz", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile("same")

GetContext = Callable[[str | None], Any]
_READY = "tests.ready_children"  # found from the root, where tests are run
_SCREENS = Path(__file__).with_name("screens.json")  # a desk's and a laptop's
os.environ["TERMEXPLORER_LANGUAGE"] = "en"  # whatever the machine speaks
# tests run beside each other: threads of one that wait for those of another take ten times as long
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={_SCREENS}"


def pytest_addoption(parser: pytest.Parser) -> None:
    message = "windows on a virtual X screen; in tests/e2e keys and mouse go through its server"
    parser.addoption("--screen", action="store_true", help=message)
    message = "the command of the package sssom, which files of mappings are then handed to"
    parser.addoption("--sssom", metavar="PROGRAM", help=message)
    message = "a Python with the packages krippendorff and irrCAC, to hold agreement against theirs"
    parser.addoption("--agreement", metavar="PYTHON", help=message)
    message = "how many damaged files the importers are handed in all, a long loop of its own"
    parser.addoption("--mutations", metavar="NUMBER", type=int, default=0, help=message)
    message = "the judging program that packaging/judge.sh builds, to be started on a pack"
    parser.addoption("--judge", metavar="PROGRAM", help=message)


def pytest_configure(config: pytest.Config) -> None:
    # the platform without a screen cannot do what every window asks of it
    for feature in ("propagateSizeHints", "raise", "grabbing the keyboard"):
        config.addinivalue_line("qt_log_ignore", f"This plugin does not support {feature}")
    if config.getoption("--screen"):
        config.stash[SCREEN] = screen = Screen()
        config.add_cleanup(screen.close)
        os.environ.update(screen.environment, QT_QPA_PLATFORM="xcb")


@pytest.fixture(scope="session", autouse=True)
def children_from_one_that_is_ready() -> Iterator[GetContext]:
    """Children are forked from a process that has imported what all of them import.

    They are children as any other but for that second or two; those of `tests/workers`, and of
    programs that tests run, are begun as users' are, by the function that this yields.
    """
    begun_anew = multiprocessing.get_context
    if sys.platform != "linux":
        yield begun_anew
        return
    multiprocessing.set_forkserver_preload([_READY])  # silent where it cannot be imported

    def ready(method: str | None = None) -> Any:
        return begun_anew("forkserver" if method == "spawn" else method)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing, "get_context", ready)
        yield begun_anew


@pytest.fixture(scope="session", autouse=True)
def new_stores_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new workspace gets its tables in a moment; tests of migrations begin with older ones."""
    from new_stores import copied_new_stores  # after the plugins have been set up

    with copied_new_stores(tmp_path_factory.mktemp("stores")):
        yield


@pytest.fixture
def german(qapp: "QApplication") -> Iterator[None]:
    """Everything is said in German."""
    from PySide6.QtCore import QTranslator

    from termexplorer.views.widgets.language import Language, set_language

    set_language(qapp, Language.GERMAN)
    yield
    set_language(qapp, Language.ENGLISH)
    assert not qapp.findChildren(QTranslator)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the toy ontology (1) and vectors; copied, not used."""
    from toy_workspace import make_toy  # not all tests need the whole program

    return make_toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="session")
def trained(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That workspace with a few-shot run (1) and its encoder; copied, not used."""
    from toy_workspace import make_trained

    return make_trained(toy, tmp_path_factory.mktemp("trained"))


@pytest.fixture(autouse=True)
def no_settings_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module", autouse=True)
def what_was_there_before_is_not_looked_through() -> None:
    """Collections, and the look for threads, pass over what modules before have left.

    First that is collected: windows that nobody has any more would be styled with each new one.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    threads, children = _threads(), set(multiprocessing.active_children())
    yield
    for thread in _threads() - threads:
        thread.join(2)  # transformers shuts the threads that read a model down without waiting
    assert not _threads() - threads, "threads were left running"
    assert not set(multiprocessing.active_children()) - children, "children were left running"
    if "qapp" in request.fixturenames:  # looking takes a moment
        assert not _running_qthreads(), "a QThread was left running"


@pytest.fixture(autouse=True)
def bugs() -> Iterator[list[BaseException]]:
    """What reached the hook for errors that nobody catches: a test that wants some clears it."""
    result = _Bugs()
    hooks = [logging.getLogger(f"termexplorer.{name}") for name in ("desk", "judging_app")]
    for hook in hooks:
        hook.addHandler(result)
    yield result.errors
    for hook in hooks:
        hook.removeHandler(result)
    assert not result.errors, "errors that nobody caught, also those of painting"


class _Bugs(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.errors: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error and not isinstance(error, UserError | KeyboardInterrupt):
            self.errors.append(error)


def _threads() -> set[threading.Thread]:
    # the threads of Qt show up as dummies that are never taken away
    return {t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)}


def _running_qthreads() -> list[object]:
    import shiboken6
    from PySide6.QtCore import QThread

    kinds = _kinds(QThread)  # a look at each object's type is quick, its bases take twice as long
    threads = [live_object for live_object in gc.get_objects() if type(live_object) in kinds]
    return [thread for thread in threads if shiboken6.isValid(thread) and thread.isRunning()]


def _kinds(base: type) -> set[type]:
    return {base}.union(*map(_kinds, base.__subclasses__()))
