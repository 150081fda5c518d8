"""Series that a window works off: killed, gone on with, and helped by other workers."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from program import called
from toy_workspace import FEW_SHOT, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.replicate.search.attended import AttendedSeries, list_left_series
from termexplorer.replicate.search.hidden import SearchRequest, begin_search, work_on_search
from termexplorer.services.train.hidden_search import tried
from termexplorer.services.train.runs import delete_run, find_run, list_runs, run_folder
from termexplorer.services.train.training import train_run
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

EPOCHS = {"maximum_epochs": 40, "minimum_epochs": 40}
WANTED = SearchRequest(replace(FEW_SHOT, hyperparameters=EPOCHS), largest=1200)
KILLED = """
import os, signal, sys
from pathlib import Path
from termexplorer.replicate.search.attended import AttendedSeries
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

def kill(message):
    if isinstance(message, EpochDone) and message.epoch.number == 5:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    workspace = Workspace(Path(sys.argv[1]))
    run_id = AttendedSeries(workspace, Path(sys.argv[2])).claim_run()
    train_run(workspace, run_id, JobControl(), kill)
"""


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the workspace with the toy ontology and vectors."""
    with opened_copy(toy, tmp_path / "workspace") as workspace:
        yield workspace


def work_off(workspace: Workspace, tasks: AttendedSeries) -> list[int]:
    """Train all runs that are left, as a window does."""
    while (run_id := tasks.claim_run()) is not None:
        resume = find_run(workspace, run_id).status != "queued"
        train_run(workspace, run_id, JobControl(), quiet, resume=resume)
        tasks.put_trained(run_id)
    assert tasks.is_over()
    return tasks.list_trained()


def weights(workspace: Workspace, run_id: int) -> list[bytes]:
    paths = sorted((run_folder(workspace, run_id) / "best").glob("*.safetensors"))
    return [path.read_bytes() for path in paths]


def test_a_search_whose_window_is_killed_comes_to_what_an_uninterrupted_one_does(
    workspace: Workspace, tmp_path: Path
) -> None:
    alone = work_on_search(workspace, begin_search(workspace, WANTED), quiet)
    assert list_left_series(workspace) == []
    folder = begin_search(workspace, WANTED, in_window=True)
    program = tmp_path / "killed.py"
    program.write_text(KILLED, "utf-8")
    done = subprocess.run([sys.executable, str(program), str(workspace.folder), str(folder)])
    assert done.returncode == -9
    (left,) = list_left_series(workspace)
    assert (left.folder, left.runs) == (folder, {max(alone) + 1})
    with closing(AttendedSeries(workspace, folder)) as tasks:
        runs = work_off(workspace, tasks)
    assert list_left_series(workspace) == []
    assert [run.id for run in reversed(list_runs(workspace))] == [*alone, *runs]
    for run_id, other in zip(runs, alone, strict=True):
        (trial,), (beside,) = tried(workspace, [run_id]), tried(workspace, [other])
        assert (trial.hidden, trial.figure) == (beside.hidden, beside.figure)
        assert weights(workspace, run_id) == weights(workspace, other) != []


def test_other_workers_take_what_a_window_leaves(workspace: Workspace) -> None:
    short = replace(WANTED.run, hyperparameters={"maximum_epochs": 2, "minimum_epochs": 1})
    folder = begin_search(workspace, replace(WANTED, run=short), in_window=True)
    with closing(AttendedSeries(workspace, folder)) as tasks:
        first = tasks.claim_run()
        assert first is not None
        train_run(workspace, first, JobControl(), quiet)
        tasks.put_trained(first)
        done = called("work", folder)
        assert done.returncode == 0, done.stderr
        assert tasks.claim_run() is None
        assert tasks.is_over()
        assert len(tasks.list_trained()) == 2


def test_what_is_given_back_can_be_gone_on_with_and_what_is_withdrawn_not(
    workspace: Workspace,
) -> None:
    folder = begin_search(workspace, WANTED, in_window=True)
    with closing(AttendedSeries(workspace, folder)) as tasks:
        run_id = tasks.claim_run()
        tasks.give_back()
        assert tasks.claim_run() == run_id
        tasks.fail("no memory")
        assert list_left_series(workspace) == []
        with pytest.raises(UserError, match="no memory"):
            tasks.claim_run()
    other = begin_search(workspace, WANTED, in_window=True)
    with closing(AttendedSeries(workspace, other)) as tasks:
        assert tasks.claim_run() not in (run_id, None)
        assert [left.folder for left in list_left_series(workspace)] == [other]
        tasks.withdraw()
        assert tasks.is_over()
    assert list_left_series(workspace) == []


def test_a_series_of_which_a_run_was_deleted_is_not_offered(workspace: Workspace) -> None:
    with closing(
        AttendedSeries(workspace, begin_search(workspace, WANTED, in_window=True))
    ) as tasks:
        run_id = tasks.claim_run()
        assert run_id is not None
        tasks.give_back()
    assert len(list_left_series(workspace)) == 1
    delete_run(workspace, run_id)
    assert list_left_series(workspace) == []


def test_a_run_that_cannot_be_made_leaves_its_task_free(workspace: Workspace) -> None:
    wrong = replace(WANTED, run=replace(WANTED.run, vectors_id=99))
    folder = begin_search(workspace, wrong, in_window=True)
    tasks = AttendedSeries(workspace, folder)
    with pytest.raises(UserError, match="99"):
        tasks.claim_run()
    assert not tasks.is_over()
    tasks.remove()
    assert not folder.exists()
