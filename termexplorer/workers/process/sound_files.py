"""Whether files and folders of arrays that rows tell of are still what was written."""

from pathlib import Path
from typing import Protocol

from termexplorer.store.kept_paths import locate_kept
from termexplorer.trainer.files.folders import META, read_meta, sha256


class FileRow(Protocol):
    """A row that tells of a file or folder."""

    @property
    def path(self) -> str:
        """Relative to the workspace."""
        ...

    @property
    def content_hash(self) -> str:
        """SHA-256 of the file, of a folder's `meta.json`."""
        ...


def is_there(folder: Path, file_row: FileRow) -> bool:
    """Whether it is there, as far as that can be told without reading it.

    Args:
        folder: of the workspace.
        file_row: the row; of a folder, its `meta.json` is compared.
    """
    path = locate_kept(folder, file_row.path)
    return (
        _as_written(path, file_row.content_hash, verify=False) if path.is_dir() else path.is_file()
    )


def is_sound(folder: Path, file_row: FileRow) -> bool:
    """Whether it holds what was written; reads all of it."""
    path = locate_kept(folder, file_row.path)
    if path.is_dir():
        return _as_written(path, file_row.content_hash, verify=True)
    return path.is_file() and sha256(path) == file_row.content_hash


def _as_written(folder: Path, content_hash: str, *, verify: bool) -> bool:
    try:
        read_meta(folder, verify=verify)
        return sha256(folder / META) == content_hash
    except (OSError, ValueError):
        return False
