"""The command `suggest names`."""

from dataclasses import asdict
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    LimitOption,
    RootOption,
    SeedOption,
    SuggestionsOption,
    WorkspaceOption,
)
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.cli.suggest_lists import print_kept
from termexplorer.cli.trial import print_trial, trial_object
from termexplorer.services.misplaced_names import (
    DoubtfulNames,
    MisplacedNamesRequest,
    suggest_names,
)
from termexplorer.services.misplaced_names_rows import name_cells, names_file
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.suggesting import keep_names
from termexplorer.services.suggestion_files import write_suggestions
from termexplorer.workers.supervision import Control


def names_command(
    ontology: Annotated[str, typer.Option(metavar="ID", help="Where they are looked for.")],
    encoder: Annotated[list[int], typer.Option(metavar="ID", help="What doubts them; repeatable.")],
    root: RootOption = "",
    share: Annotated[float, typer.Option(help="Of names moved in a corrupted copy.")] = 0.02,
    seed: SeedOption = 0,
    out: SuggestionsOption = None,
    limit: LimitOption = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Names that are nearer to another concept's names than to the others of their own.

    All names are looked at but the labels, which tell the concept, and the only names of concepts.
    How likely each is misplaced, and how well misplaced ones are found, is learned from copies of
    the ontology in which some names were given to other concepts at random.
    """
    with opened(workspace) as place, progress_bar() as show:
        there = find_ontology(place, ontology)
        top = find_concept(place, there, root).curie if root else ""
        request = MisplacedNamesRequest(place.folder, there.id, tuple(encoder), top, share, seed)
        found = suggest_names(place, there, request, Control(), show)
        kept = keep_names(place, found, request)
        if out is not None:
            write_suggestions(place, out, names_file(found))
    if json:
        print_json(_object(found) | {"list": kept})
        return
    _print(found, limit)
    print_kept(kept)
    if out is not None:
        print_line(f"{len(found.found.doubts):,} suggestions are in {out}")


def _print(found: DoubtfulNames, limit: int) -> None:
    answer = found.found
    print_line(
        f"{answer.names:,} names, which {answer.concepts:,} concepts could have; in each copy "
        f"{answer.moved:,} of them were moved."
    )
    print_trial(answer.trial)
    header = ("name", "of", "better", "nearest there", "likelihood", "agree")
    shown = [
        (row[2], f"{row[0]} {row[1]}", f"{row[3]} {row[4]}", row[5], row[6], row[8])
        for row in (name_cells(found, each) for each in answer.doubts[:limit])
    ]
    if shown:
        print_table(header, shown)


def _object(found: DoubtfulNames) -> dict[str, object]:
    suggestions = [
        asdict(each)
        | {"label": found.labels[each.concept], "better_label": found.labels[each.better]}
        for each in found.found.doubts
    ]
    answer = found.found
    told: dict[str, object] = {
        "suggestions": suggestions,
        "names": answer.names,
        "concepts": answer.concepts,
        "moved": answer.moved,
    }
    return told | trial_object(answer.trial)
