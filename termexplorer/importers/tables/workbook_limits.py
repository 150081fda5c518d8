"""What no workbook may hold: parts that unpack to far more, strings and cells without end, a DTD.

A workbook is a zip of XML files, which openpyxl reads as they come: all shared strings at once, and
a cell for each place before one that says it is far to the right.
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from termexplorer.errors import UserError
from termexplorer.importers.files.packed import MOST_PACKED
from termexplorer.texts import tr

MOST_ROWS = 1 << 20
"""Rows of a sheet, as many as Excel has."""
MOST_CELLS = 50_000_000
"""Cells of a sheet that are read, those that are empty among them."""
_MOST_PARTS = 10_000
_LARGEST = 1 << 30  # bytes of all parts, unpacked
_LARGEST_STRINGS = 1 << 28  # of the shared strings, which are in memory at once
_LARGEST_OTHER = 1 << 26  # of styles and the like, which become many objects
_MOST_STRINGS = 5_000_000
_SMALL = 1 << 20  # bytes up to which a ratio says nothing
_STREAMED = ("xl/worksheets/", "xl/pivotcache/")  # the first is read row by row, the other never
_STRING = re.compile(rb"<(?:\w+:)?si[\s/>]")
# no part has a DTD (ISO 29500-2, 9.1.4); another encoding could hide one
_DTD = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
_STARTS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\0<")
_ENCODING = re.compile(rb"""\A[^>]{0,99}?encoding\s*=\s*["']([^"']*)""")
_ENCODINGS = (b"utf-8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")
_CHUNK, _OVERLAP = 1 << 20, 64


def check_parts(path: Path, parts: zipfile.ZipFile) -> None:
    """Refuse a workbook that could not be read in bounded time and memory.

    Raises:
        UserError: more or larger parts, or more strings, than any has; or XML with a DTD.
        zipfile.BadZipFile: it is damaged.
    """
    infos = parts.infolist()
    if len(infos) > _MOST_PARTS or sum(info.file_size for info in infos) > _LARGEST:
        raise _too_much(path)
    for info in infos:
        if info.file_size > max(_SMALL, MOST_PACKED * info.compress_size):
            where = f"{path}: {info.filename[:200]!r}"
            raise UserError(
                tr("{path} is packed more than text can be; it was not opened", path=where)
            )
        name = info.filename.lower()
        if name.endswith((".xml", ".rels")):
            if info.file_size > _largest_size(name):
                raise _too_much(path)
            _check_xml(path, parts, info)


def _largest_size(name: str) -> int:
    if name.startswith(_STREAMED):
        return _LARGEST
    return _LARGEST_STRINGS if name.endswith("sharedstrings.xml") else _LARGEST_OTHER


def _check_xml(path: Path, parts: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    left = _MOST_STRINGS
    with parts.open(info) as part:
        for number, piece in enumerate(overlapping_pieces(part)):
            if number == 0 and not _is_plain_xml(piece):
                raise _not_plain(path, info.filename)
            if _DTD.search(piece.replace(b"\0", b"")):
                raise _not_plain(path, info.filename)
            left -= len(_STRING.findall(piece))
            if left < 0:
                raise _too_much(path)


def overlapping_pieces(part: IO[bytes]) -> Iterator[bytes]:
    """Yield a file in pieces that overlap by more than a tag."""
    end = b""
    while piece := part.read(_CHUNK):
        yield end + piece
        end = piece[-_OVERLAP:]


def _is_plain_xml(start: bytes) -> bool:
    """Whether a part begins as XML, in an encoding in which its signs are what they seem."""
    if not start.lstrip().startswith(_STARTS):
        return False
    stated = _ENCODING.match(start[:256].replace(b"\0", b""))
    return stated is None or stated[1].lower() in _ENCODINGS


def _not_plain(path: Path, part: str) -> UserError:
    reason = tr("{part} is no XML, or has a DTD, which no workbook has", part=repr(part[:200]))
    return UserError(
        tr("{path} is no sound XLSX workbook ({what}); save it again", path=path, what=reason)
    )


def _too_much(path: Path) -> UserError:
    return UserError(
        tr(
            "{path} holds more than a workbook of names does; save the sheet as CSV and choose "
            "that",
            path=path,
        )
    )
