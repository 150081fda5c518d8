"""The command `evaluate`: figures of encoders on a task, side by side."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.evaluation_json import evaluation_json
from termexplorer.cli.evaluation_tables import print_evaluation, print_pair_sets
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import print_json, progress_bar
from termexplorer.services.encoders import find_encoder
from termexplorer.services.evaluation import (
    HARDEST,
    MEASURE,
    MEASURES,
    TASKS,
    EvaluationRequest,
    evaluate,
)
from termexplorer.services.ontologies import find_ontology
from termexplorer.workers.supervision import Control

_OF_MENTIONS = {"--corpus", "--training", "--kind", "--no-abbreviations", "--no-composites"}
_USED = {
    "ranking": {"--split"},
    "hypernyms": {"--split"},
    "synonyms": {"--split"},
    "coverage": {"--split"},
    "retrieval": _OF_MENTIONS,
    "normalisation": _OF_MENTIONS,
    "relatedness": {"--pairs", "--measure"},
    "pairs": {"--pairs", "--measure", "--hardest"},
}


def evaluate_command(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}.")],
    encoder: Annotated[list[int], typer.Option(metavar="ID", help="May be given again.")],
    ontology: OntologyOption = "",
    split: Annotated[
        int | None, typer.Option(metavar="ID", help="Held-out names; else those of the first run.")
    ] = None,
    pairs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="Term pairs with scores, or labels 1 and 0 for pairs; may be given again.",
        ),
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Mentions in a PubTator file.")
    ] = None,
    training: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="PubTator file: a mention that is there has its concept."
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Only mentions of this type, such as Disease."),
    ] = None,
    abbreviations: Annotated[
        bool, typer.Option(help="Spell those of mentions out that their document defines.")
    ] = True,
    composites: Annotated[
        bool, typer.Option(help="Take mentions of several concepts apart.")
    ] = True,
    measure: Annotated[
        str, typer.Option(help=f"How similar two terms are: {', '.join(MEASURES)}.")
    ] = MEASURE,
    seed: Annotated[int, typer.Option(min=0, help="Of splits drawn anew, and intervals.")] = 0,
    hardest: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Pairs of each label that an encoder gets most wrong."
        ),
    ] = 0,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Measure encoders on a task, with intervals, and compare them on the same items.

    With --json each figure names its encoder, and `runs --json` tells by which k and seed that was
    trained: both together make a k-shot curve, which the Evaluate page draws.
    """
    if task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="TASK")
    given = {
        "--split": split is not None,
        "--pairs": bool(pairs),
        "--corpus": corpus is not None,
        "--training": training is not None,
        "--kind": bool(kind),
        "--no-abbreviations": not abbreviations,
        "--no-composites": not composites,
        "--measure": measure != MEASURE,
        "--hardest": bool(hardest),
    }
    _tell_unused(task, {name for name, there in given.items() if there})
    with opened(workspace) as place, progress_bar() as show:
        request = EvaluationRequest(
            workspace=place.folder,
            task=task,
            encoder_ids=tuple(find_encoder(place, each).id for each in encoder),
            ontology_id=find_ontology(place, ontology).id if ontology else None,
            split_id=split,
            pairs=tuple(path.resolve() for path in pairs or ()),
            corpus=corpus.resolve() if corpus else None,
            training=training.resolve() if training else None,
            kinds=frozenset(kind or ()),
            abbreviations=abbreviations,
            composites=composites,
            measure=measure,
            seed=seed,
            hardest=max(hardest, HARDEST),
        )
        found = evaluate(place, request, Control(), show)
        labels = {each: find_encoder(place, each).label for each in encoder}
    if json:
        print_json(evaluation_json(found, labels, hardest))
    elif task == "pairs":
        print_pair_sets(found, labels, hardest)
    else:
        for each in found:
            print_evaluation(each, labels)


def _tell_unused(task: str, given: set[str]) -> None:
    unused = sorted(given - _USED.get(task, set()))
    if unused:
        typer.echo(f"{task} does not use {', '.join(unused)}", err=True)
