"""The command `project`: a map of names, as coordinates or as a picture."""

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, SeedOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.aligned_maps import align_maps, requests_for
from termexplorer.services.encoders import find_encoder
from termexplorer.services.map_choice import choice_text
from termexplorer.services.map_colours import COLOURINGS, TASKS, VERDICTS, Colouring, colours_for
from termexplorer.services.map_files import PICTURES, check_file, write_aligned, write_map
from termexplorer.services.map_labels import label_map
from termexplorer.services.map_points import check_level, map_points, points_of_names
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.projection import (
    METHODS,
    NAMES,
    NameMap,
    ProjectionRequest,
    project,
)
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


def project_command(
    ontology: OntologyOption,
    encoder: Annotated[
        list[int],
        typer.Option(
            metavar="ID", help="Whose vectors are laid out; two to four lie side by side."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Coordinates as .csv, .tsv, .xlsx or .jsonl, a picture as .png, .svg or .pdf.",
        ),
    ],
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "tsne",
    names: Annotated[
        str,
        typer.Option(help=f"One of {', '.join(NAMES)}: the first name of each concept, or all."),
    ] = NAMES[0],
    root: Annotated[
        str, typer.Option(metavar="CONCEPT", help="Only this concept (id or code) and all below.")
    ] = "",
    search: Annotated[
        str, typer.Option(metavar="WORDS", help="Only concepts that a search for these finds.")
    ] = "",
    list_title: Annotated[
        str, typer.Option("--list", metavar="TITLE", help="Only concepts on this list.")
    ] = "",
    level: Annotated[
        int | None, typer.Option(min=1, help="Classes on this level below the root, in colours.")
    ] = None,
    colour: Annotated[
        str,
        typer.Option(
            help=f"On a picture: the best right rank in one of {', '.join(TASKS)}, as `compare` "
            f"kept it, by the first encoder; or {VERDICTS}; else classes."
        ),
    ] = "",
    labels: Annotated[
        bool, typer.Option(help="On a picture: the words that names of a cluster have in common.")
    ] = True,
    seed: SeedOption = 0,
    perplexity: Annotated[
        float | None, typer.Option(help="Of t-SNE: about how many neighbours count; 30.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Of t-SNE; 750.")] = None,
    neighbours: Annotated[
        int | None, typer.Option(help="Of UMAP: so many make its graph; 15.")
    ] = None,
    minimum_distance: Annotated[
        float | None, typer.Option(help="Of UMAP: that points are kept apart; 0.1.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
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
    asked = {
        "perplexity": perplexity,
        "iterations": iterations,
        "neighbours": neighbours,
        "minimum_distance": minimum_distance,
    }
    started = time.monotonic()
    if colour and colour not in COLOURINGS:
        raise UserError(f"there is no colour for {colour}; choose one of {', '.join(COLOURINGS)}")
    out = out.expanduser().resolve()
    check_file(out)
    with opened(workspace) as place, progress_bar() as show:
        chosen = find_ontology(place, ontology)
        rankers = [find_encoder(place, each) for each in encoder]
        top = find_concept(place, chosen, root) if root else None
        below = top.curie if top else ""
        if level is not None:
            check_level(place, chosen.id, below, level)
        request = ProjectionRequest(
            workspace=place.folder,
            release_id=chosen.id,
            encoder_id=rankers[0].id,
            names=names,
            root=below,
            search=search,
            list_title=list_title,
            method=method,
            parameters={name: value for name, value in asked.items() if value is not None},
            seed=seed,
        )
        colouring = Colouring(level, colour)
        maps = [
            _made(place, each, show, labels and out.suffix.lower() in PICTURES)
            for each in requests_for(request, [each.id for each in rankers])
        ]
        which = choice_text(request, top.label if top else "")
        part = f"{chosen.label}, {which}" if which else chosen.label
        if len(maps) == 1:
            points = map_points(place, maps[0], below, level)
            colours = colours_for(place, request, colouring, points, maps[0].name_ids)
            write_map(out, maps[0], points, part, rankers[0].label, labels, colours)
            told = _told(maps[0])
        else:
            aligned = align_maps(maps)
            points = points_of_names(place, chosen.id, aligned.name_ids, below, level)
            titles = [each.label for each in rankers]
            colours = colours_for(place, request, colouring, points, aligned.name_ids)
            write_aligned(out, aligned, points, part, titles, labels, colours)
            told = {
                "points": len(aligned.name_ids),
                "maps": [
                    _told(each.found) | {"disparity": each.disparity} for each in aligned.maps
                ],
            }
    if json:
        print_json(told | {"out": str(out), "seconds": round(time.monotonic() - started, 3)})
        return
    for found, ranker in zip(maps, rankers, strict=True):
        print_line(_line(found, f"{ranker.label}: " if len(maps) > 1 else ""))
    print_line(f"written to {out}")


def _made(
    workspace: Workspace, request: ProjectionRequest, show: Callable[[object], None], labels: bool
) -> NameMap:
    found = project(workspace, request, Control(), show)
    return label_map(workspace, found, Control(), show) if labels else found


def _line(found: NameMap, whose: str) -> str:
    quality = found.quality
    left_out = f", {found.left_out:,} left out of which nothing is known" if found.left_out else ""
    return (
        f"{whose}{found.info.points:,} names{left_out}; trustworthiness "
        f"{quality.trustworthiness:.3f}, {quality.preservation:.1%} of the {quality.k} nearest "
        f"kept ({quality.asked:,} of {quality.names:,} names asked)"
    )


def _told(found: NameMap) -> dict[str, Any]:
    key, card = found.info.key, found.info.card
    return {
        "points": found.info.points,
        "left_out": found.left_out,
        "method": key.method,
        "encoder": key.encoder_id,
        "ontology": found.info.release_id,
        "seed": key.seed,
        "parameters": card["parameters"],
        "facts": card["facts"],
        "quality": asdict(found.quality),
        "made_at": found.info.made_at,
        "map_seconds": card["seconds"],
    }
