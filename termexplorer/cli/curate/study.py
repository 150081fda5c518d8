"""The command `suggest study`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.level_option import choose_level
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    OntologyOption,
    RootOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.services.curate.suggestion_study import (
    STUDY_HEADER,
    FinderStudyPlan,
    study_rows,
    study_suggestions,
)
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.files.exports import Cell, write_table
from termexplorer.workers.process.supervision import JobControl

_KEYS = tuple(title.replace(" ", "_") for title in STUDY_HEADER)


def study_command(
    ontology: OntologyOption,
    encoder: Annotated[
        list[int], typer.Option(metavar="ID", help="Tried alone, and with the others; repeatable.")
    ],
    level: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="Of the classes that concepts are moved among; else the one that suits the"
            " ontology; repeatable.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many times, with other copies.")] = 3,
    root: RootOption = "",
    share: Annotated[float, typer.Option(help="Of what is made wrong in a copy.")] = 0.02,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"The figures, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """How well misplaced concepts and names, and duplicates, are found where the truth is known.

    Copies of the ontology are made in which concepts or names are moved, or concepts split, at
    random; some to learn from, others to count how many of the most likely k are what was made
    wrong.
    """
    rows: list[list[Cell]] = []
    with opened(workspace) as opened_workspace, progress_bar() as show:
        chosen_ontology = find_ontology(opened_workspace, ontology)
        top = find_concept(opened_workspace, chosen_ontology, root).curie if root else ""
        levels = tuple(
            choose_level(opened_workspace, chosen_ontology.id, number, top)
            for number in level or (None,)
        )
        plan = FinderStudyPlan(chosen_ontology, tuple(encoder), levels, seeds, top, share)
        for studied in study_suggestions(opened_workspace, plan, JobControl(), show):
            rows += study_rows(studied)
    if out is not None:
        write_table(out, STUDY_HEADER, rows)
    if json:
        print_json({"figures": [dict(zip(_KEYS, row, strict=True)) for row in rows]})
        return
    print_table(STUDY_HEADER, rows)
    if out is not None:
        print_line(f"{count_text(len(rows), 'figure is', 'figures are')} in {out}")
