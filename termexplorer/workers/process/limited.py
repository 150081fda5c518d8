"""Reading of files that may be larger than they seem, in a child with a cap on its memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import WHOLE_LIMITS, Limits
from termexplorer.workers.process.supervision import JobControl, supervise

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Call:
    function: Callable[..., object]
    arguments: tuple[object, ...]


def call_limited(
    function: Callable[..., Result], *arguments: object, limits: Limits = WHOLE_LIMITS
) -> Result:
    """Return what a function returns that is called in a child; blocks until it is done.

    Args:
        function: of a module.
        arguments: of it, that can be pickled.
        limits: what the child may use.

    Raises:
        UserError: the function raised one, or ran out of memory.
        Crashed: it raised something else.
    """
    call = _Call(function, arguments)
    result: Result = supervise(_run_function, call, JobControl(), _ignore_message, limits)
    return result


def _run_function(call: _Call, _channel: Channel) -> Any:
    return call.function(*call.arguments)


def _ignore_message(_message: object) -> None:
    """Take what nobody waits for."""
