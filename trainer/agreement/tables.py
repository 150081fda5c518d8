"""Files of ratings: a line an item, a column a rater, an empty cell for what was not rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from termexplorer.trainer.agreement.columns import rater_columns, titled
from termexplorer.trainer.agreement.doubtful_rows import (
    RepeatedItems,
    count_repeated_items,
    count_spellings,
    find_item_columns,
)
from termexplorer.trainer.agreement.ratings import Ratings, label_of, ratings_of
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_columns import place_of
from termexplorer.trainer.files.pair_tables import CellTable, WantedTable, read_tables
from termexplorer.trainer.files.spreadsheet_errors import refuse_error

MISSING_SIGNS = ("*", ".")  # Krippendorff's examples, and SPSS, write a missing value so
_RATINGS = WantedTable(
    2,
    Message("item"),
    Message("ratings"),
    Message("give a column a rater, with titles, and a line an item"),
)


@dataclass(frozen=True, eq=False)
class RatingsFile:
    """What a file of ratings holds.

    Attributes:
        ratings: of its n items.
        columns: n cells of each column that was asked for besides.
        missing: how many ratings stand as each sign of a missing value.
        repeated: items that stand in several rows, by the columns that seem to tell them apart;
            None where there are none.
        spellings: how often each of those labels stands in the columns of raters, and in those
            that were asked for as labels, that differ by case or blanks alone.
    """

    ratings: Ratings
    columns: Mapping[str, tuple[str, ...]]
    missing: Mapping[str, int] = field(default_factory=dict)
    repeated: RepeatedItems | None = None
    spellings: tuple[Mapping[str, int], ...] = ()


def read_ratings(
    path: Path,
    scale: str = "nominal",
    raters: Sequence[str] | None = None,
    dont_know: str | None = None,
    columns: Sequence[str] = (),
    missing: Sequence[str] = MISSING_SIGNS,
    item: str = "",
    label: str = "",
) -> RatingsFile:
    """Read a table of ratings in any of the forms that pairs come in.

    Args:
        path: the file.
        scale: one of ``SCALES``.
        raters: their columns, by title or by number from 1; guessed where not given.
        dont_know: the label that stands for "don't know".
        columns: others to read, by title or by number from 1.
        missing: cells that stand for not rated, besides empty ones.
        item: that of `columns` which tells items apart; looked for by the titles where not given.
        label: that of `columns` whose labels are on the scale of the ratings.

    Raises:
        ValueError: with file and line, for a file that cannot be read, holds no ratings or no
            columns of raters that can be told, or a cell that the scale does not know.
    """
    given = _read_one_table(path)
    index_by_column = {column: place_of(path, given, column) for column in columns}
    signs = {sign.strip() for sign in missing} - {(dont_know or "").strip()}
    table = _empty_missing_cells(given, signs)
    rater_indices = rater_columns(
        path, table, raters, scale != "nominal", dont_know, list(index_by_column.values())
    )
    ratings = _rate_rows(path, table, rater_indices, scale, dont_know)
    beside = {
        column: tuple(label_of(row[at]) for row in given.rows)
        for column, at in index_by_column.items()
    }
    labels = [ratings.labels[code] for code in ratings.codes[ratings.codes >= 0].tolist()]
    rated_cells = [row[at].strip() for row in given.rows for at in rater_indices]
    items = [index_by_column[item]] if item else []
    other_columns = {*rater_indices, *index_by_column.values()}
    return RatingsFile(
        ratings,
        beside,
        _count_missing(rated_cells, signs, dont_know),
        _find_repeats(given, ratings, items, other_columns, beside.get(label)),
        count_spellings([*labels, *beside.get(label, ())]),
    )


def _read_one_table(path: Path) -> CellTable:
    """Return the one table of a file, with titles."""
    tables = read_tables(path, _RATINGS)
    if len(tables) > 1:
        names = ", ".join(table.name for table in tables)
        raise TrainerError(
            "{path} holds {tables} tables, {names}; give a file of one",
            path=path,
            tables=len(tables),
            names=names,
        )
    return titled(path, tables[0])


def _empty_missing_cells(table: CellTable, signs: Collection[str]) -> CellTable:
    """Return a table whose signs of a missing value are empty cells."""
    rows = [["" if cell.strip() in signs else cell for cell in row] for row in table.rows]
    return replace(table, rows=rows)


def _rate_rows(
    path: Path, table: CellTable, raters: Sequence[int], scale: str, dont_know: str | None
) -> Ratings:
    """Return the ratings of a table's rows by the columns of raters.

    Raises:
        ValueError: a cell that the scale does not know, or the title of a column that is a rating.
    """
    places = [
        Message("{path}, {place}", path=path, place=table.place_of_row(at))
        for at in range(len(table.rows))
    ]
    for location, row in zip(places, table.rows, strict=True):
        for at in raters:
            refuse_error(row[at].strip(), location)
    cells = [[row[at] for at in raters] for row in table.rows]
    ratings = ratings_of(cells, [table.titles[at] for at in raters], scale, dont_know, places)
    for rater in ratings.raters:
        if rater in ratings.labels:
            raise TrainerError(
                "{path}: {rater!r} is both the title of a column and a rating; "
                "give every column a title",
                path=path,
                rater=rater,
            )
    return ratings


def _find_repeats(
    table: CellTable,
    ratings: Ratings,
    items: list[int],
    other_columns: set[int],
    labels: Sequence[str] | None,
) -> RepeatedItems | None:
    """Return the items that stand in several rows; None where there are none.

    Args:
        table: with titles.
        ratings: of its rows.
        items: the column that tells items apart, if it is known.
        other_columns: columns that tell no items apart.
        labels: of its rows, to hold against the majority's, if there are some.
    """
    for columns in [items] if items else find_item_columns(table.titles, other_columns):
        cells = [tuple(label_of(row[at]) for at in columns) for row in table.rows]
        keys = [row_cells if any(row_cells) else "" for row_cells in cells]
        titles = [table.titles[at] for at in columns]
        repeated = count_repeated_items(ratings, keys, titles, labels)
        if repeated.items:
            return repeated
    return None


def _count_missing(cells: Sequence[str], signs: set[str], dont_know: str | None) -> dict[str, int]:
    """Return how many cells stand as each sign or word, as "NA", of a missing value."""
    unsure = (dont_know or "").strip().casefold()
    return dict(
        Counter(
            cell
            for cell in cells
            if cell in signs or (cell and not label_of(cell) and cell.casefold() != unsure)
        )
    )
