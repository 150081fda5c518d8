"""The files of an RRF release, in a folder or a zip, told by their names; or one file of names."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from termexplorer.errors import UserError
from termexplorer.importers.files.entries import Opener, entries, holds_entry
from termexplorer.importers.files.release_bytes import plain_name
from termexplorer.importers.files.release_files import ReleaseFiles, ReleaseMember
from termexplorer.importers.files.source import GZIP_MAGIC
from termexplorer.texts import tr

_ATOM = (
    "CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB", "TTY",
    "CODE", "STR", "SRL", "SUPPRESS", "CVF",
)  # fmt: skip
COLUMNS: dict[str, tuple[str, ...]] = {
    "names": _ATOM,
    "relations": (
        "CUI1", "AUI1", "STYPE1", "REL", "CUI2", "AUI2", "STYPE2", "RELA", "RUI", "SRUI", "SAB",
        "SL", "RG", "DIR", "SUPPRESS", "CVF",
    ),
    "definitions": ("CUI", "AUI", "ATUI", "SATUI", "SAB", "DEF", "SUPPRESS", "CVF"),
    "types": ("CUI", "TUI", "STN", "STY", "ATUI", "CVF"),
    "ranks": ("RANK", "SAB", "TTY", "SUPPRESS"),
    "sources": (
        "VCUI", "RCUI", "VSAB", "RSAB", "SON", "SF", "SVER", "VSTART", "VEND", "IMETA", "RMETA",
        "SLC", "SCC", "SRL", "TFR", "CFR", "CXTY", "TTYL", "ATNL", "LAT", "CENC", "CURVER",
        "SABIN", "SSN", "SCIT",
    ),
    "documentation": ("DOCKEY", "VALUE", "TYPE", "EXPL"),
}  # fmt: skip
_NAMES = {
    "CONSO": "names",
    "REL": "relations",
    "DEF": "definitions",
    "STY": "types",
    "RANK": "ranks",
    "SAB": "sources",
    "DOC": "documentation",
}
_NAME = re.compile(rf"(MR|RXN)({'|'.join(_NAMES)})\.RRF", re.IGNORECASE)
_RELEASE = "release.dat"
_HEAD = 1 << 16
_ATOM_LINE = re.compile(
    rb"\A(?:\xef\xbb\xbf)?[A-Z]{0,3}\d+\|[A-Z]{3}\|(?:[^|\r\n]*\|){16}(?:[\r\n]|\Z)"
)  # up to the end of the first line of names


def holds_release(path: Path) -> bool:
    """Whether a folder or zip holds a file of names as RRF names it, or a file is one.

    Raises:
        UserError: The folder cannot be read.
    """
    return _is_names(path) or holds_entry(path, _names_it)


def open_release(path: Path) -> ReleaseFiles:
    """Find the files; those beside it where a file of names is chosen.

    Of several of one role, as the full and the prescribable RxNorm have them, the largest counts.

    Raises:
        UserError: There is no file of names.
    """
    members = list(_list_files_beside(path) if _is_names(path) else _list_members(entries(path)))
    by_role: dict[str, ReleaseMember] = {}
    names = [candidate for candidate in members if candidate.role == "names"]
    if not names:
        raise UserError(
            tr(
                "{path} holds neither MRCONSO.RRF nor RXNCONSO.RRF; choose the folder or zip of a "
                "release",
                path=path,
            )
        )
    chosen = max(names, key=lambda candidate: (not is_rxnorm(candidate.name), candidate.size))
    for member in members:
        previous = by_role.get(member.role)
        belongs = is_rxnorm(member.name) == is_rxnorm(chosen.name) or member.role == "release"
        if belongs and (previous is None or member.size > previous.size):
            by_role[member.role] = member
    return ReleaseFiles(path, by_role | {"names": chosen})


def _names_it(name: str) -> bool:
    match = _NAME.fullmatch(name)
    return match is not None and match[2].upper() == "CONSO"


def is_rxnorm(name: str) -> bool:
    """Whether a file is named as those of RxNorm are."""
    return name.upper().startswith("RXN")


def _is_names(path: Path) -> bool:
    """Whether a file's first line is a row of names."""
    try:
        with path.open("rb") as file:
            is_packed = file.peek(2).startswith(GZIP_MAGIC)
            head = gzip.GzipFile(fileobj=file).read(_HEAD) if is_packed else file.read(_HEAD)
            return _ATOM_LINE.match(head) is not None
    except (OSError, EOFError, zlib.error):
        return False


def _list_files_beside(path: Path) -> Iterator[ReleaseMember]:
    """A file of names, and what lies in its folder."""
    names_opener = Opener(path)
    yield ReleaseMember(plain_name(path.name), "names", names_opener.unpacked_size(), names_opener)
    files = sorted(file for file in path.parent.iterdir() if file.is_file())
    openers = map(Opener, files)
    listed = ((plain_name(opener.file.name), opener.unpacked_size(), opener) for opener in openers)
    yield from (member for member in _list_members(listed) if member.role != "names")


def _list_members(
    files: Iterable[tuple[str, int, Callable[[], BinaryIO]]],
) -> Iterator[ReleaseMember]:
    for name, size, opener in files:
        if match := _NAME.fullmatch(name):
            yield ReleaseMember(name, _NAMES[match[2].upper()], size, opener)
        elif name.lower() == _RELEASE:
            yield ReleaseMember(name, "release", size, opener)
