"""SQLite's own way to the files of the operating system: the structures of its default VFS."""

from __future__ import annotations

import ctypes
from typing import Any

SQLITE_OK = 0
READ, WRITE, TRUNCATE, SYNC = 1, 2, 3, 4  # places among the methods of a file
_METHODS = 18  # of version 3, after the version

OpenFile = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
    ctypes.c_void_p,
)  # fmt: skip


class SqliteVfs(ctypes.Structure):
    """What `sqlite3_vfs_find` points to, as far as `xOpen`."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
    )


class FileMethods(ctypes.Structure):
    """The methods of an open file."""

    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * _METHODS))


def find_default_vfs() -> Any:
    """Return the VFS that this process opens files with; what is changed in it holds for all.

    Raises:
        OSError: Python's SQLite cannot be reached here.
    """
    import _sqlite3

    library = ctypes.CDLL(_sqlite3.__file__)  # looks in what that was linked with too
    try:
        find = library.sqlite3_vfs_find
    except AttributeError as error:
        raise OSError("SQLite cannot be reached from Python here") from error
    find.restype = ctypes.POINTER(SqliteVfs)
    return find(None).contents
