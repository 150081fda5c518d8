"""What parts the synonyms of one column: bars, or semicolons where no cell has bars."""

from collections.abc import Iterator
from dataclasses import dataclass

from termexplorer.importers.records import Note
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark

_BAR, _SEMICOLON = "|", ";"


@dataclass(slots=True)
class SynonymSeparator:
    """The separators that a column of synonyms holds.

    Attributes:
        bars: Cells with a bar.
        semicolons: Cells with a semicolon.
        first_line: Line of the first cell with a semicolon.
    """

    bars: int = 0
    semicolons: int = 0
    first_line: int = 0

    def add_cell(self, line: int, text: str) -> None:
        """Look at a cell."""
        self.bars += _BAR in text
        if _SEMICOLON in text:
            self.semicolons += 1
            self.first_line = self.first_line or line

    def split(self, text: str) -> tuple[str, ...]:
        """Return the synonyms in a cell."""
        separator = _BAR if self.bars else _SEMICOLON
        return tuple(part.strip() for part in text.split(separator) if part.strip())

    def notes(self) -> Iterator[Note]:
        """Say where semicolons part synonyms, and where they do not."""
        kept_text = mark(
            "synonyms are parted by bars; semicolons stay in them: {n:,} cells, the first in line "
            "{line}"
        )
        parted = mark("cells with synonyms parted by semicolons: {n:,}, the first in line {line}")
        text = kept_text if self.bars else parted
        yield from counted("synonym separator", self.semicolons, text, line=self.first_line)
