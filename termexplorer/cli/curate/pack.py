"""The command `suggestion pack`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.curate.lists import ListArgument
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption, out_file
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.curate.answers.suggestion_packs import pack_suggestions
from termexplorer.services.pairs.filter import told_counts
from termexplorer.services.verdicts.people import add_person


def pack_command(
    list_id: ListArgument,
    curator: Annotated[str, typer.Option(metavar="NAME", help="Who judges.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The one file to send.", callback=out_file())
    ],
    orcid: Annotated[str, typer.Option(help="Of who judges, if they have one.")] = "",
    first: Annotated[
        int | None, typer.Option(min=1, help="The first ones of the list; all, unless told.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write a study pack of the suggestions that a curator has not judged, to be judged elsewhere.

    `judge FILE` shows them one by one, and `study merge` takes what comes back for the curator's
    verdicts on these suggestions.
    """
    with opened(workspace) as opened_workspace:
        packed = pack_suggestions(
            opened_workspace, list_id, add_person(opened_workspace, curator, orcid), out, first
        )
    if json:
        print_json(name_fields(packed) | {"file": str(out)})
    else:
        print_line(
            f"{out} asks {packed.annotator} about "
            f"{count_text(packed.questions, 'suggestion', 'suggestions')}"
            "; "
            f"study {packed.study_id}"
        )
        if packed.left_out:
            print_line(told_counts(packed.left_out))
