"""Files of scored pairs, or of ratings, as tables of cells, whatever parts their columns."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_workbooks import is_workbook, read_workbook
from termexplorer.trainer.text.gzip_files import open_plain_or_gzip, read_at_most
from termexplorer.trainer.text.names import composed

Rows = Iterator[tuple[int, list[str]]]
_NOTHING = {"", "-", "?", "na", "nan", "n/a", "none", "null"}
_SPOILED = re.compile(r"\W*\d+[.,]\d")  # a decimal number and more, which no title begins with
_ENCLOSED = re.compile(r'"((?:[^"]|"")*)"')
_NO_TEXT = {
    b"\xd0\xcf\x11\xe0": Message("an old Excel workbook, not text"),
    b"\xff\xfe": Message("in UTF-16 (some programs call it Unicode)"),
    b"\xfe\xff": Message("in UTF-16 (some programs call it Unicode)"),
}
_LARGEST = 1 << 29  # bytes, unpacked
_SAMPLE = 200  # rows looked at


class WantedTable(NamedTuple):
    """What a file should hold: the fewest columns, and words for messages."""

    columns: int
    row: str
    rows: str
    advice: str


PAIRS = WantedTable(
    3, Message("pair"), Message("pairs"), Message("give two terms and a score a line")
)


@dataclass(frozen=True)
class CellTable:
    """Rows of cells, without white space at their ends.

    Attributes:
        name: of the set of pairs.
        titles: of the columns; empty where there are none.
        rows: the cells.
        numbers: of the line that each row stands in, or of the row itself where `row` is given.
        row: what a row is called, where it stands in no line of its own.
    """

    name: str
    titles: list[str]
    rows: list[list[str]]
    numbers: Sequence[int]
    row: str = ""

    def place_of_row(self, at: int) -> Message:
        """Tell where a row stands in its file."""
        number = self.numbers[at]
        if not self.row:
            return Message("line {line}", line=number)
        return Message("{row} {number} of {name}", row=self.row, number=number, name=self.name)


def read_tables(path: Path, wanted: WantedTable = PAIRS) -> list[CellTable]:
    """Return the tables of a file, at least one, each with at least one row.

    Args:
        path: the file.
        wanted: what it should hold.

    Raises:
        ValueError: for a file that cannot be read or holds no row.
    """
    name = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    tables = _tables_of(path, name, wanted)
    for table in tables:
        if not table.rows:
            within = "" if table.name == name else Message(" in {name}", name=table.name)
            raise TrainerError(
                "{path} holds no {row}{within}; {advice}",
                path=path,
                row=wanted.row,
                within=within,
                advice=wanted.advice,
            )
    if not tables:
        raise TrainerError(
            "{path} holds no {rows}; {advice}", path=path, rows=wanted.rows, advice=wanted.advice
        )
    return tables


def _tables_of(path: Path, name: str, wanted: WantedTable) -> list[CellTable]:
    if is_workbook(path):
        return [_of_numbered(name, list(read_workbook(path)))]
    text = _read_text(path, wanted)
    if ".json" in path.suffixes or text.lstrip().startswith("{"):
        return list(_of_json(name, _load_json(path, text), wanted))
    return [_of_text(path, name, text, wanted)]


def _read_text(path: Path, wanted: WantedTable) -> str:
    try:
        with open_plain_or_gzip(path) as file:
            content = read_at_most(file, _LARGEST + 1)
        if len(content) > _LARGEST:
            raise TrainerError(
                "{path} is larger than {largest} MiB; give a smaller file",
                path=path,
                largest=_LARGEST >> 20,
            )
        for sign, kind in _NO_TEXT.items():
            if content.startswith(sign):
                raise TrainerError(
                    "{path} is {kind}; save it as CSV in UTF-8", path=path, kind=kind
                )
        return composed(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TrainerError(
            "{path}, line {line}: it is not UTF-8; give a UTF-8 text", path=path, line=line
        ) from error
    except (OSError, EOFError, zlib.error) as error:
        raise TrainerError(
            "{path} cannot be read: {error}; give a file of {rows}",
            path=path,
            error=error,
            rows=wanted.rows,
        ) from error


def number(cell: str) -> float | None:
    """Return the number that a cell holds, with a point or a comma; None where it holds none."""
    if not any(map(str.isdigit, cell)):  # nor are "nan" and "infinity" numbers
        return None
    for text in (cell, cell.replace(",", ".")):
        try:
            return float(text)
        except ValueError:
            continue
    return None


def _of_text(path: Path, name: str, text: str, wanted: WantedTable) -> CellTable:
    try:
        numbered = [(line, row) for line, row in _best_reader(text, wanted)(text) if any(row)]
    except csv.Error as error:
        numbered = [(line, row) for line, row in _by_tabs(text) if any(row)]
        widths = {len(row) for _, row in numbered}
        if len(widths) != 1 or min(widths) < wanted.columns:
            raise TrainerError(
                "{path}, {error}; check its quotation marks", path=path, error=error
            ) from error
    return _of_numbered(name, numbered)


def _of_numbered(name: str, numbered: list[tuple[int, list[str]]]) -> CellTable:
    """Return the table of rows, of which the first may be titles."""
    titles = numbered.pop(0)[1] if numbered and _are_titles(numbered[0][1]) else []
    return CellTable(name, titles, [row for _, row in numbered], [line for line, _ in numbered])


def _are_titles(row: list[str]) -> bool:
    """Tell whether no cell is a score, not even a missing, endless or spoiled one such as ``3.5x``.

    Line numbers have no title.
    """
    cells = row if row[0] else row[1:]
    return not any(
        _is_float(cell)
        or number(cell) is not None
        or cell.lower() in _NOTHING
        or _SPOILED.match(cell)
        for cell in cells
    )


def _is_float(cell: str) -> bool:
    """Tell what Python reads as a number, "nan" and "infinity" too."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _best_reader(text: str, wanted: WantedTable) -> Callable[[str], Rows]:
    """Choose what parts most of the first rows into equally many columns, enough of them."""
    readers: list[Callable[[str], Rows]] = [partial(_by_sign, sign) for sign in "\t;|,"]
    readers += [_by_tabs]
    readers += [partial(_by_pattern, re.compile(pattern)) for pattern in (r"\s{2,}", r"\s+")]
    return max(readers, key=lambda reader: _count_even_rows(reader, text, wanted.columns))


def _count_even_rows(reader: Callable[[str], Rows], text: str, fewest: int) -> int:
    """Return how many of the first rows have the most frequent number of columns."""
    widths: Counter[int] = Counter()
    with suppress(csv.Error):  # told when all is read
        widths.update(len(row) for _, row in islice(reader(text), _SAMPLE) if any(row))
    return max((count for width, count in widths.items() if width >= fewest), default=0)


def _by_sign(sign: str, text: str) -> Rows:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    last = 0
    try:
        for row in reader:
            if reader.line_num > last + 1:
                raise csv.Error(Message("a quoted cell goes on in the next line"))
            last = reader.line_num
            yield last, [cell.strip() for cell in row]
    except csv.Error as error:
        raise csv.Error(
            Message("line {line}: {error}", line=reader.line_num, error=error)
        ) from error


def _by_tabs(text: str) -> Rows:
    """Yield rows in which a quotation mark may be part of a term, but where it encloses a cell."""
    for line, row in enumerate(io.StringIO(text), 1):
        yield line, [_strip_quotes(cell.strip()) for cell in row.split("\t")]


def _strip_quotes(cell: str) -> str:
    enclosed = _ENCLOSED.fullmatch(cell)
    return enclosed[1].replace('""', '"').strip() if enclosed else cell


def _by_pattern(pattern: re.Pattern[str], text: str) -> Rows:
    for line, row in enumerate(io.StringIO(text), 1):
        yield line, pattern.split(row.strip())


def _load_json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TrainerError(
            "{path}, line {lineno}: {msg}; it is no JSON",
            path=path,
            lineno=error.lineno,
            msg=error.msg,
        ) from error
    except (ValueError, RecursionError) as error:
        raise TrainerError(
            "{path} is no JSON that can be read: {error}", path=path, error=error
        ) from error


def _of_json(name: str, value: Any, wanted: WantedTable) -> Iterator[CellTable]:
    """Yield the tables of sets by name, of lists of columns by title, or of a list of rows."""
    if isinstance(value, dict):
        columns = {title: part for title, part in value.items() if _is_column(part)}
        if len(columns) >= wanted.columns:
            yield _of_rows(name, list(columns), list(zip_longest(*columns.values())), wanted)
        else:
            for title, part in value.items():
                yield from _of_json(title, part, wanted)
    elif isinstance(value, list):
        titles = list(value[0]) if value and isinstance(value[0], dict) else []
        yield _of_rows(name, titles, [_row_values(titles, row) for row in value], wanted)


def _is_column(part: Any) -> bool:
    return isinstance(part, list) and not any(isinstance(cell, list | dict) for cell in part)


def _row_values(titles: list[str], row: Any) -> list[Any]:
    if isinstance(row, dict):
        return [row.get(title) for title in titles]
    return row if isinstance(row, list) else [row]


def _of_rows(name: str, titles: list[str], rows: list[Any], wanted: WantedTable) -> CellTable:
    cells = [["" if cell is None else _cell_text(cell) for cell in row] for row in rows]
    return CellTable(name, titles, cells, range(1, len(rows) + 1), wanted.row)


def _cell_text(value: Any) -> str:
    return str(int(value) if isinstance(value, bool) else value).strip()
