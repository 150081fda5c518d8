"""Tables as `exporters.tables` writes them, read back cell by cell as they were."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.tables import endings_told, out_of_workbook
from termexplorer.formulas import unescape_formula
from termexplorer.importers.files.missing_file import check_no_pipe
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.rows import is_xlsx
from termexplorer.importers.tables.rows import rows as workbook_rows
from termexplorer.importers.tables.workbook import sheet_names
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

Cells = dict[str, str]
_EARLIER_TITLES = {"judge": "annotator"}  # what files had, and what they have today
_SIGNS = ",;\t"  # a spreadsheet may have parted them anew
_LARGEST_CELL = 1 << 20  # characters


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of a table.

    Attributes:
        line: where it begins, from 1.
        cells: by the titles in lower case; nothing where it does not fit the titles.
        unfit: why it does not fit; "" where it does.
    """

    line: int
    cells: Cells
    unfit: str = ""


def read_written(path: Path, needed: Sequence[str]) -> Iterator[WrittenRow]:
    """The rows of a table, in their order; empty lines are none.

    Args:
        path: its ending tells the form.
        needed: titles that there have to be.

    Raises:
        UserError: another ending, a file that cannot be read, or a title that is missing or there
            twice.
    """
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise UserError(
            tr(
                "{path}: give a file that is named {endings}",
                path=path,
                endings=endings_told(known=READ_ENDINGS),
            )
        )
    check_no_pipe(path)
    yield from read(path, needed)


def _read_text(path: Path, needed: Sequence[str]) -> Iterator[WrittenRow]:
    lines = _text_rows(path)
    _, header = next(lines, (1, []))
    titles = _check_titles(path, header, needed)
    for line, row in lines:
        if len(row) != len(titles):
            problem = tr(
                "it has {count} cells, not {titles}; it is cut off or parted otherwise",
                count=len(row),
                titles=len(titles),
            )
            yield WrittenRow(line, {}, problem)
        else:
            yield WrittenRow(line, dict(zip(titles, map(unescape_formula, row), strict=True)))


def _text_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    line = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            sign = max(_SIGNS, key=first.count)
            file.seek(0)
            reader = csv.reader(file, delimiter=sign, strict=True)
            csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_CELL))
            for row in reader:
                if row:
                    yield line, row
                line = reader.line_num + 1
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be read ({error})", path=path, error=tell_reason(error))
        ) from error
    except UnicodeDecodeError as error:
        raise UserError(
            tr("{path}, from line {line}: it is not UTF-8; save it in UTF-8", path=path, line=line)
        ) from error
    except csv.Error as error:
        raise UserError(
            tr(
                "{path}, from line {line}: a cell has no end ({error}); export the file anew",
                path=path,
                line=line,
                error=error,
            )
        ) from error


def _read_workbook(path: Path, needed: Sequence[str]) -> Iterator[WrittenRow]:
    with Source(path) as source:
        if not is_xlsx(source):
            raise UserError(
                tr("{path}: it is no XLSX workbook; name the file by what it is", path=path)
            )
        lines = workbook_rows(source, "", _sheet_with(source, needed))
        _, header = next(lines, (1, []))
        while header and not header[-1]:
            header.pop()
        titles = _check_titles(path, header, needed)
        for line, row in lines:
            cells = [*map(out_of_workbook, row), *[""] * (len(titles) - len(row))]
            if any(cells[len(titles) :]):
                yield WrittenRow(
                    line,
                    {},
                    tr("it has {count} cells, not {titles}", count=len(cells), titles=len(titles)),
                )
            else:
                yield WrittenRow(line, dict(zip(titles, cells, strict=False)))


def _sheet_with(source: Source, needed: Sequence[str]) -> str:
    """The first sheet whose first row has the titles, else the first of all."""
    sheets = sheet_names(source.path)
    for sheet in sheets if len(sheets) > 1 else ():
        _, header = next(workbook_rows(source, "", sheet), (1, []))
        titles = set(map(_fold_title, header))
        if titles.issuperset(map(str.lower, needed)):
            return sheet
    return sheets[0]


def _read_lines(path: Path, needed: Sequence[str]) -> Iterator[WrittenRow]:
    with Source(path) as source:
        for line, text in source.lines():
            if text.strip():
                yield _read_line(line, text, needed)


def _read_line(line: int, text: str, needed: Sequence[str]) -> WrittenRow:
    try:
        row = json.loads(text)
        cells = {_fold_title(title): _cell_text(cell) for title, cell in row.items()}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return WrittenRow(line, {}, tr("it is no JSON object of texts and numbers; it is damaged"))
    missing = [title for title in needed if title.lower() not in cells]
    if missing:
        return WrittenRow(line, {}, tr("it has no {missing!r}", missing=missing[0]))
    return WrittenRow(line, cells)


def _fold_title(title: str) -> str:
    """Return a title in lower case, of an earlier version's file as it is written today."""
    folded = unescape_formula(title).strip().lower()
    return _EARLIER_TITLES.get(folded, folded)


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise TypeError


def _check_titles(path: Path, header: Sequence[str], needed: Sequence[str]) -> list[str]:
    titles = [*map(_fold_title, header)]
    for title in needed:
        if title.lower() not in titles:
            raise UserError(
                tr(
                    "{path}: there is no column {title!r}; export verdicts to see them",
                    path=path,
                    title=title,
                )
            )
    for title in titles:
        if titles.count(title) > 1:
            raise UserError(
                tr(
                    "{path}: two columns are titled {title!r}; keep the one that counts",
                    path=path,
                    title=title,
                )
            )
    return titles


_READERS: dict[str, Callable[[Path, Sequence[str]], Iterator[WrittenRow]]] = {
    ".csv": _read_text,
    ".tsv": _read_text,
    ".xlsx": _read_workbook,
    ".jsonl": _read_lines,
}
READ_ENDINGS = tuple(_READERS)
