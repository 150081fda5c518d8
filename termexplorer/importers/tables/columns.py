"""Which columns hold ids and names where no title says so, by what is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from termexplorer.importers.tables.titles import is_code

_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class _Column:
    number: int  # from 1
    cells: list[str]

    def share(self, wanted: int) -> float:
        """The share of its cells that are `wanted` many."""
        return wanted / len(self.cells) if self.cells else 0.0


def columns_by_content(
    rows: Sequence[Sequence[str]], known: Mapping[str, int]
) -> tuple[dict[str, int], str]:
    """Return field -> column for `known` and for id and name; and which of them is a guess, or "".

    Args:
        rows: The first ones.
        known: Field -> column, counted from 1, of what the titles tell.
    """
    columns = dict(known)
    taken = set(columns.values())
    width = max(map(len, rows), default=0)
    free = [_column_of(rows, number) for number in range(1, width + 1) if number not in taken]
    unsure = ""
    if "id" not in columns:
        columns["id"], sure = _id_column(free, len(rows))
        free = [column for column in free if column.number != columns["id"]]
        unsure = "" if sure else "id"
    if "name" not in columns:
        columns["name"], sure = _name_column(free)
        unsure = unsure or ("" if sure else "name")
    return columns, unsure


def _column_of(rows: Sequence[Sequence[str]], number: int) -> _Column:
    cells = [row[number - 1].strip() for row in rows if len(row) >= number]
    return _Column(number, [cell for cell in cells if cell])


def _id_column(columns: Sequence[_Column], rows: int) -> tuple[int, bool]:
    """The column of ids, and whether the rows tell it: it is the one of codes that tell most."""
    codes = [
        column for column in columns if column.share(sum(map(is_code, column.cells))) >= _MOSTLY
    ]
    if len(codes) < 2:
        first = codes[0].number if codes else min((c.number for c in columns), default=1)
        return first, bool(codes) or len(columns) <= 2
    candidates = [column for column in codes if _may_be_ids(column, rows)] or codes
    most = max(len(set(column.cells)) for column in candidates)
    best = [column for column in candidates if len(set(column.cells)) == most]
    whole = [
        column for column in best if not any(cell.endswith("-") for cell in column.cells)
    ] or best
    return whole[0].number, len(best) == len(candidates)


def _may_be_ids(column: _Column, rows: int) -> bool:
    """Whether the cells tell more than one concept apart, and are more than single signs."""
    several = len(set(column.cells)) > 1 or rows == 1
    return several and max(map(len, column.cells)) > 1 and len(column.cells) * 2 > rows


def _name_column(columns: Sequence[_Column]) -> tuple[int, bool]:
    """The first column of texts, else the first; and whether the rows tell it."""
    texts = [column for column in columns if column.share(sum(map(_is_text, column.cells))) > 0.5]
    if texts:
        return texts[0].number, True
    return min((column.number for column in columns), default=1), len(columns) < 2


def _is_text(cell: str) -> bool:
    return any(map(str.isalpha, cell)) and not is_code(cell) and len(cell) > 1
