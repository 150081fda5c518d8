"""Maps on show as sheets side by side, as files, and what is told of them and their points."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.plain_text import plain_html
from termexplorer.services.map.files import (
    MapSheet,
    aligned_text,
    arrows_text,
    facts_text,
    left_out_texts,
    names_text,
    write_maps,
)
from termexplorer.services.map.projection import was_stopped
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.map.enclosed import class_text
from termexplorer.views.map.panels import MapPanelContent
from termexplorer.views.map.shown import Shown

_NOT_ALL = mark("not all maps to compare with are drawn yet")


def write_shown(
    path: Path, shown: Shown, part: str, encoders: tuple[str, ...], labels: bool
) -> str:
    """Writes a file of the maps that are there in the background, and says so."""
    if shown.aligned is not None:
        requests = zip(shown.requests, encoders, strict=True)
        encoders_shown = [encoder for request, encoder in requests if shown.own(request)]
        write_maps(
            path, MapSheet(shown.aligned, shown.points, part, encoders_shown, labels, shown.colours)
        )
    return tr("Exported the map to {path}", path=path)


def sheets_of(
    shown: Shown, encoders: tuple[str, ...], hints: Sequence[str]
) -> list[MapPanelContent]:
    """What each map shows that is to be side by side."""
    columns = zip(encoders, hints, strict=True)
    return [_make_sheet(shown, number, *column) for number, column in enumerate(columns)]


def _make_sheet(shown: Shown, number: int, encoder: str, hint: str) -> MapPanelContent:
    request, aligned, laid = shown.requests[number], shown.aligned, shown.laid
    own_map = shown.own(request)
    if own_map is None or aligned is None:
        if laid is None or laid.number != number:
            return MapPanelContent(encoder, hint)
        return MapPanelContent(encoder, hint, laid.positions, laid.facts)
    facts = aligned_text(own_map, number == 0)
    if was_stopped(own_map.name_map, request):
        gone = own_map.name_map.info.card["parameters"]["iterations"]
        facts = tr("stopped at iteration {iteration:,} · {facts}", iteration=gone, facts=facts)
    arrows = aligned.arrows(aligned.maps.index(own_map))
    return MapPanelContent(encoder, hint, own_map.positions, facts, arrows)


def facts_of(shown: Shown, title: str) -> str:
    """What is told of maps on show, the first of which has a title."""
    aligned, names = shown.aligned, len(shown.name_ids)
    if aligned is None:
        return f"{title} · {names_text(names, shown.concepts)}"
    if len(shown.requests) == 1:
        return f"{title} · {facts_text(shown.maps[0], shown.concepts)}"
    facts = [tr("{map} and others", map=title), trn("{n:,} name", "{n:,} names", names)]
    facts += [arrows_text(aligned)] if len(shown.maps) > 1 else left_out_texts(aligned)
    return " · ".join(
        facts if len(shown.maps) == len(shown.requests) else [*facts, translated(_NOT_ALL)]
    )


def card_html(shown: Shown, point: int) -> str:
    """What is told of a point under the mouse."""
    points = shown.points
    lines = [f"<b>{plain_html(points.names[point])}</b>", plain_html(points.concepts[point])]
    if points.classes:
        none = tr("no class on level {level}", level=points.level)
        lines.append(plain_html(class_text(points, point) or none))
    lines.append(plain_html(shown.colours.text_of(point)))
    return "<br>".join(filter(None, lines))


def same_map(first: Shown | None, second: Shown | None) -> bool:
    """Whether two show one map, perhaps in other colours, or not of the same names."""
    return first is not None and second is not None and first.request == second.request


def same_points(first: Shown | None, second: Shown | None) -> bool:
    """Whether two show one map of the same names."""
    if first is None or second is None or first.request != second.request:
        return False
    return np.array_equal(first.name_ids, second.name_ids)


def still_enclosed(
    enclosed: NDArray[np.bool_] | None, before: Shown | None, after: Shown | None
) -> NDArray[np.bool_] | None:
    """Which points were enclosed before, by their names; None if there are none."""
    if enclosed is None or before is None or after is None or before.request != after.request:
        return None
    still = np.isin(after.name_ids, before.name_ids[enclosed])
    return still if still.any() else None
