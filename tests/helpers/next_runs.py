"""The next run of a series without its tasks: of a search, and of a recommended encoder."""

from collections.abc import Sequence

from termexplorer.services.recipes.run_requests import RunRequest, add_run
from termexplorer.services.train.hidden_search import (
    LARGEST,
    add_sized_run,
    check_search,
    choose_next_size,
    tried,
)
from termexplorer.services.train.recommended import Recommended, check_recommended, next_request
from termexplorer.workspace import Workspace


def add_next_size(
    workspace: Workspace, request: RunRequest, runs: Sequence[int], largest: int = LARGEST
) -> int | None:
    """Add the run of the next number of hidden units; None where the search is over."""
    check_search(request, largest)
    hidden = choose_next_size(tried(workspace, runs), largest)
    return None if hidden is None else add_sized_run(workspace, request, hidden)


def add_next_part(workspace: Workspace, wanted: Recommended, runs: Sequence[int]) -> int | None:
    """Add the next run of a recommended encoder; None where all are there."""
    if not runs:
        check_recommended(workspace, wanted)
    request = next_request(workspace, wanted, runs)
    return None if request is None else add_run(workspace, request)
