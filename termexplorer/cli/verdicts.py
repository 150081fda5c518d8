"""Commands about the log of verdicts: `verdicts check`, `verdicts export`, `verdicts import`."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from termexplorer.cli.exporting import open_for_export, print_left_out, tell_left_out
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WithoutBrokenOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.log import CURATORS, check_log

StudyOption: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="ID", help="Verdicts on the pairs of a study; else those on suggestions."),
]

app = typer.Typer(help="The log of what curators and clinicians said.")


@app.command()
def check(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Read the whole log; exit 1 and name the row where it was changed or cut."""
    with opened(workspace) as opened_workspace:
        rows = check_log(opened_workspace)
    if json:
        print_json({"rows": rows})
    else:
        print_line(f"the log is whole: {count_text(rows, 'row', 'rows')}")


@app.command()
def export(
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"All that counts, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ],
    study: StudyOption = None,
    without_broken: WithoutBrokenOption = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write the last verdict of each judge on each subject."""
    with open_for_export(workspace, without_broken=without_broken) as part:
        opened_workspace = part.workspace
        key = CURATORS if study is None else find_study(opened_workspace, study).head.key
        count = write_verdicts(opened_workspace, out, key)
    if json:
        print_json({"verdicts": count, "file": str(out)} | tell_left_out(part))
    else:
        print_line(f"{count_text(count, 'verdict is', 'verdicts are')} in {out}")
        print_left_out(part)


@app.command("import")
def import_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="As exported: .csv, .tsv, .xlsx or .jsonl.")
    ],
    study: StudyOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Add the verdicts of a table to the log, each once; all, or none and why not."""
    with opened(workspace, make=True) as opened_workspace:
        imported = import_verdicts(opened_workspace, file, study)
    if json:
        print_json(name_fields(imported))
    elif imported.unfit:
        print_table(("line", "reason"), [(row.line, row.reason) for row in imported.unfit])
    else:
        older = f"; {imported.older:,} are older than what counts here" if imported.older else ""
        print_line(
            f"{count_text(imported.rows, 'verdict', 'verdicts')}, {imported.new:,} of them "
            f"new{older}"
        )
        if imported.unsaved:
            print_line(imported.unsaved)
    if imported.unfit:
        raise UserError(
            f"{file}: {len(imported.unfit):,} of "
            f"{count_text(imported.rows, 'row does not fit', 'rows do not fit')}"
            ", the first in line "
            f"{imported.unfit[0].line}: {imported.unfit[0].reason}; nothing was stored"
        )
