"""Files of a release as blocks of rows; a row that does not hold is told with its file and line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.importers.files.block import Block
from termexplorer.importers.files.release_bytes import PlainBytes
from termexplorer.importers.records import MAY_BE_CUT, Note, Skipped
from termexplorer.texts import join_texts, tr, trn

_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 26  # bytes; more is no line of text


class ReleaseTable(Protocol):
    """A file of a release."""

    @property
    def name(self) -> str:
        """Of the file alone, as reports give it."""

    @property
    def role(self) -> str:
        """What it holds."""

    @property
    def open(self) -> Callable[[], BinaryIO]:
        """Opens it."""


class Files(Protocol):
    """The release that files belong to."""

    path: Path

    def advance(self, count: int) -> None:
        """Count the bytes that were read."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the files of a format are laid out.

    Attributes:
        title: Of the format.
        columns: The titles of each role's columns.
        separator: Between cells; they are not quoted.
        headed: Whether the first line has the titles.
        closed: Whether a separator follows the last cell too.
        open_end: Whether a last cell without a line end is whole, so that its row is taken, and
            that said; None where no such row is.
    """

    title: str
    columns: Mapping[str, Sequence[str]]
    separator: str = "\t"
    headed: bool = True
    closed: bool = False
    open_end: Callable[[str], bool] | None = None


class BlockReader:
    """Reads the files of a release and keeps what was left out.

    Attributes:
        skipped: Rows that were left out, with reasons that name their file; and odd ends.
    """

    def __init__(self, files: Files, layout: Layout) -> None:
        self.skipped: list[Skipped | Note] = []
        self._files = files
        self._layout = layout

    def skip(self, table: ReleaseTable, line: int, reason: str) -> None:
        """Note a row that is left out."""
        self.skipped.append(Skipped(line, join_texts((table.name, reason), ": ")))

    def blocks(self, table: ReleaseTable) -> Iterator[Block]:
        """The rows of a file; each has as many cells as its columns.

        Raises:
            UserError: Another header, a damaged or truncated file.
        """
        layout = self._layout
        columns = layout.columns[table.role]
        line = 1
        with table.open() as file:
            titles = columns if layout.headed else ()
            plain = PlainBytes(file, self._where(table), titles, layout.separator)
            for data in self._whole_lines(plain.read):
                if not data.endswith(b"\n"):
                    data = self._ended(table, data, line)
                if line == 1:
                    data, line = self._without_head(table, data, columns)
                width = len(columns) + layout.closed
                block = Block(data, width, line, ord(layout.separator))
                for number, count in block.odd:
                    count -= layout.closed
                    problem = trn(
                        "{n} cell instead of {columns}",
                        "{n} cells instead of {columns}",
                        count,
                        columns=len(columns),
                    )
                    self.skip(table, number, problem)
                line += block.count
                yield block
        if line == 1:
            raise UserError(tr("{path} is empty; fetch the release again", path=self._where(table)))

    def refuse(
        self, table: ReleaseTable, block: Block, column: int, rows: NDArray[np.bool_], problem: str
    ) -> None:
        """Note rows of a block that are left out for what a column holds."""
        title = self._layout.columns[table.role][column]
        for row in np.flatnonzero(rows).tolist():
            text = tr(
                "{column} {text!r} is {what}",
                column=title,
                text=block.cell(row, column)[:40],
                what=problem,
            )
            self.skip(table, int(block.lines[row]), text)

    def _ended(self, table: ReleaseTable, data: bytes, line: int) -> bytes:
        """Return a last line with its end, if it is a whole row all the same."""
        layout = self._layout
        width = len(layout.columns[table.role])
        cells = data.count(layout.separator.encode()) + (not layout.closed)
        last = data[data.rfind(layout.separator.encode()) + 1 :].decode("utf-8", "replace").strip()
        is_end = layout.open_end is not None and layout.open_end(last)
        is_whole = cells == width and (data.endswith(b"|") if layout.closed else is_end)
        if not is_whole or (line == 1 and layout.headed):
            raise UserError(
                tr(
                    "{path}, line {line}: has no line end; the file is truncated, fetch the "
                    "release again",
                    path=self._where(table),
                    line=line,
                )
            )
        if layout.open_end:
            problem = tr("the last line has no line end")
            text = tr("{what}, as in a file that was cut", what=f"{table.name}: {problem}")
            self.skipped.append(Note(MAY_BE_CUT, 1, text))
        return data + b"\n"

    def _whole_lines(self, read: Callable[[int], bytes]) -> Iterator[bytes]:
        """The bytes of a file, cut at line ends; what has none, or is too long, comes last."""
        rest = b""
        while len(rest) <= _LONGEST_LINE and (chunk := read(_CHUNK)):
            self._files.advance(len(chunk))
            end = chunk.rfind(b"\n") + 1
            if end:
                yield rest + chunk[:end]
                rest = b""
            rest += chunk[end:]
        if rest:
            yield rest

    def _without_head(
        self, table: ReleaseTable, data: bytes, columns: Sequence[str]
    ) -> tuple[bytes, int]:
        """What follows the header, if the format has one, and the number of its first line."""
        if not self._layout.headed:
            return data, 1
        first, _, rest = data.partition(b"\n")
        titles = first.rstrip(b"\r").decode("utf-8", "replace").split(self._layout.separator)
        if [title.strip().lower() for title in titles] != [title.lower() for title in columns]:
            raise UserError(
                tr(
                    "{path}, line 1: the columns are {titles}, not {columns}; choose a release in "
                    "{format}",
                    path=self._where(table),
                    titles=", ".join(titles)[:200],
                    columns=", ".join(columns),
                    format=self._layout.title,
                )
            )
        return rest, 2

    def _where(self, table: ReleaseTable) -> str:
        return f"{self._files.path}: {table.name}"
