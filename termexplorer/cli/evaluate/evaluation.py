"""The command `evaluate`: figures of encoders on a task, side by side."""

from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.evaluate.evaluation_json import evaluation_json
from termexplorer.cli.evaluate.evaluation_matrix import show_matrix
from termexplorer.cli.evaluate.evaluation_tables import print_evaluation, print_pair_sets
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    JsonOption,
    OntologyOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import print_json, progress_bar
from termexplorer.cli.table_files import TABLE_HELP, write_what_is_printed
from termexplorer.services.encoders.built_in import suggest_encoders
from termexplorer.services.encoders.encoders import encoders_beneath, find_encoder
from termexplorer.services.evaluate.evaluation import (
    HARDEST,
    MEASURE,
    MEASURES,
    TASKS,
    EvaluationRequest,
    evaluate,
)
from termexplorer.services.evaluate.matrix_tables import MATRIX_ENDINGS
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_OF_NAMES = {"ontology", "split"}
_OF_MENTIONS = {"ontology", "corpus", "training", "kind", "abbreviations", "composites"}
_USED = {
    "ranking": _OF_NAMES,
    "hypernyms": _OF_NAMES,
    "synonyms": _OF_NAMES,
    "coverage": _OF_NAMES,
    "retrieval": _OF_MENTIONS,
    "normalisation": _OF_MENTIONS,
    "relatedness": {"pairs", "measure"},
    "pairs": {"pairs", "measure", "hardest"},
    "categories": {"ontology"},
}
_SOMETIMES = {*_OF_NAMES, *_OF_MENTIONS, "pairs", "measure", "hardest"}  # used by some tasks alone


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """What it is asked."""

    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}.")] = ""
    encoder: Annotated[
        list[int] | None,
        typer.Option(
            metavar="ID", help="May be given again; else the built-in encoder and TF-IDF."
        ),
    ] = None
    ontology: OntologyOption = ""
    split: Annotated[
        int | None, typer.Option(metavar="ID", help="Held-out names; else those of the first run.")
    ] = None
    pairs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="Term pairs with scores, or labels 1 and 0 for pairs, of a folder its .tsv files; "
            "may be given again.",
        ),
    ] = None
    corpus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Mentions in a PubTator file.")
    ] = None
    training: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="PubTator file: a mention that is there has its concept."
        ),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Only mentions of this type, such as Disease."),
    ] = None
    abbreviations: Annotated[
        bool, typer.Option(help="Spell those of mentions out that their document defines.")
    ] = True
    composites: Annotated[bool, typer.Option(help="Take mentions of several concepts apart.")] = (
        True
    )
    measure: Annotated[
        str, typer.Option(help=f"How similar two terms are: {', '.join(MEASURES)}.")
    ] = MEASURE
    seed: Annotated[int, typer.Option(min=0, help="Of splits drawn anew, and intervals.")] = 0
    hardest: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Pairs of each label that an encoder gets most wrong."
        ),
    ] = 0
    matrix: Annotated[
        bool,
        typer.Option(
            "--matrix",
            help="Measure nothing: show what is stored, encoders by sets and tasks; with TASK, "
            "--ontology or --encoder only that.",
        ),
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"{TABLE_HELP} A matrix also as .tex or .html.",
            callback=out_file(*MATRIX_ENDINGS),
        ),
    ] = None
    workspace: WorkspaceOption = None
    json: JsonOption = False

    def unused(self) -> dict[str, Any]:
        """What is given although the task does not use it, with what it is where it is not."""
        usual = {field.name: field.default for field in fields(self) if field.name in _SOMETIMES}
        return {
            name: default
            for name, default in usual.items()
            if name not in _USED[self.task] and getattr(self, name) not in (default, None, [])
        }


def _evaluate_encoders(asked: EvaluateOptions) -> None:
    """Measure encoders on a task, with intervals, and compare them on the same items.

    With --json each figure names its encoder, and `run list --json` tells its k and seed.
    Both together make a k-shot curve, as the Evaluate page draws it.
    """
    if asked.matrix:
        show_matrix(asked)
        return
    if asked.out is not None and not asked.out.name.lower().endswith(TABLES):
        raise typer.BadParameter("this is for --matrix; add that", param_hint="--out")
    if asked.task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="TASK")
    if unused := asked.unused():
        names = sorted(
            f"--{'no-' if default is True else ''}{name}" for name, default in unused.items()
        )
        typer.echo(f"{asked.task} does not use {', '.join(names)}", err=True)
        asked = replace(asked, **unused)
    of_files = bool(asked.pairs)  # they need no ontology
    with opened(asked.workspace, make=of_files) as workspace, progress_bar() as show:
        if not asked.encoder:
            asked = replace(asked, encoder=suggest_encoders(workspace))
        evaluations = evaluate(workspace, _make_request(workspace, asked), JobControl(), show)
        labels = {
            encoder_id: find_encoder(workspace, encoder_id).label
            for encoder_id in asked.encoder or ()
        }
        beneath = encoders_beneath(workspace)
    to_json = asked.out is not None and asked.out.suffix.lower() == ".json"
    with nullcontext() if asked.out is None else write_what_is_printed(asked.out, json=asked.json):
        if asked.json or to_json:
            print_json(evaluation_json(evaluations, labels, beneath, asked.hardest))
        elif asked.task == "pairs":
            print_pair_sets(evaluations, labels, beneath, asked.hardest)
        else:
            for evaluation in evaluations:
                print_evaluation(evaluation, labels, beneath)


evaluate_command = options_from_dataclass(_evaluate_encoders)


def _make_request(workspace: Workspace, asked: EvaluateOptions) -> EvaluationRequest:
    return EvaluationRequest(
        workspace=workspace.folder,
        task=asked.task,
        encoder_ids=tuple(
            find_encoder(workspace, encoder_id).id for encoder_id in asked.encoder or ()
        ),
        ontology_id=find_ontology(workspace, asked.ontology).id if asked.ontology else None,
        split_id=asked.split,
        pairs=tuple(path.resolve() for path in asked.pairs or ()),
        corpus=asked.corpus.resolve() if asked.corpus else None,
        training=asked.training.resolve() if asked.training else None,
        kinds=frozenset(asked.kind or ()),
        abbreviations=asked.abbreviations,
        composites=asked.composites,
        measure=asked.measure,
        seed=asked.seed,
        hardest=max(asked.hardest, HARDEST),
    )
