"""A server that is away for a moment, as when it restarts, is waited for."""

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from termexplorer.store.team.server import TeamError

_Parameters = ParamSpec("_Parameters")
Result = TypeVar("Result")

_WAIT = 0.5  # seconds between two tries
_AWAY = ("", "08", "57")  # how the SQLSTATE of a server begins that comes back


def retry_while_away(
    seconds: float,
) -> Callable[[Callable[_Parameters, Result]], Callable[_Parameters, Result]]:
    """Have a function tried again for some seconds while the server is away.

    What was done by a transaction whose acknowledgement was lost is found done by the next try.
    """

    def decorate(function: Callable[_Parameters, Result]) -> Callable[_Parameters, Result]:
        @wraps(function)
        def call(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> Result:
            end = time.monotonic() + seconds
            while True:
                try:
                    return function(*arguments, **options)
                except TeamError as error:
                    if error.state[:2] not in _AWAY or time.monotonic() > end:
                        raise
                    time.sleep(_WAIT)

        return call

    return decorate
