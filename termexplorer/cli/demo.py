"""The command `demo`: ICD-10-CM in the window, or the whole journey in text without a display."""

import typer

from termexplorer.cli.display import has_display
from termexplorer.cli.opening import opened
from termexplorer.cli.options import WorkspaceOption
from termexplorer.cli.output import print_line, progress_bar
from termexplorer.places import workspace_folder
from termexplorer.services.workspace.demo import demo_journey


def demo(workspace: WorkspaceOption = None) -> None:
    """Open the window on ICD-10-CM, importing it first; without a display, show it in text."""
    if has_display():
        from termexplorer.app import run_window

        raise typer.Exit(run_window(workspace_folder(workspace), demo=True))
    with opened(workspace, make=True) as opened_workspace, progress_bar() as show:
        journey = demo_journey(opened_workspace, show)
    print_line(journey)
    print_line("There is no display here. On a desktop, `termexplorer demo` opens the window.")
