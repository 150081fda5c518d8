"""All commands put together; each is imported when it is called."""

import os
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from termexplorer.cli.command_help import add_short_options
from termexplorer.cli.command_table import COMMANDS, renew_words
from termexplorer.cli.display import check_display
from termexplorer.cli.options import WorkspaceOption
from termexplorer.places import WORKSPACE_VARIABLE, workspace_folder


class LazyCommands(Mapping[str, TyperCommand | TyperGroup]):
    """All commands by name; looking one up imports it."""

    def __getitem__(self, name: str) -> TyperCommand | TyperGroup:
        return COMMANDS[name].load_command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(TyperGroup):
    """The program's commands, which a list of them describes without importing any."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        add_short_options(self)
        self.commands = LazyCommands()  # type: ignore[assignment]
        self._is_described = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names, in the order of the table."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, or what a list shows of it."""
        if self._is_described and cmd_name in COMMANDS:
            return COMMANDS[cmd_name].describe_command(cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command and the words behind it; old words are told, and work."""
        words, note = renew_words(args)
        if note and not ctx.resilient_parsing:  # a shell only asks what may follow
            typer.echo(note, err=True)
        return super().resolve_command(ctx, words)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with what the table says of each command."""
        self._is_described = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._is_described = False

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what the name of a command may go on with."""
        self._is_described = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._is_described = False


app = typer.Typer(
    cls=LazyGroup,
    help="Which names does an encoder believe belong together, at which level of a hierarchy?",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"termexplorer {version('termexplorer')}")
        raise typer.Exit


@app.callback()
def window(
    context: typer.Context,
    workspace: WorkspaceOption = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Open the window, or do one job."""
    if workspace is not None:
        os.environ[WORKSPACE_VARIABLE] = str(workspace)  # said before the command: its default
    if context.invoked_subcommand is None:
        check_display("open the window on a desktop; `termexplorer --help` lists the commands")
        from termexplorer.app import run_window

        raise typer.Exit(run_window(workspace_folder(workspace), demo=False))
