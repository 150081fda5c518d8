"""JSON as a stream of events, with errors told by their line and nesting that has an end."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import ijson

from termexplorer.errors import UserError
from termexplorer.importers.files.source import BYTE_ORDER_MARK
from termexplorer.importers.text.text import clean
from termexplorer.texts import tr

_BUFFER = 1 << 12  # small, as each buffer's places are in memory at once: see `_DEEPEST`
_LARGE_BUFFER = 1 << 16  # where places are not asked for
_LONGEST_NUMBER = 1_000  # signs; the parser crashes at some thousand
_LONG_NUMBER = re.compile(rb"(?<=[\[,:\s])[-+.0-9eE]{%d}" % (_LONGEST_NUMBER + 1))
_NUMBER_SIGNS = b"-+.0123456789eE"
_DEEPEST = 1_000  # letters in a place; more is no terminology but nesting without end


def _may_hold_long_number(window: bytes) -> bool:
    """Return whether some of the places that a long number cannot miss hold nothing else."""
    places = range(0, len(window), _LONGEST_NUMBER // 2)
    return any(not window[start : start + 100].strip(_NUMBER_SIGNS) for start in places)


class Bytes(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""


class JsonEvents:
    """Iterates over (place, event, value) of a JSON text, or the values at a place, once.

    Attributes:
        line: The number of the line up to which was read.

    Raises:
        UserError: While iterating: no sound JSON, truncated, or nested too deeply.
    """

    def __init__(self, path: Path, stream: Bytes) -> None:
        self.line = 1
        self._path = path
        self._stream = stream
        self._at_start = True
        self._tail = b" "  # in which a number may begin
        self._checks_numbers = True

    def read(self, size: int = -1) -> bytes:
        """The next bytes, for the parser."""
        part = self._stream.read(size)
        if self._at_start and part:  # the parser asks for nothing at first
            part, self._at_start = part.removeprefix(BYTE_ORDER_MARK), False
        self.line += part.count(b"\n")
        if not self._checks_numbers:
            return part
        window = self._tail + part
        if _may_hold_long_number(window) and _LONG_NUMBER.search(window):
            raise self._told(
                tr("a number of more than {n:,} digits; choose another file", n=_LONGEST_NUMBER)
            )
        self._tail = window[-_LONGEST_NUMBER - 2 :]
        return part

    def __iter__(self) -> Iterator[tuple[str, str, Any]]:
        """Yield each event as it comes."""
        with self._errors_told():
            for event in ijson.parse(self, buf_size=_BUFFER):
                if len(event[0]) > _DEEPEST:
                    raise self._told(tr("nested too deeply"))
                yield event

    def values_at(self, json_path: str) -> Iterator[Any]:
        """Yield each value at a place, whole; much faster than making it of its events.

        Nothing looks at how deeply values are nested, or how long numbers are: have the events of
        the text read before.
        """
        self._checks_numbers = False
        with self._errors_told():
            yield from ijson.items(self, json_path, buf_size=_LARGE_BUFFER)

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise self._refusal(error) from None
        except ArithmeticError:  # of the exponent, which is read as it comes
            text = tr("a number that no computer can hold; choose another file")
            raise self._told(text) from None

    def _refusal(self, error: Exception) -> UserError:
        message = error.args[0] if error.args else ""
        text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(error)
        reason = clean(text.partition("\n")[0]).rstrip(".")
        if "premature" in reason or "incomplete" in reason.lower():
            return self._told(tr("the JSON ends too early; the file is truncated, fetch it again"))
        return self._told(tr("no sound JSON ({reason}); choose another file", reason=reason))

    def _told(self, reason: str) -> UserError:
        return UserError(
            tr(
                "{path}, near line {line}: {reason}",
                path=self._path,
                line=self.line,
                reason=reason,
            )
        )
