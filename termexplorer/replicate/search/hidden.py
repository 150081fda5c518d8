"""The search for hidden units as tasks: sizes that double, or trials that Optuna proposes."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.search.series import (
    IN_WINDOW,
    PlannedRun,
    TaskSeries,
    find_newest_run,
    make_series_folder,
    opened_series,
    read_number,
    take_series_tasks,
)
from termexplorer.replicate.search.sizes import ROUND, check_optuna, propose_sizes
from termexplorer.replicate.work.worker import WorkerRequest, open_tasks
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.hidden_search import (
    add_sized_run,
    check_search,
    choose_next_size,
    size_request,
    tried,
)
from termexplorer.store.tasks.task_table import StoredStudy, TaskKey
from termexplorer.texts import tr
from termexplorer.trainer.training.sizes import SMALLEST
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

HIDDEN_SEARCH = "hidden search"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search for the number of hidden units.

    Attributes:
        run: all that its runs have in common.
        largest: no run has more hidden units.
        trials: how many Optuna proposes; 0: sizes double until validation declines.
    """

    run: RunRequest
    largest: int
    trials: int = 0

    @property
    def places(self) -> int:
        """How many tasks it has at most."""
        if self.trials:
            return self.trials
        return max((self.largest // SMALLEST).bit_length(), 1)


def begin_search(workspace: Workspace, wanted: SearchRequest, *, in_window: bool = False) -> Path:
    """Write the tasks of a search down; return the folder that they are in.

    Args:
        workspace: where its runs go.
        wanted: what is searched.
        in_window: a window works it off, and offers to go on with it.

    Raises:
        UserError: it cannot be made, or Optuna is missing.
    """
    check_search(wanted.run, wanted.largest)
    if wanted.trials:
        check_optuna()
        if wanted.largest - SMALLEST < wanted.trials + ROUND:
            raise UserError(
                tr("there are fewer numbers of hidden units than trials; allow larger ones")
            )
    values = {
        "workspace": str(workspace.folder.resolve()),
        "first": find_newest_run(workspace),
        IN_WINDOW: in_window,
        **asdict(wanted),
    }
    folder = make_series_folder(workspace)
    width = ROUND if wanted.trials else 1
    with closing(open_tasks(folder)) as table:
        table.put_study(StoredStudy(HIDDEN_SEARCH, {}, values))
        keys = [("size", number) for number in range(wanted.places)]
        table.put_tasks(keys, lambda key: read_number(key) // width)
    return folder


def work_on_search(
    workspace: Workspace,
    folder: Path,
    on_message: Callable[[object], None],
) -> list[int]:
    """Work a search off that was begun in this workspace; return its runs in their order.

    Raises:
        UserError: a run cannot be trained.
    """
    with opened_series(workspace, folder, on_message) as (series, values):
        wanted = read_search(values)
        series.worker.work_off(lambda key: series.train_once(plan_trial(series, wanted, key)))
        return list(dict.fromkeys(series.list_done(wanted.places)))


def take_search_tasks(values: Mapping[str, Any], asked: WorkerRequest, channel: Channel) -> None:
    """Train runs of a search until none is left; see `take_series_tasks`."""
    wanted = read_search(values)
    take_series_tasks(values, asked, channel, lambda series, key: plan_trial(series, wanted, key))


def read_search(values: Mapping[str, Any]) -> SearchRequest:
    """Return what is searched, as the table of its tasks has it."""
    return SearchRequest(RunRequest.read(values["run"]), values["largest"], values["trials"])


def plan_trial(series: TaskSeries, wanted: SearchRequest, key: TaskKey) -> PlannedRun | None:
    """Return the run of a task of a search; None where the search is over before it."""
    number = read_number(key)
    if wanted.trials:
        rounds, index = divmod(number, ROUND)
        done = tried(series.workspace, series.list_done(rounds * ROUND))
        hidden = propose_sizes(done, rounds, wanted.run.seed, wanted.largest)[index]
    else:
        runs = series.list_done(number)
        if len(runs) < number:  # it was over before
            return None
        size = choose_next_size(tried(series.workspace, runs), wanted.largest)
        if size is None:
            return None
        hidden = size
    request = size_request(wanted.run, hidden)
    return PlannedRun(
        number,
        request,
        lambda: add_sized_run(series.workspace, wanted.run, hidden),
        {"hidden": hidden},
    )
