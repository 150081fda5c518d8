"""The commands `suggestion split` and `suggestion parts`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.curate.lists import ListArgument
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.cli.study.agreement_told import agreement_object, print_agreement
from termexplorer.services.curate.answers.list_outcomes import DIFFER, OUTCOME_WORDS
from termexplorer.services.curate.answers.list_parts import ListPart, read_parts, split_list
from termexplorer.services.curate.answers.parts_table import list_outcome_rows, make_outcome_header
from termexplorer.services.files.exports import write_table
from termexplorer.services.verdicts.people import add_person


def split_command(
    list_id: ListArgument,
    to: Annotated[list[str], typer.Option(metavar="NAME", help="Who answers; repeatable.")],
    twice: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="The share that two people answer, blind to each other; 1 for all."
        ),
    ] = 0.0,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Deal a list of suggestions out to people: what nobody has judged, in turn.

    Each part is a list of its own, which is reviewed on Curate, packed (`suggestion pack`), shared
    or exported. Where two answer the same, neither sees what others say until their part is done.
    Splitting again replaces the parts; verdicts stay.
    """
    with opened(workspace) as opened_workspace:
        people = [add_person(opened_workspace, name) for name in to]
        split_list(opened_workspace, list_id, people, twice)
        parts = read_parts(opened_workspace, list_id).parts
    if json:
        print_json({"parts": [_part_object(part) for part in parts]})
        return
    _print_parts(parts)


def parts_command(
    list_id: ListArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Each suggestion with what each person said of it, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Tell how far the parts of a list are, how well people agree, and on how much they differ.

    What people differ on is decided by anybody else: on Curate, or by `suggestion answer`.
    """
    with opened(workspace) as opened_workspace:
        parts = read_parts(opened_workspace, list_id)
    outcomes = parts.outcomes
    if out is not None:
        people = [part.person for part in parts.parts]
        write_table(out, make_outcome_header(people), list_outcome_rows(parts))
    report = outcomes.measure_agreement()
    counts = {state: outcomes.counts.get(state, 0) for state in OUTCOME_WORDS}
    if json:
        print_json(
            {
                "parts": [_part_object(part) for part in parts.parts],
                "outcomes": counts,
                "agreement": agreement_object(report) if report else None,
            }
        )
        return
    if not parts.parts:
        print_line(f"List {list_id} has no parts; `termexplorer suggestion split` deals it out.")
        return
    _print_parts(parts.parts)
    print_line("; ".join(f"{count:,} {OUTCOME_WORDS[state]}" for state, count in counts.items()))
    if report is not None:
        print_agreement(report)
    if counts[DIFFER]:
        print_line("What they differ on waits for a decision on Curate, or by `suggestion answer`.")


def _print_parts(parts: Sequence[ListPart]) -> None:
    columns = ("list", "annotator", "suggestions", "answered", "blind")
    print_table(columns, [[_part_object(part)[column] for column in columns] for part in parts])


def _part_object(part: ListPart) -> dict[str, object]:
    return {
        "list": part.list_id,
        "annotator": part.person.name,
        "suggestions": part.count,
        "answered": part.answered,
        "blind": part.blind,
    }
