"""The child that looks at the layout of a file, which may be larger than it seems or damaged."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.importers.format_table import TABLE
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.importers.rf2.dialects import Dialects
    from termexplorer.importers.tables.guess import TableGuess


@dataclass(frozen=True, slots=True)
class TableLook:
    """A table to look at, and what is known of how it is laid out.

    Attributes:
        path: the file.
        sheet: of a workbook; "" for the first one with titles.
        titles: whether the first row has titles, None to guess it.
        delimiter: between cells, "" to guess it.
    """

    path: Path
    sheet: str = ""
    titles: bool | None = None
    delimiter: str = ""


def run_preview(look: TableLook, _channel: Channel) -> "TableGuess":
    """Return how a table seems to be laid out, with its first rows.

    Raises:
        UserError: the file cannot be read, is no table, or has fewer than two columns.
    """
    from termexplorer.importers.files.source import Source
    from termexplorer.importers.signs import refuse_another
    from termexplorer.importers.tables.guess import LayoutAsked, guess

    with Source(look.path) as source:
        refuse_another(source, TABLE)
    return guess(look.path, LayoutAsked(look.delimiter, look.sheet, look.titles))


def run_column(asked: tuple[TableLook, int, int], channel: Channel) -> list[str]:
    """Return the texts in one column of a table, the rows of titles aside.

    Args:
        asked: the table, its column, counted from 1, and how many texts at the most.
        channel: to who asked.

    Raises:
        UserError: the file cannot be read.
    """
    from termexplorer.importers.files.source import Source
    from termexplorer.importers.tables.rows import rows

    look, column, most = asked
    layout = run_preview(look, channel)
    with Source(look.path) as source:
        lines = rows(source, layout.delimiter, layout.sheet)
        cells_of_rows = (cells for line, cells in lines if line >= layout.first_line)
        texts = (cells[column - 1].strip() for cells in cells_of_rows if len(cells) >= column)
        return list(islice((text for text in texts if text), most))


def run_dialects(path: Path, _channel: Channel) -> "Dialects":
    """Return the languages and dialects of an RF2 release.

    Raises:
        UserError: it is none, or one of its files cannot be read.
    """
    from termexplorer.importers.rf2.dialects import survey
    from termexplorer.importers.rf2.files import open_release

    return survey(open_release(path))
