"""What a report says of how a names table was read."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from termexplorer.importers.records import Note
from termexplorer.importers.tables.layout import TableLayout
from termexplorer.importers.tables.text_rows import LongRows
from termexplorer.importers.tables.titles import may_be_name, may_mark_obsolete
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark, mark_plural, tr, translated

_TOLD = 5  # lines, sheets or cells that a note lists
_TOLD_COLUMNS = 20
_LONGEST = 40  # characters of a cell
_SIGNS = {
    ",": mark("a comma"),
    ";": mark("a semicolon"),
    "\t": mark("a tab"),
    "|": mark("a bar"),
}


def layout_notes(layout: TableLayout) -> Iterator[Note]:
    """Say what of the file is not read, and what was not told by titles."""
    seen = layout.seen
    other_sheets = [name for name in seen.sheets if name != seen.sheet]
    yield from counted(
        "other sheets",
        len(other_sheets),
        mark("the sheet {sheet!r} is read; sheets that are not: {others}"),
        sheet=seen.sheet,
        others=_list_texts(other_sheets),
    )
    yield from counted(
        "rows passed over",
        seen.passed_over,
        mark("rows before the table that are passed over: {n:,}"),
    )
    if not seen.header and not layout.is_stated and seen.width > 2:
        text = tr(
            "no titles: ids are read from column {id}, names from column {name}",
            id=layout.places["id"] + 1,
            name=layout.places["name"] + 1,
        )
        yield Note("no titles", 1, text)
    if seen.perhaps_titles:
        row = _list_texts([cell.strip()[:_LONGEST] for cell in seen.preview[0]])
        yield Note(
            "perhaps titles",
            1,
            tr(
                "line {line} may hold titles, and is read as a row: {row}",
                line=seen.first_line,
                row=row,
            ),
        )
    yield from _tell_choice_of_name(layout)
    unread = layout.unread()
    yield from counted(
        "columns not read",
        len(unread),
        mark("columns that are not read: {columns}"),
        columns=_list_texts(unread, _TOLD_COLUMNS),
    )


def _tell_choice_of_name(layout: TableLayout) -> Iterator[Note]:
    """Say which column is the name's where others could be, and which may tell what is obsolete."""
    titles, taken = layout.seen.header, set(layout.places.values())
    free = [title.strip() for at, title in enumerate(titles) if at not in taken]
    other_titles = [] if layout.is_stated else [title for title in free if may_be_name(title)]
    name = layout.places["name"]
    yield from counted(
        "choice of name",
        len(other_titles),
        mark("names are read from the column {name!r}; others that could be names: {others}"),
        name=titles[name].strip() if name < len(titles) else "",
        others=_list_texts(other_titles),
    )
    marks = [title for title in free if may_mark_obsolete(title)]
    yield from counted(
        "obsolete not read",
        len(marks),
        mark("columns that may tell which concepts are obsolete, and are not read: {columns}"),
        columns=_list_texts(marks),
    )


def long_row_notes(long_rows: LongRows, delimiter: str) -> Iterator[Note]:
    """Say which rows go over several lines, or beyond the titles, as stray signs make such."""
    for note in counted(
        "wide rows",
        len(long_rows.wide),
        mark_plural(
            "{n:,} row, in line {line}, has more cells than there are titles; what is in them is "
            "not read, and {sign} in a name that is not quoted parts it",
            "{n:,} rows have more cells than there are titles, the first in line {line}; what is "
            "in them is not read, and {sign} in a name that is not quoted parts it",
        ),
        line=next(iter(long_rows.wide), 0),
        sign=_name_sign(delimiter),
    ):
        yield replace(note, lost_lines=tuple(long_rows.wide))
    places = [f"{first}\N{EN DASH}{last}" for first, last in long_rows.places]
    yield from counted(
        "long rows",
        len(places),
        mark("rows with a quoted cell that goes over several lines: {n:,} ({lines})"),
        lines=_list_texts(places),
    )


def _name_sign(delimiter: str) -> str:
    """Return what parts the cells of a file, as people call it."""
    return translated(_SIGNS[delimiter]) if delimiter in _SIGNS else f"“{delimiter}”"


def _list_texts(texts: Sequence[str], most: int = _TOLD) -> str:
    return ", ".join(texts[:most]) + (", …" if len(texts) > most else "")
