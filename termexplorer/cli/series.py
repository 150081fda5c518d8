"""Runs that follow each other on the command line."""

from collections.abc import Callable, Sequence

from termexplorer.cli.output import progress_bar
from termexplorer.services.training import train_run
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


def train_series(place: Workspace, add_next: Callable[[Sequence[int]], int | None]) -> list[int]:
    """Trains runs to their end, one after the other, each with a progress bar; returns their ids.

    Args:
        place: the workspace.
        add_next: adds the run that comes after those before it; None where there is none.
    """
    runs: list[int] = []
    while (run_id := add_next(runs)) is not None:
        with progress_bar() as show:
            train_run(place, run_id, Control(), show)
        runs.append(run_id)
    return runs
