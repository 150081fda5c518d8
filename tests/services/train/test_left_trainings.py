"""Trainings whose supervisor is killed, or whose job has no time left."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from process_tree import find_descendants, wait_for_end
from toy_workspace import FEW_SHOT, VECTORS, train

from termexplorer.services.recipes.run_requests import add_run
from termexplorer.services.train.runs import CAN_GO_ON, find_run, list_runs, run_details, run_folder
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.store.encoders.runs import ACTIVE
from termexplorer.workers.cluster.folder_connection import FolderConnection
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up there")

JOB = "submitit.core._submit"  # the module of a job's processes
RANK = "termexplorer.workers.train.ranks"
SPAWNED = "--multiprocessing-fork"  # a word of the child that trains
LONG = ("--set", "maximum_epochs=9000", "--set", "minimum_epochs=9000", "--set", "hidden=32")


def losses(workspace: Workspace, run_id: int) -> list[float]:
    return [epoch.validation for epoch in run_details(workspace, run_id).epochs]


def wait_for(path: Path) -> None:
    end = time.monotonic() + 60
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert path.exists()


@pytest.mark.parametrize(
    ("words", "modules"),
    [(("--devices", "2"), (SPAWNED, RANK)), (("--device", "@local"), (JOB,))],
    ids=["devices", "job"],
)
def test_what_trains_ends_with_its_supervisor_which_is_killed(
    workspace: Workspace, words: tuple[str, ...], modules: tuple[str, ...]
) -> None:
    if JOB in modules:
        pytest.importorskip("submitit")
    folder, run_id = workspace.folder, max((r.id for r in list_runs(workspace)), default=0) + 1
    workspace.close()
    program = str(Path(sys.executable).with_name("termexplorer"))
    request = ("--ontology", "1", "--level", "1", "--shots", "5", "--vectors", str(VECTORS))
    command = [program, "train", "few-shot", *request, *LONG, *words, "--workspace", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as supervisor:
        wait_for(folder / "runs" / str(run_id) / "state")
        processes = [find_descendants(supervisor.pid, module) for module in modules]
        supervisor.kill()
    assert [len(group) for group in processes] == [1] * len(modules)
    assert wait_for_end([process for group in processes for process in group], 10) == []
    with closing(Workspace(folder)) as again:
        assert find_run(again, run_id).status in (*CAN_GO_ON, *ACTIVE)
        before, control = losses(again, run_id), JobControl()

        def stop(message: object) -> None:
            if isinstance(message, EpochDone) and message.epoch.number > len(before) + 2:
                control.stop()

        assert train_run(again, run_id, control, stop, resume=True).status == "stopped"
        assert losses(again, run_id)[: len(before)] == before


def test_a_job_without_time_is_queued_again_and_comes_to_the_same(workspace: Workspace) -> None:
    pytest.importorskip("submitit")
    request = replace(FEW_SHOT, hyperparameters={"hidden": 32, "maximum_epochs": 40})
    alone = train(workspace, request)
    run_id = add_run(workspace, replace(request, device="@local"))
    signalled: list[int] = []

    def end_time(message: object) -> None:
        if isinstance(message, EpochDone) and not signalled:
            signalled.extend(find_descendants(os.getpid(), JOB))
            os.kill(signalled[0], signal.SIGUSR2)  # as Slurm does where little time is left

    run = train_run(workspace, run_id, JobControl(), end_time)
    assert (len(signalled), run.status) == (1, "finished")
    assert losses(workspace, run_id) == losses(workspace, alone.id)
    figures = [
        {
            (figure.task, figure.metric): figure.value
            for figure in run_details(workspace, trained.id).figures
            if figure.encoder_id == trained.encoder_id
        }
        for trained in (alone, run)
    ]
    assert figures[0] == figures[1]
    folders = [run_folder(workspace, run.id) / "best" for run in (alone, run)]
    assert [weights.read_bytes() for weights in folders[0].glob("*.safetensors")] == [
        weights.read_bytes() for weights in folders[1].glob("*.safetensors")
    ]


def test_a_message_that_a_job_was_ended_at_is_removed(tmp_path: Path) -> None:
    with closing(FolderConnection(tmp_path, is_job=False)) as ours:
        job = FolderConnection(tmp_path, is_job=True)
        job.send("first")
        job.send("second")
        content = (tmp_path / "from_job").read_bytes()
        (tmp_path / "from_job").write_bytes(content[:-3])
        FolderConnection(tmp_path, is_job=True).send("third")
        assert [ours.receive(), ours.receive(), ours.receive()] == ["first", "third", None]
