"""Maps on show as sheets side by side, as files, and what is told of their points."""

from html import escape
from pathlib import Path

from termexplorer.services.aligned_maps import align_maps
from termexplorer.services.map_files import MapSheet, aligned_text, write_maps
from termexplorer.views.map_enclosed import class_text
from termexplorer.views.map_panels import Sheet
from termexplorer.views.map_state import Shown


def write_shown(
    path: Path, shown: Shown, part: str, encoders: tuple[str, ...], labels: bool
) -> str:
    """Writes a file in the background, and says so."""
    aligned = shown.aligned or align_maps(shown.maps)
    write_maps(path, MapSheet(aligned, shown.points, part, encoders, labels, shown.colours))
    return f"Exported the map to {path}"


def sheets_of(shown: Shown, encoders: tuple[str, ...]) -> list[Sheet]:
    """What the maps show that are there."""
    if shown.aligned is None:
        return [Sheet(found.positions) for found in shown.maps]
    maps = shown.aligned.maps
    return [
        Sheet(own.positions, encoder, aligned_text(own, own is maps[0]), shown.aligned.arrows(n))
        for n, (own, encoder) in enumerate(zip(maps, encoders, strict=True))
    ]


def card_html(shown: Shown, point: int) -> str:
    """What is told of a point under the mouse."""
    points = shown.points
    lines = [f"<b>{escape(points.names[point])}</b>", escape(points.concepts[point])]
    if points.classes:
        lines.append(escape(class_text(points, point) or f"no class on level {points.level}"))
    lines.append(escape(shown.colours.text_of(point)))
    return "<br>".join(filter(None, lines))


def same_points(one: Shown | None, other: Shown | None) -> bool:
    """Whether two show one map, perhaps in other colours."""
    if one is None or other is None or one.request != other.request:
        return False
    return one.points.names == other.points.names
