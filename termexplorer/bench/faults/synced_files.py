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

from termexplorer.bench.faults.sqlite_files import (
    SQLITE_OK,
    SYNC,
    FileMethods,
    OpenFile,
    find_default_vfs,
)

_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


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
        self._folder, self._honest = folder, honest
        self._vfs = find_default_vfs()
        self._open = OpenFile(self._vfs.open)
        self._paths: dict[int, Path] = {}
        self._methods: dict[int, tuple[FileMethods, Any]] = {}
        self._opened = OpenFile(self._on_open)

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
        if result == SQLITE_OK and name is not None and methods.value is not None:
            self._paths[file] = Path(os.fsdecode(ctypes.string_at(name)))
            methods.value = ctypes.addressof(self._copying(methods.value))
        return result

    def _copying(self, address: int) -> FileMethods:
        """Return methods like those at an address, but that copy a file when it was synced."""
        if address not in self._methods:
            copied = FileMethods.from_buffer_copy(FileMethods.from_address(address))
            sync = _Sync(copied.functions[SYNC])

            def synced(file: int, flags: int) -> int:
                result = int(sync(file, flags))
                if result == SQLITE_OK:
                    self._copy(self._paths[file])
                return result

            callback = _Sync(synced)
            copied.functions[SYNC] = ctypes.cast(callback, ctypes.c_void_p).value
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
