"""Commands about the lists of suggestions that are kept for review."""

import typer

from termexplorer.cli.curate.answer import answer_command
from termexplorer.cli.curate.carry_over import carry_over_command
from termexplorer.cli.curate.lists import (
    export_command,
    import_command,
    list_command,
    remove_command,
)
from termexplorer.cli.curate.pack import pack_command
from termexplorer.cli.curate.parts import parts_command, split_command

app = typer.Typer(
    help="Kept lists of suggestions: list, export, import, answer, deal out, pack or remove them."
)
app.command("list")(list_command)
app.command("export")(export_command)
app.command("import")(import_command)
app.command("carry-over")(carry_over_command)
app.command("answer")(answer_command)
app.command("split")(split_command)
app.command("parts")(parts_command)
app.command("pack")(pack_command)
app.command("remove")(remove_command)
