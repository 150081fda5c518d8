"""What a spreadsheet has made of cells: numbers cut short, dates, errors, truth values.

An error is no text in whatever column it stands; the other kinds tell of ids, names, parents and
synonyms, which are no dates or numbers by nature.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from termexplorer.importers.records import Note
from termexplorer.importers.tables.cell_text import DateCell, ErrorCell, RoundedCell, TruthCell
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark, trn
from termexplorer.trainer.files.spreadsheet_errors import is_error_text

ERROR, SHORTENED, ROUNDED, DATE, TRUTH = "error", "shortened", "rounded", "date", "truth"
_SHORTENED = re.compile(r"[-+]?\d{1,3}(?:[.,]\d+)?E[-+]\d{1,3}", re.IGNORECASE)
_ROUNDED = re.compile(r"[1-9]\d{14}0+")
_MONTH = r"(?:Jan|Feb|M(?:ar|är|rz)|Apr|Ma[yi]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])[a-zä]{0,6}\.?"
_DATE = re.compile(
    rf"\d{{1,2}}[-. ] ?{_MONTH}(?:[- ]\d{{2,4}})?|{_MONTH}[- ]\d{{2,4}}"
    r"|(?:19|20)\d\d-\d\d-\d\d(?:[ T][\d:.]+)?|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d",
    re.IGNORECASE,
)
_TRUTH = {"TRUE", "FALSE", "WAHR", "FALSCH"}
_BY_CELL = ((ErrorCell, ERROR), (RoundedCell, ROUNDED), (DateCell, DATE), (TruthCell, TRUTH))
_WHOLE_AS_DECIMAL = re.compile(r"(?:0|[1-9]\d*)\.0")
_DECIMAL = re.compile(r"\d+\.\d+")
_TOLD = {
    ERROR: mark("errors of a spreadsheet: {spoiled}, such as {shown} in line {line}; left out"),
    SHORTENED: mark(
        "numbers that a spreadsheet has shortened: {spoiled}, such as {shown} "
        "in line {line}; format their column as text where they come from"
    ),
    ROUNDED: mark(
        "numbers of more digits than a spreadsheet keeps, the last of which may be lost: {spoiled}"
        ", such as {shown} in line {line}"
    ),
    DATE: mark(
        "dates, which a spreadsheet may have made of something else: {spoiled}, "
        "such as {shown} in line {line}"
    ),
    TRUTH: mark("truth values: {spoiled}, such as {shown} in line {line}"),
}
SPOILED = frozenset(_TOLD)  # kinds of notes on cells that are no longer what they were
_LISTS = ("parents", "synonyms")  # fields of several parts
_ALL_KINDS = ("id", "name", *_LISTS)  # fields in which every kind of damage tells
_PARTS = re.compile(r"[|;]")


def damage_of(cell: str) -> str:
    """Return what a spreadsheet has made of a cell: one of the kinds here, "" where nothing."""
    for kind_of_cell, kind in _BY_CELL:
        if isinstance(cell, kind_of_cell):
            return kind
    text = cell.strip()
    if not text or (text.isalpha() and text not in _TRUTH):
        return ""
    if is_error_text(text):
        return ERROR
    if _SHORTENED.fullmatch(text):
        return SHORTENED
    if _ROUNDED.fullmatch(text):
        return ROUNDED
    if _DATE.fullmatch(text):
        return DATE
    return TRUTH if text in _TRUTH else ""


def is_whole_as_decimal(text: str) -> bool:
    """Return whether a text is a whole number as a column of decimals writes it, `1.0`."""
    return _WHOLE_AS_DECIMAL.fullmatch(text) is not None


@dataclass(slots=True)
class DamageSurvey:
    """The damage in a table.

    Attributes:
        counts: (Kind, field) -> how many.
        first: Kind -> line and text of the first.
        ids: Damaged id -> how often it is there.
        lost_lines: Lines of rows that lose a cell but are read.
        decimal_parents: Parents that are whole numbers written as decimals.
        decimal_ids: Ids that are whole numbers written as decimals.
        other_decimals: Ids that are decimals, and parents that are other ones.
        first_decimal_parent: The first of `decimal_parents`, or "".
        first_decimal_id: The first of `decimal_ids`, or "".
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[str, tuple[int, str]] = field(default_factory=dict)
    ids: Counter[str] = field(default_factory=Counter)
    lost_lines: dict[int, None] = field(default_factory=dict)
    decimal_parents: int = 0
    other_decimals: int = 0
    decimal_ids: int = 0
    first_decimal_parent: str = ""
    first_decimal_id: str = ""

    def add_row(self, line: int, cells: Mapping[str, str]) -> None:
        """Look at the cells of a row, by their fields."""
        for field_name, cell in cells.items():
            if cell:
                self._add_cell(line, field_name, cell)

    @property
    def reads_decimals(self) -> bool:
        """Whether parents such as `1.0` mean `1`: no id is a decimal, and no other parent."""
        return bool(self.decimal_parents) and not self.other_decimals

    def may_be_several(self, identifier: str) -> bool:
        """Return whether a damaged id stands in several rows, so that it may be of several."""
        return self.ids[identifier.strip()] > 1

    def notes(self) -> Iterator[Note]:
        """Say what there is."""
        for kind, text in _TOLD.items():
            line, shown = self.first.get(kind, (0, ""))
            counts = {
                name: n for (counted_kind, name), n in self.counts.items() if counted_kind == kind
            }
            values = {"spoiled": _list_spoiled(counts), "shown": shown, "line": line}
            for note in counted(kind, sum(counts.values()), text, **values):
                yield replace(note, lost_lines=tuple(self.lost_lines)) if kind == ERROR else note
        yield from counted(
            "decimal parents",
            self.decimal_parents if self.reads_decimals else 0,
            mark(
                "parent ids that are whole numbers written as decimals: {n:,}; {shown} is read as "
                "{whole}"
            ),
            shown=self.first_decimal_parent,
            whole=self.first_decimal_parent.removesuffix(".0"),
        )
        yield from self._count_decimal_ids()

    def _count_decimal_ids(self) -> Iterator[Note]:
        yield from counted(
            "decimal ids",
            self.decimal_ids,
            mark(
                "ids that are whole numbers written as decimals: {n:,}; they stay as they are, as "
                "{shown}"
            ),
            shown=self.first_decimal_id,
        )

    def _add_cell(self, line: int, field_name: str, cell: str) -> None:
        kind = damage_of(cell)
        if not kind and field_name in _LISTS:
            for part in _PARTS.split(cell):
                self._add_damage(line, field_name, damage_of(part), part)
                if field_name == "parents":
                    self._look_for_decimals(part.strip())
        self._add_damage(line, field_name, kind, cell)
        if field_name == "id":
            self._look_at_id(kind, cell.strip())

    def _add_damage(self, line: int, field_name: str, kind: str, cell: str) -> None:
        if not kind or (kind != ERROR and field_name not in _ALL_KINDS):
            return
        self.counts[kind, field_name] += 1
        self.first.setdefault(kind, (line, cell.strip()))
        if kind == ERROR and field_name not in ("id", "name"):
            self.lost_lines[line] = None

    def _look_at_id(self, kind: str, text: str) -> None:
        if kind:
            self.ids[text] += 1
        elif _DECIMAL.fullmatch(text):
            self.other_decimals += 1
            if is_whole_as_decimal(text):
                self.decimal_ids += 1
                self.first_decimal_id = self.first_decimal_id or text

    def _look_for_decimals(self, parent: str) -> None:
        if is_whole_as_decimal(parent):
            self.decimal_parents += 1
            self.first_decimal_parent = self.first_decimal_parent or parent
        elif _DECIMAL.fullmatch(parent):
            self.other_decimals += 1


def _list_spoiled(counts: Mapping[str, int]) -> str:
    """How many there are of each field, as `2 ids, 1 name`."""
    field_texts = {
        "id": trn("{n:,} id", "{n:,} ids", counts.get("id", 0)),
        "name": trn("{n:,} name", "{n:,} names", counts.get("name", 0)),
        "kind": trn("{n:,} kind", "{n:,} kinds", counts.get("kind", 0)),
        "parents": trn("{n:,} parent", "{n:,} parents", counts.get("parents", 0)),
        "definition": trn("{n:,} definition", "{n:,} definitions", counts.get("definition", 0)),
        "synonyms": trn("{n:,} synonym", "{n:,} synonyms", counts.get("synonyms", 0)),
        "obsolete": trn(
            "{n:,} mark of what is obsolete",
            "{n:,} marks of what is obsolete",
            counts.get("obsolete", 0),
        ),
    }
    return ", ".join(text for field_name, text in field_texts.items() if counts.get(field_name))
