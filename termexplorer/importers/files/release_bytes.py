"""The bytes of a release's file as plain lines, however they are packed, ended and separated."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from termexplorer.errors import UserError
from termexplorer.importers.files.source import (
    BYTE_ORDER_MARK,
    GZIP_MAGIC,
    UTF_16_MARKS,
    damage_told,
)
from termexplorer.texts import tr
from termexplorer.trainer.text.gzip_files import unpack_gzip

_CHUNK = 1 << 20
_SEPARATORS = "\t,;|"
_LINES_OF_BATCH = 20_000
GZIPPED = ".gz"


def plain_name(name: str) -> str:
    """Return a file's name without the ending of gzip."""
    return name[: -len(GZIPPED)] if name.lower().endswith(GZIPPED) else name


def unpacked_size(file: BinaryIO, size: int) -> int:
    """Return how many bytes a file of this size unpacks to, as far as gzip tells."""
    if size < 18 or file.read(2) != GZIP_MAGIC:
        return size
    file.seek(-4, io.SEEK_END)
    return max(size, int.from_bytes(file.read(4), "little"))


class PlainBytes:
    """Reads a file of a release: unzipped, its lines ended by LF or CRLF, its cells by one byte.

    Args:
        file: The file as it lies.
        where: What errors call it.
        columns: The titles of the columns, where the first line has them, else ().
        separator: That is wanted between cells, which are not quoted.

    Raises:
        UserError: While reading: damaged, in UTF-16, or with quotation marks that swallow rows.
    """

    def __init__(self, file: BinaryIO, where: str, columns: Sequence[str], separator: str) -> None:
        self._where = where
        head = file.peek(2)[:2] if isinstance(file, io.BufferedReader) else b""
        if head == GZIP_MAGIC:
            file = unpack_gzip(file)
        self._file = file
        first = self._read_raw(_CHUNK)
        if first.startswith(UTF_16_MARKS):
            raise UserError(
                tr(
                    "{path}, line 1: the text is in UTF-16 (some programs call it Unicode); save "
                    "it in UTF-8",
                    path=where,
                )
            )
        self._has_returns = b"\n" not in first and b"\r" in first
        self._ready = self._with_line_feeds(first.removeprefix(BYTE_ORDER_MARK))
        written = _separator_of(self._ready, columns)
        self._parts: Iterator[bytes] | None = None
        if columns and written and (written != separator or self._ready.startswith(b'"')):
            self._parts = self._reparted(written, separator, len(columns))

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, or more where cells were quoted; b"" at the end."""
        if self._parts is not None:
            return next(self._parts, b"")
        part, self._ready = self._ready[:size], self._ready[size:]
        return part or self._with_line_feeds(self._read_raw(size))

    def _read_raw(self, size: int) -> bytes:
        with damage_told(self._where):
            return self._file.read(size)

    def _with_line_feeds(self, data: bytes) -> bytes:
        return data.replace(b"\r", b"\n") if self._has_returns else data

    def _lines(self) -> Iterator[str]:
        rest = b""
        chunk = self._ready
        while chunk:
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            for line in lines:
                yield line.decode("utf-8", "surrogateescape") + "\n"
            chunk = self._with_line_feeds(self._read_raw(_CHUNK))
        if rest:
            yield rest.decode("utf-8", "surrogateescape")

    def _reparted(self, written: str, wanted: str, width: int) -> Iterator[bytes]:
        """Yield the rows with the wanted separator; each begins on the line where it stood."""
        rows = csv.reader(self._lines(), delimiter=written, strict=True)
        batch: list[str] = []
        before = 0
        try:
            for cells in rows:
                height = rows.line_num - before
                if height > 1 and _holds_a_row(cells, written, width):
                    raise self._refusal(before + 1, tr("swallows the rows after it"))
                plain = (cell.translate(_BLANKS) for cell in cells)
                batch.append(wanted.join(plain) + "\n" * height)
                before = rows.line_num
                if len(batch) >= _LINES_OF_BATCH:
                    yield "".join(batch).encode("utf-8", "surrogateescape")
                    batch.clear()
        except csv.Error:
            raise self._refusal(before + 1, tr("has no end within reason")) from None
        if batch:
            yield "".join(batch).encode("utf-8", "surrogateescape")

    def _refusal(self, line: int, problem: str) -> UserError:
        return UserError(
            tr(
                "{path}, line {line}: a quoted cell {what}; close its quotation mark, or double "
                "the mark within quotation marks if it is part of the text",
                path=self._where,
                line=line,
                what=problem,
            )
        )


_BLANKS = {ord(sign): " " for sign in "\t\r\n"}


def _separator_of(data: bytes, columns: Sequence[str]) -> str:
    """Return the separator with which the first line has the columns; "" where none does."""
    first = data.partition(b"\n")[0].decode("utf-8", "replace").strip("\r")
    wanted = [title.lower() for title in columns]
    for separator in _SEPARATORS:
        titles = [title.strip().strip('"').lower() for title in first.split(separator)]
        if titles == wanted:
            return separator
    return ""


def _holds_a_row(cells: Sequence[str], separator: str, width: int) -> bool:
    """Return whether a cell of several lines holds as many separators as a whole row."""
    return any("\n" in cell and cell.count(separator) >= width - 1 for cell in cells)
