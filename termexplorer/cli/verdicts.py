"""Commands about the log of verdicts: `verdicts check`, `verdicts export`, `verdicts import`."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from termexplorer.cli.exporting import (
    open_for_export,
    print_blind,
    print_left_out,
    tell_blind,
    tell_left_out,
)
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
from termexplorer.services.curate.answers.blind_answers import BlindAnswers, find_blind_answers
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.log import CURATORS, check_log
from termexplorer.workspace import Workspace

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
    asker: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="NAME",
            help="Who exports; somebody who still answers a list blind gets their own of it alone.",
        ),
    ] = "",
    without_broken: WithoutBrokenOption = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write the last verdict of each judge on each subject."""
    with open_for_export(workspace, without_broken=without_broken) as part:
        opened_workspace = part.workspace
        key = CURATORS if study is None else find_study(opened_workspace, study).head.key
        blind = _find_blind(opened_workspace, study, asker)
        count = write_verdicts(opened_workspace, out, key, blind.hides)
    if json:
        counts = {"verdicts": count, "file": str(out)}
        print_json(counts | tell_blind(blind) | tell_left_out(part))
    else:
        print_line(f"{count_text(count, 'verdict is', 'verdicts are')} in {out}")
        print_blind(blind)
        print_left_out(part)


def _find_blind(workspace: Workspace, study: int | None, asker: str) -> BlindAnswers:
    """Return what may not be read yet; of a study, what has come in may be read by who has it."""
    nothing = BlindAnswers(asker, frozenset())
    return find_blind_answers(workspace, asker) if study is None else nothing


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
