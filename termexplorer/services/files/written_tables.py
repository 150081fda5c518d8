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


def read_written(path: Path, needed: Sequence[str], start: str = "") -> Iterator[WrittenRow]:
    """The rows of a table, in their order; empty lines are none.

    Args:
        path: its ending tells the form.
        needed: titles that there have to be.
        start: what titles begin with that count; other columns are passed over.

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
    yield from read(path, needed, start)


def read_titles(path: Path) -> list[str]:
    """Return the titles of a table in lower case; of a workbook, those of all sheets.

    Raises:
        UserError: the file cannot be read.
    """
    check_no_pipe(path)
    ending = path.suffix.lower()
    if ending in _OBJECTS:
        _, row = next(_OBJECTS[ending](path), (1, None))
        header = list(map(str, row)) if isinstance(row, dict) else []
    elif ending == ".xlsx":
        with Source(path) as source:
            _check_workbook(source)
            sheets = sheet_names(path)
            first_rows = (next(workbook_rows(source, "", sheet), (1, [])) for sheet in sheets)
            header = [title for _, titles in first_rows for title in titles]
    else:
        _, header = next(_text_rows(path), (1, []))
    return list(map(_fold_title, header))


def _read_text(path: Path, needed: Sequence[str], start: str) -> Iterator[WrittenRow]:
    lines = _text_rows(path)
    _, header = next(lines, (1, []))
    titles = _check_titles(path, header, needed, start)
    for line, row in lines:
        if len(row) != len(titles):
            problem = tr(
                "it has {count} cells, not {titles}; it is cut off or parted otherwise",
                count=len(row),
                titles=len(titles),
            )
            yield WrittenRow(line, {}, problem)
        else:
            yield WrittenRow(line, _name_cells(titles, list(map(unescape_formula, row)), start))


def _name_cells(titles: Sequence[str], cells: Sequence[str], start: str) -> Cells:
    named = zip(titles, cells, strict=False)
    return {title: cell for title, cell in named if title.startswith(start)}


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


def _check_workbook(source: Source) -> None:
    if not is_xlsx(source):
        raise UserError(
            tr("{path}: it is no XLSX workbook; name the file by what it is", path=source.path)
        )


def _read_workbook(path: Path, needed: Sequence[str], start: str) -> Iterator[WrittenRow]:
    with Source(path) as source:
        _check_workbook(source)
        lines = workbook_rows(source, "", _sheet_with(source, needed))
        _, header = next(lines, (1, []))
        while header and not header[-1]:
            header.pop()
        titles = _check_titles(path, header, needed, start)
        for line, row in lines:
            cells = [*map(out_of_workbook, row), *[""] * (len(titles) - len(row))]
            if any(cells[len(titles) :]):
                yield WrittenRow(
                    line,
                    {},
                    tr("it has {count} cells, not {titles}", count=len(cells), titles=len(titles)),
                )
            else:
                yield WrittenRow(line, _name_cells(titles, cells, start))


def _sheet_with(source: Source, needed: Sequence[str]) -> str:
    """The first sheet whose first row has the titles, else the first of all."""
    sheets = sheet_names(source.path)
    for sheet in sheets if len(sheets) > 1 else ():
        _, header = next(workbook_rows(source, "", sheet), (1, []))
        titles = set(map(_fold_title, header))
        if titles.issuperset(map(str.lower, needed)):
            return sheet
    return sheets[0]


def _read_objects(path: Path, needed: Sequence[str], start: str) -> Iterator[WrittenRow]:
    for line, row in _OBJECTS[path.suffix.lower()](path):
        yield _read_object(line, row, needed, start)


def _read_object(line: int, row: object, needed: Sequence[str], start: str) -> WrittenRow:
    try:
        titled = {_fold_title(title): cell for title, cell in row.items()}  # type: ignore[attr-defined]
        cells = {t: _cell_text(cell) for t, cell in titled.items() if t.startswith(start)}
    except (AttributeError, TypeError):
        return WrittenRow(line, {}, tr("it is no JSON object of texts and numbers; it is damaged"))
    missing = [title for title in needed if title.lower() not in cells]
    if missing:
        return WrittenRow(line, {}, tr("it has no {missing!r}", missing=missing[0]))
    return WrittenRow(line, cells)


def _iterate_lines(path: Path) -> Iterator[tuple[int, object]]:
    with Source(path) as source:
        for line, text in source.lines():
            if text.strip():
                yield line, _parse_json(text)


def _iterate_list(path: Path) -> Iterator[tuple[int, object]]:
    with Source(path) as source:
        rows = _parse_json("\n".join(text for _, text in source.lines()))
    if not isinstance(rows, list):
        raise UserError(tr("{path}: no list of rows in JSON; choose another file", path=path))
    yield from enumerate(rows, start=1)


def _parse_json(text: str) -> object:
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content


def _iterate_parquet(path: Path) -> Iterator[tuple[int, object]]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise UserError(
            tr(
                "{path}: Parquet needs the package pyarrow; install termexplorer[parquet], or save "
                "it as CSV",
                path=path,
            )
        ) from error
    line = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                line += 1
                yield line, row
    except (ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise UserError(
            tr(
                "{path} is no sound Parquet file ({reason}); save it again",
                path=path,
                reason=reason,
            )
        ) from None


def _fold_title(title: str) -> str:
    """Return a title in lower case, of an earlier version's file as it is written today."""
    folded = unescape_formula(title).strip().lower()
    return _EARLIER_TITLES.get(folded, folded)


def _cell_text(value: object) -> str:
    if value is None or value != value:  # NaN
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise TypeError


def _check_titles(
    path: Path, header: Sequence[str], needed: Sequence[str], start: str
) -> list[str]:
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
        if title.startswith(start) and titles.count(title) > 1:
            raise UserError(
                tr(
                    "{path}: two columns are titled {title!r}; keep the one that counts",
                    path=path,
                    title=title,
                )
            )
    return titles


_OBJECTS: dict[str, Callable[[Path], Iterator[tuple[int, object]]]] = {
    ".jsonl": _iterate_lines,
    ".json": _iterate_list,
    ".parquet": _iterate_parquet,
}
_READERS: dict[str, Callable[[Path, Sequence[str], str], Iterator[WrittenRow]]] = {
    ".csv": _read_text,
    ".tsv": _read_text,
    ".xlsx": _read_workbook,
    **dict.fromkeys(_OBJECTS, _read_objects),
}
READ_ENDINGS = tuple(_READERS)
