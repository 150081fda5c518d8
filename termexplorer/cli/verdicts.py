"""Commands about the log of verdicts: `verdicts check`, `verdicts export`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line
from termexplorer.services.studies import find_study
from termexplorer.services.verdict_files import write_verdicts
from termexplorer.services.verdicts import CURATORS, check_log

app = typer.Typer(help="The log of what curators and clinicians said.")


@app.command()
def check(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Read the whole log; exit 1 and name the row where it was changed or cut."""
    with opened(workspace) as place:
        rows = check_log(place)
    if json:
        print_json({"rows": rows})
    else:
        print_line(f"the log is whole: {rows:,} rows")


@app.command()
def export(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="All that counts, as .csv, .tsv, .xlsx or .jsonl.")
    ],
    study: Annotated[
        int | None,
        typer.Option(
            metavar="ID", help="Verdicts on the pairs of a study; else those on suggestions."
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write the last verdict of each judge on each subject."""
    with opened(workspace) as place:
        key = CURATORS if study is None else find_study(place, study).head.key
        count = write_verdicts(place, out, key)
    if json:
        print_json({"verdicts": count, "file": str(out)})
    else:
        print_line(f"{count:,} verdicts are in {out}")
