"""Texts that wait in an unnamed file on the disk until they are wanted, in another order."""

import mmap
import tempfile
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.importers.files.block import Integers
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

_LENGTH_BITS = 20
LONGEST = (1 << _LENGTH_BITS) - 1  # bytes of a text; the longest definitions have some thousand


class TermStore:
    """Texts by the places that `add` gave; the file is gone when this is, however it ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed by `close`
        self._end = 0
        self._map: mmap.mmap | None = None

    def close(self) -> None:
        """Remove the file."""
        self._unmap()
        self._file.close()

    def add(self, texts: Sequence[bytes]) -> Integers:
        """Keep texts of at most `LONGEST` bytes, and return their places, (n,).

        Raises:
            UserError: There is no room on the disk.
        """
        self._unmap()
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        starts = self._end + np.cumsum(lengths) - lengths
        try:
            self._file.write(b"".join(texts))
        except OSError as error:
            raise UserError(
                tr(
                    "{folder}: no room for the texts of a release ({error}); make room and try "
                    "again",
                    folder=tempfile.gettempdir(),
                    error=tell_reason(error),
                )
            ) from None
        self._end += int(lengths.sum())
        return (starts << _LENGTH_BITS) | lengths

    def forget(self) -> None:
        """Let go of the memory of texts that were asked for."""
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def _unmap(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None

    def at(self, address: int) -> str:
        """The text of a place; best asked for when all texts are there."""
        if self._map is None:
            self._file.flush()
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        start = address >> _LENGTH_BITS
        return self._map[start : start + (address & LONGEST)].decode("utf-8")


def are_texts(texts: Sequence[bytes]) -> NDArray[np.bool_]:
    """Return which bytes can be kept, (n,): see `is_text`."""
    lengths = list(map(len, texts))
    if min(lengths, default=1) > 0 and max(lengths, default=1) <= LONGEST:
        try:
            b"\n".join(texts).decode("utf-8")  # a line end parts no character
        except UnicodeDecodeError:
            pass
        else:
            return np.ones(len(texts), bool)
    return np.fromiter(map(is_text, texts), bool, len(texts))


def is_text(text: bytes) -> bool:
    """Whether bytes can be kept: not empty, UTF-8, and not too long for a text."""
    if text.isascii():
        return 0 < len(text) <= LONGEST
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(text) <= LONGEST
