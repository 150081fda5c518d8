"""Runs on a cluster: followed, stopped, resumed and shared out as here."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from program import called
from toy_workspace import FEW_SHOT, VECTORS, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.recipes.run_requests import add_run
from termexplorer.services.train.runs import find_run, run_details
from termexplorer.services.train.training import EpochDone, check_device, list_devices, train_run
from termexplorer.workers.cluster.folder_connection import FolderConnection
from termexplorer.workers.cluster.named_clusters import CLUSTERS_FILE, find_cluster
from termexplorer.workers.cluster.submission import read_option
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

SHORT = replace(FEW_SHOT, hyperparameters={"hidden": 32, "maximum_epochs": 4})
LONG = replace(
    FEW_SHOT,
    device="@local",
    hyperparameters={"hidden": 32, "maximum_epochs": 4_000, "minimum_epochs": 4_000},
)
NAMED = """
[both]
kind = "local"
devices = 2

[large]
kind = "slurm"
nodes = 2
devices = 4
options = { partition = "gpu", time = 120 }
"""


@pytest.fixture(autouse=True)
def submitit() -> None:
    pytest.importorskip("submitit")


def losses(workspace: Workspace, run_id: int) -> list[float]:
    return [epoch.validation for epoch in run_details(workspace, run_id).epochs]


def test_a_job_of_two_processes_comes_to_what_one_does_here(workspace: Workspace) -> None:
    (workspace.folder / CLUSTERS_FILE).write_text(NAMED, "utf-8")
    alone = train(workspace, SHORT)
    messages: list[object] = []
    run_id = add_run(workspace, replace(SHORT, device="@both"))
    run = train_run(workspace, run_id, JobControl(), messages.append)
    assert run.status == "finished"
    assert len([m for m in messages if isinstance(m, EpochDone)]) == len(losses(workspace, run_id))
    assert losses(workspace, run_id) == pytest.approx(losses(workspace, alone.id), abs=1e-5)
    assert not list((workspace.folder / "runs" / str(run_id)).glob("job-*"))


def test_a_job_is_stopped_with_its_best_epoch_and_one_left_goes_on(workspace: Workspace) -> None:
    run_id = add_run(workspace, LONG)
    control = JobControl()

    def leave(message: object) -> None:
        if isinstance(message, EpochDone) and message.epoch.number >= 2:
            control.cancel()

    with pytest.raises(Cancelled):
        train_run(workspace, run_id, control, leave, leave=lambda: True)
    assert find_run(workspace, run_id).status == "interrupted"
    before = losses(workspace, run_id)
    assert before
    again = JobControl()

    def stop(message: object) -> None:
        if isinstance(message, EpochDone) and message.epoch.number > len(before):
            again.stop()

    run = train_run(workspace, run_id, again, stop, resume=True)
    assert run.status == "stopped"
    assert losses(workspace, run_id)[: len(before)] == before


def test_clusters_are_chosen_by_name(workspace: Workspace) -> None:
    path = workspace.folder / CLUSTERS_FILE
    assert find_cluster(workspace.folder, "@slurm").nodes == 1
    path.write_text(NAMED, "utf-8")
    large = find_cluster(workspace.folder, "@large")
    assert (large.kind, large.nodes, large.devices) == ("slurm", 2, 4)
    assert dict(large.options) == {"partition": "gpu", "time": "120"}
    offered = dict(list_devices(workspace, JobControl()))
    assert {"auto", "cpu", "@both", "@large"} <= set(offered)
    with pytest.raises(UserError, match=r"choose one of slurm, local, both, large"):
        check_device(workspace, "@small")


@pytest.mark.parametrize(
    "text", ["[a", "[a]\nkind = 'cloud'", "a = 1", "[a]\nkind = 'slurm'\nnodes = 0\n", "[a]\nx = 1"]
)
def test_a_file_that_names_no_cluster_is_one_error(workspace: Workspace, text: str) -> None:
    (workspace.folder / CLUSTERS_FILE).write_text(text, "utf-8")
    with pytest.raises(UserError, match=CLUSTERS_FILE):
        check_device(workspace, "@a")


def test_a_cluster_without_its_program_takes_no_job(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    run_id = add_run(workspace, replace(SHORT, device="@slurm"))
    with pytest.raises(UserError, match="sbatch is not here"):
        train_run(workspace, run_id, JobControl(), quiet)
    assert find_run(workspace, run_id).status == "failed"


def test_an_option_that_sbatch_lacks_is_named(workspace: Workspace) -> None:
    text = '[odd]\nkind = "local"\noptions = { partitoin = "gpu" }\n'
    (workspace.folder / CLUSTERS_FILE).write_text(text, "utf-8")
    run_id = add_run(workspace, replace(SHORT, device="@odd"))
    with pytest.raises(UserError, match="partitoin=gpu is no option of sbatch"):
        train_run(workspace, run_id, JobControl(), quiet)


@pytest.mark.parametrize(
    ("time", "minutes"),
    [("120", 120), ("10:30", 11), ("2:00:00", 120), ("1-0", 1440), ("1-02:30", 1590)],
)
def test_the_time_of_a_job_is_reckoned_in_minutes(time: str, minutes: int) -> None:
    assert read_option("time", time) == minutes
    assert read_option("partition", time) == (120 if time == "120" else time)


def test_nodes_are_of_a_cluster(workspace: Workspace) -> None:
    words = ("train", "few-shot", "--ontology", "toy", "--level", 1, "--vectors", VECTORS)
    done = called(*words, "--nodes", 2, "--workspace", workspace.folder)
    assert done.returncode == 2
    assert "--device @slurm" in done.stderr


def test_torchrun_trains_one_run(workspace: Workspace) -> None:
    alone = train(workspace, SHORT)
    folder = workspace.folder
    workspace.close()
    words = [
        *("train", "few-shot", "--ontology", "1", "--level", "1", "--shots", "5"),
        *("--vectors", str(VECTORS), "--set", "hidden=32", "--set", "maximum_epochs=4"),
        *("--workspace", str(folder), "--json"),
    ]
    program = str(Path(sys.executable).with_name("termexplorer"))
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--no-python"]
    done = subprocess.run(
        [*start, "--nproc-per-node=2", program, *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    opened = Workspace(folder)
    together = find_run(opened, alone.id + 1)
    assert together.status == "finished"
    assert losses(opened, together.id) == pytest.approx(losses(opened, alone.id), abs=1e-5)
    assert len(find_run(opened, alone.id + 1).card) > 0
    opened.close()


def test_a_job_ends_where_its_supervisor_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    folder.mkdir()
    ours, theirs = FolderConnection(folder, is_job=False), FolderConnection(folder, is_job=True)
    ours.beat()
    ours.send("stop")
    assert theirs.recv() == "stop"
    theirs.send({"epoch": 1})
    assert [ours.receive(), ours.receive()] == [{"epoch": 1}, None]
    shutil.rmtree(folder)
    with pytest.raises(EOFError):
        theirs.recv()
