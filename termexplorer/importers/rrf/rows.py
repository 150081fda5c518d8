"""Files of an RRF release as blocks of rows, by their roles."""

from collections.abc import Iterator

from termexplorer.importers.block import Block
from termexplorer.importers.reader import BlockReader, Layout
from termexplorer.importers.rrf.files import COLUMNS, Member, Release

_LAYOUT = Layout("RRF", COLUMNS, separator="|", headed=False, closed=True)


class Reader(BlockReader):
    """Reads the files of a release and keeps what was left out."""

    def __init__(self, release: Release) -> None:
        super().__init__(release, _LAYOUT)
        self.release = release

    def of(self, role: str) -> Iterator[tuple[Member, Block]]:
        """The rows of the file of a role, with the file; nothing where there is none."""
        if member := self.release.members.get(role):
            for block in self.blocks(member):
                yield member, block
