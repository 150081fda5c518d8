"""The command `rank parents`: where terms would belong that an ontology does not have."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from termexplorer.cli.name_lists import FromFileOption, read_names
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import (
    count_text,
    encoder_cell,
    figure_cell,
    print_json,
    print_line,
    print_table,
    progress_bar,
)
from termexplorer.services.compare.placing import (
    PlacedTerm,
    PlacingTrial,
    find_parents,
    measure_placing,
)
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.texts import figure_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import MetricValue


@dataclass(frozen=True, slots=True)
class PlacingOptions:
    """What it is asked."""

    encoder: Annotated[list[int], typer.Option(metavar="ID", help="May be given again.")]
    name: Annotated[str, typer.Argument(help="The term to place.")] = ""
    from_file: FromFileOption = None
    ontology: OntologyOption = ""
    top: Annotated[int, typer.Option(min=1, help="Rows for each encoder.")] = 10
    trial: Annotated[
        bool,
        typer.Option(
            "--trial",
            help="Hide a tenth of the concepts instead, and tell how well they are placed.",
        ),
    ] = False
    seed: Annotated[int, typer.Option(min=0, help="Which concepts a trial hides.")] = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


def print_parents(asked: PlacingOptions) -> None:
    """Where a term would belong: the concepts that are likely its direct parents.

    What makes a parent is learned from the ontology's own links. Each concept is ranked, whatever
    its level; the probability is that of a direct parent, and a term can have several.
    """
    if asked.trial and (asked.name or asked.from_file):
        raise typer.BadParameter("a trial places concepts of the ontology; give no NAME with it")
    terms = [] if asked.trial else read_names(asked.name, asked.from_file)
    if not asked.ontology:
        raise typer.BadParameter("say which one", param_hint="--ontology")
    with opened(asked.workspace) as workspace:
        ontology = find_ontology(workspace, asked.ontology)
        if asked.trial:
            _print_trials(workspace, ontology, asked)
        else:
            _print_placed(workspace, ontology, asked, terms)


def _print_placed(
    workspace: Workspace, ontology: Ontology, asked: PlacingOptions, terms: list[str]
) -> None:
    placed_by = {}
    for encoder_id in asked.encoder:
        with progress_bar() as show:
            placed_by[encoder_id] = find_parents(
                workspace, ontology, terms, encoder_id, asked.top, JobControl(), show
            )
    if asked.json:
        rows = [
            row
            for encoder_id, placed in placed_by.items()
            for row in _list_rows(encoder_id, placed)
        ]
        print_json({"ontology": ontology.id, "ranking": rows})
        return
    for encoder_id, placed in placed_by.items():
        title = find_encoder(workspace, encoder_id).label
        for term in placed:
            print_line(f"{term.term}, by {title}")
            if term.known_words < term.words / 2:
                print_line(
                    f"only {term.known_words:,} of its {count_text(term.words, 'word', 'words')} "
                    "occur in names of the ontology: take this for a guess"
                )
            cells = [
                (rank, figure_text(parent.probability, ".3f"), parent.curie, parent.label)
                for rank, parent in enumerate(term.parents, 1)
            ]
            heading = {"query": term.term, "encoder": encoder_cell(encoder_id, title)}
            print_table(("rank", "probability", "concept", "name"), cells, heading)


def _list_rows(encoder_id: int, placed: tuple[PlacedTerm, ...]) -> Iterator[dict[str, Any]]:
    for term in placed:
        for rank, parent in enumerate(term.parents, 1):
            yield {
                "encoder": encoder_id,
                "query": term.term,
                "rank": rank,
                "concept": parent.curie,
                "name": parent.label,
                "probability": parent.probability,
            }


def _print_trials(workspace: Workspace, ontology: Ontology, asked: PlacingOptions) -> None:
    trials = {}
    for encoder_id in asked.encoder:
        with progress_bar() as show:
            trials[encoder_id] = measure_placing(
                workspace, ontology, encoder_id, asked.seed, JobControl(), show
            )
    if asked.json:
        figures = [
            row for encoder_id, trial in trials.items() for row in _list_figures(encoder_id, trial)
        ]
        print_json({"ontology": ontology.id, "seed": asked.seed, "figures": figures})
        return
    for encoder_id, trial in trials.items():
        title = find_encoder(workspace, encoder_id).label
        print_line(
            f"{trial.hidden:,} hidden concepts among {trial.left:,}, by {title}; seed {asked.seed}"
        )
        columns = [figure.metric for figure in trial.placed.figures]
        rows = [
            (way, *map(_figure_cell, figures), trial.hidden)
            for way, figures in (
                ("placed", trial.placed.figures),
                ("by similarity alone", trial.by_similarity.figures),
            )
        ]
        print_table(("", *columns, "n"), rows, {"encoder": encoder_cell(encoder_id, title)})


def _figure_cell(figure: "MetricValue") -> object:
    numbers = (figure.value, figure.low, figure.high)
    value, low, high = (figure_text(number, ".3f") for number in numbers)
    return figure_cell(*numbers, f"{value} ({low} to {high})")


def _list_figures(encoder_id: int, trial: PlacingTrial) -> Iterator[dict[str, Any]]:
    for way, result in (("placed", trial.placed), ("similarity", trial.by_similarity)):
        for figure in result.figures:
            yield {
                "encoder": encoder_id,
                "way": way,
                "metric": figure.metric.lower(),
                "value": figure.value,
                "low": figure.low,
                "high": figure.high,
                "n": figure.n,
            }
