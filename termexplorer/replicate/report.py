"""A study's report: one HTML page without anything from outside, and tables as CSV."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from pathlib import Path
from string import Template
from typing import Any, TypeAlias

from termexplorer.exporters.tables import Cell, write_table
from termexplorer.files import atomic_write
from termexplorer.replicate.interval_words import describe_method
from termexplorer.resources import FOLDER
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.texts import figure_text

PAGE = "report.html"
_LETTERS = "abcdefghi"  # of methods in a table


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its interval, a sign behind it, its spread over samples, or why it is none.

    Attributes:
        count: of what it is a figure of; shown where it differs among the rows of a column, or
            is fewer than all.
        of: how many there are in all; 0 where that is not told.
        method: that made the interval, one of ``trainer.evaluation.figures.INTERVAL_METHODS``; the
            table says it below.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")
    sign: str = ""
    spread: float = float("nan")
    digits: int = 3
    undefined: str = ""
    count: int = 0
    of: int = 0
    method: str = ""


Shown: TypeAlias = str | Value


@dataclass(frozen=True, slots=True)
class Report:
    """What a study came to.

    Attributes:
        title: of the page.
        sections: HTML, in their order.
        tables: by the name of their file, header and rows.
        figures: for `--json`.
    """

    title: str
    sections: tuple[str, ...]
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[Cell]]]]
    figures: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of_rows(cls, title: str, sections: Sequence[str], rows: list[dict[str, Any]]) -> "Report":
        """With its figures as the one table; all rows have the columns of the first."""
        header = list(rows[0])
        cells = [[row[name] for name in header] for row in rows]
        return cls(title, tuple(sections), {"figures.csv": (header, cells)}, rows)


def section(heading: str, *parts: str) -> str:
    """A heading and what stands below it, HTML."""
    return f"<section><h2>{escape(heading)}</h2>{''.join(parts)}</section>"


def heading(text: str) -> str:
    """A heading within a section."""
    return f"<h3>{escape(text)}</h3>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def bullets(texts: Sequence[str]) -> str:
    """A list of sentences; "" of none."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[Shown]],
    caption: str = "",
    *,
    contest: bool = True,
    chance: float = 0.0,
) -> str:
    """A table, and below it how intervals were made, and why figures are undefined.

    Args:
        header: the titles of the columns.
        rows: their cells.
        caption: over it.
        contest: whether the best value of each column is bold, where there are several, each of
            as many items.
        chance: what knows nothing comes to; no value is bold that is not above it.
    """
    columns = [[row[at] for row in rows] for at in range(len(header))]
    best = [_best_value(column, chance) if contest else None for column in columns]
    counts = [_item_counts(column) for column in columns]
    reasons = {cell.undefined: number for number, cell in enumerate(_first_undefined(rows), 1)}
    methods = _method_letters(rows)
    head = "".join(
        f'<th scope="col"{_align_numbers(rows, at)}>{escape(title)}{_of_all(counts[at])}</th>'
        for at, title in enumerate(header)
    )
    body = "".join(
        "<tr>"
        + "".join(
            _cell_html(cell, best[at], at, reasons, methods, counted=len(counts[at]) > 1)
            for at, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    why = _method_notes(methods) + "".join(
        f"<small>{n} undefined: {escape(reason)}</small>" for reason, n in reasons.items()
    )
    return (
        f'<div class="wide"><table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        f"</table>{why}</div>"
    )


def rankings(titles: Sequence[str], ranked: Sequence[Sequence[Sequence[Any]]]) -> str:
    """Rankings side by side: names, each with whether it is right, and more if any."""
    lists = "".join(
        f"<div><h3>{escape(title)}</h3><ol>{''.join(map(_ranked_item, names))}</ol></div>"
        for title, names in zip(titles, ranked, strict=True)
    )
    return f'<div class="rankings">{lists}</div>'


def _ranked_item(name_and_right: Sequence[Any]) -> str:
    name, right, *told = name_and_right
    kind, sign = ("right", "✓") if right else ("wrong", "–")
    more = "".join(f"<small>{escape(text)}</small>" for text in told)
    return f'<li class="{kind}">{sign} {escape(name)}{more}</li>'


def figures(charts: Sequence[tuple[str, str]]) -> str:
    """Charts side by side, each below its title."""
    return (
        '<div class="charts">'
        + "".join(
            f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>"
            for title, svg in charts
        )
        + "</div>"
    )


def write_report(folder: Path, report: Report) -> None:
    """Writes the page and the tables.

    Raises:
        UserError: the folder cannot be written to.
    """
    write_page(folder / PAGE, report.title, report.sections)
    for name, (header, rows) in report.tables.items():
        write_table(folder / name, header, rows)


def write_page(path: Path, title: str, sections: Sequence[str]) -> None:
    """Writes one page that stands by itself.

    Raises:
        UserError: it cannot be written there.
    """
    page = Template(page_template()).substitute(title=escape(title), body="".join(sections))
    with atomic_write(path) as fresh:
        fresh.write_text(page, "utf-8")


def page_template() -> str:
    """The page around sections, with its style."""
    text: str = (FOLDER / PAGE).read_text("utf-8")
    return text


def _best_value(column: Sequence[Shown], chance: float) -> float | None:
    """The greatest of several; none where they are of other or too few items, or by chance."""
    found = [each for each in column if isinstance(each, Value) and each.value == each.value]
    counts = {each.count for each in found}
    if len(found) < 2 or len(counts) > 1 or 0 < min(counts) < LEAST_ITEMS:
        return None
    best = max(each.value for each in found)
    return best if best > chance else None


def _item_counts(column: Sequence[Shown]) -> set[tuple[int, int]]:
    """Of how many items the figures are, and of how many in all."""
    return {(each.count, each.of) for each in column if isinstance(each, Value)}


def _of_all(counts: Set[tuple[int, int]]) -> str:
    """Below the title of a column, where all its figures are of the same part of all."""
    if len(counts) != 1:
        return ""
    ((count, of),) = counts
    return f"<small>{_count_text(count, of)}</small>" if count < of else ""


def _count_text(count: int, of: int) -> str:
    return f"n = {count:,} of {of:,}" if count < of else f"n = {count:,}"


def _align_numbers(rows: Sequence[Sequence[Shown]], column: int) -> str:
    """Titles of figures stand at the right, as these do."""
    return ' class="number"' if any(isinstance(row[column], Value) for row in rows) else ""


def _first_undefined(rows: Sequence[Sequence[Shown]]) -> Iterator[Value]:
    """The first cell that is undefined for each reason."""
    seen: set[str] = {""}
    for cell in chain.from_iterable(rows):
        if isinstance(cell, Value) and cell.value != cell.value and cell.undefined not in seen:
            seen.add(cell.undefined)
            yield cell


def _method_letters(rows: Sequence[Sequence[Shown]]) -> dict[str, str]:
    """Return a letter for each method of the intervals of a table; "" where all have the same."""
    shown = (cell for cell in chain.from_iterable(rows) if isinstance(cell, Value))
    methods = list(dict.fromkeys(each.method for each in shown if _has_interval(each)))
    if len(methods) < 2:
        return dict.fromkeys(methods, "")
    return {method: f"({_LETTERS[at]})" if method else "" for at, method in enumerate(methods)}


def _has_interval(value: Value) -> bool:
    return value.value == value.value and value.low == value.low


def _method_notes(methods: Mapping[str, str]) -> str:
    """Return how the intervals of a table were made, as far as its figures say."""
    return "".join(
        f"<small>{letter + ' ' if letter else ''}95 % intervals: "
        f"{escape(describe_method(method))}</small>"
        for method, letter in methods.items()
        if method
    )


def _cell_html(
    cell: Shown,
    best: float | None,
    column: int,
    reasons: Mapping[str, int],
    methods: Mapping[str, str],
    *,
    counted: bool,
) -> str:
    if not isinstance(cell, Value):
        tag = 'th scope="row"' if column == 0 else "td"
        return f"<{tag}>{escape(cell)}</{tag.split()[0]}>"
    count = f"<small>{_count_text(cell.count, cell.of)}</small>" if counted else ""
    if cell.value != cell.value:
        why = f"<sup>{reasons[cell.undefined]}</sup>" if cell.undefined else ""
        return f'<td class="number">undefined{why}{count}</td>'
    number = f"{figure_text(cell.value, f',.{cell.digits}f')}{escape(cell.sign)}"
    if cell.spread == cell.spread:
        number += f" ± {figure_text(cell.spread, '.3f')}"
    if cell.value == best:
        number = f"<b>{number}</b>"
    between = ""
    if _has_interval(cell):
        letter = methods.get(cell.method, "")
        ends = f"{figure_text(cell.low, '.3f')} – {figure_text(cell.high, '.3f')}"
        between = f"<small>{' '.join(filter(None, (ends, letter)))}</small>"
    return f'<td class="number">{number}{between}{count}</td>'
