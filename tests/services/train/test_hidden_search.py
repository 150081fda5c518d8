"""The search for a number of hidden units, as a queue of runs."""

from dataclasses import replace

import pytest
from next_runs import add_next_size
from toy_workspace import FEW_SHOT, quiet

from termexplorer.errors import UserError
from termexplorer.services.recipes.run_requests import SplitRule
from termexplorer.services.train.hidden_search import Tried, best_run, tried
from termexplorer.services.train.runs import EpochInfo, find_run, list_runs, run_details
from termexplorer.services.train.training import train_run
from termexplorer.store.encoders import runs as queries
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

REQUEST = replace(FEW_SHOT, hyperparameters={"maximum_epochs": 2, "minimum_epochs": 1})


def test_each_run_of_a_search_has_twice_the_hidden_units(workspace: Workspace) -> None:
    runs: list[int] = []
    while (run_id := add_next_size(workspace, REQUEST, runs, largest=1200)) is not None:
        assert find_run(workspace, run_id).status == "queued"
        train_run(workspace, run_id, JobControl(), quiet)
        runs.append(run_id)
    assert [run.id for run in list_runs(workspace)] == runs[::-1]
    titles = [f"few-shot, 5 names a class, level 1, {n} hidden" for n in ("600", "1,200")]
    assert [find_run(workspace, run_id).title for run_id in runs] == titles
    done = tried(workspace, runs)
    losses = [
        min(epoch.validation for epoch in run_details(workspace, run_id).epochs) for run_id in runs
    ]
    assert [(trial.hidden, trial.figure) for trial in done] == list(
        zip((600, 1200), losses, strict=True)
    )
    assert best_run(done).run == runs[losses.index(min(losses))]


def test_a_search_ends_with_a_run_that_is_worse(workspace: Workspace) -> None:
    runs: list[int] = []
    for figure in (0.4, 0.5, 0.45):
        run_id = add_next_size(workspace, REQUEST, runs)
        assert run_id is not None
        with workspace.store.writing() as connection:
            queries.put_epochs(connection, run_id, [EpochInfo(1, {}, figure, 0.1, 9.0)])
        runs.append(run_id)
    assert add_next_size(workspace, REQUEST, runs) is None
    assert best_run(tried(workspace, runs)) == Tried(runs[1], 1200, 0.5, True)
    without_epochs = add_next_size(workspace, REQUEST, runs[:2])
    assert without_epochs is not None
    assert add_next_size(workspace, REQUEST, [*runs[:2], without_epochs]) is None


def test_a_search_that_cannot_be_made_says_why(workspace: Workspace) -> None:
    cca = replace(REQUEST, recipe="cca", rule=SplitRule("cca"), hyperparameters={})
    own_request = replace(REQUEST, hyperparameters={"hidden": 32})
    for request, largest, message in (
        (cca, 1200, "cca has no hidden units"),
        (own_request, 1200, "chooses hidden itself; leave it out"),
        (REQUEST, 500, "begins with 600 hidden units"),
    ):
        with pytest.raises(UserError, match=message):
            add_next_size(workspace, request, [], largest)
    assert list_runs(workspace) == []
    with pytest.raises(UserError, match="no size came to a validation figure"):
        best_run([Tried(1, 600, None, True)])
