"""An error of the disk at one of SQLite's reads, writes, truncations or syncs, whichever it is."""

from __future__ import annotations

import ctypes
from typing import Any

from termexplorer.bench.faults.sqlite_files import (
    READ,
    SQLITE_OK,
    SYNC,
    TRUNCATE,
    WRITE,
    FileMethods,
    OpenFile,
    find_default_vfs,
)

_IO_ERROR, _FULL = 10, 13

_Move = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
)
_TYPES: dict[int, Any] = {
    READ: _Move,
    WRITE: _Move,
    TRUNCATE: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64),
    SYNC: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int),
}


class FailingFiles:
    """Has one call to a file fail that SQLite makes in this process within a `with`.

    Args:
        failing: the number of the call, from 1; 0 for none, to count them.
        full: whether the disk says that it is full, where it is written to.

    Attributes:
        calls: how many there were.

    Raises:
        OSError: Python's SQLite cannot be reached here.
    """

    def __init__(self, failing: int = 0, *, full: bool = False) -> None:
        self.calls, self._failing, self._full = 0, failing, full
        self._vfs = find_default_vfs()
        self._open = OpenFile(self._vfs.open)
        self._methods: dict[int, tuple[FileMethods, list[Any]]] = {}
        self._opened = OpenFile(self._on_open)

    def __enter__(self) -> FailingFiles:
        self._vfs.open = ctypes.cast(self._opened, ctypes.c_void_p).value
        return self

    def __exit__(self, *_raised: object) -> None:
        self._vfs.open = ctypes.cast(self._open, ctypes.c_void_p).value
        self._failing = 0  # files that are open still go on without

    def _on_open(self, vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        result = int(self._open(vfs, name, file, flags, out))
        methods = ctypes.c_void_p.from_address(file)
        if result == SQLITE_OK and methods.value is not None:
            methods.value = ctypes.addressof(self._make_failing(methods.value))
        return result

    def _make_failing(self, address: int) -> FileMethods:
        if address not in self._methods:
            copied = FileMethods.from_buffer_copy(FileMethods.from_address(address))
            replacements = [self._replace_call(copied, slot) for slot in _TYPES]
            self._methods[address] = copied, replacements
        return self._methods[address][0]

    def _replace_call(self, methods: FileMethods, slot: int) -> Any:
        original = _TYPES[slot](methods.functions[slot])

        def call(*arguments: Any) -> int:
            self.calls += 1
            if self.calls == self._failing:
                return _FULL if self._full and slot == WRITE else _IO_ERROR
            return int(original(*arguments))

        callback = _TYPES[slot](call)
        methods.functions[slot] = ctypes.cast(callback, ctypes.c_void_p).value
        return original, callback
