"""The command `study serve`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened, print_warning
from termexplorer.cli.options import JsonOption, WorkspaceOption, out_folder
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.errors import UserError


def serve_command(
    packs: Annotated[
        list[Path], typer.Argument(metavar="PACK...", help="The packs of those who judge.")
    ],
    answers: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Where answers go, a file each.", callback=out_folder),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="On this machine; 0 for any that is free.")
    ] = 8700,
    site: Annotated[
        str,
        typer.Option(metavar="URL", help="Where judges reach it: the server with TLS before it."),
    ] = "",
    new_link: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Give this annotator another link; repeatable."),
    ] = None,
    merge: Annotated[
        bool,
        typer.Option(
            "--merge",
            help="Take answers into the log of the workspace as they come, and send them to its"
            " team where it is in one.",
        ),
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Serve study packs as pages on this machine, by one-time links; answers go to a folder."""
    try:
        from termexplorer.services.judge_page.serving import open_service
    except ImportError as error:
        raise UserError(
            f"serving needs a package ({error.name}); it comes with the extra `serve`: "
            ".venv/bin/python -m pip install -e '.[serve]' in termexplorer's folder"
        ) from error
    service = open_service(packs, answers, port, site, new_link or ())
    if json:
        print_json({"links": [asdict(link) | {"file": str(link.file)} for link in service.links]})
    else:
        for link in service.links:
            used = " (used by a browser)" if link.used else ""
            print_line(f"{link.annotator}: {link.url}{used}")
        print_line(f"Answers go to {answers}. Ctrl+C ends it; the links stay.")
    if not merge:
        service.serve_requests()
        return
    from termexplorer.services.judge_page.merging import merging_answers

    files = [link.file for link in service.links]
    with (
        opened(workspace) as opened_workspace,
        merging_answers(
            opened_workspace, files, _print_problem, _print_nothing if json else _print_merge
        ),
    ):
        service.serve_requests()


def _print_merge(file: Path, rows: int) -> None:
    print_line(f"{file.name}: {count_text(rows, 'answer', 'answers')} merged")


def _print_nothing(_file: Path, _rows: int) -> None:
    """Leave the one JSON object alone on standard output."""


def _print_problem(problem: str) -> None:
    if problem:
        print_warning(problem)
