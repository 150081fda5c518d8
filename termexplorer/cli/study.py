"""Commands about studies, in which people judge pairs of terms."""

import typer

from termexplorer.cli.study_adjudicate import adjudicate_command
from termexplorer.cli.study_agreement import agreement_command
from termexplorer.cli.study_change import (
    add_annotator_command,
    remove_command,
    rename_command,
)
from termexplorer.cli.study_export import export_command
from termexplorer.cli.study_merge import merge_command
from termexplorer.cli.study_new import new_command
from termexplorer.cli.study_pairs import pairs_command
from termexplorer.cli.study_report import report_command
from termexplorer.cli.study_status import status_command
from termexplorer.cli.study_verdicts import verdicts_command

app = typer.Typer(help="Studies: people judge pairs of terms; how well they agree.")
app.command("new")(new_command)
app.command("rename")(rename_command)
app.command("add-annotator")(add_annotator_command)
app.command("remove")(remove_command)
app.command("pairs")(pairs_command)
app.command("export")(export_command)
app.command("merge")(merge_command)
app.command("status")(status_command)
app.command("agreement")(agreement_command)
app.command("report")(report_command)
app.command("adjudicate")(adjudicate_command)
app.command("verdicts")(verdicts_command)
