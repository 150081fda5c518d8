"""What becomes of a child whose work is given up."""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl, supervise


class NeverUnpacked:
    """Stands for a request whose modules take long to import."""

    def __reduce__(self) -> tuple[Callable[[float], None], tuple[float]]:
        return time.sleep, (60.0,)


@dataclass(frozen=True)
class Put:
    """Where the work is to put what it has."""

    file: Path


def write(request: NeverUnpacked, _channel: Channel) -> None:
    raise AssertionError(request)


def main_file(_request: None, _channel: Channel) -> str | None:
    return getattr(sys.modules["__main__"], "__file__", None)


def keep_what_is_there(request: Put, channel: Channel) -> None:
    channel.progress(None, "at work")
    while not channel.stopped():
        time.sleep(0.01)
    request.file.write_text("kept")


def go_on_for_ever(request: Put, channel: Channel) -> None:
    channel.progress(None, "at work")
    time.sleep(60)
    request.file.write_text("too late")


def test_work_that_has_not_begun_never_does() -> None:
    control = JobControl()
    timer = threading.Timer(0.3, control.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        supervise(write, NeverUnpacked(), control, print)
    timer.join()


def test_a_child_does_not_import_the_program_that_starts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = ModuleType("__main__")
    program.__file__ = "/no/such/program.py"
    monkeypatch.setitem(sys.modules, "__main__", program)
    assert supervise(main_file, None, JobControl(), print) is None
    assert sys.modules["__main__"] is program


def halves(_request: None, channel: Channel) -> None:
    for fraction in (None, 0.0, 0.5, 1.0):
        channel.progress(fraction, "at work")


def test_no_time_is_told_where_all_is_done_but_what_comes_after() -> None:
    heard = list[JobProgress]()
    supervise(halves, None, JobControl(), lambda each: heard.append(cast(JobProgress, each)))
    assert [each.fraction for each in heard] == [None, 0, 0.5, 1]
    assert [each.seconds_left is None for each in heard] == [True, True, False, True]


def test_work_that_has_begun_may_keep_what_it_has(tmp_path: Path) -> None:
    control, heard = JobControl(), list[object]()

    def hear(message: object) -> None:
        heard.append(message)
        control.cancel()

    with pytest.raises(Cancelled):
        supervise(keep_what_is_there, Put(tmp_path / "kept"), control, hear)
    assert heard == [JobProgress(None, "at work", None)]
    assert (tmp_path / "kept").read_text() == "kept"


def test_work_that_does_not_listen_is_ended(tmp_path: Path) -> None:
    control = JobControl()
    with pytest.raises(Cancelled):
        supervise(go_on_for_ever, Put(tmp_path / "late"), control, lambda _: control.cancel())
    assert not (tmp_path / "late").exists()
