"""`pairs from-list`, `pairs from-compare` and `pairs from-suggestions`: pairs to be judged."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    OntologyOption,
    RootOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, progress_bar
from termexplorer.cli.pairs.filter_options import LeaveOutOptions
from termexplorer.cli.ranking import among_names
from termexplorer.services.compare.comparison import (
    TASKS,
    CompareRequest,
    ComparisonSubject,
    compare,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.judge.drawn_pairs import (
    WrittenPairs,
    pairs_of_comparison,
    pairs_of_list,
    pairs_of_suggestions,
    write_pairs,
)
from termexplorer.workers.process.supervision import JobControl

_DISAGREEMENTS = ("rbo", "difference")
OutOption: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        help="The pair set that is written, a .tsv file.",
        callback=out_file(".tsv"),
    ),
]


@dataclass(frozen=True, kw_only=True)
class ListOptions(LeaveOutOptions):
    """Pairs within a list."""

    title: Annotated[str, typer.Argument(metavar="TITLE", help="Of the kept list.")]
    ontology: Annotated[str, typer.Option(metavar="ID", help="Whose concepts are on it.")]
    out: OutOption
    number: Annotated[int, typer.Option(min=1, help="Pairs, at most.")] = 100
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@dataclass(frozen=True, kw_only=True)
class PairsFromCompareOptions(LeaveOutOptions):
    """Pairs that encoders disagree on."""

    task: Annotated[str, typer.Option(help=f"One of {', '.join(TASKS)}.")]
    encoder: Annotated[
        list[int], typer.Option(metavar="ID", help="Two to eight; may be given again.")
    ]
    out: OutOption
    ontology: OntologyOption = ""
    root: RootOption = ""
    level: Annotated[int | None, typer.Option(min=1, help="Of the classes or hypernyms.")] = None
    number: Annotated[int, typer.Option(min=1, help="Names that are asked about, at most.")] = 100
    sort: Annotated[
        str, typer.Option(help=f"What disagreement is: {' or '.join(_DISAGREEMENTS)}.")
    ] = _DISAGREEMENTS[0]
    workspace: WorkspaceOption = None
    json: JsonOption = False


@dataclass(frozen=True, kw_only=True)
class SuggestionOptions(LeaveOutOptions):
    """Pairs of a list of suggestions."""

    list_id: Annotated[
        int, typer.Argument(metavar="LIST_ID", help="As `termexplorer suggestion list` has it.")
    ]
    out: OutOption
    number: Annotated[
        int | None, typer.Option(min=1, help="Suggestions, from the first; all, unless told.")
    ] = None
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def list_command(asked: ListOptions) -> None:
    """Write pairs within a kept list, at random, as a pair set to be judged.

    A list is what was kept on a map, or by hand. Of concepts, the term that stands for each is
    paired. Pairs have no label; two names of one concept on a list of names are similar.
    """
    with opened(asked.workspace) as workspace:
        ontology = find_ontology(workspace, asked.ontology)
        pairs = pairs_of_list(workspace, ontology, asked.title, asked.number, asked.seed)
    tell_written(write_pairs(asked.out, pairs, asked.pair_filter), asked.json)


@options_from_dataclass
def compare_command(asked: PairsFromCompareOptions) -> None:
    """Write names on which encoders disagree most, each with what each encoder puts first.

    Names whose first answer is the same by all encoders are passed over. As in `compare`, rbo is
    the overlap of the first 100 names, difference how far the best right answers are apart. Two
    names of one concept have the label 1, all others none.
    """
    if asked.task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="--task")
    if asked.sort not in _DISAGREEMENTS:
        raise typer.BadParameter(f"there are {', '.join(_DISAGREEMENTS)}", param_hint="--sort")
    with opened(asked.workspace) as workspace, progress_bar() as show:
        among = among_names(workspace, asked.encoder, asked.ontology, asked.root, asked.level)
        subject = ComparisonSubject(asked.task, among.ontology_ids[0], among.root_id, among.level)
        request = CompareRequest(workspace.folder, subject, tuple(asked.encoder))
        compared = compare(workspace, request, JobControl(), show)
        pairs = pairs_of_comparison(workspace, compared, asked.number, asked.sort)
    tell_written(write_pairs(asked.out, pairs, asked.pair_filter), asked.json)


@options_from_dataclass
def suggestions_command(asked: SuggestionOptions) -> None:
    """Write what a list of suggestions is about as pairs, so that it can be judged blind.

    Each name, or the term that stands for a concept, is paired with the nearest name, by edit
    distance, of the concept that is suggested for it. No pair has a label.
    """
    with opened(asked.workspace) as workspace:
        pairs = pairs_of_suggestions(workspace, asked.list_id, asked.number)
    tell_written(write_pairs(asked.out, pairs, asked.pair_filter), asked.json)


def tell_written(written: WrittenPairs, json: bool) -> None:
    """Says what is in a file."""
    if json:
        print_json(name_fields(written, out="file"))
        return
    parts = "".join(f", {count:,} {part}" for part, count in written.parts.items())
    labels = f"{written.labelled:,} with a label" if written.labelled else "none with a label"
    print_line(f"{count_text(written.pairs, 'pair', 'pairs')}{parts}, {labels}: {written.out}")
    for sentence in written.missing():
        print_line(sentence)
    print_line("`termexplorer study new --pairs FILE` has them judged.")
