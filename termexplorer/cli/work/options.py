"""Options of commands that begin a study whose tasks further workers may take."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.output import count_text, print_json, print_line

DatabaseOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="ADDRESS",
        help="Keep the tasks on a PostgreSQL server (postgresql://NAME@HOST/DATABASE, the extra "
        "`team`); else in a file of the folder.",
    ),
]
PrepareOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--prepare", help="Write the tasks down for `termexplorer work`, and run none of them."
    ),
]


def keep_database(folder: Path, database: str) -> None:
    """Have a study keep its tasks on a server, where one is named."""
    if database:
        from termexplorer.replicate.work.joining import keep_tasks_on

        keep_tasks_on(folder, database)


def print_prepared(folder: Path, *, json: bool) -> None:
    """Tell how many tasks a study has, and how they are worked off."""
    from termexplorer.replicate.work.joining import read_state

    state = read_state(folder)
    if json:
        print_json({"folder": str(folder), **name_fields(state)})
    else:
        print_line(
            f"{count_text(state.counts.open, 'task', 'tasks')} to do: termexplorer work {folder}"
        )
