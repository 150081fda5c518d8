"""The command `compare`: encoders side by side, mention by mention."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from termexplorer.cli.compare.page import write_comparison
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    OntologyOption,
    RootOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import (
    ShownCell,
    encoder_cell,
    number_cell,
    print_json,
    print_line,
    print_table,
    progress_bar,
)
from termexplorer.cli.ranking import among_names, with_level
from termexplorer.errors import UserError
from termexplorer.services.compare.comparison import (
    SORTS,
    TASKS,
    Compared,
    CompareRequest,
    ComparisonSubject,
    compare,
)
from termexplorer.services.compare.conclusion import median_rank
from termexplorer.services.compare.rows import ComparedRow, Summary, number_text, summary
from termexplorer.services.compare.side_by_side import defined
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import share_text
from termexplorer.workers.process.supervision import JobControl

_MOST_CLASSES = 12  # in the table; JSON and page have all


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """What a comparison is asked."""

    task: Annotated[str, typer.Option(help=f"One of {', '.join(TASKS)}.")]
    encoder: Annotated[
        list[int], typer.Option(metavar="ID", help="Two to eight; may be given again.")
    ]
    ontology: OntologyOption = ""
    root: RootOption = ""
    level: Annotated[
        int | None, typer.Option(min=1, help="Of the classes, or of the hypernyms; 1 the highest.")
    ] = None
    baseline: Annotated[
        int | None,
        typer.Option(metavar="ID", help="The encoder to win or lose against; else the first."),
    ] = None
    top: Annotated[int, typer.Option(min=1, help="Mentions to show.")] = 20
    sort: Annotated[str, typer.Option(help=f"Which mentions come first: {', '.join(SORTS)}.")] = (
        SORTS[0]
    )
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A page with the same, and rankings side by side.",
            callback=out_file(".html", ".htm"),
        ),
    ] = None
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def compare_command(asked: CompareOptions) -> None:
    """Compare encoders mention by mention: where their rankings disagree, who wins, who loses.

    neighbours: each name among all others, those of its class are right. hypernyms: each name below
    the level among the names of the concepts on it. synonyms: each name that has synonyms among all
    others. Ontology, root and level are those of the first trained encoder if they are not given;
    the level of others is the one that suits the ontology.

    rbo is the rank-biased overlap of the first 100 names of two encoders (p = .9), 1 for equal
    rankings and 0 for such as share no name: the lowest of all pairs, and their mean. difference
    is how many ranks the best right answers are apart; gain and loss are how many ranks above and
    below the baseline's the others' are. What was ranked once is kept and not computed again.
    """
    if asked.task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="--task")
    if asked.sort not in SORTS:
        raise typer.BadParameter(f"there are {', '.join(SORTS)}", param_hint="--sort")
    with opened(asked.workspace) as workspace, progress_bar() as show:
        among = among_names(workspace, asked.encoder, asked.ontology, asked.root, asked.level)
        if asked.task != "synonyms" and find_ontology(workspace, str(among.ontology_ids[0])).is_a:
            among = with_level(workspace, among)
        baseline = asked.baseline or asked.encoder[0]
        if baseline not in asked.encoder:
            raise UserError(f"the baseline {baseline} is not one of the encoders; add it to them")
        subject = ComparisonSubject(asked.task, among.ontology_ids[0], among.root_id, among.level)
        request = CompareRequest(workspace.folder, subject, tuple(asked.encoder))
        compared = compare(workspace, request, JobControl(), show)
        summed = summary(workspace, compared, baseline, asked.sort, asked.top)
        if asked.html is not None:
            write_comparison(asked.html, workspace, summed)
    if asked.json:
        print_json(_summary_object(summed))
        return
    _print_summary(summed)
    if asked.html is not None:
        print_line(f"written to {asked.html}")


def _summary_object(summed: Summary) -> dict[str, Any]:
    subject = summed.compared.request.subject
    return {
        "task": subject.task,
        "ontology": subject.ontology_id,
        "level": subject.level,
        "baseline": summed.baseline_id,
        "compared": len(summed.compared.mentions),
        "candidates": len(summed.compared.candidate_ids),
        "encoders": list(_encoder_objects(summed.compared)),
        "conclusion": summed.conclusion,
        "standings": [
            {
                "encoder": standing.tally.encoder_id,
                "p": None if isnan(standing.p) else standing.p,
                "standing": standing.standing.value,
            }
            for standing in summed.concluded.standings
        ],
        "mentions": [_row_object(row) for row in summed.rows],
        "wins": [
            {
                "class": tally.label or None,
                "encoder": tally.encoder_id,
                "wins": tally.wins,
                "losses": tally.losses,
                "ties": tally.ties,
            }
            for tally in summed.tallies
        ],
    }


def _encoder_objects(compared: Compared) -> Iterator[dict[str, Any]]:
    for at, (encoder_id, title) in enumerate(
        zip(compared.encoder_ids, compared.titles, strict=True)
    ):
        best = compared.best[:, at]
        yield {
            "encoder": encoder_id,
            "title": title,
            "median_rank": defined(median_rank(best)),
            "n": int(np.count_nonzero(~np.isnan(best))),
            "overlap": [defined(overlap) for overlap in compared.overlap[at]],
            "seen": float(compared.seen[:, at].mean()),
        }


def _print_summary(summed: Summary) -> None:
    titles = summed.titles
    print_line(summed.text)
    print_table(
        (
            "encoder",
            "median rank",
            "n",
            *(f"rbo with #{encoder_id}" for encoder_id in titles),
            "seen",
        ),
        [
            (
                encoder_cell(encoder["encoder"], encoder["title"]),
                _number_cell(encoder["median_rank"]),
                encoder["n"],
                *map(_number_cell, encoder["overlap"]),
                number_cell(encoder["seen"], share_text(encoder["seen"])),
            )
            for encoder in _encoder_objects(summed.compared)
        ],
    )
    print_line(summed.conclusion)
    print_line(f"\nBest right answer against {titles[summed.baseline_id]}:")
    shown = summed.tallies[: (1 + _MOST_CLASSES) * (len(titles) - 1)]  # all mentions come first
    print_table(
        ("class", "encoder", "wins", "losses", "ties"),
        [
            (
                tally.label or "all",
                encoder_cell(tally.encoder_id, titles[tally.encoder_id]),
                *(tally.wins, tally.losses, tally.ties),
            )
            for tally in shown
        ],
    )
    if len(shown) < len(summed.tallies):
        print_line("… and further classes, which --json and --html have")
    print_line("")
    ranks = [f"rank #{encoder_id}" for encoder_id in titles]
    measures = ("rbo", "mean", "difference", "gain", "loss")
    print_table(
        ("name", "class", *ranks, *measures, "seen"), [_row_cells(row) for row in summed.rows]
    )


def _row_object(row: ComparedRow) -> dict[str, Any]:
    return name_fields(row, mention="name", best="ranks", place="")


def _row_cells(row: ComparedRow) -> tuple[object, ...]:
    seen = " ".join(f"#{encoder_id}" for encoder_id in row.seen)
    return row.mention, "; ".join(row.classes), *map(_number_cell, row.numbers), seen


def _number_cell(value: float | None) -> ShownCell:
    return number_cell(value, number_text(value))
