"""A zip that is read as it lies: nothing of it is unpacked to where its names say."""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, cast

from termexplorer.errors import UserError
from termexplorer.importers.files.missing_file import missing_file_error
from termexplorer.importers.files.packed import MOST_PACKED, leads_out
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

_MAGIC = b"PK\x03\x04"
_MOST_MEMBERS = 20_000
_LARGEST = 1 << 35  # bytes of all members, unpacked; the largest releases have a third of it
_SMALL = 1 << 20  # bytes up to which a ratio says nothing
_ENCRYPTED = 0x1
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def holds_name(path: Path, wanted: Callable[[str], bool]) -> bool:
    """Whether a file is a zip with a member of a wanted name; False where it is no sound zip."""
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return False
        with zipfile.ZipFile(path) as archive:
            return any(wanted(_base_name(info)) for info in archive.infolist()[:_MOST_MEMBERS])
    except (OSError, *_DAMAGED):
        return False


def zipped_members(path: Path) -> Iterator[tuple[str, int, Callable[[], BinaryIO]]]:
    """The name, unpacked size and opener of each file in a zip.

    Raises:
        UserError: Not there, no sound zip, or one that is encrypted, has names that lead out of
            it, or too many or too large members.
    """
    with _damage_told(path), zipfile.ZipFile(path) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > _MOST_MEMBERS or sum(info.file_size for info in infos) > _LARGEST:
        raise UserError(tr("{path} holds more than any release does; it was not opened", path=path))
    for info in infos:
        _check_member(path, info)
        yield _base_name(info), info.file_size, _ZipMember(path, info)


def _check_member(path: Path, info: zipfile.ZipInfo) -> None:
    where = f"{path}: {info.filename[:200]!r}"
    if leads_out(info.filename):
        raise UserError(
            tr(
                "{path} leads out of the zip; get the release from where it is published",
                path=where,
            )
        )
    if info.file_size > max(_SMALL, MOST_PACKED * info.compress_size):
        raise UserError(tr("{path} is packed more than text can be; it was not opened", path=where))
    if info.flag_bits & _ENCRYPTED:
        raise UserError(tr("{path} is encrypted; unpack the zip and choose the folder", path=where))


def _base_name(info: zipfile.ZipInfo) -> str:
    return re.split(r"[/\\]", info.filename)[-1]


@dataclass(frozen=True, slots=True)
class _ZipMember:
    path: Path
    info: zipfile.ZipInfo

    def __call__(self) -> BinaryIO:
        with _damage_told(self.path):
            return cast(BinaryIO, BufferedReader(_MemberBytes(self.path, self.info), 1 << 16))


class _MemberBytes(RawIOBase):
    """A member's bytes; their damage is a `UserError`, and with it closes its zip."""

    def __init__(self, path: Path, info: zipfile.ZipInfo) -> None:
        super().__init__()
        self._path = path
        self._archive = zipfile.ZipFile(path)
        self._file = self._archive.open(info)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        with _damage_told(self._path):
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
            self._archive.close()
        super().close()


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    try:
        yield
    except UserError:
        raise
    except _DAMAGED as error:
        reason = str(error).partition("\n")[0]
        raise UserError(
            tr("{path} is a damaged zip ({error}); fetch it again", path=path, error=reason)
        ) from None
    except FileNotFoundError:
        raise missing_file_error(path) from None
    except OSError as error:
        raise UserError(
            tr("{path} cannot be read: {error}", path=path, error=tell_reason(error))
        ) from None
