"""Maps as files: tables of coordinates, and pictures."""

from collections.abc import Iterator
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.picture_page import MapPicture, Panel, Series
from termexplorer.exporters.pictures import PICTURES, write_picture
from termexplorer.exporters.tables import ENDINGS, Cell, write_table
from termexplorer.services.map_points import MapPoints, point_groups
from termexplorer.services.projection import NameMap

__all__ = ["PICTURES", "TITLES", "check_file", "facts_text", "picture_of", "write_map"]

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
    path: Path, found: NameMap, points: MapPoints, ontology: str, encoder: str, labels: bool = True
) -> None:
    """Writes a map: coordinates as a table, or a picture, told by the file's ending.

    Args:
        path: see `check_file`.
        found: the map.
        points: what is on it.
        ontology: what it, or the part of it that was laid out, is called.
        encoder: what it is called.
        labels: whether a picture has those of clusters, as far as they are known.

    Raises:
        UserError: the place cannot be written to.
    """
    check_file(path)
    if path.suffix.lower() in PICTURES:
        write_picture(path, picture_of(found, points, ontology, encoder, labels))
        return
    header = ["concept", "name", "x", "y"]
    write_table(
        path, header + (["class", "class_name"] if points.classes else []), _rows(found, points)
    )


def _rows(found: NameMap, points: MapPoints) -> Iterator[list[Cell]]:
    for number, place in enumerate(found.positions):
        x, y = (float(str(value)) for value in place)  # as few digits as tell float32s apart
        row: list[Cell] = [points.concepts[number], points.names[number], x, y]
        if points.classes:
            own = points.classes[number]
            row += ["; ".join(curie for curie, _ in own), "; ".join(label for _, label in own)]
        yield row


def picture_of(
    found: NameMap, points: MapPoints, ontology: str, encoder: str, labels: bool = True
) -> MapPicture:
    """The map with its points coloured by class, and the labels of its clusters if asked for."""
    series = tuple(
        Series(
            f"{group.label} ({len(group.points):,})",
            group.colour,
            group.points,
            group.mark,
        )
        for group in point_groups(points)
    )
    title = f"{TITLES[found.info.key.method]} of {ontology} by {encoder}"
    legend = "Names" if points.level is None else f"Classes on level {points.level}"
    known = (found.labels or ()) if labels else ()
    panel = Panel(found.positions, labels=tuple((label.point, label.text) for label in known))
    facts = facts_text(found, len(set(points.concepts)))
    return MapPicture(title, facts, legend, series, (panel,))


def facts_text(found: NameMap, concepts: int) -> str:
    """A line on a map of so many concepts: its names, parameters, seed and figures."""
    quality, card = found.quality, found.info.card
    facts = [f"{found.info.points:,} names of {concepts:,} concepts"]
    if found.left_out:
        facts.append(f"{found.left_out:,} left out of which nothing is known")
    facts += [f"{name.replace('_', ' ')} {value:g}" for name, value in card["parameters"].items()]
    asked = "" if quality.asked == quality.names else f", {quality.asked:,} names asked"
    return " · ".join(
        [
            *facts,
            f"seed {found.info.key.seed}",
            f"trustworthiness {quality.trustworthiness:.3f}",
            f"{quality.preservation:.0%} of the {quality.k} nearest kept{asked}",
        ]
    )
