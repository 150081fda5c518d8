"""Charts of figures with their intervals, one below the other."""

from collections.abc import Sequence
from html import escape
from math import floor

from termexplorer.exporters.documents.blocks import Chart
from termexplorer.replicate.report import Value
from termexplorer.texts import figure_text

_WIDTH, _LEFT, _RIGHT, _ROW, _TOP, _BOTTOM = 760, 280, 64, 24, 10, 26
_LONGEST = 38  # characters of a label


def interval_chart(title: str, rows: Sequence[tuple[str, Value]]) -> Chart | None:
    """Return a chart with a row for each figure that is defined; None where none is.

    Args:
        title: what it shows, also for screen readers.
        rows: labels and figures, at most 1.
    """
    known = [(label, row_value) for label, row_value in rows if row_value.value == row_value.value]
    if not known:
        return None
    lows = [row_value.low for _, row_value in known if row_value.low == row_value.low]
    low = min(0.0, floor(min([*lows, *(row_value.value for _, row_value in known)]) * 5) / 5)
    height = _TOP + _ROW * len(known) + _BOTTOM
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">']
    parts += _draw_ticks(low, height)
    for number, (label, value) in enumerate(known):
        parts += _draw_row(label, value, low, _TOP + _ROW * number + _ROW / 2)
    return Chart(title, "".join([*parts, "</svg>"]), _WIDTH, height)


def _x_of(value: float, low: float) -> float:
    return _LEFT + (value - low) / (1 - low) * (_WIDTH - _LEFT - _RIGHT)


def _draw_ticks(low: float, height: int) -> list[str]:
    parts = []
    for tick in range(round(low * 5), 6):
        x = _x_of(tick / 5, low)
        parts.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{height - _BOTTOM}"/>')
        parts.append(
            f'<text class="axis" x="{x:.1f}" y="{height - 8}" text-anchor="middle">'
            f"{tick / 5:.1f}</text>"
        )
    return parts


def _draw_row(label: str, value: Value, low: float, y: float) -> list[str]:
    half = _LONGEST // 2
    short = label if len(label) <= _LONGEST else f"{label[:half]}…{label[-half:]}"
    shown, line = figure_text(value.value, ".3f"), ""
    title = f"{label}: {shown}"
    if value.low == value.low:
        title += f" ({figure_text(value.low, '.3f')} to {figure_text(value.high, '.3f')})"
        line = f'<path d="M{_x_of(value.low, low):.1f} {y}H{_x_of(value.high, low):.1f}"/>'
    return [
        f'<text class="axis" x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(short)}</text>',
        f'<g class="c1"><title>{escape(title)}</title>{line}',
        f'<circle cx="{_x_of(value.value, low):.1f}" cy="{y}" r="4"/></g>',
        f'<text class="axis" x="{_WIDTH - 8}" y="{y + 4}" text-anchor="end">{shown}</text>',
    ]
