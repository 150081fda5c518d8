"""What all commands have alike: short forms of the usual options, and examples in their help."""

from typer.core import TyperCommand, TyperGroup

from termexplorer.cli.examples import EXAMPLES

SHORT_OPTIONS = {
    "--encoder": "-e",
    "--json": "-j",
    "--level": "-l",
    "--limit": "-n",
    "--ontology": "-O",
    "--out": "-o",
    "--seed": "-s",
    "--workspace": "-w",
    "--yes": "-y",
}


def complete_command(command: object, path: str) -> None:
    """Give a command, and each in a group, its short options and its examples.

    Args:
        command: as typer makes it.
        path: its words, as they are typed.
    """
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            complete_command(inner, f"{path} {name}")
    if isinstance(command, TyperGroup | TyperCommand):
        _add_short_options(command)
        examples = [f"termexplorer {words}" for words in EXAMPLES.get(path, ())]
        command.epilog = "\n\n".join(filter(None, [command.epilog, *examples])) or None


def _add_short_options(command: TyperCommand | TyperGroup) -> None:
    taken = {option for parameter in command.params for option in parameter.opts}
    for parameter in command.params:
        for option in tuple(parameter.opts):
            short = SHORT_OPTIONS.get(option)
            if short is not None and short not in taken:
                parameter.opts.append(short)
