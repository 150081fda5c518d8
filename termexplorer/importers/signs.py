"""Telling a file's format from its first bytes, by the signs in the table of formats."""

from collections.abc import Iterator
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import root_of
from termexplorer.importers.files.zipped import holds_name
from termexplorer.importers.format_table import (
    FORMATS,
    OPEN_DOCUMENT_SHEET,
    OTHERS,
    OWN,
    TABLE,
    WORKBOOK,
    Sign,
)
from termexplorer.importers.tables.other_tables import refuse_other_text, refuse_other_workbook
from termexplorer.importers.tables.release_parts import refuse_part_in_rrf
from termexplorer.texts import tr, translated

_HEAD = 4096
_LINES = 200  # of the head that are looked at


def refuse_another(source: Source, name: str) -> None:
    """Refuse a file that is plainly in another format than `name`.

    Raises:
        UserError: It is, or it is to be text and is none; or it cannot be read.
    """
    sign, format_name = _match_sign(source)
    if sign and (sign.advice or format_name != name):
        mend = translated(sign.advice) or tr("choose the format {format}", format=format_name)
        raise UserError(
            tr(
                "{path} looks like {like}, not like {own}; {mend}",
                path=source.path,
                like=translated(sign.like or FORMATS[format_name].like),
                own=translated(FORMATS[name].like),
                mend=mend,
            )
        )


def told_format(source: Source) -> str:
    """The format of a file, or "" if it cannot be told.

    Raises:
        UserError: It is plainly of a kind that no format reads; or it cannot be read.
    """
    sign, format_name = _match_sign(source)
    if sign and sign.advice:
        raise UserError(
            tr(
                "{path} looks like {like}, which cannot be imported; {mend}",
                path=source.path,
                like=translated(sign.like),
                mend=translated(sign.advice),
            )
        )
    if sign and sign.head in (WORKBOOK, OPEN_DOCUMENT_SHEET):
        refuse_other_workbook(source)
    return format_name if sign else _guess_format(source)


def is_office_file(path: Path) -> bool:
    """Return whether a zip is a file of an office program, read or not."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    signs = (sign for sign, _ in _list_signs() if _fits_head(sign, head, path))
    sign = next(signs, None)
    return sign is not None and (
        sign.head != WORKBOOK or holds_name(path, "[Content_Types].xml".__eq__)
    )


def _guess_format(source: Source) -> str:
    """The format that text without a sign looks like, or ""."""
    lines = [line for line in _head_text(source).splitlines()[:_LINES] if line.strip()]
    whole = lines[:-1] or lines  # the head may end within a line
    if whole and all(line.endswith("|") for line in whole):
        refuse_part_in_rrf(source, whole)
        return ""  # RRF, `a|b||c|`: no dictionary, and no title says what its columns are
    likely = (file_format for file_format in FORMATS.values() if file_format.likely)
    format_key = next(
        (file_format.key for file_format in likely if file_format.reader().looks_like(lines)), ""
    )
    if format_key == TABLE:
        refuse_other_text(source, whole if len(whole) > 2 else lines)
    return format_key


def _match_sign(source: Source) -> tuple[Sign | None, str]:
    """The sign that a file has and the format that this tells of, or None and ""."""
    signs = list(_list_signs())
    head = source.head()
    for sign, name in signs:
        if _fits_head(sign, head, source.path):
            return sign, name
    source.check_text()
    root = root_of(head)
    for sign, name in signs:
        if root and sign.root and sign.root == root.name:
            return sign, name
    text = _head_text(source)
    matching = (
        known_sign for known_sign in signs if known_sign[0].text and known_sign[0].text.search(text)
    )
    return next(matching, (None, ""))


def _fits_head(sign: Sign, head: bytes, path: Path) -> bool:
    if sign.member:
        return bool(WORKBOOK.match(head)) and holds_name(path, sign.member.__eq__)
    return bool(sign.head and sign.head.match(head))


def _list_signs() -> Iterator[tuple[Sign, str]]:
    yield from ((sign, "") for sign in OWN)
    for file_format in FORMATS.values():
        yield from ((sign, file_format.key) for sign in file_format.signs)
    yield from ((sign, "") for sign in OTHERS)


def _head_text(source: Source) -> str:
    text = source.head().decode("utf-8-sig", "replace")
    return text if "\n" in text else text.replace("\r", "\n")
