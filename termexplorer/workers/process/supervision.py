"""The supervisor's side: starts a child, follows it, and makes sure that stop always stops."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from termexplorer.errors import UserError
from termexplorer.texts import language, tr
from termexplorer.workers.process.protocol import Begun, ChildCommand, Failed, Finished, Limits
from termexplorer.workers.process.starting import start

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from termexplorer.workers.process.child import Channel

Request = TypeVar("Request")
Result = TypeVar("Result")

_POLL_SECONDS = 0.05
_ENDED_BY_LIBRARY = 1  # as native libraries end a process that gets no memory
_GRACE_SECONDS = 0.7  # a cancelled child that has not ended by then is killed


class Cancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The work was given up because somebody asked for it."""


class Crashed(Exception):  # noqa: N818 - says what happened to the child
    """The child ended without an answer, or with an error that is a bug of ours."""


class JobControl:
    """What the one who started a piece of work keeps, to pause, stop or cancel it.

    Attributes:
        behind: the work runs behind a window, which always goes first.
    """

    def __init__(self, *, behind: bool = False) -> None:
        self.behind = behind
        self._lock = threading.Lock()
        self._commands: list[ChildCommand] = []
        self._stopped, self._cancelled = threading.Event(), threading.Event()

    def pause(self) -> None:
        """Has the work rest, keeping its place."""
        self._add(ChildCommand.PAUSE)

    def resume(self) -> None:
        """Has the work go on."""
        self._add(ChildCommand.RESUME)

    def stop(self) -> None:
        """Has the work end soon, keeping what it has."""
        self._stopped.set()
        self._add(ChildCommand.STOP)

    def cancel(self) -> None:
        """Gives the work up: it has ended within a second."""
        self._cancelled.set()
        self._add(ChildCommand.STOP)

    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def take(self) -> list[ChildCommand]:
        """The commands since the last call, in their order."""
        with self._lock:
            commands, self._commands = self._commands, []
        return commands

    def _add(self, command: ChildCommand) -> None:
        with self._lock:
            self._commands.append(command)


def supervise(
    function: "Callable[[Request, Channel], Result]",
    request: Request,
    control: JobControl,
    on_message: Callable[[object], None],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Result:
    """Runs `function(request, channel)` in a child process and waits for its result.

    Args:
        function: a module-level function; it imports heavy libraries inside.
        request: what it works on; a frozen dataclass.
        control: pauses, stops or cancels it, from any thread.
        on_message: called in this thread with each message of the child.
        limits: what the child may use.

    Raises:
        UserError: the child raised one, ran out of memory or out of time.
        Cancelled: the work was cancelled; the child is gone.
        Crashed: the child died (with its signal) or raised something else (with its traceback).
    """
    import multiprocessing  # a window shows before it is needed

    from termexplorer.workers.process.child import main, packed_call

    if control.cancelled():
        raise Cancelled
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    call = packed_call(function, request)
    arguments = (theirs, call, limits, control.behind, language())
    process = context.Process(target=main, args=arguments)
    try:
        start(process)
    except OSError as error:  # it ended before it had read what it is to do
        ours.close()
        raise UserError(
            tr("the working process cannot be started ({error}); start it again", error=error)
        ) from error
    finally:
        theirs.close()
    try:
        final = _follow_process(process, ours, control, on_message, limits)
    finally:
        _end_process(process)
        ours.close()
    if control.cancelled():
        raise Cancelled
    return result_of(final)  # type: ignore[return-value] # what the function returned, by its type


def result_of(final: Finished | Failed) -> object:
    """What a child's work returned.

    Raises:
        UserError: it failed by what the user can mend.
        Crashed: it failed by a bug of ours.
    """
    if isinstance(final, Failed):
        raise UserError(final.message) if final.mendable else Crashed(final.traceback)
    return final.result


def _follow_process(
    process: "SpawnProcess",
    connection: "Connection[Any, Any]",
    control: JobControl,
    on_message: Callable[[object], None],
    limits: Limits,
) -> Finished | Failed:
    deadline = time.monotonic() + limits.seconds if limits.seconds else None
    grace = _Grace(control)
    while True:
        for command in control.take():
            with contextlib.suppress(OSError):  # it may just have ended
                connection.send(command)
        if grace.is_over():
            process.kill()
            return Failed("cancelled", "", mendable=True)
        if deadline and time.monotonic() > deadline:
            return Failed(
                tr("gave up after {seconds:.0f} seconds", seconds=limits.seconds), "", mendable=True
            )
        if not connection.poll(_POLL_SECONDS):
            continue
        try:
            message = connection.recv()
        except (EOFError, OSError):
            process.join(1)
            return _describe_end(process, limits)
        if isinstance(message, Finished | Failed):
            return message
        if isinstance(message, Begun):
            grace.seconds = _GRACE_SECONDS
        else:
            on_message(message)


class _Grace:
    """How long a child may go on after its work was cancelled: not at all before it has begun."""

    def __init__(self, control: JobControl) -> None:
        self.seconds = 0.0
        self._control = control
        self._cancelled_at: float | None = None

    def is_over(self) -> bool:
        """Whether it is to be ended now."""
        if not self._control.cancelled():
            return False
        now = time.monotonic()
        self._cancelled_at = self._cancelled_at or now
        return now - self._cancelled_at >= self.seconds


def _describe_end(process: "SpawnProcess", limits: Limits) -> Failed:
    code = process.exitcode
    if limits.memory is not None and code == _ENDED_BY_LIBRARY:
        text = tr("not enough memory; close other programs or choose less")
        return Failed(text, "", mendable=True)
    text = tr(
        "the working process ended without an answer (exit code {code}); start it again", code=code
    )
    if code is not None and code < 0:
        text = tr(
            "the working process was ended from outside, by signal {signal}; start it again",
            signal=-code,
        )
    return Failed("", text, mendable=False)


def _end_process(process: "SpawnProcess") -> None:
    process.join(_GRACE_SECONDS)
    if process.is_alive():
        process.kill()
    process.join()
    process.close()
