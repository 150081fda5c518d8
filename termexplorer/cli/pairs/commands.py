"""The command `pairs make`, and the group that it is in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
    out_folder,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.cli.pairs import pairs_from
from termexplorer.cli.pairs import queue as pairs_queue
from termexplorer.cli.pairs.filter_options import LeaveOutOptions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.pairs.filter import add_counts, told_counts
from termexplorer.services.pairs.sets import (
    SOURCES,
    STRATEGIES,
    THRESHOLD,
    Estimated,
    PairPlan,
    PairSets,
    SetRow,
    count_without_dissimilar,
    make_pair_sets,
    set_rows,
)
from termexplorer.workers.process.supervision import JobControl

app = typer.Typer(help="Pairs of terms: similar and dissimilar ones, and such as are to be judged.")

_DISTANCES = ("similar", "random", "nearest")
_TOLD = "; ".join(f"{name}: {meaning}" for name, meaning in SOURCES.items())


@dataclass(frozen=True, kw_only=True)
class PairsOptions(LeaveOutOptions):
    """What is made."""

    ontology: Annotated[str, typer.Option(metavar="ID", help="Whose names are paired.")]
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="A file a set is written there.", callback=out_folder),
    ]
    sources: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"Of similar pairs; repeatable; all. {_TOLD}."),
    ] = None
    negatives: Annotated[
        list[str] | None,
        typer.Option(metavar="|".join(STRATEGIES), help="Of dissimilar pairs; repeatable; both."),
    ] = None
    threshold: Annotated[
        int, typer.Option(min=0, help="Similar pairs up to so many edits are easy.")
    ] = THRESHOLD
    without_ancestors: Annotated[
        bool, typer.Option(help="No dissimilar pair of concepts one of which is below the other.")
    ] = False
    without_siblings: Annotated[
        bool, typer.Option(help="Nor of concepts with a parent in common.")
    ] = False
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@app.command("make")
@options_from_dataclass
def make_command(asked: PairsOptions) -> None:
    """Make the pair sets of Schulz and Juric 2020 from an ontology: up to 20 in one go.

    Similar pairs come from names of one concept, and from what concepts that are not in use became;
    they are easy or hard by their edit distance. For each there is a dissimilar pair of the same
    first term with another term of the set, at random or the nearest by edit distance that is not
    similar, directly or indirectly. Pairs are left out of what was made. A command that was
    stopped goes on where it was.
    """
    plan = PairPlan(
        _split_words(asked.sources) or tuple(SOURCES),
        _split_words(asked.negatives) or STRATEGIES,
        asked.threshold,
        asked.without_ancestors,
        asked.without_siblings,
        asked.seed,
        asked.pair_filter,
    )
    folder = asked.out.expanduser().resolve()
    with opened(asked.workspace) as workspace, progress_bar() as show:
        ontology = find_ontology(workspace, asked.ontology)
        pair_sets = make_pair_sets(
            workspace, ontology, plan, folder, JobControl(), _tell_estimates(show)
        )
    if asked.json:
        print_json(
            {
                "folder": str(folder),
                "sets": [name_fields(pair_set, name="set") for pair_set in pair_sets.sets],
                "table": [
                    name_fields(row, **{key: f"{key}_distance" for key in _DISTANCES})
                    for row in set_rows(pair_sets)
                ],
                "left_out": pair_sets.left_out,
            }
        )
    else:
        _print_pair_sets(pair_sets, plan.sources, folder)


def _split_words(words: Sequence[str] | None) -> list[str]:
    """Words that were given one by one, or several with commas between them."""
    return [part for word in words or () for part in word.split(",")]


def _tell_estimates(show: Callable[[object], None]) -> Callable[[object], None]:
    def told(message: object) -> None:
        if isinstance(message, Estimated):
            minutes = message.seconds / 60
            took = f"{minutes:.0f} min" if minutes >= 1 else f"{message.seconds:.0f} s"
            typer.echo(f"The nearest of {message.terms:,} terms will take about {took}.", err=True)
        show(message)

    return told


def _print_pair_sets(pair_sets: PairSets, sources: Sequence[str], folder: Path) -> None:
    header = ("source", "difficulty", "size", *(f"{distance} distance" for distance in _DISTANCES))
    rows = [
        (SOURCES[row.source], row.difficulty, row.size, row.similar, *_similarity_cells(row))
        for row in set_rows(pair_sets)
    ]
    print_line("Pairs in each set, and mean edit distances of similar and of dissimilar pairs:")
    print_table(header, rows)
    if without := [
        source for source in sources if source not in {x.source for x in pair_sets.sets}
    ]:
        print_line(f"No similar pairs: {', '.join(without)}.")
    for name, counts in pair_sets.left_out.items():
        print_line(f"{name}: {told_counts(counts)}")
    if len(pair_sets.left_out) > 1:
        print_line(f"together: {told_counts(add_counts(pair_sets.left_out))}")
    if short := count_without_dissimilar(pair_sets):
        print_line(
            f"For {count_text(short, 'similar pair', 'similar pairs')} there is no dissimilar one."
        )
    print_line(f"{len(pair_sets.sets)} sets are in {folder}")


def _similarity_cells(row: SetRow) -> list[object]:
    return ["–" if similarity is None else similarity for similarity in (row.random, row.nearest)]


app.command("from-list")(pairs_from.list_command)
app.command("from-compare")(pairs_from.compare_command)
app.command("from-suggestions")(pairs_from.suggestions_command)
app.command("queue")(pairs_queue.queue_command)
