"""What all commands have alike: short options, examples in the help, encoders by title."""

from typer.core import TyperCommand, TyperGroup

from termexplorer.cli.encoder_titles import accept_titles, choose_by_default
from termexplorer.cli.examples import EXAMPLES
from termexplorer.cli.standard_input import accept_standard_input
from termexplorer.cli.table_files import add_table_option

ENCODERS = frozenset({"encoder", "vectors", "transformer", "at_end", "baseline"})
"""Parameters that are ids of encoders, where they say so."""
CHOOSES_ENCODERS = frozenset({"map table", "suggest mappings"})
"""Commands that do something else where no encoder is named."""
BY_DEFAULT = {
    "compare": ("built-in", "tf-idf"),
    "project": ("built-in",),
    "rank": ("built-in",),
    "suggest": ("built-in",),
    "train": ("built-in",),
}
"""What commands and groups take where no `--encoder`, or no `--vectors`, is given."""
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
        add_table_option(command, path)
        accept_standard_input(command, path)
        add_short_options(command)
        _accept_titles_of_encoders(command, path)
        examples = [f"termexplorer {words}" for words in EXAMPLES.get(path, ())]
        command.epilog = "\n\n".join(filter(None, [command.epilog, *examples])) or None


def add_short_options(command: TyperCommand | TyperGroup) -> None:
    """Give the usual options of a command their short forms, as far as these are free."""
    taken = {option for parameter in command.params for option in parameter.opts}
    for parameter in command.params:
        for option in tuple(parameter.opts):
            short = SHORT_OPTIONS.get(option)
            if short is not None and short not in taken:
                parameter.opts.append(short)


def _accept_titles_of_encoders(command: TyperCommand | TyperGroup, path: str) -> None:
    for parameter in command.params:
        # others of that name are folders and files, as of `board` and `replicate`
        if parameter.name in ENCODERS and parameter.metavar == "ID":
            accept_titles(command, parameter)
            titles = () if path in CHOOSES_ENCODERS else BY_DEFAULT.get(path.split()[0])
            if titles and (parameter.name == "encoder" or parameter.required):
                choose_by_default(parameter, titles)
