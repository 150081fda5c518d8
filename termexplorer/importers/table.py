"""Names table: CSV, TSV or XLSX; rows of one id are one concept with several names.

Columns are counted from 1 or named as the header row names them. Parent ids in one cell are parted
by `|` or `;`. Bare ids become CURIEs as in a dictionary. A kind that names a sort of name (`FSN`,
`preferred`, `synonym`) is the name's; any other is the concept's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.cell_text import Unstored
from termexplorer.importers.curies import Curies
from termexplorer.importers.dictionary import curie_of, date_of, terminology_of
from termexplorer.importers.notes import counted
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    NameRecord,
    Note,
    Record,
    Repeated,
    Skipped,
)
from termexplorer.importers.source import Source
from termexplorer.importers.table_guess import FIELDS, TableGuess, guess
from termexplorer.importers.table_rows import likely_delimiter, rows
from termexplorer.importers.text import NameCleaner, clean, unique
from termexplorer.importers.text_rows import LongRows
from termexplorer.texts import mark, tr

_TOLD_LINES = 5
_NAME_KINDS = {
    "fully specified": "fully specified",
    "fsn": "fully specified",
    "preferred": "preferred",
    "pt": "preferred",
    "label": "preferred",
    "synonym": "synonym",
    "syn": "synonym",
    "sy": "synonym",
}


@dataclass(frozen=True, slots=True)
class _Layout:
    delimiter: str
    has_header: bool
    columns: dict[str, int]  # field -> column from 0


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    code: str
    name: str
    kind: str
    parents: str
    definition: str


def looks_like(lines: Sequence[str]) -> bool:
    """Whether lines of text look like rows of two cells or more."""
    return likely_delimiter(list(lines)) != ""


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts, and the rows that are none.

    Rows of one id that follow each other make one record, and each but the first is told as
    `Repeated`; an id that comes again later makes another record of the same concept, of synonyms,
    to be merged with the first.

    Args:
        source: The file.
        options: `columns`, field -> column number from 1 or title (guessed where not given);
            `delimiter`; `terminology`, the key (by default the file's name).

    Raises:
        UserError: Damaged, no text, wrong columns, or without a concept.
    """
    layout = _layout(source.path, options)
    key = terminology_of(source, options)
    yield Header(key, "", date_of(source), "", {})
    found = 0
    cleaner, long_rows = NameCleaner(), LongRows()
    for record in _records(_rows(source, layout, long_rows), key, cleaner):
        found += isinstance(record, ConceptRecord)
        yield record
    if not found:
        raise UserError(
            tr("{path} holds no row with an id and a name; check the columns", path=source.path)
        )
    yield from cleaner.notes()
    yield from _long_notes(long_rows)


def _long_notes(long_rows: LongRows) -> Iterator[Note]:
    """Say which rows go over several lines, as a stray quotation mark makes such."""
    places = [f"{first}\N{EN DASH}{last}" for first, last in long_rows.places]
    yield from counted(
        "long rows",
        len(places),
        mark("{n:,} rows have a quoted cell that goes over several lines, which are one: {lines}"),
        lines=", ".join(places[:_TOLD_LINES]) + (", …" if len(places) > _TOLD_LINES else ""),
    )


def _layout(path: Path, options: Mapping[str, object]) -> _Layout:
    """What is asked for, completed by what the first rows suggest."""
    guessed = guess(path, delimiter_of(str(options.get("delimiter") or "")))
    asked = options.get("columns")
    if not asked:
        columns = guessed.columns
    elif isinstance(asked, Mapping):
        columns = {str(field): _column(path, guessed, asked[field]) for field in asked}
    else:
        raise UserError(tr("columns {columns!r}: write them as id=1,name=3", columns=asked))
    if unknown := set(columns) - set(FIELDS):
        raise UserError(
            tr(
                "no field {field!r}; the fields are {fields}",
                field=min(unknown),
                fields=", ".join(FIELDS),
            )
        )
    if missing := {"id", "name"} - set(columns):
        raise UserError(
            tr(
                "{path}: which column is the {field}? Give it, as in id=1,name=3",
                path=path,
                field=min(missing),
            )
        )
    places = {field: column - 1 for field, column in columns.items()}
    return _Layout(guessed.delimiter, bool(guessed.header), places)


def delimiter_of(text: str) -> str:
    r"""The one character that is meant; `tab` and `\t` mean the tabulator, "" means: guess.

    Raises:
        UserError: More than one character.
    """
    delimiter = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(delimiter) > 1 or delimiter in ('"', "\r", "\n", "\0"):
        raise UserError(tr("delimiter {text!r}: give one character, or tab", text=text))
    return delimiter


def _column(path: Path, guessed: TableGuess, asked: object) -> int:
    """A column, counted from 1, from a number or a title."""
    widths = [len(guessed.header), *map(len, guessed.preview)]
    text = str(asked).strip()
    titles = [title.strip().lower() for title in guessed.header]
    if text.lower() in titles:
        return titles.index(text.lower()) + 1
    if text.isdecimal() and 1 <= int(text) <= max(widths):
        return int(text)
    known = tr("it has {n} columns", n=max(widths))
    known += f": {', '.join(titles)}" if titles else ""
    raise UserError(
        tr("{path}, line 1: no column {column!r}; {known}", path=path, column=text, known=known)
    )


def _records(
    rows: Iterator[_Row | Skipped], key: str, cleaner: NameCleaner
) -> Iterator[ConceptRecord | Repeated | Skipped]:
    curies = Curies()
    seen: set[str] = set()
    group: list[_Row] = []

    def gathered() -> Iterator[ConceptRecord | Repeated]:
        if group:
            concept = _concept(group, key, curies, seen, cleaner)
            seen.add(concept.curie)
            yield concept
            for row in group[1:]:
                lost = row.definition not in ("", concept.definition)
                yield Repeated(row.line, concept.curie, lost)
            group.clear()

    for row in rows:
        if isinstance(row, Skipped):
            yield row
            continue
        if group and row.code != group[0].code:
            yield from gathered()
        group.append(row)
    yield from gathered()


def _rows(source: Source, layout: _Layout, long_rows: LongRows) -> Iterator[_Row | Skipped]:
    found = rows(source, layout.delimiter, long_rows=long_rows)
    if layout.has_header:
        next(found, None)
    for line, cells in found:
        given = {
            field: cells[place] for field, place in layout.columns.items() if place < len(cells)
        }
        missing = [field for field in ("id", "name") if not clean(given.get(field, ""))]
        unstored = [field for field, text in given.items() if isinstance(text, Unstored)]
        for field in missing[:1] or unstored:
            yield Skipped(line, _lacks(field, field in unstored))
        if not missing:
            yield _row(line, given)


def _lacks(field: str, unstored: bool) -> str:
    if unstored:
        return tr(
            "{field}: a formula without a stored value; open the file in a spreadsheet program and "
            "save it",
            field=field,
        )
    return tr("no id") if field == "id" else tr("no name")


def _row(line: int, given: Mapping[str, str]) -> _Row:
    """The name stays as it is in the file, so that the cleaner sees its white space."""
    cells = {field: clean(given.get(field, "")) for field in FIELDS} | {"name": given["name"]}
    return _Row(line, *(cells[field] for field in FIELDS))


def _concept(
    group: list[_Row], key: str, curies: Curies, seen: set[str], cleaner: NameCleaner
) -> ConceptRecord:
    """One concept from the rows of its id; only its first record has a preferred name."""
    first = group[0]
    curie = curie_of(first.code, key, curies)
    parents = (part for row in group for part in re.split(r"[|;]", row.parents))
    kinds = (row.kind for row in group if row.kind.casefold() not in _NAME_KINDS)
    return ConceptRecord(
        curie=curie,
        code=curies.shorten(first.code),
        kind=next((kind for kind in kinds if kind), ""),
        names=cleaner.distinct(_names(group, first_time=curie not in seen)),
        parents=unique(curie_of(part, key, curies) for part in parents),
        definition=next((row.definition for row in group if row.definition), ""),
        line=first.line,
    )


def _names(group: list[_Row], first_time: bool) -> Iterator[NameRecord]:
    kinds = [_NAME_KINDS.get(row.kind.casefold(), "synonym") for row in group]
    preferred = kinds.index("preferred") if "preferred" in kinds else None
    if preferred is None:
        preferred = kinds.index("synonym") if "synonym" in kinds else 0
    kinds = ["synonym" if kind == "preferred" else kind for kind in kinds]
    if first_time:
        kinds[preferred] = "preferred"
    for row, kind in zip(group, kinds, strict=True):
        yield NameRecord(row.name, kind)
