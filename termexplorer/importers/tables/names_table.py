"""Names table: CSV, TSV, XLSX or ODS; rows of one id are one concept with several names.

Columns are counted from 1 or named as the header row names them. Parent ids in one cell are parted
by `|` or `;`; synonyms by `|`, or by `;` where no cell of them has `|`. Bare ids become CURIEs as
in a dictionary, but where the title of their column names a vocabulary. A kind that names a sort of
name (`FSN`, `preferred`, `synonym`) is the name's; any other is the concept's. A row that begins
with `#` as no other id does is a comment. The table is read twice: what a spreadsheet has made of
its cells is known before the first concept comes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    NameRecord,
    Note,
    Record,
    Repeated,
    Skipped,
)
from termexplorer.importers.table_synonyms import SynonymSeparator
from termexplorer.importers.tables.cell_text import Unstored
from termexplorer.importers.tables.comment_rows import CommentRows
from termexplorer.importers.tables.damage import (
    ERROR,
    DamageSurvey,
    damage_of,
    is_whole_as_decimal,
)
from termexplorer.importers.tables.dictionary import curie_of, date_of, terminology_of
from termexplorer.importers.tables.guess import passes_over
from termexplorer.importers.tables.layout import TableLayout, layout_of
from termexplorer.importers.tables.notes import layout_notes, long_row_notes
from termexplorer.importers.tables.obsolete_marks import ObsoleteMarks
from termexplorer.importers.tables.rows import likely_delimiter, rows
from termexplorer.importers.tables.text_rows import LongRows, separator_of
from termexplorer.importers.tables.titles import FIELDS
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner, clean, unique
from termexplorer.texts import mark_plural, tr
from termexplorer.trainer.files.spreadsheet_errors import is_error_text

_PARTS = re.compile(r"[|;]")
_OTHER_KINDS = mark_plural(
    "{n:,} row has another kind than a row of its concept before it; that kind is left out",
    "{n:,} rows have another kind than a row of their concept before them; these are left out",
)
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
class _NameRow:
    line: int
    code: str
    name: str
    kind: str
    parents: tuple[str, ...]
    definition: str
    synonyms: tuple[str, ...]
    obsolete: str


@dataclass(slots=True)
class _AddedByRows:
    """What the rows of one concept have told so far, to say what another row adds."""

    _names: set[str] = field(default_factory=set)
    _parents: set[str] = field(default_factory=set)
    _is_defined: bool = False

    def take(self, row: _NameRow, parents: Iterable[str]) -> tuple[int, int, bool]:
        """Return how many names and parents a row adds, and whether it adds the definition."""
        names = {clean(text).casefold() for text in (row.name, *row.synonyms)} - self._names
        new_parents = set(parents) - self._parents
        is_defining = bool(row.definition) and not self._is_defined
        self._names |= names
        self._parents |= new_parents
        self._is_defined = self._is_defined or is_defining
        return len(names), len(new_parents), is_defining


def looks_like(lines: Sequence[str]) -> bool:
    """Return whether lines of text look like rows of two cells or more."""
    if lines and separator_of(lines[0]):
        return True
    held = [line for line in lines if not passes_over(line)]
    return likely_delimiter(held or list(lines)) != ""


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, notes, the concepts, and the rows that are none.

    Rows of one id that follow each other make one record, and each but the first is told as
    `Repeated`; an id that comes again later makes another record of the same concept, of synonyms,
    to be merged with the first.

    Args:
        source: The file.
        options: `columns`, field -> column number from 1 or title (guessed where not given);
            `delimiter`; `sheet` of a workbook, by name or number; `titles`, whether the first row
            has titles; `terminology`, the key (by default the file's name).

    Raises:
        UserError: Damaged, no text, wrong columns, or without a concept.
    """
    layout = layout_of(source.path, options)
    key = terminology_of(source, options)
    yield Header(key, "", date_of(source), "", {})
    reader = _TableReader(source, layout, key)
    yield from layout_notes(layout)
    yield from reader.notes_before()
    count = 0
    for record in reader.records():
        count += isinstance(record, ConceptRecord)
        yield record
    if not count:
        raise UserError(
            tr("{path} holds no row with an id and a name; check the columns", path=source.path)
        )
    yield from reader.notes()


class _TableReader:
    """Reads a table by its layout, after a look at all of it."""

    def __init__(self, source: Source, layout: TableLayout, key: str) -> None:
        self._source, self._layout = source, layout
        self._prefix, self._parents_prefix = layout.prefix("id", key), layout.prefix("parents", key)
        self._curies, self._cleaner, self._long = Curies(), NameCleaner(), LongRows()
        self._seen: set[str] = set()
        self._kinds: dict[str, str] = {}  # of concepts
        self._other_kinds: dict[int, None] = {}  # lines of rows whose kind is left out
        self._synonyms, self._survey = SynonymSeparator(), DamageSurvey()
        self._comments = CommentRows(layout)
        self._marks = ObsoleteMarks(layout.title_of("obsolete"))
        self._look_at_all()

    def _look_at_all(self) -> None:
        for row in _read_cells(self._source, self._layout):
            if not self._is_comment(row):
                self._survey.add_row(row.line, row.cells)
                self._synonyms.add_cell(row.line, row.cells.get("synonyms", ""))
                if "obsolete" in self._layout.places:
                    self._marks.add_cell(_unless_error(row.cells.get("obsolete", "")))

    def _is_comment(self, row: "_CellRow") -> bool:
        return self._comments.is_comment(row.first_cell, row.cells.get("id", ""))

    def notes_before(self) -> Iterator[Note]:
        """Say what is known before the first concept."""
        yield from self._survey.notes()
        yield from self._marks.notes_before()

    def notes(self) -> Iterator[Note]:
        """Say what was dropped of names, and which rows go over several lines."""
        yield from self._synonyms.notes()
        yield from self._cleaner.notes()
        yield from self._marks.notes()
        for note in counted("other kinds", len(self._other_kinds), _OTHER_KINDS):
            yield replace(note, lost_lines=tuple(self._other_kinds))
        yield from long_row_notes(self._long, self._layout.seen.delimiter)

    def records(self) -> Iterator[ConceptRecord | Repeated | Skipped]:
        """Yield the concepts and what is left out."""
        group: list[_NameRow] = []
        for row in self._rows():
            if isinstance(row, Skipped):
                yield row
                continue
            if group and row.code != group[0].code:
                yield from self._gathered(group)
                group = []
            group.append(row)
        yield from self._gathered(group)

    def _gathered(self, group: list[_NameRow]) -> Iterator[ConceptRecord | Repeated]:
        """Yield a concept of rows; those of one that was there before are merged one by one."""
        if not group:
            return
        if curie_of(group[0].code, self._prefix, self._curies) in self._seen:
            yield from (self._concept([row]) for row in group)
            return
        concept = self._concept(group)
        self._seen.add(concept.curie)
        yield concept
        added = _AddedByRows()
        added.take(group[0], self._curies_of_parents(group[0]))
        for row in group[1:]:
            names, parents, is_defined = added.take(row, self._curies_of_parents(row))
            lost = row.definition not in ("", concept.definition)
            yield Repeated(row.line, concept.curie, lost, names, parents, is_defined)

    def _curies_of_parents(self, row: _NameRow) -> tuple[str, ...]:
        return unique(curie_of(part, self._parents_prefix, self._curies) for part in row.parents)

    def _rows(self) -> Iterator[_NameRow | Skipped]:
        for row in _read_cells(self._source, self._layout, self._long):
            line, cells = row.line, row.cells
            reason = tr("a comment, as it begins with #") if self._is_comment(row) else ""
            reason = reason or self._why_not("id", cells) or self._why_not("name", cells)
            if reason:
                yield Skipped(line, reason)
                continue
            yield from (
                Skipped(line, _unstored_reason(field))
                for field, text in cells.items()
                if isinstance(text, Unstored)
            )
            yield self._row(line, cells)

    def _why_not(self, field: str, cells: Mapping[str, str]) -> str:
        """Why a row is left out for its id or name; "" where it is not."""
        text = cells.get(field, "")
        damage, shown = damage_of(text), text.strip()
        if not clean(text):
            lacks = tr("no id") if field == "id" else tr("no name")
            return _unstored_reason(field) if isinstance(text, Unstored) else lacks
        if damage == ERROR:
            return tr(
                "{field}: {text} is an error of a spreadsheet", field=field, text=text.strip()
            )
        if damage and field == "id" and self._survey.may_be_several(text):
            return tr(
                "{text} stands in several rows and is what a spreadsheet has made of ids: they may "
                "be of several concepts",
                text=shown,
            )
        return ""

    def _row(self, line: int, cells: Mapping[str, str]) -> _NameRow:
        """The name stays as it is in the file, so that the cleaner sees its white space."""
        texts = {field: clean(_unless_error(cells.get(field, ""))) for field in FIELDS}
        parents = (part.strip() for part in _PARTS.split(texts["parents"]))
        if self._survey.reads_decimals:
            parents = (p.removesuffix(".0") if is_whole_as_decimal(p) else p for p in parents)
        return _NameRow(
            line,
            texts["id"],
            cells["name"],
            texts["kind"],
            tuple(parent for parent in parents if not is_error_text(parent)),
            texts["definition"],
            tuple(s for s in self._synonyms.split(texts["synonyms"]) if not is_error_text(s)),
            texts["obsolete"],
        )

    def _concept(self, group: list[_NameRow]) -> ConceptRecord:
        """One concept from the rows of its id; only its first record has a preferred name."""
        first = group[0]
        curie = curie_of(first.code, self._prefix, self._curies)
        parents: dict[str, int] = {}  # in their order -> the first line that names it
        for row in group:
            for parent in self._curies_of_parents(row):
                parents.setdefault(parent, row.line)
        return ConceptRecord(
            curie=curie,
            code=self._curies.shorten(first.code),
            kind=self._kind_of(curie, group),
            names=self._cleaner.distinct(_read_names(group, first_time=curie not in self._seen)),
            parents=tuple(parents),
            definition=next((row.definition for row in group if row.definition), ""),
            obsolete=self._are_obsolete(curie, group),
            line=first.line,
            parent_lines={
                parent_curie: line for parent_curie, line in parents.items() if line != first.line
            },
        )

    def _kind_of(self, curie: str, group: list[_NameRow]) -> str:
        """The kind that the first of these rows with one has; those that differ are counted."""
        kind_rows = [row for row in group if row.kind and row.kind.casefold() not in _NAME_KINDS]
        for row in kind_rows:
            if self._kinds.setdefault(curie, row.kind) != row.kind:
                self._other_kinds[row.line] = None
        return kind_rows[0].kind if kind_rows else ""

    def _are_obsolete(self, curie: str, group: list[_NameRow]) -> bool:
        states = [self._marks.is_obsolete(curie, row.line, row.obsolete) for row in group]
        return any(states)


@dataclass(frozen=True, slots=True)
class _CellRow:
    """A row of a table: its line, its first cell, and field -> cell."""

    line: int
    first_cell: str
    cells: dict[str, str]


def _unless_error(cell: str) -> str:
    return "" if damage_of(cell) == ERROR else cell


def _read_cells(
    source: Source, layout: TableLayout, long_rows: LongRows | None = None
) -> Iterator[_CellRow]:
    """Yield each row that is not of titles or before them."""
    seen = layout.seen
    width = len(seen.header)
    for line, cells in rows(source, seen.delimiter, seen.sheet, long_rows):
        if line >= seen.first_line:
            if long_rows is not None and width and any(map(str.strip, cells[width:])):
                long_rows.wide.append(line)
            places = layout.places.items()
            by_field = {field: cells[at] for field, at in places if at < len(cells)}
            yield _CellRow(line, cells[0], by_field)


def _unstored_reason(field: str) -> str:
    return tr(
        "{field}: a formula without a stored value; open the file in a spreadsheet program and "
        "save it",
        field=field,
    )


def _read_names(group: list[_NameRow], first_time: bool) -> Iterator[NameRecord]:
    kinds = [_NAME_KINDS.get(row.kind.casefold(), "synonym") for row in group]
    preferred = kinds.index("preferred") if "preferred" in kinds else None
    if preferred is None:
        preferred = kinds.index("synonym") if "synonym" in kinds else 0
    kinds = ["synonym" if kind == "preferred" else kind for kind in kinds]
    if first_time:
        kinds[preferred] = "preferred"
    for row, kind in zip(group, kinds, strict=True):
        yield NameRecord(row.name, kind)
        yield from (NameRecord(text, "synonym") for text in row.synonyms)
