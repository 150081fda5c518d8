"""Tables that hold no terminology: mappings, scored pairs of terms, ratings, parts of releases."""

import csv
import re
from collections.abc import Sequence
from itertools import islice

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.guess import passes_over
from termexplorer.importers.tables.release_parts import refuse_release_part
from termexplorer.importers.tables.rows import likely_delimiter, sheet_rows
from termexplorer.importers.tables.titles import is_code
from termexplorer.texts import tr
from termexplorer.trainer.files.pair_columns import SCORES, counts_up, words_of
from termexplorer.trainer.files.pair_tables import number

_OF_SSSOM = {"subject_id", "predicate_id", "object_id"}
_SIDES = ({"left", "right"}, {"source", "target"}, {"first", "second"})
_MOSTLY = 0.8
_LARGEST_SCORE = 100
_PAIR = 3  # columns: two terms and a score
_LOOKED_AT = 200  # rows of a workbook
_RATER = re.compile(r"rater|annotator|coder|judge|reviewer|physician|expert")
_NO_ANSWER = {"", "*", "."}
_MOST_ANSWERS, _LONGEST_ANSWER = 7, 20
_FEWEST_RATERS, _FEWEST_ITEMS = 2, 4


def refuse_other_text(source: Source, lines: Sequence[str]) -> None:
    """Refuse a table in a text that plainly holds no terminology, as `refuse_other_table` does.

    Args:
        source: The table.
        lines: Its first ones.
    """
    held = [line for line in lines if not passes_over(line)]
    delimiter = likely_delimiter(held)
    try:
        rows = list(csv.reader(held, delimiter=delimiter)) if delimiter else []
    except csv.Error:
        return
    refuse_other_table(source, rows, delimiter)


def refuse_other_workbook(source: Source) -> None:
    """Refuse a workbook whose first sheet plainly holds none, as `refuse_other_table` does."""
    rows = [cells for _, cells in islice(sheet_rows(source), _LOOKED_AT)]
    refuse_other_table(source, rows, "")


def refuse_other_table(source: Source, rows: Sequence[Sequence[str]], delimiter: str) -> None:
    """Refuse a table that plainly holds no terminology.

    Args:
        source: The table.
        rows: Its first ones.
        delimiter: Between its cells; "" in a workbook.

    Raises:
        UserError: It holds mappings in SSSOM, two terms and a score a line, a column of ratings for
            each of several raters, or a part of a release.
    """
    titles = [cell.strip().lower() for cell in rows[0]] if rows else []
    refuse_release_part(source, titles, delimiter)
    if set(titles) >= _OF_SSSOM:
        raise UserError(
            tr(
                "{path} is a set of mappings (SSSOM), no terminology; import it among suggestions: "
                "termexplorer suggestion import",
                path=source.path,
            )
        )
    if _are_scored_pairs(titles, rows):
        raise UserError(
            tr(
                "{path} holds two terms and a score a line, no terminology; measure encoders on "
                "it: termexplorer evaluate pairs --pairs, or import it with --format table",
                path=source.path,
            )
        )
    if _are_ratings(titles, rows[1:]):
        raise UserError(
            tr(
                "{path} holds ratings, a column a rater, no terminology; measure how well they "
                "agree: termexplorer study agreement --ratings, or import it with --format table",
                path=source.path,
            )
        )


def _are_ratings(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether columns have the same few answers, and no other has names of concepts."""
    cells = [[row[at].strip() for row in rows if at < len(row)] for at in range(len(titles))]
    answers = [set(column) - _NO_ANSWER for column in cells]
    raters = [
        at
        for at, column_answers in enumerate(answers)
        if 0 < len(column_answers) <= _MOST_ANSWERS
        and len(cells[at]) > len(column_answers)
        and max(map(len, column_answers)) <= _LONGEST_ANSWER
    ]
    alike = [
        at for at in raters if any(at != other and answers[at] & answers[other] for other in raters)
    ]
    if len(alike) < _FEWEST_RATERS or len(rows) < _FEWEST_ITEMS:
        return False
    is_titled = any(_RATER.search(titles[at]) for at in alike)
    return is_titled or not any(
        map(_holds_words, (c for at, c in enumerate(cells) if at not in alike))
    )


def _holds_words(cells: Sequence[str]) -> bool:
    words = [cell for cell in cells if any(map(str.isalpha, cell)) and not is_code(cell)]
    return len(words) * 2 > len(cells)


def _are_scored_pairs(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    words = [set(words_of(title)) for title in titles]
    scores = [at for at, title_words in enumerate(words) if title_words & set(SCORES)]
    titled = any(_are_scores(rows[1:], at) for at in scores) and _are_two_sides(titles)
    return titled or (bool(rows) and _are_bare_pairs(rows))


def _are_two_sides(titles: Sequence[str]) -> bool:
    """Whether two titles differ by a number or letter alone, or are `left` and `right`."""
    numbered = [
        match[1]
        for title in titles
        if (match := re.fullmatch(r"(.*[a-z])[ _-]?(?:[12]|[ab])", title))
    ]
    alone = any(sides <= set(titles) for sides in _SIDES)
    terms = [stem for stem in numbered if not re.search(r"(?:^|_)(?:id|code|cui)$", stem)]
    return alone or len(set(terms)) < len(terms)


def _are_bare_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows without titles are two texts and a score."""
    if any(len(row) != _PAIR for row in rows) or not _are_scores(rows, _PAIR - 1):
        return False
    if len(rows) > 1 and counts_up([row[_PAIR - 1] for row in rows]):
        return False
    return all(_is_term(cell) for row in rows for cell in row[: _PAIR - 1])


def _is_term(cell: str) -> bool:
    text = cell.strip()
    return any(map(str.isalpha, text)) and not is_code(text) and not text.isupper()


def _are_scores(rows: Sequence[Sequence[str]], at: int) -> bool:
    cells = [row[at].strip() for row in rows if at < len(row) and row[at].strip()]
    values = [value for value in map(number, cells) if value is not None]
    return (
        bool(values)
        and len(values) >= _MOSTLY * len(cells)
        and max(map(abs, values)) <= _LARGEST_SCORE
    )
