"""A release of several files, each known by its role, and their rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from termexplorer.importers.files.block import Block
from termexplorer.importers.files.reader import BlockReader, Layout
from termexplorer.importers.files.source import ImportProgress


@dataclass(frozen=True, slots=True)
class ReleaseMember:
    """A file of a release.

    Attributes:
        name: Of the file alone, as reports give it.
        role: What it holds, a word of the format's importer.
        size: Bytes, unpacked.
        open: Opens it.
    """

    name: str
    role: str
    size: int
    open: Callable[[], BinaryIO]


class ReleaseFiles(ImportProgress):
    """The files of a release; progress is counted in their bytes.

    Attributes:
        path: The folder, zip or file.
        members: Its files by their roles.
    """

    def __init__(self, path: Path, members: dict[str, ReleaseMember]) -> None:
        super().__init__()
        self.path = path
        self.members = members

    def expect(self, *twice: str, after: int) -> None:
        """Set what there is to do.

        Args:
            twice: Roles of files that are read two times.
            after: How many times longer than reading all that follows takes.
        """
        size = sum(member.size for member in self.members.values())
        size += sum(self.members[role].size for role in twice if role in self.members)
        self.total = (1 + after) * max(size, 1)


class RoleReader(BlockReader):
    """Reads the files of a release and keeps what was left out."""

    def __init__(self, release: ReleaseFiles, layout: Layout) -> None:
        super().__init__(release, layout)
        self.release = release

    def of(self, role: str) -> Iterator[tuple[ReleaseMember, Block]]:
        """The rows of the file of a role, with the file; nothing where there is none."""
        if member := self.release.members.get(role):
            for block in self.blocks(member):
                yield member, block
