"""The child's side: listens to its supervisor, runs one function, sends what comes of it."""

import errno
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from termexplorer import spoken
from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.trainer.tensors.cores import count_cores
from termexplorer.workers.process.protocol import (
    Begun,
    ChildCommand,
    Failed,
    Finished,
    JobProgress,
    Limits,
)
from termexplorer.workers.process.trainer_texts import translate_error

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_NICEST = 19
_NO_MEMORY = ("can't start new thread", "failed to map segment", "cannot allocate memory")
_THREAD_VARIABLES = (
    *(f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "RAYON")),
    "VECLIB_MAXIMUM_THREADS",
    "POLARS_MAX_THREADS",
)


class Channel:
    """What a function in a child is handed to report by and to be stopped by."""

    def __init__(self, connection: "Connection[Any, Any]") -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._stopped = threading.Event()
        self._running = threading.Event()
        self._running.set()
        self._on_stop: list[Callable[[], None]] = []
        self._started = time.monotonic()

    def report(self, message: object) -> None:
        """Sends a message (a frozen dataclass) to the supervisor."""
        with self._sending:
            self._connection.send(message)

    def progress(self, fraction: float | None, text: str, *, ending: bool = False) -> None:
        """Reports progress, with an estimate of the time left from the time taken so far."""
        left = None
        if fraction is not None and 0.02 < fraction < 1:  # what comes after it takes time too
            left = (time.monotonic() - self._started) * (1 - fraction) / fraction
        self.report(JobProgress(fraction, text, left, ending))

    def stopped(self) -> bool:
        """Whether the work should end now."""
        return self._stopped.is_set()

    def paused(self) -> bool:
        """Whether the work should rest now."""
        return not self._running.is_set()

    def stop(self) -> None:
        """Has the work end soon, as the supervisor's command does."""
        self._stopped.set()
        self._running.set()
        for callback in self._on_stop:
            callback()

    def on_stop(self, callback: Callable[[], None]) -> None:
        """Has `callback` called, in another thread, when the work should stop."""
        self._on_stop.append(callback)

    def listen(self) -> None:
        """Follows the supervisor's commands; ends this process when the supervisor is gone."""
        while True:
            try:
                command = self._connection.recv()
            except (EOFError, OSError):
                os._exit(1)
            self._obey(command)

    def _obey(self, command: ChildCommand) -> None:
        if command is ChildCommand.PAUSE:
            self._running.clear()
        elif command is ChildCommand.RESUME:
            self._running.set()
        else:
            self.stop()


@contextmanager
def trainer_errors() -> Iterator[None]:
    """Turns what the trainer refuses, a `ValueError` for people, into a `UserError`."""
    try:
        yield
    except ValueError as error:
        raise UserError(translate_error(error)) from error


def main(
    connection: "Connection[Any, Any]", call: bytes, limits: Limits, behind: bool, language: str
) -> None:
    """Runs what `packed_call` packed in this process, which was started for it."""
    channel = Channel(connection)
    try:
        spoken.speak(language)
        channel.report(outcome(lambda: _run_call(channel, call, limits, behind)))
    except MemoryError:  # what was found is too large to be sent
        channel.report(_fail_for_memory())
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        # Native libraries' exit handlers have nothing left to save and can hang: leave at once.
        os._exit(0)


def _run_call(channel: Channel, call: bytes, limits: Limits, behind: bool) -> object:
    """Return what a packed function returns; all that may want memory comes after the cap."""
    restrict(limits, behind=behind)
    function, request = pickle.loads(call)  # noqa: S301 - from the supervisor, nobody else
    channel.report(Begun())
    threading.Thread(target=channel.listen, daemon=True).start()
    return function(request, channel)


def packed_call(function: Callable[[Any, Channel], object], request: object) -> bytes:
    """A function and its request, packed so that the child imports them only when restricted."""
    return pickle.dumps((function, request))


def outcome(work: Callable[[], object]) -> Finished | Failed:
    """Does a piece of work and says what came of it, for `supervision.result_of`."""
    try:
        return Finished(work())
    except UserError as error:
        return Failed(str(error), "", mendable=True)
    except MemoryError:
        return _fail_for_memory()
    except InterruptedError:
        return Failed(tr("stopped"), "", mendable=True)
    except Exception as error:
        if _is_for_memory(error):
            return _fail_for_memory()
        return Failed(f"{type(error).__name__}: {error}", traceback.format_exc(), mendable=False)


def _fail_for_memory() -> Failed:
    return Failed(tr("not enough memory; close other programs or choose less"), "", mendable=True)


def _is_for_memory(error: BaseException) -> bool:
    """Whether a system says in its own words that there was no memory left."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or getattr(cause, "errno", None) == errno.ENOMEM:
            return True
        by_system = isinstance(cause, ImportError | RuntimeError | OSError)
        if by_system and any(words in str(cause).lower() for words in _NO_MEMORY):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def restrict(limits: Limits, *, behind: bool) -> None:
    """Caps this process, before it imports numeric libraries; `behind` lets all others go first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the supervisor to act on
    # Caps count only if they are set before the numeric libraries are imported.
    threads = str(limits.threads or count_cores())
    for variable in _THREAD_VARIABLES:
        os.environ[variable] = threads
    # threads that wait in a loop would take the cores from the window and from other jobs
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    if sys.platform == "win32":
        return
    if behind:
        go_behind()
    if limits.memory is not None:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)  # of who started the program
        memory = limits.memory if most == resource.RLIM_INFINITY else min(limits.memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def go_behind() -> None:
    """Has this process run only when no other wants to, however many threads it has."""
    os.nice(_NICEST)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # where it is not allowed, being nice has to do
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
