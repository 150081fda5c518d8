"""What a spreadsheet has made of ids and names: numbers cut short, dates, errors, truth values."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from termexplorer.importers.records import Note
from termexplorer.importers.tables.cell_text import DateCell, ErrorCell, RoundedCell, TruthCell
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark, trn

ERROR, SHORTENED, ROUNDED, DATE, TRUTH = "error", "shortened", "rounded", "date", "truth"
_ERRORS = {
    "#N/A", "#NV", "#REF!", "#BEZUG!", "#NAME?", "#VALUE!", "#WERT!", "#DIV/0!", "#NULL!", "#NUM!",
    "#ZAHL!", "#SPILL!", "#CALC!", "#GETTING_DATA", "#FIELD!", "#####",
}  # fmt: skip
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
SPOILED = frozenset(_TOLD)  # kinds of notes on ids and names that are no longer what they were


def damage_of(cell: str) -> str:
    """Return what a spreadsheet has made of a cell: one of the kinds here, "" where nothing."""
    for kind_of_cell, kind in _BY_CELL:
        if isinstance(cell, kind_of_cell):
            return kind
    text = cell.strip()
    if not text or (text.isalpha() and text not in _TRUTH):
        return ""
    if text in _ERRORS:
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
    """The damage in the ids and names of a table.

    Attributes:
        counts: (Kind, field) -> how many.
        first: Kind -> line and text of the first.
        ids: Damaged id -> how often it is there.
        decimal_parents: Parents that are whole numbers written as decimals.
        decimal_ids: Ids that are whole numbers written as decimals.
        other_decimals: Ids that are decimals, and parents that are other ones.
        first_decimal_parent: The first of `decimal_parents`, or "".
        first_decimal_id: The first of `decimal_ids`, or "".
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[str, tuple[int, str]] = field(default_factory=dict)
    ids: Counter[str] = field(default_factory=Counter)
    decimal_parents: int = 0
    other_decimals: int = 0
    decimal_ids: int = 0
    first_decimal_parent: str = ""
    first_decimal_id: str = ""

    def add_id(self, line: int, cell: str) -> None:
        """Look at an id."""
        if self._add(line, "id", cell):
            self.ids[cell.strip()] += 1
        elif _DECIMAL.fullmatch(cell.strip()):
            self.other_decimals += 1
            if is_whole_as_decimal(cell.strip()):
                self.decimal_ids += 1
                self.first_decimal_id = self.first_decimal_id or cell.strip()

    def add_name(self, line: int, cell: str) -> None:
        """Look at a name."""
        self._add(line, "name", cell)

    def add_parent(self, text: str) -> None:
        """Look at one parent."""
        if is_whole_as_decimal(text):
            self.decimal_parents += 1
            self.first_decimal_parent = self.first_decimal_parent or text
        elif _DECIMAL.fullmatch(text):
            self.other_decimals += 1

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
            ids, names = self.counts[kind, "id"], self.counts[kind, "name"]
            values = {"spoiled": _list_spoiled(ids, names), "shown": shown, "line": line}
            yield from counted(kind, ids + names, text, **values)
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

    def _add(self, line: int, field_name: str, cell: str) -> bool:
        kind = damage_of(cell)
        if kind:
            self.counts[kind, field_name] += 1
            self.first.setdefault(kind, (line, cell.strip()))
        return bool(kind)


def _list_spoiled(ids: int, names: int) -> str:
    """How many ids and names there are, as `2 ids, 1 name`."""
    counts = (
        (ids, trn("{n:,} id", "{n:,} ids", ids)),
        (names, trn("{n:,} name", "{n:,} names", names)),
    )
    return ", ".join(told for count, told in counts if count)
