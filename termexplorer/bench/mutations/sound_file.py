"""A sound file, how it is read, and what reading a damaged copy must not lose without a word."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from termexplorer.bench.mutations.damage import damage_bytes

_TOKEN = re.compile(rb"Zq\d+q")


@dataclass(frozen=True)
class FileReading:
    """What came of a file.

    Attributes:
        text: all names and ids that were read.
        counts: what the report says, and of how many.
    """

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)

    def tells_more_than(self, other: FileReading) -> bool:
        """Return whether the report says something new, or of more."""
        return any(count > other.counts.get(kind, 0) for kind, count in self.counts.items())


Reader = Callable[[Path], FileReading]


@dataclass(frozen=True)
class SoundFile:
    """A file, or the files of a folder, that the program reads.

    Attributes:
        name: of the file, or of the folder.
        contents: by their names in the folder; of one file, by its own name.
        read: the program's door, which takes the path, and raises `UserError` alone.
        is_folder: whether `read` takes a folder.
        is_packed: whether the contents are put into one zip.
        mend: makes hashes fit the damaged content, which would be refused by them alone.
        rows: by file, pieces that stand for themselves, each with a token `Zq1q`: as long as a
            piece is in the file as it was, its token is read, or something is told.
        heads: by file, how it has to begin for that.
    """

    name: str
    contents: Mapping[str, bytes]
    read: Reader
    is_folder: bool = False
    is_packed: bool = False
    mend: Callable[[Path], None] | None = None
    rows: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)
    heads: Mapping[str, bytes] = field(default_factory=dict)

    def damage_contents(self, draw: Random) -> dict[str, bytes]:
        """Return the contents with damage in one or two of them."""
        damaged = dict(self.contents)
        for name in draw.sample(sorted(damaged), min(len(damaged), draw.choice((1, 1, 1, 2)))):
            damaged[name] = damage_bytes(damaged[name], draw)
        return damaged

    def write_contents(self, contents: Mapping[str, bytes], folder: Path) -> Path:
        """Write contents into an empty folder, and return what `read` takes."""
        if self.is_packed:
            path = folder / self.name
            path.write_bytes(pack_zip(contents))
            return path
        root = folder / self.name if self.is_folder else folder
        for name, content in contents.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / self.name

    def find_loss(
        self, contents: Mapping[str, bytes], reading: FileReading, sound: FileReading
    ) -> str:
        """Return what a damaged copy lost without a word; "" where it is nothing."""
        if reading.tells_more_than(sound):
            return ""
        if not all(contents[name].startswith(head) for name, head in self.heads.items()):
            return ""
        lost = [
            token
            for name, rows in self.rows.items()
            for row in rows
            if row in contents[name]
            for token in _TOKEN.findall(row)
            if token.decode() in sound.text and token.decode() not in reading.text
        ]
        return f"lost without a word: {b' '.join(lost[:3]).decode()}" if lost else ""


def make_rows(count: int, write: Callable[[int, str], str]) -> tuple[bytes, ...]:
    """Return rows, each with its number from 1 and its token."""
    return tuple(write(number, f"Zq{number}q").encode() for number in range(1, count + 1))


def make_file(
    name: str, read: Reader, rows: tuple[bytes, ...], head: str = "", foot: str = "", part: str = ""
) -> SoundFile:
    """Return a file of a head, rows that are parted by something, and a foot."""
    content = head.encode() + part.encode().join(rows) + foot.encode()
    return SoundFile(name, {name: content}, read, rows={name: rows}, heads={name: head.encode()})


def pack_zip(contents: Mapping[str, bytes]) -> bytes:
    """Return a zip of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return packed.getvalue()


def unpack_zip(packed: bytes) -> dict[str, bytes]:
    """Return the files of a zip."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files below a folder, by their names in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def make_workbooks(name: str, read: Reader, rows: Iterable[tuple[str, ...]]) -> list[SoundFile]:
    """Return a workbook twice: to be damaged within its zip, and as a whole."""
    from openpyxl import Workbook

    book, packed = Workbook(), io.BytesIO()
    assert book.active is not None  # noqa: S101 - a new workbook has a sheet
    for row in rows:
        book.active.append(row)
    book.save(packed)
    whole = packed.getvalue()
    return [
        SoundFile(name, unpack_zip(whole), read, is_packed=True),
        SoundFile(name, {name: whole}, read),
    ]
