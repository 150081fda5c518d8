"""The command `pairs queue`: which pairs to have judged next."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, SeedOption, WorkspaceOption, options_from_dataclass
from termexplorer.cli.output import count_text, print_line, progress_bar
from termexplorer.cli.pairs.filter_options import LeaveOutOptions
from termexplorer.cli.pairs.pairs_from import OutOption, tell_written
from termexplorer.services.evaluate.evaluation import MEASURE, MEASURES
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.judge.drawn_pairs import write_pairs
from termexplorer.services.judge.queue import BY, CANDIDATES, RANDOM_SHARE, QueuePlan, queue_pairs
from termexplorer.workers.process.supervision import JobControl


@dataclass(frozen=True, kw_only=True)
class QueueOptions(LeaveOutOptions):
    """What is chosen from, and how."""

    encoder: Annotated[
        list[int], typer.Option(metavar="ID", help="Who may disagree; may be given again.")
    ]
    out: OutOption
    pairs: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER|FILE", help="Pair sets to choose from; repeatable."),
    ] = None
    ontology: Annotated[
        str, typer.Option(metavar="ID", help="Choose from random pairs of its concepts.")
    ] = ""
    candidates: Annotated[int, typer.Option(min=1, help="How many of these.")] = CANDIDATES
    number: Annotated[int, typer.Option(min=1, help="Pairs to be judged.")] = 200
    by: Annotated[str, typer.Option(help=f"{' or '.join(BY)}.")] = BY[0]
    measure: Annotated[str, typer.Option(help=f"Of two terms: {', '.join(MEASURES)}.")] = MEASURE
    random_share: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Of the pairs, at random.")
    ] = RANDOM_SHARE
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def queue_command(asked: QueueOptions) -> None:
    """Write the pairs that are most worth judging, mixed with pairs at random.

    disagreement: the ranks that encoders give a pair within its set, by similarity, are farthest
    apart. uncertainty: its similarity is nearest to the best threshold of the one encoder in its
    set, which needs labels. The random share is drawn first, from all pairs that every encoder can
    represent. Agreement and accuracy among queued pairs tell of the hardest pairs alone; those
    among random ones are estimates without bias of the whole. So the column `drawn` says which part
    each pair is from: annotators never see it, and `study agreement` has a row for each part.
    """
    with opened(asked.workspace) as workspace, progress_bar() as show:
        plan = QueuePlan(
            encoder_ids=asked.encoder,
            number=asked.number,
            pairs=asked.pairs or (),
            ontology=find_ontology(workspace, asked.ontology) if asked.ontology else None,
            candidates=asked.candidates,
            by=asked.by,
            measure=asked.measure,
            random_share=asked.random_share,
            seed=asked.seed,
        )
        queue = queue_pairs(workspace, plan, JobControl(), show)
    tell_written(write_pairs(asked.out, queue.pairs, asked.pair_filter), asked.json)
    if not asked.json:
        print_line(
            f"Chosen from {queue.known:,} of "
            f"{count_text(queue.candidates, 'different pair', 'different pairs')}"
            ", those that "
            "every encoder can represent."
        )
