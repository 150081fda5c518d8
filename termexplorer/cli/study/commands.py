"""Commands about studies, in which people judge pairs of terms."""

import typer

from termexplorer.cli.study.adjudicate import adjudicate_command
from termexplorer.cli.study.agreement import agreement_command
from termexplorer.cli.study.change import (
    add_annotator_command,
    remove_command,
    rename_command,
)
from termexplorer.cli.study.export import export_command
from termexplorer.cli.study.keys import keys_command
from termexplorer.cli.study.merge import merge_command
from termexplorer.cli.study.new import new_command
from termexplorer.cli.study.pairs import pairs_command
from termexplorer.cli.study.report import report_command
from termexplorer.cli.study.serve import serve_command
from termexplorer.cli.study.status import list_command, show_command
from termexplorer.cli.study.verdicts import verdicts_command

app = typer.Typer(help="Studies: people judge pairs of terms; how well they agree.")
app.command("new")(new_command)
app.command("list")(list_command)
app.command("show")(show_command)
app.command("rename")(rename_command)
app.command("add-annotator")(add_annotator_command)
app.command("remove")(remove_command)
app.command("pairs")(pairs_command)
app.command("export")(export_command)
app.command("serve")(serve_command)
app.command("merge")(merge_command)
app.command("keys")(keys_command)
app.command("agreement")(agreement_command)
app.command("report")(report_command)
app.command("adjudicate")(adjudicate_command)
app.command("verdicts")(verdicts_command)
