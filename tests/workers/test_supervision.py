"""What becomes of a child whose work is given up."""

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from termexplorer.errors import UserError
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.limited import call_limited
from termexplorer.workers.process.protocol import JobProgress, Limits
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
    supervise(halves, None, JobControl(), lambda message: heard.append(cast(JobProgress, message)))
    assert [progress.fraction for progress in heard] == [None, 0, 0.5, 1]
    assert [progress.seconds_left is None for progress in heard] == [True, True, False, True]


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


def fail_for_memory(_request: object, _channel: Channel) -> None:
    raise ImportError("numpy.so: failed to map segment from shared object")


def end_like_a_library(_request: object, _channel: Channel) -> None:
    os._exit(1)


class Unsendable:
    """What cannot be packed for want of memory."""

    def __reduce__(self) -> str:
        raise MemoryError


def answer_too_much(_request: object, _channel: Channel) -> Unsendable:
    return Unsendable()


class TooLargeToUnpack:
    """What cannot be unpacked for want of memory."""

    def __reduce__(self) -> tuple[object, ...]:
        return bytearray, (1 << 40,)


@pytest.mark.skipif(sys.platform == "win32", reason="no process is capped there")
@pytest.mark.parametrize(
    ("function", "request_", "limits"),
    [
        (write, TooLargeToUnpack(), Limits(memory=1 << 30)),
        (fail_for_memory, None, Limits()),
        (end_like_a_library, None, Limits(memory=1 << 30)),
        (answer_too_much, None, Limits()),
    ],
)
def test_a_child_without_memory_is_one_error_and_hangs_nobody(
    function: Callable[[Any, Channel], object], request_: object, limits: Limits
) -> None:
    with pytest.raises(UserError, match="not enough memory"):
        supervise(function, request_, JobControl(), print, limits)


@pytest.mark.skipif(sys.platform == "win32", reason="no process is capped there")
def test_a_child_that_can_start_no_thread_is_one_error() -> None:
    # of what is compiled already: Python calls source that it has no memory for a syntax error
    with pytest.raises(UserError, match="not enough memory"):
        call_limited(divmod, 7, 2, limits=Limits(memory=1 << 20))


def start_with_more(_request: object, _channel: Channel) -> tuple[int, int]:
    return call_limited(divmod, 7, 2, limits=Limits(memory=8 << 30))


def test_a_cap_of_who_started_the_program_stays(tmp_path: Path) -> None:
    limits = Limits(memory=6 << 30)
    assert supervise(start_with_more, tmp_path, JobControl(), print, limits) == (3, 1)


def test_what_is_read_apart_comes_back_with_what_the_user_can_mend(tmp_path: Path) -> None:
    assert call_limited(divmod, 7, 2) == (3, 1)
    with pytest.raises(UserError, match="no such file"):
        call_limited(refuse, tmp_path)


def refuse(path: Path) -> None:
    raise UserError(f"{path}: no such file")
