"""A run card as a table to read."""

from collections.abc import Mapping, Sequence
from typing import Any

from termexplorer.plain_text import plain_html
from termexplorer.services.encoders.card_words import part_of, title_of
from termexplorer.services.train.run_cards import difference_text, figure_span, said
from termexplorer.texts import mark, number, tr, translated, trn
from termexplorer.views.evaluate.words import task_title

_MOST_CLASSES = 60
_TABLE = "<table cellspacing='0' cellpadding='3'>"
_PAIRED = ((mark("trained"), True), (mark("base vectors"), False))


def card_html(card: Mapping[str, Any], quiet: str) -> str:
    """All entries of a card that say something; `quiet` is the colour of titles, `#rrggbb`."""
    rows = [
        _card_row(key, value, quiet) for key, value in card.items() if value not in ("", None, {})
    ]
    return f"{_TABLE}{''.join(rows)}</table>"


def _card_row(key: str, value: object, quiet: str) -> str:
    title = _unbroken_cell(plain_html(title_of(key)), quiet)
    if key == "figures" and isinstance(value, list):
        if not value:
            return f"<tr>{title}<td>{tr('none yet')}</td></tr>"
        return f"<tr>{title}</tr></table>{_figure_rows(value, quiet)}{_TABLE}"
    if key in ("gains", "conclusions", "warnings") and isinstance(value, list):
        value_html = "<br>".join(map(plain_html, value))
        return f"<tr>{title}<td>{value_html}</td></tr>" if value_html else ""
    if key == "differences" and isinstance(value, list):
        value_html = "<br>".join(plain_html(difference_text(difference)) for difference in value)
        return f"<tr>{title}<td>{value_html}</td></tr>" if value_html else ""
    return f"<tr>{title}<td>{_value_html(key, said(key, value))}</td></tr>"


def _figure_rows(figures: Sequence[Mapping[str, Any]], quiet: str) -> str:
    """A row for each measure, with the trained encoder beside what lies beneath it."""
    measures = dict.fromkeys((figure["task"], figure["metric"]) for figure in figures)
    figure_by_key = {
        (figure["task"], figure["metric"], figure["trained"]): figure for figure in figures
    }
    heads = [_unbroken_cell(translated(title), quiet) for title, _ in _PAIRED]
    rows = [f"<tr><td></td>{''.join(heads)}{_unbroken_cell('n', quiet)}</tr>"]
    for task, metric in measures:
        pair = [figure_by_key.get((task, metric, trained)) for _, trained in _PAIRED]
        cells = "".join(_unbroken_cell(_interval_text(figure)) for figure in pair)
        count = next(figure["n"] for figure in pair if figure)
        name = _unbroken_cell(f"{plain_html(task_title(task))}, {plain_html(translated(metric))}")
        rows.append(f"<tr>{name}{cells}{_unbroken_cell(number(count), align='right')}</tr>")
    return f"{_TABLE}{''.join(rows)}</table>"


def _unbroken_cell(text: str, colour: str = "", align: str = "left") -> str:
    """A cell that is not broken, as a title or a figure that is cannot be read."""
    painted = f"<font color='{colour}'>{text}</font>" if colour else text
    return f"<td align='{align}' style='white-space: nowrap; padding-right: 20px'>{painted}</td>"


def _interval_text(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return "–"
    return figure_span(figure)


def _value_html(key: str, value: object) -> str:
    if isinstance(value, dict):
        pairs = [f"{part_of(key, name)} {_short_value(entry)}" for name, entry in value.items()]
        more = len(pairs) - _MOST_CLASSES
        shown = pairs[:_MOST_CLASSES]
        shown += [trn("and {n:,} more", "and {n:,} more", more)] if more > 0 else []
        return plain_html(" · ".join(shown))
    return plain_html(_short_value(value))


def _short_value(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return number(value, "")
    if isinstance(value, Mapping):
        return ", ".join(f"{_short_value(amount)} {name}" for name, amount in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or tr("none")
    return str(value) or tr("none")
