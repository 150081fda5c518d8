"""The command `study export`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, StudyArgument, WorkspaceOption, out_file
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.errors import UserError
from termexplorer.services.judge_page.page import write_judge_page
from termexplorer.services.studies.packs import write_pack


def export_command(
    study_id: StudyArgument,
    annotator: Annotated[str, typer.Option(metavar="NAME", help="Whose pack it is.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A pack for termexplorer.", callback=out_file()),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="A page for any browser, where nothing is installed; it sends nothing.",
            callback=out_file(".html", ".htm"),
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write the one file an annotator needs, which tells neither labels nor sets."""
    if out is None and html is None:
        raise UserError("name the file with --out, --html for a page that browsers open, or both")
    questions = 0
    with opened(workspace) as opened_workspace:
        if out is not None:
            questions = write_pack(opened_workspace, study_id, annotator, out)
        if html is not None:
            questions = write_judge_page(opened_workspace, study_id, annotator, html)
    files = [path for path in (out, html) if path is not None]
    if json:
        print_json({"study": study_id, "questions": questions, "file": str(files[0])})
        return
    for path in files:
        print_line(f"{path} asks {annotator} {count_text(questions, 'question', 'questions')}")
