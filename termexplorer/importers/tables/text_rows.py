"""Rows of a CSV or TSV file, quoted where the file shows it.

In files with commas or semicolons a quotation mark that begins a cell quotes it. Where tabs or bars
part the cells many writers quote nothing: there a mark that begins a cell is part of its text,
unless the cell ends with another one before the next tab.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.texts import tr

_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
UNQUOTED = "\t|"
"""Signs between which many writers quote nothing."""
_MOST_LINES, _MOST_CHARACTERS = 2_000, 1 << 17  # of one row
_MOST_LINES_UNQUOTED = 100


@dataclass(slots=True)
class LongRows:
    """The rows of a file that go over several of its lines, or beyond its titles.

    Attributes:
        places: First and last line of each that goes over several.
        wide: The line of each that has more cells than there are titles.
    """

    places: list[tuple[int, int]] = field(default_factory=list)
    wide: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A row cut into cells; `ragged` where text follows the closing mark of a quoted cell."""

    cells: list[str]
    ragged: bool = False


class _Lines:
    """The numbered lines of a file, some of which can be put back."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._waiting = deque[tuple[int, str]]()
        self._following = _parted_lines(source)

    def take(self) -> tuple[int, str] | None:
        """Return the next line; None at the end."""
        return self._waiting.popleft() if self._waiting else next(self._following, None)

    def put_back(self, lines: list[tuple[int, str]]) -> None:
        """Have lines come again."""
        self._waiting.extendleft(reversed(lines))


def separator_of(line: str) -> str:
    """Return the delimiter that a first line `sep=;` states, else ""."""
    match = _SEPARATOR_LINE.fullmatch(line)
    return match[1] if match else ""


def text_rows(
    source: Source, delimiter: str, long_rows: LongRows | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of each row; a first line `sep=;` is none.

    Args:
        source: The file.
        delimiter: Between cells.
        long_rows: Where rows that go over several lines are noted.

    Raises:
        UserError: A quoted cell that is never closed, or that text follows in another line.
    """
    lines = _Lines(source)
    width = 0
    while (line := lines.take()) is not None:
        number, text = line
        if number == 1 and separator_of(text):
            continue
        cells, last = _read_row(lines, number, text, delimiter, width)
        if last > number and long_rows is not None:
            long_rows.places.append((number, last))
        width = width or len(cells)
        yield number, cells


def _parted_lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines; what ends in a return alone is a line too."""
    for number, text in source.lines():
        if "\r" in text:
            yield from ((number, part) for part in text.split("\r"))
        else:
            yield number, text


def _read_row(
    lines: _Lines, number: int, text: str, delimiter: str, width: int
) -> tuple[list[str], int]:
    """The cells of the row that a line begins, and its last line."""
    if '"' not in text:
        return text.split(delimiter), number
    cut = _cut_row(text, delimiter)
    if cut is None and delimiter in UNQUOTED:
        return _row_unless_quoted(lines, number, text, delimiter, width)
    if cut is None:
        return _quoted_row(lines, number, text, delimiter)
    if cut.ragged and delimiter in UNQUOTED:
        return text.split(delimiter), number
    return cut.cells, number


def _cut_row(text: str, delimiter: str) -> _Cut | None:
    """The cells of a row; None where a quoted cell is open at its end."""
    cells, position, ragged = [], 0, False
    while True:
        if text.startswith('"', position):
            match = _QUOTED.match(text, position)
            if match is None:
                return None
            end = text.find(delimiter, match.end())
            rest = text[match.end() : end if end >= 0 else len(text)]
            ragged = ragged or bool(rest.strip())
            cells.append(match[1].replace('""', '"') + rest)
        else:
            end = text.find(delimiter, position)
            cells.append(text[position : end if end >= 0 else len(text)])
        if end < 0:
            return _Cut(cells, ragged)
        position = end + len(delimiter)


def _close_row(
    lines: _Lines, text: str, delimiter: str, most: int
) -> tuple[_Cut | None, list[tuple[int, str]]]:
    """The row that a line with an open cell begins, None where it has no end, and its lines."""
    taken: list[tuple[int, str]] = []
    parts, length = [text], len(text)
    while len(taken) < most and length < _MOST_CHARACTERS and (line := lines.take()):
        taken.append(line)
        parts.append(line[1])
        length += len(line[1]) + 1
        if '"' in line[1] and (cut := _cut_row("\n".join(parts), delimiter)) is not None:
            return cut, taken
    return None, taken


def _quoted_row(lines: _Lines, number: int, text: str, delimiter: str) -> tuple[list[str], int]:
    """The row of a line with an open cell, where cells are quoted."""
    cut, taken = _close_row(lines, text, delimiter, _MOST_LINES)
    if cut is None:
        ended = lines.take() is None
        problem = tr("is never closed") if ended else tr("has no end within reason")
        raise _unclosed_error(lines.source, number, problem)
    last = taken[-1][0]
    if cut.ragged:
        problem = tr("ends within the text of line {last}", last=last)
        raise _unclosed_error(lines.source, number, problem)
    return cut.cells, last


def _row_unless_quoted(
    lines: _Lines, number: int, text: str, delimiter: str, width: int
) -> tuple[list[str], int]:
    """The row of a line with an open cell, where cells may not be quoted.

    The mark is part of the text unless the cell is closed as a quoted one is, the row is as wide as
    the others, and the lines in it are no rows themselves.
    """
    plain = text.split(delimiter)
    width = width or len(plain)
    cut, taken = _close_row(lines, text, delimiter, _MOST_LINES_UNQUOTED)
    if cut is not None and not cut.ragged and len(cut.cells) == width:
        rows = [line.count(delimiter) + 1 == width for _, line in taken]
        if len(plain) < width or not all(rows):
            return cut.cells, taken[-1][0]
    lines.put_back(taken)
    return plain, number


def _unclosed_error(source: Source, line: int, problem: str) -> UserError:
    return UserError(
        tr(
            "{path}, line {line}: a quoted cell {what}; close its quotation mark, or double the "
            "mark within quotation marks if it is part of the text",
            path=source.path,
            line=line,
            what=problem,
        )
    )
