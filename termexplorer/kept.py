"""What takes long to make and never changes, made once, whoever asks for it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

_T = TypeVar("_T")


class SharedCache:
    """The things that were asked for last, by key; threads may ask at the same time.

    Who asks for what is just being made waits for it. What could not be made is not kept.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._things: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What is kept under a key, or made now.

        Raises:
            Exception: what `make` raises, for all who wait.
        """
        with self._lock:
            thing = self._things.get(key)
            if is_cached := thing is not None:
                self._things.move_to_end(key)
            else:
                thing = self._things[key] = Future()
                while len(self._things) > self._most:
                    self._things.popitem(last=False)
        if not is_cached:
            self._make(key, thing, make)
        result: _T = thing.result()
        return result

    def _make(self, key: Hashable, thing: Future[Any], make: Callable[[], object]) -> None:
        try:
            thing.set_result(make())
        except BaseException as error:
            with self._lock:
                if self._things.get(key) is thing:
                    del self._things[key]
            thing.set_exception(error)
