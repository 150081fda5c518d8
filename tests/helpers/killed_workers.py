"""Workers that end in the middle of what they do, as if they were killed."""

from collections.abc import Callable

import pytest


class KilledError(Exception):
    """Stands for a kill: nothing behind it in the worker happens."""


def kill_once(
    monkeypatch: pytest.MonkeyPatch, target: str, before: Callable[..., object]
) -> list[str]:
    """Have what is named by its module do its work once, and then end as if killed."""
    calls: list[str] = []

    def stop(*arguments: object, **options: object) -> object:
        calls.append(target)
        result = before(*arguments, **options)
        if len(calls) == 1:
            raise KilledError
        return result

    monkeypatch.setattr(target, stop)
    return calls
