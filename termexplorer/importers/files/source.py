"""A file being imported: opened plain or unzipped, checked, and with its progress readable."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from termexplorer.errors import UserError
from termexplorer.importers.files.missing_file import missing_file_error
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.trainer.text.gzip_files import OverpackedError, unpack_gzip

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEAD = 1 << 16
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF_16_TEXT = re.compile(rb"(?:[\t\r\n -~]\0){4}|(?:\0[\t\r\n -~]){4}")  # without a mark
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 26  # bytes; more is no line of text


class ImportProgress:
    """How far an import is; `done` and `total` are in whatever unit the importer counts.

    Attributes:
        watch: Called where an importer works for long before it yields something; may raise.
    """

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self.watch: Callable[[], None] | None = None

    def advance(self, count: int) -> None:
        """Count what was done."""
        self.done += count
        if self.watch:
            self.watch()

    def fraction(self) -> float:
        """The part that is done, 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0


class Source(ImportProgress, AbstractContextManager["Source"]):
    """A file to read, plain or gzip (told by its first bytes, not by its name).

    Progress is counted in bytes on disk. A format that needs the file twice sets `passes`.

    Attributes:
        path: Where the file is.
        passes: How often the file will be read from the start.
        line: The number of the line read last.
        after: How much was done of what comes after reading, in passes over the file; such work is
            a part of `passes`.
        complete: Whether the line read last had its line end; a cut file often lacks the last.

    Raises:
        UserError: The file is missing, a folder, unreadable or empty.
    """

    def __init__(self, path: Path | str, passes: int = 1) -> None:
        super().__init__()
        self.path = Path(path)
        self.passes = passes
        self.after = 0.0
        self.complete = True
        self.line = 0
        self._pass = -1
        self._raw: BinaryIO | None = None
        self.total = self._size()
        self._check_empty()

    def _size(self) -> int:
        try:
            if self.path.is_dir():
                raise UserError(tr("{path} is a folder; choose a file in it", path=self.path))
            with self.path.open("rb"):
                return self.path.stat().st_size
        except FileNotFoundError:
            raise missing_file_error(self.path) from None
        except OSError as error:
            raise UserError(
                tr("{path} cannot be read: {error}", path=self.path, error=tell_reason(error))
            ) from None

    def _check_empty(self) -> None:
        if self.total == 0 or not self.head(1):
            raise UserError(
                tr("{path} is empty; choose a file that holds concepts", path=self.path)
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; harmless when it is closed already."""
        if self._raw is not None:
            self._raw.close()

    def fraction(self) -> float:
        """The part of all passes over the file that is done, 0 to 1."""
        if self._pass < 0:
            return 0.0
        if self._raw is None:
            here = min(self.done / self.total, 1.0)
        else:
            here = 1.0 if self._raw.closed else self._raw.tell() / self.total
        return min((self._pass + here + self.after) / self.passes, 1.0)

    def start_rows(self, total: int) -> None:
        """Begin a pass over rows, which are counted by `done` and not by bytes."""
        self._pass += 1
        self.done, self.total = 0, max(total, 1)

    def head(self, size: int = _HEAD) -> bytes:
        """The first bytes, unzipped, without moving the place that is read from."""
        with self.path.open("rb") as raw:
            return _Checked(self.path, _gunzip_if_packed(raw)).read(size)

    @contextmanager
    def opened_aside(self) -> Iterator["_Checked"]:
        """Open the bytes from the start, unzipped, for a look that counts as no pass."""
        with self.path.open("rb") as raw:
            yield _Checked(self.path, _gunzip_if_packed(raw))

    def stream(self) -> "_Checked":
        """The bytes from the start, unzipped; their `read` raises `UserError` on damage."""
        self.close()
        self._raw = self.path.open("rb")
        self._pass += 1
        return _Checked(self.path, _gunzip_if_packed(self._raw))

    def check_text(self) -> None:
        """Refuse what is plainly no text in UTF-8.

        Raises:
            UserError: The first bytes are UTF-16 or hold a NUL, as no text file in UTF-8 does.
        """
        head = self.head()
        if head.startswith(UTF_16_MARKS) or _UTF_16_TEXT.match(head):
            raise UserError(
                tr(
                    "{path}, line 1: the text is in UTF-16 (some programs call it Unicode); save "
                    "it in UTF-8",
                    path=self.path,
                )
            )
        if b"\0" in head:
            raise self._binary(head[: head.index(b"\0")].count(b"\n") + 1)

    def _binary(self, line: int) -> UserError:
        return UserError(
            tr(
                "{path}, line {line}: binary, not text: it holds a NUL byte; choose a text file in "
                "UTF-8, or fetch this one again if it should be one",
                path=self.path,
                line=line,
            )
        )

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines from 1, without their line ends, the byte order mark dropped.

        Raises:
            UserError: A line is not UTF-8 or binary, or the file is damaged or truncated.
        """
        for number, line in self.whole_lines():
            yield number, line.rstrip("\r\n")

    def whole_lines(self) -> Iterator[tuple[int, str]]:
        """Yield what `lines` does, with the line ends."""
        self.check_text()
        end = self._line_end()
        for number, line in enumerate(self.stream().lines(end), start=1):
            self.line = number
            self.complete = line.endswith(end)
            yield number, self._decoded(number, line)

    def _line_end(self) -> bytes:
        """The sign that ends lines: a return alone where no line feed is, as old Macs write it."""
        head = self.head()
        return b"\r" if b"\r" in head[:-1] and b"\n" not in head else b"\n"

    def _decoded(self, number: int, line: bytes) -> str:
        if b"\0" in line:
            raise self._binary(number)
        if len(line) >= _LONGEST_LINE:
            raise UserError(
                tr(
                    "{path}, line {line}: longer than {size} MiB, which is no line of text; choose "
                    "another file",
                    path=self.path,
                    line=number,
                    size=_LONGEST_LINE >> 20,
                )
            )
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise UserError(
                tr(
                    "{path}, line {line}: not UTF-8; save the file in that encoding",
                    path=self.path,
                    line=number,
                )
            ) from None


def _gunzip_if_packed(raw: BinaryIO) -> BinaryIO:
    zipped = raw.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    raw.seek(0)
    return unpack_gzip(raw) if zipped else raw


class _Checked:
    """A byte stream whose damage is a `UserError`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, all when negative; b"" at the end."""
        with damage_told(self._path):
            return self._file.read(size)

    def lines(self, end: bytes = b"\n") -> Iterator[bytes]:
        """The lines with their ends; one too long to be text is cut."""
        if end != b"\n":
            yield from self._parts(end)
            return
        with damage_told(self._path):
            while line := self._file.readline(_LONGEST_LINE):
                yield line

    def _parts(self, end: bytes) -> Iterator[bytes]:
        rest = b""
        while chunk := self.read(_CHUNK):
            *parts, rest = (rest + chunk).split(end)
            yield from (part + end for part in parts)
            if len(rest) >= _LONGEST_LINE:
                break
        if rest:
            yield rest


@contextmanager
def damage_told(path: Path | str) -> Iterator[None]:
    """Turn what a damaged file raises into a `UserError`."""
    try:
        yield
    except OverpackedError:
        raise UserError(
            tr("{path} is packed more than text can be; not opened", path=path)
        ) from None
    except EOFError:
        raise UserError(
            tr("{path} is truncated: its gzip data ends too early; fetch it again", path=path)
        ) from None
    except (gzip.BadGzipFile, zlib.error):
        raise UserError(tr("{path} is a damaged gzip file; fetch it again", path=path)) from None
    except OSError as error:
        raise UserError(
            tr("{path} cannot be read: {error}", path=path, error=tell_reason(error))
        ) from None
