"""What a power cut leaves of SQLite's files: each as it was when it was synced last.

SQLite's own way to the operating system (its default VFS) is taken, and after each `xSync` the file
is copied to a folder; nothing that was not synced ever comes there. Files that were deleted by then
are gone there too: SQLite syncs the folder with the first sync of a new file.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from pathlib import Path
from typing import Any

_OK = 0
_METHODS = 18  # of version 3, after the version
_SYNC = 4  # the place of xSync among them

_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
    ctypes.POINTER(ctypes.c_int),
)  # fmt: skip


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
    )


class _Methods(ctypes.Structure):
    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * _METHODS))


class SyncedFiles:
    """Has every SQLite file that this process opens, within a `with`, copied when it is synced.

    Its connections are to be closed before the end of the `with`.

    Args:
        folder: where the copies are, by the names of the files.
        honest: False leaves out the write-ahead log, in which each commit is synced first.

    Raises:
        OSError: Python's SQLite cannot be reached here.
    """

    def __init__(self, folder: Path, *, honest: bool = True) -> None:
        import _sqlite3

        self._folder, self._honest = folder, honest
        library = ctypes.CDLL(_sqlite3.__file__)  # looks in what that was linked with too
        try:
            find = library.sqlite3_vfs_find
        except AttributeError as error:
            raise OSError("SQLite cannot be reached from Python here") from error
        find.restype = ctypes.POINTER(_Vfs)
        self._vfs = find(None).contents
        self._open = _Open(self._vfs.open)
        self._paths: dict[int, Path] = {}
        self._methods: dict[int, tuple[_Methods, Any]] = {}
        self._opened = _Open(self._on_open)

    def __enter__(self) -> SyncedFiles:
        self._install(self._opened)
        return self

    def __exit__(self, *_raised: object) -> None:
        self._install(self._open)

    def _install(self, opened: Any) -> None:
        self._vfs.open = ctypes.cast(opened, ctypes.c_void_p).value

    def _on_open(self, vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        result = int(self._open(vfs, name, file, flags, out))
        methods = ctypes.c_void_p.from_address(file)
        if result == _OK and name is not None and methods.value is not None:
            self._paths[file] = Path(os.fsdecode(ctypes.string_at(name)))
            methods.value = ctypes.addressof(self._copying(methods.value))
        return result

    def _copying(self, address: int) -> _Methods:
        """Return methods like those at an address, but that copy a file when it was synced."""
        if address not in self._methods:
            copied = _Methods.from_buffer_copy(_Methods.from_address(address))
            sync = _Sync(copied.functions[_SYNC])

            def synced(file: int, flags: int) -> int:
                result = int(sync(file, flags))
                if result == _OK:
                    self._copy(self._paths[file])
                return result

            callback = _Sync(synced)
            copied.functions[_SYNC] = ctypes.cast(callback, ctypes.c_void_p).value
            self._methods[address] = copied, callback
        return self._methods[address][0]

    def _copy(self, path: Path) -> None:
        if not self._honest and path.name.endswith("-wal"):
            return
        fresh = self._folder / f".{path.name}"
        shutil.copyfile(path, fresh)
        fresh.replace(self._folder / path.name)
        for copied in self._folder.glob(f"{path.name.partition('-')[0]}-*"):
            if not path.with_name(copied.name).exists():
                copied.unlink()
