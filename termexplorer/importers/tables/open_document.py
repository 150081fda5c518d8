"""Sheets of an OpenDocument spreadsheet (ODS), as its cells show them.

A cell has the text that it shows beside its value, so that no number format need be read. Cells and
rows that repeat stand there once with a count, as does the empty rest of a sheet.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import Element, children, events, name_of
from termexplorer.importers.files.zipped import zipped_members
from termexplorer.importers.format_table import OPEN_DOCUMENT
from termexplorer.importers.tables.cell_text import (
    DateCell,
    ErrorCell,
    RoundedCell,
    TruthCell,
    Unstored,
)
from termexplorer.importers.tables.workbook_limits import MOST_CELLS, MOST_ROWS
from termexplorer.texts import tr

_CONTENT = "content.xml"
_NAMESPACE = "{{urn:oasis:names:tc:opendocument:xmlns:{}:1.0}}{}".format
_TYPE, _VALUE = _NAMESPACE("office", "value-type"), _NAMESPACE("office", "value")
_KINDS = ("string", "date", "time", "boolean")
_VALUES = (_VALUE, *(_NAMESPACE("office", f"{kind}-value") for kind in _KINDS))
_EXTENDED = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
_FORMULA, _NAME = _NAMESPACE("table", "formula"), _NAMESPACE("table", "name")
_STYLE, _STYLE_NAME = _NAMESPACE("table", "style-name"), _NAMESPACE("style", "name")
_DISPLAY = _NAMESPACE("table", "display")
_COLUMNS = _NAMESPACE("table", "number-columns-repeated")
_ROWS = _NAMESPACE("table", "number-rows-repeated")
_SPACES = _NAMESPACE("text", "c")
_CELLS = ("table-cell", "covered-table-cell")
_MOST_COLUMNS, _LARGEST_SPACE = 1 << 14, 1_000
_FIRST_ROUNDED = 1e15
_KNOWN = 4  # files whose sheets are remembered


def is_open_document(path: Path) -> bool:
    """Return whether a file is of OpenDocument, told by its first bytes."""
    with path.open("rb") as file:
        return OPEN_DOCUMENT.match(file.read(200)) is not None


def list_sheets(path: Path) -> tuple[str, ...]:
    """Return the names of the sheets, hidden ones after those that are shown.

    Raises:
        UserError: The file is damaged, or has none.
    """
    status = path.stat()
    names = _list_sheets_once(path, status.st_mtime_ns, status.st_size)
    if not names:
        raise UserError(
            tr("{path} has no sheet of cells; choose another file or save it again", path=path)
        )
    return names


@lru_cache(_KNOWN)
def _list_sheets_once(path: Path, _changed: int, _size: int) -> tuple[str, ...]:
    hidden_styles: set[str] = set()
    shown: list[str] = []
    hidden: list[str] = []
    with _ContentPart(path) as part:
        for event, element in events(part, "table", "style"):
            if name_of(element) == "style" and event == "end":
                if _hides_sheets(element):
                    hidden_styles.add(str(element.get(_STYLE_NAME)))
            elif event == "start" and _is_sheet(element):
                is_hidden = element.get(_STYLE) in hidden_styles
                (hidden if is_hidden else shown).append(str(element.get(_NAME) or ""))
    return (*shown, *hidden)


def document_rows(source: Source, sheet: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells as shown) of a sheet, by its name; of the first without one.

    Raises:
        UserError: The file is damaged, or has more rows or cells than any sheet.
    """
    sheet = sheet or list_sheets(source.path)[0]
    line, left, inside = 0, MOST_CELLS, False
    source.start_rows(1)
    with _ContentPart(source.path, source) as part:
        for event, element in events(part, "table", "table-row"):
            if name_of(element) == "table" and _is_sheet(element):
                inside = event == "start" and element.get(_NAME) == sheet
            elif inside and event == "end" and name_of(element) == "table-row":
                cells = list(_read_row(source.path, element))
                times = _read_count(element, _ROWS)
                if not cells:
                    line += times
                    continue
                left -= times * len(cells)
                if line + times > MOST_ROWS or left < 0:
                    text = tr("{path} has more rows or cells than any sheet can", path=source.path)
                    raise UserError(text)
                for _ in range(times):
                    line += 1
                    yield line, list(cells)
    source.done = source.total


class _ContentPart(Source):
    """The content of a document as a source of XML.

    Args:
        path: Of the document.
        owner: What watches the progress.
    """

    def __init__(self, path: Path, owner: Source | None = None) -> None:
        members = {name: opener for name, _, opener in zipped_members(path)}
        if _CONTENT not in members:
            raise UserError(tr("{path} is a damaged zip ({error}); fetch it again", path=path,
                               error=_CONTENT))  # fmt: skip
        self._open = members[_CONTENT]
        super().__init__(path)
        if owner is not None:
            self.watch = owner.watch

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes of the content."""
        with self._open() as file:
            return file.read(size)

    def stream(self) -> Any:
        """The bytes of the content."""
        self.close()
        self._raw = self._open()
        return self._raw


def _is_sheet(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and name_of(parent) == "spreadsheet"


def _hides_sheets(style: Element) -> bool:
    return any(child.get(_DISPLAY) == "false" for child in children(style, "table-properties"))


def _read_row(path: Path, row: Element) -> Iterator[str]:
    """The cells of a row up to the last that holds something."""
    empty = width = 0
    for cell in row:
        if name_of(cell) not in _CELLS:
            continue
        text, times = _read_cell(cell), _read_count(cell, _COLUMNS)
        if not text and not isinstance(text, Unstored):
            empty += times
            continue
        width += empty + times
        if width > _MOST_COLUMNS:
            raise UserError(tr("{path} has more rows or cells than any sheet can", path=path))
        yield from [""] * empty
        yield from [text] * times
        empty = 0


def _read_count(element: Element, attribute: str) -> int:
    text = str(element.get(attribute) or "1")
    return max(int(text), 1) if text.isascii() and text.isdecimal() and len(text) < 10 else 1


def _read_cell(cell: Element) -> str:
    """What a cell shows; a subclass of `str` tells what may not be a text."""
    paragraphs = ["".join(_paragraph_pieces(paragraph)) for paragraph in children(cell, "p")]
    values = [str(cell.get(name)) for name in _VALUES if cell.get(name) is not None]
    text = "\n".join(paragraphs) or "".join(values[:1])
    kind = cell.get(_TYPE)
    if cell.get(_EXTENDED) == "error":
        return ErrorCell(text)
    if kind in ("date", "time"):
        return DateCell(text)
    if kind == "boolean":
        return TruthCell(text.upper())
    if kind in ("float", "percentage", "currency") and _is_rounded(str(cell.get(_VALUE))):
        return RoundedCell(text)
    if cell.get(_FORMULA) is not None and not text and not values:
        return Unstored()
    return text


def _is_rounded(value: str) -> bool:
    try:
        return abs(float(value)) >= _FIRST_ROUNDED
    except ValueError:
        return False


def _paragraph_pieces(node: Element) -> Iterator[str]:
    yield str(node.text or "")
    for child in node:
        name = name_of(child)
        if name == "s":
            yield " " * min(_read_count(child, _SPACES), _LARGEST_SPACE)
        elif name in ("tab", "line-break"):
            yield "\t" if name == "tab" else "\n"
        elif name != "annotation":
            yield from _paragraph_pieces(child)
        yield str(child.tail or "")
