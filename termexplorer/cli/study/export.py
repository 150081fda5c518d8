"""The command `study export`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, StudyArgument, WorkspaceOption, out_file
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.studies.packs import write_pack


def export_command(
    study_id: StudyArgument,
    annotator: Annotated[str, typer.Option(metavar="NAME", help="Whose pack it is.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The one file to send.", callback=out_file())
    ],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write an annotator's study pack, which tells neither labels nor sets."""
    with opened(workspace) as opened_workspace:
        questions = write_pack(opened_workspace, study_id, annotator, out)
    if json:
        print_json({"study": study_id, "questions": questions, "file": str(out)})
    else:
        print_line(f"{out} asks {annotator} {count_text(questions, 'question', 'questions')}")
