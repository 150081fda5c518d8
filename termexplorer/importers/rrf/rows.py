"""Files of an RRF release as blocks of rows, by their roles."""

from termexplorer.importers.files.reader import Layout
from termexplorer.importers.files.release_files import ReleaseFiles, RoleReader
from termexplorer.importers.rrf.files import COLUMNS, is_rxnorm

_LAYOUT = Layout("RRF", COLUMNS, separator="|", headed=False, closed=True)


class RrfReader(RoleReader):
    """Reads the files of a release and keeps what was left out."""

    def __init__(self, release: ReleaseFiles) -> None:
        super().__init__(release, _LAYOUT)

    @property
    def rxnorm(self) -> bool:
        """Whether it is a release of RxNorm."""
        return is_rxnorm(self.release.members["names"].name)
