"""The command `suggest duplicates`."""

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
from termexplorer.services.duplicates import (
    DuplicatePairs,
    DuplicatesRequest,
    suggest_duplicates,
)
from termexplorer.services.duplicates_rows import HEADER, duplicates_file, pair_cells
from termexplorer.services.encoders import find_encoder
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.suggesting import keep_duplicates
from termexplorer.services.suggestion_files import write_suggestions
from termexplorer.workers.supervision import Control


def duplicates_command(
    ontology: Annotated[str, typer.Option(metavar="ID", help="Where they are looked for.")],
    encoder: Annotated[
        list[int],
        typer.Option(metavar="ID", help="What finds them alike; repeatable."),
    ],
    root: RootOption = "",
    share: Annotated[float, typer.Option(help="Of concepts split in a corrupted copy.")] = 0.02,
    seed: SeedOption = 0,
    out: SuggestionsOption = None,
    limit: LimitOption = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Pairs of concepts that may be one and the same, by the most similar of their names.

    How likely they are one, and how well such pairs are found, is learned from copies of the
    ontology in which some concepts with several names were split in two.
    """
    with opened(workspace) as place, progress_bar() as show:
        there = find_ontology(place, ontology)
        top = find_concept(place, there, root).curie if root else ""
        request = DuplicatesRequest(place.folder, there.id, tuple(encoder), top, share, seed)
        found = suggest_duplicates(place, there, request, Control(), show)
        kept = keep_duplicates(place, found, request)
        if out is not None:
            write_suggestions(place, out, duplicates_file(found))
        titles = {each: find_encoder(place, each).label for each in encoder}
    if json:
        print_json(_object(found) | {"list": kept})
        return
    _print(found, titles, limit)
    print_kept(kept)
    if out is not None:
        print_line(f"{len(found.found.pairs):,} suggestions are in {out}")


def _print(found: DuplicatePairs, titles: dict[int, str], limit: int) -> None:
    answer = found.found
    print_line(
        f"{answer.concepts:,} concepts; in each of {answer.copies} copies {answer.split:,} of them "
        "were split in two, others each time. So many halves are among the k nearest of the other:"
    )
    rows = [(title, *answer.recall[each].values()) for each, title in titles.items()]
    first = next(iter(answer.recall.values()))
    print_table(("encoder", *(f"k = {k}" for k in first)), rows)
    print_trial(answer.trial)
    shown = [tuple(pair_cells(found, each)) for each in answer.pairs[:limit]]
    if shown:
        print_table(HEADER, shown)


def _object(found: DuplicatePairs) -> dict[str, object]:
    suggestions = [
        asdict(each) | {"name": found.labels[each.first], "other_name": found.labels[each.second]}
        for each in found.found.pairs
    ]
    answer = found.found
    told: dict[str, object] = {
        "suggestions": suggestions,
        "concepts": answer.concepts,
        "split": answer.split,
        "copies": answer.copies,
        "recall": answer.recall,
    }
    return told | trial_object(answer.trial)
