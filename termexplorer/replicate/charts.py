"""Charts of lines with intervals: no script, colours from the classes of the style."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor

from termexplorer.exporters.documents.blocks import Chart, LegendEntry
from termexplorer.texts import figure_text

WIDTH, HEIGHT = 460, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 14, 40
_MOST_TICKS = 6
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2")
COLOURS = 7  # `.c0` … in the page's style


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval."""

    x: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """A named series of points, in the order of x."""

    name: str
    points: tuple[Point, ...]


def line_chart(
    title: str, x_label: str, lines: Sequence[Line], ticks: Sequence[float]
) -> Chart | None:
    """Return a chart of lines with their intervals; None where no point has a value.

    Args:
        title: what it shows, also for screen readers.
        x_label: below the axis.
        lines: at least one with a point.
        ticks: on the x axis, at least two.
    """
    points = [point for line in lines for point in line.points if point.value == point.value]
    if not points:
        return None
    ends = [end for p in points for end in (p.low, p.value, p.high) if end == end]
    low, high, step = _round_range(min(ends), max(ends))
    frame = _Frame(min(ticks), max(ticks), low, high)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        *_draw_grid(frame, step, ticks),
        f'<text class="axis" x="{(WIDTH + _LEFT) / 2:.0f}" y="{HEIGHT - 6}" '
        f'text-anchor="middle">{escape(x_label)}</text>',
    ]
    for number, line in enumerate(lines):
        parts += _draw_line(frame, line, number, len(lines))
    svg = "".join([*parts, "</svg>"])
    return Chart(title, svg, WIDTH, HEIGHT, _list_legend(lines))


@dataclass(frozen=True, slots=True)
class _Frame:
    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        share = (value - self.left) / ((self.right - self.left) or 1)
        return _LEFT + 14 + share * (WIDTH - _LEFT - _RIGHT - 28)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)


def _round_range(least: float, most: float) -> tuple[float, float, float]:
    """Round ends around all intervals, and the step between ticks."""
    span = max(most - least, 1e-6)
    step = next((candidate for candidate in _STEPS if span / candidate <= _MOST_TICKS), 1.0)
    low, high = floor(least / step) * step, ceil(most / step) * step
    return low, (high if high > low else low + step), step


def _draw_grid(frame: _Frame, step: float, ticks: Sequence[float]) -> list[str]:
    parts = []
    for number in range(round((frame.high - frame.low) / step) + 1):
        value = frame.low + number * step
        y = frame.y(value)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>')
        parts.append(
            f'<text class="axis" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{figure_text(value, '.2f')}</text>"
        )
    y = HEIGHT - _BOTTOM + 16
    parts += [
        f'<text class="axis" x="{frame.x(tick):.1f}" y="{y}" text-anchor="middle">{tick:g}</text>'
        for tick in ticks
    ]
    return parts


def _draw_line(frame: _Frame, line: Line, number: int, count: int) -> list[str]:
    shift = (number - (count - 1) / 2) * 4  # so that intervals do not hide each other
    places = [
        (frame.x(point.x) + shift, point) for point in line.points if point.value == point.value
    ]
    path = "".join(
        f"{'L' if at else 'M'}{x:.1f} {frame.y(point.value):.1f}"
        for at, (x, point) in enumerate(places)
    )
    dash = _DASHES[number % len(_DASHES)]
    parts = [f'<g class="c{number % COLOURS}"><path d="{path}" stroke-dasharray="{dash}"/>']
    for x, point in places:
        title = f"{line.name}, {point.x:g}: {figure_text(point.value, '.3f')}"
        if point.low == point.low:
            title += f" ({figure_text(point.low, '.3f')} to {figure_text(point.high, '.3f')})"
            parts.append(f'<path d="M{x:.1f} {frame.y(point.low):.1f}V{frame.y(point.high):.1f}"/>')
        parts.append(
            f'<circle cx="{x:.1f}" cy="{frame.y(point.value):.1f}" r="4">'
            f"<title>{escape(title)}</title></circle>"
        )
    return [*parts, "</g>"]


def _list_legend(lines: Sequence[Line]) -> tuple[LegendEntry, ...]:
    return tuple(
        LegendEntry(line.name, number % COLOURS, _DASHES[number % len(_DASHES)])
        for number, line in enumerate(lines)
    )
