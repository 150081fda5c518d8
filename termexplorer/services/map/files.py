"""Maps as files: tables of coordinates, and pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.exporters.kept_notes import Noted
from termexplorer.exporters.picture_page import MapPicture, PictureMap, Series
from termexplorer.exporters.pictures import PICTURES, write_picture
from termexplorer.exporters.tables import ENDINGS, Cell, write_table
from termexplorer.files import check_output_file
from termexplorer.services.map.aligned_maps import MOST_ARROWS, AlignedMap, AlignedMaps, Float32s
from termexplorer.services.map.colours import MapColours, class_colours
from termexplorer.services.map.points import MapPoints
from termexplorer.services.map.projection import NameMap
from termexplorer.texts import mark, number, tr, translated, trn

__all__ = [
    "PICTURES",
    "TITLES",
    "MapSheet",
    "aligned_text",
    "arrows_text",
    "check_file",
    "facts_text",
    "left_out_texts",
    "names_text",
    "picture_of",
    "write_maps",
]

TITLES = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
_PARAMETERS = {
    "iterations": mark("iterations"),
    "minimum_distance": mark("minimum distance"),
    "neighbours": mark("neighbours"),
    "perplexity": mark("perplexity"),
}


@dataclass(frozen=True, eq=False)
class MapSheet:
    """What is written: one map, or several that are laid over each other.

    Attributes:
        aligned: the maps.
        points: what is on all of them.
        part: what the ontology, or the part of it that was laid out, is called.
        encoders: what those of the maps are called.
        labels: whether a picture has those of clusters, as far as they are known.
        colours: of a picture; those of classes by default.
    """

    aligned: AlignedMaps
    points: MapPoints
    part: str
    encoders: Sequence[str]
    labels: bool = True
    colours: MapColours | None = None


MAP_ENDINGS = (*ENDINGS, *PICTURES)


def check_file(path: Path) -> None:
    """Looks at a file's name, before a map is made for it.

    Raises:
        UserError: its ending tells no form that a map has, or its folder is not there.
    """
    check_output_file(path, MAP_ENDINGS)


def write_maps(path: Path, sheet: MapSheet) -> None:
    """Writes maps: coordinates as a table, or a picture, told by the file's ending.

    Args:
        path: see `check_file`.
        sheet: the maps.

    Raises:
        UserError: the place cannot be written to.
    """
    check_file(path)
    if path.suffix.lower() in PICTURES:
        write_picture(path, picture_of(sheet))
        noted = Noted()
        noted.see(sheet.points.concepts)
        noted.keep(path)
    else:
        write_table(path, _table_header(sheet), _table_rows(sheet))


def picture_of(sheet: MapSheet) -> MapPicture:
    """Maps with their points in colours, and the labels of their clusters if asked for."""
    maps, points = sheet.aligned.maps, sheet.points
    name_map, several = maps[0].name_map, len(maps) > 1
    values = {"method": TITLES[name_map.info.key.method], "part": sheet.part}
    if several:
        title = tr("{method} of {part} by {n} encoders", **values, n=len(maps))
        names = trn("{n:,} name", "{n:,} names", len(sheet.aligned.name_ids))
        seed = tr("seed {seed}", seed=name_map.info.key.seed)
        facts = " · ".join((names, seed, arrows_text(sheet.aligned)))
    else:
        values["encoder"] = sheet.encoders[0]
        title = name_map.info.title or tr("{method} of {part} by {encoder}", **values)
        facts = facts_text(name_map, len(set(points.concepts)))
    panels = tuple(_sheet_panel(sheet, number, several) for number in range(len(maps)))
    colours = sheet.colours or class_colours(points)
    return MapPicture(title, facts, colours.legend, _colour_series(colours), panels)


def _sheet_panel(sheet: MapSheet, number: int, several: bool) -> PictureMap:
    aligned_map = sheet.aligned.maps[number]
    labels = tuple((it.point, it.text) for it in aligned_map.labels or () if sheet.labels)
    if not several:
        return PictureMap(aligned_map.positions, labels=labels)
    facts, arrows = aligned_text(aligned_map, number == 0), sheet.aligned.arrows(number)
    return PictureMap(aligned_map.positions, sheet.encoders[number], facts, labels, arrows)


def _table_header(sheet: MapSheet) -> list[str]:
    header = ["concept", "name", "x", "y"]
    header += ["class", "class_name"] if sheet.points.classes else []
    for other in sheet.aligned.maps[1:]:
        encoder = other.name_map.info.key.encoder_id
        header += [f"x_{encoder}", f"y_{encoder}", f"moved_{encoder}"]
    return header


def _table_rows(sheet: MapSheet) -> Iterator[list[Cell]]:
    points, (first, *other_maps) = sheet.points, sheet.aligned.maps
    for at, position in enumerate(first.positions):
        row: list[Cell] = [points.concepts[at], points.names[at], *_round_position(position)]
        if points.classes:
            classes = points.classes[at]
            row += [
                "; ".join(curie for curie, _ in classes),
                "; ".join(label for _, label in classes),
            ]
        for other in other_maps:
            row += [*_round_position(other.positions[at]), round(float(other.moved[at]), 6)]
        yield row


def _round_position(position: Float32s) -> list[float]:
    return [float(str(value)) for value in position]  # as few digits as tell float32s apart


def _colour_series(colours: MapColours) -> tuple[Series, ...]:
    return tuple(
        Series(
            f"{group.label} ({number(len(group.points))})", group.colour, group.points, group.mark
        )
        for group in colours.groups
    )


def arrows_text(aligned: AlignedMaps) -> str:
    """What lines on the maps mean, and which names are on none, in a line."""
    lines = tr(
        "lines lead from the place on the first map to that on this one, for the {most} "
        "names that moved most",
        most=MOST_ARROWS,
    )
    disparity = tr("disparity is 0 for maps that are alike, up to 1")
    return " · ".join([lines, disparity, *left_out_texts(aligned)])


def left_out_texts(aligned: AlignedMaps) -> list[str]:
    """How many names are on no map since some encoder knows nothing of them, if there are any."""
    left_out = aligned.left_out
    return [tr("{n:,} left out that not all encoders know", n=left_out)] if left_out else []


def aligned_text(aligned_map: AlignedMap, first: bool) -> str:
    """How far one of several maps is to be trusted, and how unlike the first it is."""
    quality = aligned_map.name_map.quality
    facts = [
        tr("trustworthiness {trust:.2f}", trust=quality.trustworthiness),
        tr("nearest kept {share:.0%}", share=quality.preservation),
    ]
    if not first:
        facts.append(tr("disparity {disparity:.2f}", disparity=aligned_map.disparity))
    return " · ".join(facts)


def facts_text(name_map: NameMap, concepts: int) -> str:
    """A line on a map of so many concepts: its names, parameters, seed and figures."""
    quality, card = name_map.quality, name_map.info.card
    facts = [names_text(name_map.info.points, concepts)]
    if name_map.left_out:
        facts.append(tr("{n:,} left out of which nothing is known", n=name_map.left_out))
    facts += [
        f"{_parameter_label(name)} {number(value, 'g')}"
        for name, value in card["parameters"].items()
    ]
    if card.get("after") is not None:
        facts.append(tr("started from the first map"))
    preservation_text = tr(
        "{share:.0%} of the {k} nearest kept", share=quality.preservation, k=quality.k
    )
    if quality.asked != quality.names:
        preservation_text = tr("{kept}, {n:,} names asked", kept=preservation_text, n=quality.asked)
    return " · ".join(
        [
            *facts,
            tr("seed {seed}", seed=name_map.info.key.seed),
            tr("trustworthiness {trust:.3f}", trust=quality.trustworthiness),
            preservation_text,
        ]
    )


def names_text(names: int, concepts: int) -> str:
    """How many names a map has, of how many concepts."""
    return tr("{names:,} names of {concepts:,} concepts", names=names, concepts=concepts)


def _parameter_label(name: str) -> str:
    return translated(_PARAMETERS.get(name, name.replace("_", " ")))
