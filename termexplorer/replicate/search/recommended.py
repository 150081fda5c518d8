"""The recommended encoder as tasks: its runs, one after the other, then all of it joined."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

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
from termexplorer.replicate.work.worker import WorkerRequest, open_tasks
from termexplorer.services.recipes.run_requests import add_run
from termexplorer.services.train.recommended import (
    Recommended,
    check_recommended,
    joined_end,
    next_request,
    runs_needed,
)
from termexplorer.store.tasks.task_table import StoredStudy, TaskKey, TaskTable
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

RECOMMENDED = "recommended"
_END: TaskKey = ("end",)


def begin_recommended(
    workspace: Workspace, wanted: Recommended, *, in_window: bool = False
) -> Path:
    """Write the tasks of a recommended encoder down; return the folder that they are in.

    Args:
        workspace: where its runs go.
        wanted: what it is made of.
        in_window: a window works it off, and offers to go on with it.

    Raises:
        UserError: as `check_recommended`.
    """
    check_recommended(workspace, wanted)
    values = {
        "workspace": str(workspace.folder.resolve()),
        "first": find_newest_run(workspace),
        IN_WINDOW: in_window,
        "wanted": asdict(wanted),
    }
    folder = make_series_folder(workspace)
    keys = [("run", number) for number in range(runs_needed(wanted) + 1)]
    with closing(open_tasks(folder)) as table:
        table.put_study(StoredStudy(RECOMMENDED, {}, values))
        table.put_tasks(keys, read_number)
    return folder


def work_on_recommended(
    workspace: Workspace,
    folder: Path,
    on_message: Callable[[object], None],
    on_added: Callable[[int, int], None],
) -> tuple[int, list[int]]:
    """Work a recommended encoder off that was begun in this workspace; return it and its runs.

    Raises:
        UserError: a run cannot be trained.
    """
    with opened_series(workspace, folder, on_message, on_added) as (series, values):
        wanted = read_recommended(values)
        series.worker.work_off(lambda key: series.train_once(plan_part(series, wanted, key)))
        return find_end(series.worker.table), series.list_done(runs_needed(wanted))


def take_recommended_tasks(
    values: Mapping[str, Any], asked: WorkerRequest, channel: Channel
) -> None:
    """Train runs of a recommended encoder until none is left; see `take_series_tasks`."""
    wanted = read_recommended(values)
    take_series_tasks(values, asked, channel, lambda series, key: plan_part(series, wanted, key))


def find_end(table: TaskTable) -> int:
    """Return the recommended encoder, once all of its tasks are done."""
    end = table.find_piece(_END)
    assert end is not None  # noqa: S101 - all tasks are done
    return int(end["encoder"])


def read_recommended(values: Mapping[str, Any]) -> Recommended:
    """Return what it is made of, as the table of its tasks has it."""
    wanted: dict[str, Any] = dict(values["wanted"])
    for name in ("vectors_ids", "also", "at_end_ids"):
        wanted[name] = tuple(wanted[name])
    return Recommended(**wanted)


def plan_part(series: TaskSeries, wanted: Recommended, key: TaskKey) -> PlannedRun | None:
    """Return the run of a task of a recommended encoder; None for the last, which joins all."""
    number = read_number(key)
    runs = series.list_done(number)
    request = next_request(series.workspace, wanted, runs)
    if request is None:
        encoder = joined_end(series.workspace, wanted, runs)
        series.worker.put(_END, {"encoder": encoder.id})
        return None
    return PlannedRun(number, request, lambda: add_run(series.workspace, request))
