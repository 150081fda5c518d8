"""ROC curves as charts: a square, with each area in the legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from termexplorer.exporters.documents.blocks import Chart
from termexplorer.texts import figure_text

_WIDTH, _SIDE, _LEFT, _TOP, _BOTTOM = 760, 300, 52, 10, 44
_ROW, _GAP = 20, 24
_LONGEST = 46  # characters of a name
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2")
_COLOURS = 6  # `.c1` … in the page's style
_TICKS = 5


@dataclass(frozen=True, slots=True)
class RocCurve:
    """A named curve.

    Attributes:
        name: of what is measured.
        area: under the curve.
        false: false positive rates, rising from 0 to 1.
        true: true positive rates, likewise.
    """

    name: str
    area: float
    false: Sequence[float]
    true: Sequence[float]


def roc_chart(title: str, curves: Sequence[RocCurve]) -> Chart | None:
    """Return a chart of curves; None where there are none.

    Args:
        title: what it shows, also for screen readers.
        curves: at most some, as each takes a line of the legend.
    """
    if not curves:
        return None
    height = max(_TOP + _SIDE + _BOTTOM, _TOP + _ROW * len(curves) + _BOTTOM)
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">']
    parts += _draw_axes()
    for number, curve in enumerate(curves):
        parts += _draw_curve(number, curve)
    return Chart(title, "".join([*parts, "</svg>"]), _WIDTH, height)


def _x_of(rate: float) -> float:
    return _LEFT + rate * _SIDE


def _y_of(rate: float) -> float:
    return _TOP + (1 - rate) * _SIDE


def _draw_axes() -> list[str]:
    parts = [
        f'<path class="grid" d="M{_x_of(0)} {_y_of(0)}L{_x_of(1)} {_y_of(1)}" '
        'stroke-dasharray="2 3"/>'
    ]
    for tick in range(_TICKS + 1):
        rate = tick / _TICKS
        across, up = f"{_x_of(rate):.1f}", f"{_y_of(rate):.1f}"
        parts.append(f'<path class="grid" d="M{across} {_TOP}V{_TOP + _SIDE}"/>')
        parts.append(f'<path class="grid" d="M{_LEFT} {up}H{_LEFT + _SIDE}"/>')
        parts.append(_svg_text(_x_of(rate), _y_of(0) + 16, f"{rate:.1f}", "middle"))
        parts.append(_svg_text(_LEFT - 6, _y_of(rate) + 4, f"{rate:.1f}", "end"))
    middle = _y_of(0.5)
    turned = f'transform="rotate(-90 12 {middle:.0f})"'
    parts.append(_svg_text(_x_of(0.5), _y_of(0) + 36, "false positive rate", "middle"))
    parts.append(_svg_text(12, middle, "true positive rate", "middle", turned))
    return parts


def _svg_text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    position = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}'.rstrip()
    return f'<text class="axis" {position}>{escape(text)}</text>'


def _draw_curve(number: int, curve: RocCurve) -> list[str]:
    points = zip(curve.false, curve.true, strict=True)
    path = "".join(
        f"{'L' if at else 'M'}{_x_of(false):.1f} {_y_of(true):.1f}"
        for at, (false, true) in enumerate(points)
    )
    dash = _DASHES[number % len(_DASHES)]
    half, name = _LONGEST // 2, curve.name
    short = name if len(name) <= _LONGEST else f"{name[:half]}…{name[-half:]}"
    x, y = _LEFT + _SIDE + _GAP, _TOP + _ROW * (number + 0.5)
    area = figure_text(curve.area, ".3f")
    title = f"{short}, AUC {area}"
    return [
        f'<g class="c{1 + number % _COLOURS}"><title>{escape(name)}: {area}</title>'
        f'<path d="{path}" stroke-dasharray="{dash}"/>'
        f'<path d="M{x} {y}h26" stroke-dasharray="{dash}"/></g>',
        _svg_text(x + 34, y + 4, title, "start"),
    ]
