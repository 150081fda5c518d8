"""An error of the disk at one of SQLite's reads, writes, truncations or syncs, whichever it is."""

from __future__ import annotations

import ctypes
from typing import Any

_OK, _IO_ERROR, _FULL = 0, 10, 13
_METHODS = 18  # of version 3, after the version
_READ, _WRITE, _TRUNCATE, _SYNC = 1, 2, 3, 4  # their places among them

_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
    ctypes.c_void_p,
)  # fmt: skip
_Move = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
)
_TYPES: dict[int, Any] = {
    _READ: _Move,
    _WRITE: _Move,
    _TRUNCATE: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64),
    _SYNC: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int),
}


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("numbers", ctypes.c_int * 3),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
    )


class _Methods(ctypes.Structure):
    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * _METHODS))


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
        import _sqlite3

        self.calls, self._failing, self._full = 0, failing, full
        library = ctypes.CDLL(_sqlite3.__file__)  # looks in what that was linked with too
        try:
            find = library.sqlite3_vfs_find
        except AttributeError as error:
            raise OSError("SQLite cannot be reached from Python here") from error
        find.restype = ctypes.POINTER(_Vfs)
        self._vfs = find(None).contents
        self._open = _Open(self._vfs.open)
        self._methods: dict[int, tuple[_Methods, list[Any]]] = {}
        self._opened = _Open(self._on_open)

    def __enter__(self) -> FailingFiles:
        self._vfs.open = ctypes.cast(self._opened, ctypes.c_void_p).value
        return self

    def __exit__(self, *_raised: object) -> None:
        self._vfs.open = ctypes.cast(self._open, ctypes.c_void_p).value
        self._failing = 0  # files that are open still go on without

    def _on_open(self, vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        result = int(self._open(vfs, name, file, flags, out))
        methods = ctypes.c_void_p.from_address(file)
        if result == _OK and methods.value is not None:
            methods.value = ctypes.addressof(self._make_failing(methods.value))
        return result

    def _make_failing(self, address: int) -> _Methods:
        if address not in self._methods:
            copied = _Methods.from_buffer_copy(_Methods.from_address(address))
            kept = [self._replace_call(copied, place) for place in _TYPES]
            self._methods[address] = copied, kept
        return self._methods[address][0]

    def _replace_call(self, methods: _Methods, place: int) -> Any:
        original = _TYPES[place](methods.functions[place])

        def call(*arguments: Any) -> int:
            self.calls += 1
            if self.calls == self._failing:
                return _FULL if self._full and place == _WRITE else _IO_ERROR
            return int(original(*arguments))

        callback = _TYPES[place](call)
        methods.functions[place] = ctypes.cast(callback, ctypes.c_void_p).value
        return original, callback
