"""Maps as files: tables of coordinates, and pictures."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.picture_page import MapPicture, Panel, Series
from termexplorer.exporters.pictures import PICTURES, write_picture
from termexplorer.exporters.tables import ENDINGS, Cell, write_table
from termexplorer.services.aligned_maps import MOST_ARROWS, AlignedMap, AlignedMaps, Float32s
from termexplorer.services.map_colours import Colours, class_colours
from termexplorer.services.map_points import MapPoints
from termexplorer.services.projection import MapLabel, NameMap

__all__ = [
    "PICTURES",
    "TITLES",
    "aligned_text",
    "arrows_text",
    "check_file",
    "facts_text",
    "picture_of",
    "write_aligned",
    "write_map",
]

TITLES = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}


def check_file(path: Path) -> None:
    """Looks at a file's name, before a map is made for it.

    Raises:
        UserError: its ending tells no form that a map has, or its folder is not there.
    """
    if path.suffix.lower() not in (*ENDINGS, *PICTURES):
        raise UserError(f"{path}: name the file .csv, .tsv, .xlsx, .jsonl, .png, .svg or .pdf")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}; make it first")


def write_map(
    path: Path,
    found: NameMap,
    points: MapPoints,
    ontology: str,
    encoder: str,
    labels: bool = True,
    colours: Colours | None = None,
) -> None:
    """Writes a map: coordinates as a table, or a picture, told by the file's ending.

    Args:
        path: see `check_file`.
        found: the map.
        points: what is on it.
        ontology: what it, or the part of it that was laid out, is called.
        encoder: what it is called.
        labels: whether a picture has those of clusters, as far as they are known.
        colours: of a picture; those of classes by default.

    Raises:
        UserError: the place cannot be written to.
    """
    check_file(path)
    if path.suffix.lower() in PICTURES:
        write_picture(path, picture_of(found, points, ontology, encoder, labels, colours))
        return
    write_table(path, _header(points), _rows(found.positions, points))


def write_aligned(
    path: Path,
    aligned: AlignedMaps,
    points: MapPoints,
    ontology: str,
    encoders: Sequence[str],
    labels: bool = True,
    colours: Colours | None = None,
) -> None:
    """Writes maps laid over each other, as a table or a picture, told by the file's ending.

    Args:
        path: see `check_file`.
        aligned: the maps.
        points: the names that all have.
        ontology: what it, or the part of it that was laid out, is called.
        encoders: what they are called.
        labels: whether a picture has those of clusters, as far as they are known.
        colours: of a picture; those of classes by default.

    Raises:
        UserError: the place cannot be written to.
    """
    check_file(path)
    if path.suffix.lower() in PICTURES:
        colours = colours or class_colours(points)
        write_picture(path, _side_by_side(aligned, ontology, encoders, labels, colours))
        return
    header = _header(points)
    for other in aligned.maps[1:]:
        encoder = other.found.info.key.encoder_id
        header += [f"x_{encoder}", f"y_{encoder}", f"moved_{encoder}"]
    write_table(path, header, _aligned_rows(aligned, points))


def _aligned_rows(aligned: AlignedMaps, points: MapPoints) -> Iterator[list[Cell]]:
    first, *others = aligned.maps
    for number, row in enumerate(_rows(first.positions, points)):
        for other in others:
            row += [*_place(other.positions[number]), round(float(other.moved[number]), 6)]
        yield row


def _side_by_side(
    aligned: AlignedMaps, ontology: str, encoders: Sequence[str], labels: bool, colours: Colours
) -> MapPicture:
    panels = [
        Panel(
            own.positions,
            encoder,
            aligned_text(own, number == 0),
            _written(own.labels if labels else ()),
            aligned.arrows(number),
        )
        for number, (own, encoder) in enumerate(zip(aligned.maps, encoders, strict=True))
    ]
    key = aligned.maps[0].found.info.key
    title = f"{TITLES[key.method]} of {ontology} by {len(panels)} encoders"
    facts = f"{len(aligned.name_ids):,} names · seed {key.seed} · {arrows_text(aligned)}"
    return MapPicture(title, facts, colours.legend, _series(colours), tuple(panels))


def arrows_text(aligned: AlignedMaps) -> str:
    """What lines on the maps mean, and which names are on none, in a line."""
    left_out = aligned.left_out
    known = f" · {left_out:,} left out that not all encoders know" if left_out else ""
    return (
        f"lines lead from the place on the first map to that on this one, for the {MOST_ARROWS} "
        f"names that moved most · disparity is 0 for maps that are alike, up to 1{known}"
    )


def aligned_text(own: AlignedMap, first: bool) -> str:
    """How far one of several maps is to be trusted, and how unlike the first it is."""
    quality = own.found.quality
    fit = "" if first else f" · disparity {own.disparity:.2f}"
    return (
        f"trustworthiness {quality.trustworthiness:.2f} · {quality.preservation:.0%} of the "
        f"nearest kept{fit}"
    )


def _header(points: MapPoints) -> list[str]:
    classes = ["class", "class_name"] if points.classes else []
    return ["concept", "name", "x", "y", *classes]


def _rows(positions: Float32s, points: MapPoints) -> Iterator[list[Cell]]:
    for number, place in enumerate(positions):
        row: list[Cell] = [points.concepts[number], points.names[number], *_place(place)]
        if points.classes:
            own = points.classes[number]
            row += ["; ".join(curie for curie, _ in own), "; ".join(label for _, label in own)]
        yield row


def _place(place: Float32s) -> list[float]:
    return [float(str(value)) for value in place]  # as few digits as tell float32s apart


def picture_of(
    found: NameMap,
    points: MapPoints,
    ontology: str,
    encoder: str,
    labels: bool = True,
    colours: Colours | None = None,
) -> MapPicture:
    """The map with its points coloured by class, and the labels of its clusters if asked for."""
    title = f"{TITLES[found.info.key.method]} of {ontology} by {encoder}"
    panel = Panel(found.positions, labels=_written(found.labels if labels else ()))
    facts = facts_text(found, len(set(points.concepts)))
    colours = colours or class_colours(points)
    return MapPicture(title, facts, colours.legend, _series(colours), (panel,))


def _series(colours: Colours) -> tuple[Series, ...]:
    return tuple(
        Series(f"{group.label} ({len(group.points):,})", group.colour, group.points, group.mark)
        for group in colours.groups
    )


def _written(labels: Sequence[MapLabel] | None) -> tuple[tuple[int, str], ...]:
    return tuple((label.point, label.text) for label in labels or ())


def facts_text(found: NameMap, concepts: int) -> str:
    """A line on a map of so many concepts: its names, parameters, seed and figures."""
    quality, card = found.quality, found.info.card
    facts = [f"{found.info.points:,} names of {concepts:,} concepts"]
    if found.left_out:
        facts.append(f"{found.left_out:,} left out of which nothing is known")
    facts += [f"{name.replace('_', ' ')} {value:g}" for name, value in card["parameters"].items()]
    if card.get("after") is not None:
        facts.append("started from the first map")
    asked = "" if quality.asked == quality.names else f", {quality.asked:,} names asked"
    return " · ".join(
        [
            *facts,
            f"seed {found.info.key.seed}",
            f"trustworthiness {quality.trustworthiness:.3f}",
            f"{quality.preservation:.0%} of the {quality.k} nearest kept{asked}",
        ]
    )
