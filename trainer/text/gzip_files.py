"""Text files, plain or packed by gzip, of which no small one becomes a large one."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from termexplorer.trainer.errors import Message

MOST_PACKED = 200
"""Unpacked bytes for each packed one; text of releases has 5 to 20, JSON to 50, nothing of gzip
over 1,032."""
MOST_UNPACKED = 1 << 35
"""Bytes of all that one file may unpack to; the largest releases have a third of it."""
_PIECE = 1 << 20  # bytes
_SMALL = 1 << 24  # bytes up to which a ratio says nothing


class OverpackedError(OSError):
    """A file that unpacks to more than text of its size can."""

    def __init__(self) -> None:
        super().__init__(Message("it is packed more than text can be, so it was not unpacked"))


class _CappedGzip(io.RawIOBase):
    """The unpacked bytes of a gzip file, up to what text of its size can be."""

    def __init__(self, packed: BinaryIO, *, owned: bool) -> None:
        super().__init__()
        self._packed, self._owned = packed, owned
        self._file = gzip.GzipFile(fileobj=packed)
        self._left = most_unpacked(_size_of(packed))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise OverpackedError
        return count

    def close(self) -> None:
        if not self.closed:
            self._file.close()
            if self._owned:
                self._packed.close()
        super().close()


def most_unpacked(size: int) -> int:
    """Return how many bytes a packed file of a size may unpack to."""
    return min(max(_SMALL, MOST_PACKED * size), MOST_UNPACKED)


def _size_of(file: BinaryIO) -> int:
    try:
        return os.fstat(file.fileno()).st_size
    except (OSError, AttributeError):  # a member of a zip, which is capped by itself
        return MOST_UNPACKED


def unpack_gzip(file: BinaryIO, *, owned: bool = False) -> BinaryIO:
    """Return the unpacked bytes of a gzip file.

    Args:
        file: at its start.
        owned: close it with what is returned.

    Raises:
        OverpackedError: while reading, for more than text of its size can be.
    """
    return cast(BinaryIO, io.BufferedReader(_CappedGzip(file, owned=owned), 1 << 16))


class _ReadableBytes(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def read_at_most(file: _ReadableBytes, most: int) -> bytes:
    """Read a file to its end, but no more than so many bytes.

    In pieces: at once, room for all that is allowed would be taken before the first byte is there.
    """
    buffer = io.BytesIO()
    while piece := file.read(min(_PIECE, most - buffer.tell())):
        buffer.write(piece)
    return buffer.getvalue()


def open_plain_or_gzip(path: Path) -> BinaryIO:
    """Open a file that is packed if its name ends in ``.gz``.

    Raises:
        OSError: it cannot be opened; while reading, for a damaged file or as ``unpack_gzip``.
    """
    if path.suffix != ".gz":
        return path.open("rb")
    return unpack_gzip(path.open("rb"), owned=True)
