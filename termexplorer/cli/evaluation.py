"""The command `evaluate`: figures of encoders on a task, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.services.encoders import find_encoder
from termexplorer.services.evaluation import (
    MEASURE,
    TASKS,
    Evaluated,
    EvaluationRequest,
    FigureInfo,
    conclusion_text,
    evaluate,
)
from termexplorer.services.ontologies import find_ontology
from termexplorer.workers.supervision import Control


def evaluate_command(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}.")],
    encoder: Annotated[list[int], typer.Option(metavar="ID", help="May be given again.")],
    ontology: OntologyOption = "",
    split: Annotated[
        int | None, typer.Option(metavar="ID", help="Held-out names; else those of the first run.")
    ] = None,
    pairs: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Term pairs with scores; may be given again."),
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
    measure: Annotated[str, typer.Option(help="How similar two terms are.")] = MEASURE,
    seed: Annotated[int, typer.Option(min=0, help="Of splits drawn anew, and intervals.")] = 0,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Measure encoders on a task, with intervals, and compare them on the same items.

    With --json each figure names its encoder, and `runs --json` tells by which k and seed that was
    trained: both together make a k-shot curve, which the Evaluate page draws.
    """
    if task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="TASK")
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
            measure=measure,
            seed=seed,
        )
        found = evaluate(place, request, Control(), show)
        labels = {each: find_encoder(place, each).label for each in encoder}
    if json:
        print_json({"figures": [row for each in found for row in _rows(each)]})
        return
    for each in found:
        _print(each, labels)


def _rows(evaluated: Evaluated) -> Iterator[dict[str, Any]]:
    for figure in evaluated.figures:
        yield {
            "encoder": figure.encoder_id,
            "task": figure.task,
            "data": evaluated.data,
            "level": evaluated.level,
            "split": evaluated.split_id,
            "metric": figure.metric.lower(),
            "value": _finite(figure.value),
            "low": _finite(figure.low),
            "high": _finite(figure.high),
            "n": figure.n,
        }


def _finite(value: float) -> float | None:
    return value if value == value else None  # JSON knows no NaN


def _print(evaluated: Evaluated, labels: Mapping[int, str]) -> None:
    print_line(f"{evaluated.task} – {evaluated.data}")
    for note in evaluated.notes:
        print_line(f"  {note}")
    by_encoder: dict[int, list[FigureInfo]] = {}
    for figure in evaluated.figures:
        by_encoder.setdefault(figure.encoder_id, []).append(figure)
    columns = list(dict.fromkeys(figure.metric for figure in evaluated.figures))
    rows = [
        (labels[encoder_id], *_cells(figures, columns), figures[0].n)
        for encoder_id, figures in by_encoder.items()
    ]
    print_table(("encoder", *columns, "n"), rows)
    for encoder_id, share in evaluated.seen.items():
        print_line(f"  {labels[encoder_id]} was trained on {share:.0%} of these mentions")
    print_line(conclusion_text(evaluated, labels))
    print_line("")


def _cells(figures: Sequence[FigureInfo], columns: Sequence[str]) -> Iterator[str]:
    found = {figure.metric: figure for figure in figures}
    for column in columns:
        figure = found.get(column)
        yield f"{figure.value:.3f} ({figure.low:.3f}–{figure.high:.3f})" if figure else "–"
