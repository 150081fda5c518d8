"""The files in a folder or a zip, whichever a release comes in."""

import os
import zipfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from termexplorer.errors import UserError
from termexplorer.importers.files.release_bytes import plain_name, unpacked_size
from termexplorer.importers.files.zipped import holds_name, zipped_members
from termexplorer.importers.records import Note
from termexplorer.importers.text.notes import counted
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import mark_plural, tr

_SHOWN = 20  # names of files
_DEEPEST, _MOST = 8, 20_000  # folders below the chosen one, and entries that are looked at


def holds_entry(path: Path, wanted: Callable[[str], bool]) -> bool:
    """Whether a folder or zip holds a file of a wanted name (without its folders).

    Raises:
        UserError: The folder cannot be read.
    """
    if path.is_dir():
        return any(wanted(name) for name, _ in _walk_files(path))
    return holds_name(path, lambda name: wanted(plain_name(name)))


def entries(path: Path) -> Iterator[tuple[str, int, Callable[[], BinaryIO]]]:
    """Yield the name (without folders), the size in bytes, unpacked, and the opener of each file.

    A file that is packed by gzip goes by its name without that ending; the same file plain beside
    it counts instead.

    Raises:
        UserError: Not there, not to be read, or a zip that is refused, see ``zipped_members``.
    """
    if not path.is_dir():
        members = list(zipped_members(path))
        plain = {name for name, _, _ in members}
        for name, size, opener in members:
            if plain_name(name) == name or plain_name(name) not in plain:
                yield plain_name(name), size, opener
        return
    for name, file in _walk_files(path):
        opener = Opener(file)
        yield name, opener.unpacked_size(), opener


def unread_files(
    path: Path, read: Collection[str], wanted: Callable[[str], bool]
) -> Iterator[Note]:
    """Say which files of a release nobody reads.

    Args:
        path: The folder or zip; nothing is said of a single file.
        read: Names of files that are read.
        wanted: Whether a name is that of a file of the format.
    """
    if path.is_dir():
        names = [name for name, _ in _walk_files(path)]
    elif zipfile.is_zipfile(path):
        names = [plain_name(name) for name, _, _ in zipped_members(path)]
    else:
        return
    unread = sorted({name for name in names if wanted(name)} - set(read))
    shown = ", ".join(unread[:_SHOWN]) + (", …" if len(unread) > _SHOWN else "")
    text = mark_plural(
        "{n:,} file of the release is not read: {files}",
        "{n:,} files of the release are not read: {files}",
    )
    yield from counted("unread files", len(unread), text, files=shown)


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens a file of a folder."""

    file: Path

    def __call__(self) -> BinaryIO:
        """The file's bytes.

        Raises:
            UserError: It cannot be read.
        """
        try:
            return self.file.open("rb")
        except OSError as error:
            raise UserError(
                tr("{path} cannot be read: {error}", path=self.file, error=tell_reason(error))
            ) from None

    def unpacked_size(self) -> int:
        """Return how many bytes it has, unpacked."""
        size = self.file.stat().st_size
        if plain_name(self.file.name) == self.file.name:
            return size
        with self() as file:
            return unpacked_size(file, size)


def _walk_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files below a folder with their names; not all where somebody chose a whole disk."""
    seen, root_depth = 0, len(folder.parts)

    def refuse(error: OSError) -> None:
        raise UserError(
            tr("{path} cannot be read: {error}", path=error.filename, error=tell_reason(error))
        ) from None

    for subfolder, folders, names in os.walk(folder, onerror=refuse):
        folders.sort()
        if len(Path(subfolder).parts) - root_depth >= _DEEPEST:
            folders.clear()
        for name in sorted(names):
            if plain_name(name) == name or plain_name(name) not in names:
                yield plain_name(name), Path(subfolder) / name
        seen += len(names) + len(folders)
        if seen > _MOST:
            return
