"""A run on several devices: what one device comes to, also where a process of it is killed."""

import os
from dataclasses import replace

import pytest
from process_tree import find_descendants, kill_all
from toy_workspace import FEW_SHOT, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.recipes.run_requests import SplitRule, add_run
from termexplorer.services.train.runs import find_run, run_details
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

REQUEST = replace(FEW_SHOT, hyperparameters={"hidden": 32, "maximum_epochs": 6})

RANK = "termexplorer.workers.train.ranks"  # the module of further processes


def epochs(workspace: Workspace, run_id: int) -> list[float]:
    return [epoch.validation for epoch in run_details(workspace, run_id).epochs]


def test_two_devices_come_to_what_one_does(workspace: Workspace) -> None:
    alone = train(workspace, REQUEST)
    together = train(workspace, replace(REQUEST, devices=2))
    assert together.status == "finished"
    assert epochs(workspace, together.id) == pytest.approx(epochs(workspace, alone.id), abs=1e-5)
    figures = [
        {
            (f.task, f.metric): f.value
            for f in run_details(workspace, run.id).figures
            if f.encoder_id == run.encoder_id
        }
        for run in (alone, together)
    ]
    assert figures[0]
    assert figures[1] == pytest.approx(figures[0], abs=1e-5)
    assert find_run(workspace, together.id).request["devices"] == 2


def test_a_killed_process_leaves_a_run_that_goes_on(workspace: Workspace) -> None:
    request = replace(
        REQUEST,
        devices=2,
        hyperparameters={"hidden": 32, "maximum_epochs": 400, "minimum_epochs": 400},
    )
    run_id = add_run(workspace, request)
    killed = []

    def kill(message: object) -> None:
        if isinstance(message, EpochDone) and not killed:
            killed.append(kill_all(find_descendants(os.getpid(), RANK)))

    with pytest.raises(UserError, match="a process of the training is gone"):
        train_run(workspace, run_id, JobControl(), kill)
    assert killed == [1]
    assert find_run(workspace, run_id).status == "interrupted"
    before = epochs(workspace, run_id)
    control = JobControl()

    def stop(message: object) -> None:
        if isinstance(message, EpochDone) and message.epoch.number > len(before) + 2:
            control.stop()

    run = train_run(workspace, run_id, control, stop, resume=True)
    assert run.status == "stopped"
    assert epochs(workspace, run_id)[: len(before)] == before


def test_a_recipe_of_one_device_says_so(workspace: Workspace) -> None:
    request = replace(
        REQUEST,
        recipe="cca",
        rule=SplitRule("cca"),
        choice=None,
        hyperparameters={},
        devices=2,
    )
    run_id = add_run(workspace, request)
    with pytest.raises(UserError, match=r"in one go|two names"):
        train_run(workspace, run_id, JobControl(), quiet)
    with pytest.raises(UserError, match="choose fewer by --devices"):
        train(workspace, replace(REQUEST, devices=4_096))
