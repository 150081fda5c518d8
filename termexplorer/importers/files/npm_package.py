"""The JSON files of an NPM package, in which FHIR is given out: a tar that is read as it comes.

Nothing of it is unpacked to where its names say.
"""

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager

from termexplorer.errors import UserError
from termexplorer.importers.files.json_events import Bytes
from termexplorer.importers.files.packed import MOST_PACKED, leads_out
from termexplorer.importers.files.source import Source
from termexplorer.importers.format_table import PACKAGE
from termexplorer.texts import tr

_MOST_MEMBERS = 50_000
_SMALL = 1 << 24  # bytes up to which a ratio says nothing


def json_files(source: Source) -> Iterator[tuple[str, Bytes]]:
    """The name and bytes of each JSON file in a package; the file itself where it is no package.

    Raises:
        UserError: Damaged, or a package with links, names that lead out of it, or more in it than
            any has.
    """
    if not PACKAGE.match(source.head()):
        source.check_text()
        yield "", source.stream()
        return
    with (
        _damage_told(source),
        tarfile.open(fileobj=_Counted(source), mode="r|") as archive,  # type: ignore[call-overload]
    ):
        for number, member in enumerate(archive):
            _check_member(source, member, number)
            if member.isfile() and member.name.endswith(".json"):
                yield member.name, _PackageFile(source, archive.extractfile(member))


@contextmanager
def _damage_told(source: Source) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise UserError(
            tr(
                "{path} is a damaged package ({error}); fetch it again",
                path=source.path,
                error=error,
            )
        ) from None


class _PackageFile:
    """A file of a package; whoever reads it is told of damage as by the package."""

    def __init__(self, source: Source, stream: Bytes) -> None:
        self._source, self._stream = source, stream

    def read(self, size: int = -1) -> bytes:
        with _damage_told(self._source):
            return self._stream.read(size)


def _check_member(source: Source, member: tarfile.TarInfo, number: int) -> None:
    where = f"{source.path}: {member.name[:200]!r}"
    if leads_out(member.name) or not (member.isfile() or member.isdir()):
        raise UserError(
            tr("{path} is a link or leads out of the package; it was not opened", path=where)
        )
    if number >= _MOST_MEMBERS:
        raise UserError(tr("{path} holds more files than any package does", path=source.path))


class _Counted:
    """The bytes of a package, unzipped, as many as can be of its size."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stream = source.stream()
        self._left = max(_SMALL, MOST_PACKED * source.total)

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(size)
        self._left -= len(part)
        if self._left < 0:
            path = self._source.path
            raise UserError(tr("{path} is packed more than text can be; not opened", path=path))
        self._source.advance(0)
        return part
