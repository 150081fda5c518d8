"""The command `train recommended`: a few runs, one over the other, that come to one encoder."""

from dataclasses import dataclass
from typing import Annotated

import typer

from termexplorer.cli.level_option import LevelOption, choose_trained_level
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    AlsoOption,
    DeviceOption,
    JsonOption,
    OntologyOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
)
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.cli.train.series import resumable_series
from termexplorer.cli.train.training import app
from termexplorer.cli.work.options import PrepareOption, print_prepared
from termexplorer.replicate.search.recommended import begin_recommended, work_on_recommended
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.train.recommended import (
    Recommended,
    few_shot_choice,
    is_transformer,
    runs_needed,
)
from termexplorer.services.train.runs import find_run
from termexplorer.services.train.training import check_device
from termexplorer.workspace import Workspace

__all__ = ["app"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendedOptions:
    """What it is asked."""

    ontology: OntologyOption
    vectors: Annotated[
        list[int] | None,
        typer.Option(metavar="ID", help="Word vectors, such as fastText's; may be given again."),
    ] = None
    built_in: Annotated[
        bool,
        typer.Option("--built-in/--no-built-in", help="Start from the built-in encoder."),
    ] = True
    transformer: Annotated[
        int, typer.Option(metavar="ID", help="An encoder to join them with; 0: none.")
    ] = 0
    tune: Annotated[
        bool, typer.Option(help="Train the transformer's own layers first, if it is one.")
    ] = True
    at_end: Annotated[
        list[int] | None,
        typer.Option(
            metavar="ID",
            help="An encoder joined at the end, such as a large transformer; repeatable.",
        ),
    ] = None
    over_all: Annotated[
        bool,
        typer.Option(
            "--over-all",
            help="Learn over what is joined at the end too: it reads each name, which takes long.",
        ),
    ] = False
    also: AlsoOption = None
    classes_of: Annotated[
        str, typer.Option(metavar="ID", help="The ontology whose classes are learned too.")
    ] = ""
    level: LevelOption = None
    samples: Annotated[int, typer.Option(min=1, help="Of the names of these classes.")] = 1
    seed: SeedOption = 0
    device: DeviceOption = "auto"
    prepare: PrepareOption = False
    workspace: WorkspaceOption = None
    json: JsonOption = False


def _train_recommended(asked: RecommendedOptions) -> None:
    """Learn synonyms and classes over the built-in encoder, and over what joins it.

    Word vectors, weighted (SIF), and a transformer, trained first, are joined with it.
    """
    with opened(asked.workspace) as workspace:
        check_device(workspace, asked.device)
        built_in = ensure_built_in(workspace) if asked.built_in else None
        built_in_id = built_in.id if built_in else 0
        wanted = Recommended(
            ontology_id=find_ontology(workspace, asked.ontology).id,
            vectors_ids=tuple(id_ for id_ in asked.vectors or () if id_ != built_in_id),
            built_in_id=built_in_id,
            also=tuple(
                find_ontology(workspace, ontology_name).id for ontology_name in asked.also or ()
            ),
            transformer_id=asked.transformer,
            tuned=asked.tune and is_transformer(workspace, asked.transformer),
            at_end_ids=tuple(asked.at_end or ()),
            over_all=asked.over_all,
            classes_id=find_ontology(workspace, asked.classes_of).id if asked.classes_of else 0,
            level=asked.level or 0,
            samples=asked.samples,
            seed=asked.seed,
            device=asked.device,
        )
        if wanted.classes_id:
            choice = few_shot_choice(workspace, wanted)
            choose_trained_level(workspace, wanted.classes_id, choice.level, choice)
        if asked.prepare:
            print_prepared(begin_recommended(workspace, wanted), json=asked.json)
        else:
            _make_recommended(workspace, wanted, json=asked.json)


def _make_recommended(workspace: Workspace, wanted: Recommended, *, json: bool) -> None:
    def tell_run(run_id: int, number: int) -> None:
        if not json:
            title = find_run(workspace, run_id).title
            print_line(f"run {run_id}, {number + 1} of {runs_needed(wanted)}: {title}")

    folder = begin_recommended(workspace, wanted)
    with resumable_series(folder), progress_bar() as show:
        encoder_id, runs = work_on_recommended(workspace, folder, show, tell_run)
    encoder = find_encoder(workspace, encoder_id)
    if json:
        print_json({"encoder": encoder.id, "title": encoder.title, "runs": runs})
    else:
        print_line(f"encoder {encoder.id}: {encoder.label}")


app.command("recommended", rich_help_panel="Several runs")(
    options_from_dataclass(_train_recommended)
)
