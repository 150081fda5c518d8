"""Commands that have encoders suggest what a curator then reviews."""

import typer

from termexplorer.cli.curate.deeper import deeper_command
from termexplorer.cli.curate.duplicates import duplicates_command
from termexplorer.cli.curate.mappings import mappings_command
from termexplorer.cli.curate.misplaced import misplaced_command
from termexplorer.cli.curate.names import names_command
from termexplorer.cli.curate.study import study_command

app = typer.Typer(help="Have encoders suggest what a curator then reviews.")
app.command("deeper")(deeper_command)
app.command("duplicates")(duplicates_command)
app.command("mappings")(mappings_command)
app.command("misplaced")(misplaced_command)
app.command("names")(names_command)
app.command("study")(study_command)
