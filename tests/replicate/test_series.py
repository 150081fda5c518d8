"""Series of runs as tasks: whoever is killed, each run is there once, and trained once."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from killed_workers import KilledError, kill_once
from program import called
from toy_workspace import FEW_SHOT, VECTORS, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.replicate.search.hidden import SearchRequest, begin_search, work_on_search
from termexplorer.replicate.search.sizes import ROUND, propose_sizes
from termexplorer.replicate.work.joining import read_state
from termexplorer.replicate.work.worker import open_tasks
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.train import hidden_search
from termexplorer.services.train.hidden_search import Tried, tried
from termexplorer.services.train.runs import find_run, list_runs
from termexplorer.workspace import Workspace

REQUEST = replace(FEW_SHOT, hyperparameters={"maximum_epochs": 2, "minimum_epochs": 1})


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the workspace with the toy ontology and vectors."""
    with opened_copy(toy, tmp_path / "workspace") as workspace:
        yield workspace


def figures(workspace: Workspace, runs: list[int]) -> list[tuple[int, float | None]]:
    return [(trial.hidden, trial.figure) for trial in tried(workspace, runs)]


def test_a_search_is_the_same_by_other_workers(workspace: Workspace) -> None:
    wanted = SearchRequest(REQUEST, largest=1200)
    first = work_on_search(workspace, begin_search(workspace, wanted), quiet)
    assert [hidden for hidden, _ in figures(workspace, first)] == [600, 1200]
    folder = begin_search(workspace, wanted)
    assert read_state(folder).counts.open == 2
    done = called("work", folder, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["done"] == 2
    second = work_on_search(workspace, folder, quiet)
    assert not set(first) & set(second)
    assert figures(workspace, second) == figures(workspace, first)


def test_a_worker_that_is_killed_leaves_no_second_run(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begin_search(workspace, SearchRequest(REQUEST, largest=600))
    calls = kill_once(
        monkeypatch,
        "termexplorer.replicate.search.hidden.add_sized_run",
        hidden_search.add_sized_run,
    )
    with pytest.raises(KilledError):
        work_on_search(workspace, folder, quiet)
    with closing(open_tasks(folder)) as table:
        table.put_tasks([("size", 0)])
    (run,) = work_on_search(workspace, folder, quiet)
    assert len(calls) == 1
    assert [info.id for info in list_runs(workspace)] == [run]
    assert find_run(workspace, run).status == "finished"


def test_what_was_trained_is_not_trained_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from termexplorer.services.train import training

    folder = begin_search(workspace, SearchRequest(REQUEST, largest=600))
    calls = kill_once(
        monkeypatch, "termexplorer.replicate.search.series.train_run", training.train_run
    )
    with pytest.raises(KilledError):
        work_on_search(workspace, folder, quiet)
    with closing(open_tasks(folder)) as table:
        table.put_tasks([("size", 0)])
    (run,) = work_on_search(workspace, folder, quiet)
    assert len(calls) == 1
    assert len([encoder for encoder in list_encoders(workspace) if encoder.kind == "trained"]) == 1
    assert find_run(workspace, run).status == "finished"


def test_proposals_are_the_same_everywhere_and_go_where_it_is_good() -> None:
    pytest.importorskip("optuna")
    done: list[Tried] = []
    for rounds in range(6):
        sizes = propose_sizes(done, rounds, 3, 100_000)
        assert sizes == propose_sizes(done, rounds, 3, 100_000)
        assert len(set(sizes)) == ROUND
        assert not {trial.hidden for trial in done} & set(sizes)
        done += [Tried(0, size, -abs(size - 5_000.0), True) for size in sizes]
    nearest = [min(abs(t.hidden - 5_000) for t in done[:k]) for k in (ROUND, len(done))]
    assert nearest[1] < nearest[0]
    assert sizes != propose_sizes(done, 6, 4, 100_000)
    assert all(600 <= trial.hidden <= 100_000 for trial in done)
    without = [replace(trial, figure=None) for trial in done]
    assert len(propose_sizes(without, 6, 3, 100_000)) == ROUND


def test_trials_of_a_search_are_worked_off(workspace: Workspace) -> None:
    pytest.importorskip("optuna")
    short = replace(REQUEST, hyperparameters={"maximum_epochs": 1, "minimum_epochs": 1})
    wanted = SearchRequest(short, largest=900, trials=ROUND + 1)
    runs = work_on_search(workspace, begin_search(workspace, wanted), quiet)
    sizes = [hidden for hidden, _ in figures(workspace, runs)]
    assert len(set(sizes)) == ROUND + 1
    assert sizes[:ROUND] == propose_sizes([], 0, short.seed, 900)
    assert sizes[ROUND] == propose_sizes(tried(workspace, runs[:ROUND]), 1, short.seed, 900)[0]
    with pytest.raises(UserError, match="fewer numbers"):
        begin_search(workspace, replace(wanted, largest=602))
    monkey = replace(wanted, largest=10)
    with pytest.raises(UserError, match="allow at least as many"):
        begin_search(workspace, monkey)


def test_a_search_that_is_prepared_is_told_how_to_go_on(
    workspace: Workspace, tmp_path: Path
) -> None:
    words = ("train", "few-shot", "--ontology", "toy", "--level", 1, "--vectors", VECTORS)
    more = ("--search-hidden", "--largest-hidden", 600, "--prepare", "--json")
    done = called(*words, *more, "--workspace", workspace.folder)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["counts"]["open"] == 1
    assert Path(answer["folder"]).is_dir()
