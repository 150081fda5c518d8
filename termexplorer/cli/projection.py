"""The command `project`: a map of names, as coordinates or as a picture."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    OntologyOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.levels.default_level import offer_levels
from termexplorer.services.map.aligned_maps import AlignedMaps, align_maps, requests_for
from termexplorer.services.map.choice import choice_text
from termexplorer.services.map.colours import COLOURINGS, TASKS, VERDICTS, Colouring, colours_for
from termexplorer.services.map.files import PICTURES, MapSheet, check_file, write_maps
from termexplorer.services.map.labels import label_map
from termexplorer.services.map.points import check_level, points_of_names
from termexplorer.services.map.projection import (
    METHODS,
    NAMES,
    NameMap,
    ProjectionRequest,
    project,
)
from termexplorer.texts import figure_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_PARAMETERS = ("perplexity", "iterations", "neighbours", "minimum_distance")  # of the methods


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectOptions:
    """What a map is asked."""

    ontology: OntologyOption
    encoder: Annotated[
        list[int],
        typer.Option(
            metavar="ID", help="Whose vectors are laid out; two to four lie side by side."
        ),
    ]
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"Coordinates as {TABLES_TOLD}, a picture as .png, .svg or .pdf.",
            callback=out_file(*TABLES, ".png", ".svg", ".pdf"),
        ),
    ]
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "tsne"
    names: Annotated[
        str,
        typer.Option(help=f"One of {', '.join(NAMES)}: the first name of each concept, or all."),
    ] = NAMES[0]
    root: Annotated[
        str, typer.Option(metavar="CONCEPT", help="Only this concept (id or code) and all below.")
    ] = ""
    search: Annotated[
        str, typer.Option(metavar="WORDS", help="Only concepts that a search for these finds.")
    ] = ""
    list_title: Annotated[
        str, typer.Option("--list", metavar="TITLE", help="Only concepts on this list.")
    ] = ""
    level: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Classes on this level below the root, in colours; else the one that suits it.",
        ),
    ] = None
    colour: Annotated[
        str,
        typer.Option(
            help=f"On a picture: the best right rank in one of {', '.join(TASKS)}, as `compare` "
            f"kept it, by the first encoder; or {VERDICTS}; else classes."
        ),
    ] = ""
    labels: Annotated[
        bool, typer.Option(help="On a picture: a name that stands for each cluster.")
    ] = True
    seed: SeedOption = 0
    perplexity: Annotated[
        float | None, typer.Option(help="Of t-SNE: about how many neighbours count; 30.")
    ] = None
    iterations: Annotated[int | None, typer.Option(help="Of t-SNE; 750.")] = None
    neighbours: Annotated[int | None, typer.Option(help="Of UMAP: so many make its graph; 15.")] = (
        None
    )
    minimum_distance: Annotated[
        float | None, typer.Option(help="Of UMAP: that points are kept apart; 0.1.")
    ] = None
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def project_command(asked: ProjectOptions) -> None:
    """Lay names out on a plane by an encoder: PCA, t-SNE, or UMAP (the extra `umap`).

    Of --root, --search and --list, given several, names are laid out that fit all. A map is kept:
    asked for again, in another form or by another level, it is there at once, the same. A table
    has the columns concept,name,x,y and, with --level, class,class_name. Two figures tell how far a
    map can be trusted: trustworthiness, and the share of the nearest names by cosine that are the
    nearest on the map.

    Maps of several encoders are of the names that all of them know. The others start from the
    first (t-SNE, UMAP) and are laid over it (Procrustes); lines show what moved most, and a table
    has x, y and the distance moved for each encoder.
    """
    started = time.monotonic()
    if asked.colour and asked.colour not in COLOURINGS:
        offered = ", ".join(COLOURINGS)
        raise UserError(f"there is no colour for {asked.colour}; choose one of {offered}")
    out = asked.out.expanduser().resolve()
    check_file(out)
    with opened(asked.workspace) as workspace, progress_bar() as show:
        sheet = _make_sheet(workspace, asked, out, show)
        write_maps(out, sheet)
    if asked.json:
        seconds = round(time.monotonic() - started, 3)
        print_json(_maps_object(sheet.aligned) | {"file": str(out), "seconds": seconds})
        return
    several = len(sheet.encoders) > 1
    for aligned_map, encoder in zip(sheet.aligned.maps, sheet.encoders, strict=True):
        print_line(_map_line(aligned_map.name_map, f"{encoder}: " if several else ""))
    print_line(f"written to {out}")


def _make_sheet(
    workspace: Workspace, asked: ProjectOptions, out: Path, show: Callable[[object], None]
) -> MapSheet:
    """What is written; blocks until the maps are made."""
    ontology = find_ontology(workspace, asked.ontology)
    rankers = [find_encoder(workspace, encoder_id) for encoder_id in asked.encoder]
    top = find_concept(workspace, ontology, asked.root) if asked.root else None
    below = top.curie if top else ""
    level = asked.level
    if level is not None:
        check_level(workspace, ontology.id, below, level)
    elif out.suffix.lower() in PICTURES and not asked.colour:
        level = offer_levels(workspace, ontology.id, below).usual or None
    request = _make_request(workspace, asked, ontology.id, below)
    maps = [
        project(workspace, map_request, JobControl(), show)
        for map_request in requests_for(request, asked.encoder)
    ]
    if asked.labels and out.suffix.lower() in PICTURES:
        maps = [label_map(workspace, name_map, JobControl(), show) for name_map in maps]
    aligned = align_maps(maps)
    points = points_of_names(workspace, ontology.id, aligned.name_ids, below, level)
    colouring = Colouring(level, asked.colour)
    colours = colours_for(workspace, request, colouring, points, aligned.name_ids)
    which = choice_text(request, top.label if top else "")
    part = f"{ontology.label}, {which}" if which else ontology.label
    titles = [ranker.label for ranker in rankers]
    return MapSheet(aligned, points, part, titles, asked.labels, colours)


def _make_request(
    workspace: Workspace, asked: ProjectOptions, release_id: int, root: str
) -> ProjectionRequest:
    """The first map."""
    values = {name: getattr(asked, name) for name in _PARAMETERS}
    return ProjectionRequest(
        workspace=workspace.folder,
        release_id=release_id,
        encoder_id=asked.encoder[0],
        names=asked.names,
        root=root,
        search=asked.search,
        list_title=asked.list_title,
        method=asked.method,
        parameters={name: value for name, value in values.items() if value is not None},
        seed=asked.seed,
    )


def _map_line(name_map: NameMap, whose: str) -> str:
    quality = name_map.quality
    left_out = (
        f", {name_map.left_out:,} left out of which nothing is known" if name_map.left_out else ""
    )
    trust = figure_text(quality.trustworthiness, ".3f")
    return (
        f"{whose}{name_map.info.points:,} names{left_out}; trustworthiness {trust}, "
        f"{quality.preservation:.1%} of the {quality.k} nearest "
        f"kept ({quality.asked:,} of {quality.names:,} names asked)"
    )


def _maps_object(aligned: AlignedMaps) -> dict[str, Any]:
    if len(aligned.maps) == 1:
        return _map_object(aligned.maps[0].name_map)
    maps = [
        _map_object(aligned_map.name_map) | {"disparity": aligned_map.disparity}
        for aligned_map in aligned.maps
    ]
    return {"points": len(aligned.name_ids), "maps": maps}


def _map_object(name_map: NameMap) -> dict[str, Any]:
    key, card = name_map.info.key, name_map.info.card
    return {
        "points": name_map.info.points,
        "left_out": name_map.left_out,
        "method": key.method,
        "encoder": key.encoder_id,
        "ontology": name_map.info.release_id,
        "seed": key.seed,
        "parameters": card["parameters"],
        "facts": card["facts"],
        "quality": name_fields(name_map.quality),
        "made_at": name_map.info.made_at,
        "map_seconds": card["seconds"],
    }
