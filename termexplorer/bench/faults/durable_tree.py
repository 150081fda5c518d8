"""What a power cut leaves of a folder: names and contents as they were synced, at the worst.

A file's content is durable as of its last `fsync`, its name once its folder was synced after it was
given. What is deleted or renamed away counts as gone at once, as a file system may have it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_FileId = tuple[int, int]
_CHANGES = ("unlink", "remove", "rmdir", "rename", "replace")


class DurableTree:
    """Follow, within a `with`, what is durable of the files below a folder.

    It sees what this process does through `os`, on Linux. What lies there at the start is durable.

    Args:
        root: the folder.
        on_change: called before each deletion and renaming, to look at what is durable then.
    """

    def __init__(self, root: Path, on_change: Callable[[], None] = lambda: None) -> None:
        self._root = root.resolve()
        self._on_change = on_change
        self._contents: dict[_FileId, bytes] = {}
        self._names: dict[Path, _FileId] = {}
        self._originals = {name: getattr(os, name) for name in ("fsync", *_CHANGES)}
        for path in self._root.rglob("*"):
            self._keep_content(path)
            self._names[path] = _file_id(path)

    def __enter__(self) -> Self:
        """Begin to follow."""
        changes = {name: self._make_change(name) for name in _CHANGES}
        for name, followed in {"fsync": self._fsync, **changes}.items():
            setattr(os, name, followed)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """End it."""
        for name, original in self._originals.items():
            setattr(os, name, original)

    def files(self) -> dict[str, bytes]:
        """Return the content of each durable file by its path below the root."""
        return {
            str(path.relative_to(self._root)): self._contents.get(file, b"")
            for path, file in self._names.items()
            if file in self._contents and self._is_reached(path)
        }

    def _is_reached(self, path: Path) -> bool:
        return all(
            folder in self._names
            for folder in path.parents
            if folder.is_relative_to(self._root) and folder != self._root
        )

    def _keep_content(self, path: Path) -> None:
        if path.is_file():
            self._contents[_file_id(path)] = path.read_bytes()

    def _fsync(self, descriptor: Any) -> None:
        self._originals["fsync"](descriptor)
        number = descriptor if isinstance(descriptor, int) else descriptor.fileno()
        path = Path(os.readlink(f"/proc/self/fd/{number}"))
        if path.is_relative_to(self._root):
            if path.is_dir():
                self._keep_names(path)
            else:
                self._keep_content(path)

    def _keep_names(self, folder: Path) -> None:
        for child in folder.iterdir():
            self._names[child] = _file_id(child)

    def _make_change(self, name: str) -> Callable[..., None]:
        original = self._originals[name]

        def change(path: Any, *arguments: Any, dir_fd: int | None = None, **options: Any) -> None:
            self._on_change()
            at = {} if dir_fd is None else {"dir_fd": dir_fd}
            before = _resolve_path(path, dir_fd)
            original(path, *arguments, **at, **options)
            gone = self._forget(before)
            if arguments:
                self._rename(before, _resolve_path(arguments[0], None), gone)

        return change

    def _forget(self, path: Path) -> dict[Path, _FileId]:
        gone = [name for name in self._names if name == path or path in name.parents]
        return {name: self._names.pop(name) for name in gone}

    def _rename(self, before: Path, after: Path, gone: dict[Path, _FileId]) -> None:
        for name, file in gone.items():  # what lies in a folder moves with it
            if name != before:
                self._names[after / name.relative_to(before)] = file
        if after in self._names:  # a file that is replaced has its name already
            self._names[after] = _file_id(after)


def _file_id(path: Path) -> _FileId:
    status = path.lstat()
    return status.st_dev, status.st_ino


def _resolve_path(path: Any, dir_fd: int | None) -> Path:
    if dir_fd is not None:
        return Path(os.readlink(f"/proc/self/fd/{dir_fd}"), os.fsdecode(path))
    return Path(os.path.abspath(os.fsdecode(path)))
