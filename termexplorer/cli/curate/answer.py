"""The command `suggestion answer`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.curate.lists import ListArgument
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.curate.list_answers import (
    ANSWER_TITLES,
    PREDICATE_CURIES,
    WantedAnswer,
    answer_list,
    read_answers_table,
)
from termexplorer.services.verdicts.log import undo_step
from termexplorer.services.verdicts.people import add_person


def answer_command(
    list_id: ListArgument,
    judge: Annotated[str, typer.Option("--as", metavar="NAME", help="Who answers.")],
    row: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N", help="A row of the list, from 1, as --json and files have it; repeatable."
        ),
    ] = None,
    answer: Annotated[
        str, typer.Option(help="correct, wrong, unsure or later; of misplaced concepts also: also.")
    ] = "",
    predicate: Annotated[
        str,
        typer.Option(
            help=f"What the target is to the source: {', '.join(PREDICATE_CURIES)}, or a CURIE."
        ),
    ] = "",
    target: Annotated[
        str, typer.Option(metavar="CURIE", help="Another concept than the suggested one.")
    ] = "",
    note: Annotated[str, typer.Option(help="Kept with the answer.")] = "",
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help=f"A table of answers instead: {', '.join(ANSWER_TITLES)}.",
        ),
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take the last step of this person back instead.")
    ] = False,
    orcid: Annotated[str, typer.Option(help="Of who answers, if they have one.")] = "",
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Answer rows of a list of suggestions, as on Curate; all of them in one step of the log."""
    if (row is not None) + (from_file is not None) + undo != 1:
        raise typer.BadParameter("give rows with --row, a table with --from, or --undo")
    with opened(workspace) as opened_workspace:
        person = add_person(opened_workspace, judge, orcid)
        if undo:
            count = len(undo_step(opened_workspace, person))
        else:
            wanted = (
                read_answers_table(from_file)
                if from_file
                else [
                    WantedAnswer(number, answer, predicate, target, note, f"--row {number}")
                    for number in row or ()
                ]
            )
            count = answer_list(opened_workspace, list_id, person, wanted)
    if json:
        print_json({"taken_back" if undo else "answered": count})
    else:
        done = "taken back" if undo else "given"
        print_line(f"{count_text(count, 'answer', 'answers')} {done} as {person.name}")
