"""Workers that share the tasks of a study: each task is done once, whoever is killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from program import called
from replicate_toy import run, toy_study, write_deep
from team_servers import started_cluster

from termexplorer.bench.team.cluster import OWNER, Cluster
from termexplorer.errors import UserError
from termexplorer.replicate.studies import AskedStudy, prepare
from termexplorer.replicate.work.joining import keep_tasks_on, read_state
from termexplorer.replicate.work.worker import LeftOutError, StudyWorker, open_tasks
from termexplorer.services.team.passwords import VARIABLE
from termexplorer.store.tasks.task_table import (
    FAILED,
    LEFT_OUT,
    ClaimLostError,
    StoredStudy,
    TaskKey,
    TaskTable,
)
from termexplorer.workers.process.supervision import JobControl

_PROGRAM = "from termexplorer.cli.main import run; run()"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A server; what needs it is skipped where PostgreSQL is missing."""
    with started_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["file", "server"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a study whose tasks are in a file, or on a server."""
    folder = tmp_path / "study"
    folder.mkdir()
    if request.param == "server":
        cluster = request.getfixturevalue("cluster")
        request.getfixturevalue("monkeypatch").setenv(VARIABLE, cluster.password)
        keep_tasks_on(folder, cluster.address(OWNER, "postgres"))
    return folder


class Control:
    """Stops a worker where that is asked for."""

    def __init__(self) -> None:
        self.stop = False

    def stopped(self) -> bool:
        return self.stop

    def paused(self) -> bool:
        return False


def begun(folder: Path, *keys: TaskKey, lease: float = 60.0) -> TaskTable:
    """The table of a study with some tasks."""
    table = open_tasks(folder, lease)
    table.put_study(StoredStudy("test", {"of": 1}, {}))
    table.put_tasks(keys)
    return table


def test_a_task_is_had_by_one_worker_until_its_lease_ends(folder: Path) -> None:
    with closing(begun(folder, ("a",), ("b", 1), lease=60)) as table:
        first, second = table.claim_task("one"), table.claim_task("two")
        assert first is not None
        assert second is not None
        assert (first.key, second.key) == (("a",), ("b", 1))
        assert table.claim_task("three") is None
        again = table.claim_task("one")  # whose answer was lost on the way
        assert again is not None
        assert again.key == ("a",)
        with pytest.raises(ClaimLostError):
            table.put_piece(first, ("a", 0), {"value": 1})
        table.put_piece(again, ("a", 0), {"value": 1})
        table.put_piece(again, ("a", 0), {"value": 2})
        assert table.read_pieces() == {("a", 0): {"value": 1}}
    with closing(open_tasks(folder, 0)) as hasty:
        hasty.renew_claim(again)
        assert hasty.count_tasks().open == 1  # its lease is over
        taken = hasty.claim_task("three")
        assert taken is not None
        assert taken.key == ("a",)
        for refused in (hasty.renew_claim, hasty.end_claim):
            with pytest.raises(ClaimLostError):
                refused(again)
        hasty.end_claim(taken)
        counts = hasty.count_tasks()
        assert (counts.open, counts.taken, counts.done) == (0, 1, 1)


def test_a_worker_does_all_tasks_and_says_why_some_are_not_done(folder: Path) -> None:
    control = Control()
    with closing(begun(folder, *((n,) for n in range(5)))) as table:
        worker = StudyWorker(table, "worker", control)

        def run_task(key: TaskKey) -> None:
            worker.tick()
            worker.put((*key, "piece"), {"square": int(key[0]) ** 2})
            if key == (1,):
                raise LeftOutError("nothing to do it with")
            if key == (3,):
                raise UserError("no such file")

        with pytest.raises(UserError, match="no such file"):
            worker.work_off(run_task)
        assert table.list_reasons(LEFT_OUT) == {(1,): "nothing to do it with"}
        assert table.list_reasons(FAILED) == {(3,): "no such file"}
        control.stop = True
        with pytest.raises(InterruptedError):
            worker.work_off(run_task)
        assert table.count_tasks().open == 1
        control.stop = False
        worker.work_off(run_task)
        assert table.count_tasks().done == 3
        table.put_tasks([(n,) for n in range(4)])  # another try; one is wanted no more
        assert table.count_tasks().open == 2
        assert table.read_pieces()[2, "piece"] == {"square": 4}


def test_a_stage_waits_until_all_before_it_is_done(folder: Path) -> None:
    with closing(open_tasks(folder, 60)) as table:
        table.put_study(StoredStudy("test", {}, {}))
        table.put_tasks([(0, "a"), (1, "c"), (0, "b")], lambda key: int(key[0]))
        first, second = table.claim_task("one"), table.claim_task("two")
        assert first is not None
        assert second is not None
        assert {first.key, second.key} == {(0, "a"), (0, "b")}
        table.end_claim(first)
        assert table.claim_task("three") is None
        table.end_claim(second, FAILED, "no such file")
        assert table.claim_task("three") is None
        table.put_tasks([(0, "a"), (1, "c"), (0, "b")], lambda key: int(key[0]))
        StudyWorker(table, "last", Control()).work_off(lambda key: None)
        assert table.count_tasks().done == 3


def test_what_is_stopped_in_the_middle_is_given_back(folder: Path) -> None:
    control = Control()
    with closing(begun(folder, ("only",))) as table:
        worker = StudyWorker(table, "worker", control)

        def run_task(key: TaskKey) -> None:
            control.stop = True
            worker.tick()

        with pytest.raises(InterruptedError):
            worker.work_off(run_task)
        assert table.count_tasks().open == 1


def test_a_worker_that_was_silent_too_long_keeps_nothing(folder: Path) -> None:
    with closing(begun(folder, ("only",))) as table:
        worker = StudyWorker(table, "slow", Control())

        def run_task(key: TaskKey) -> None:
            if table.has_piece(("by",)):
                return
            with closing(open_tasks(folder)) as other:
                other.release_worker("slow")
                claim = other.claim_task("quick")
                assert claim is not None
                other.put_piece(claim, ("by",), {"worker": "quick"})
                other.end_claim(claim)
            worker.put(("by",), {"worker": "slow"})

        worker.work_off(run_task)
        assert table.read_pieces() == {("by",): {"worker": "quick"}}
        assert table.count_tasks().done == 1


def _without_times(out: Path) -> list[dict[str, object]]:
    records = [json.loads(x) for x in (out / "results.jsonl").read_text("utf-8").splitlines()]
    for record in records:
        record.get("facts", {}).pop("seconds", None)
    return records


@pytest.fixture
def levels_study(tmp_path: Path) -> AskedStudy:
    """A study of levels that nothing was done for yet."""
    source = str(write_deep(tmp_path))
    return toy_study(tmp_path, "HLS", ontologies=(source,), roots=("D:0",), seeds=1)


def test_workers_come_to_the_results_of_one_machine(levels_study: AskedStudy) -> None:
    run(levels_study)
    study = replace(levels_study, out=levels_study.out.with_name("shared"))
    prepare(study, JobControl(), lambda _message: None)
    assert read_state(study.out).counts.open == 5
    done = called("work", study.out, "--workers", 2, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["done"] == 5
    _, messages = run(study)
    assert not [text for text in messages if "split" in text]  # nothing was left to do
    assert _without_times(study.out) == _without_times(levels_study.out)


def test_tasks_on_a_server_come_to_the_same(levels_study: AskedStudy, cluster: Cluster) -> None:
    run(levels_study)
    out = levels_study.out.with_name("shared")
    asked = [
        *("replicate", "HLS", "--ontology", levels_study.ontologies[0], "--root", "D:0"),
        *("--vectors", levels_study.vectors, "--benchmarks", levels_study.benchmarks[0]),
        *("--seeds", 1, "--set", "hidden=16", "--set", "maximum_epochs=2", "--out", out),
    ]
    address = cluster.address(OWNER, "postgres")
    environment = {**os.environ, VARIABLE: cluster.password}
    for words in ((*asked, "--database", address, "--prepare"), ("work", out), asked):
        program = [sys.executable, "-c", _PROGRAM, *map(str, words)]
        done = subprocess.run(program, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
    assert _without_times(out) == _without_times(levels_study.out)
    assert not (out / "tasks.sqlite").exists()
    assert cluster.password not in (out / "tasks-server.json").read_text("utf-8")


def test_a_worker_that_is_killed_is_replaced(levels_study: AskedStudy) -> None:
    study = replace(levels_study, changes={"hidden": 16, "maximum_epochs": 20})
    prepare(study, JobControl(), lambda _message: None)
    words = [sys.executable, "-c", _PROGRAM, "work", str(study.out), "--lease", "2"]
    worker = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with closing(open_tasks(study.out)) as table:
        while not table.count_tasks().taken:
            assert worker.poll() is None
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    run(study)
    counts = read_state(study.out).counts
    assert (counts.done, counts.open, counts.taken) == (5, 0, 0)


def test_what_cannot_be_worked_on_is_told(tmp_path: Path, levels_study: AskedStudy) -> None:
    nothing = called("work", tmp_path / "nowhere")
    assert nothing.returncode == 1
    assert f"{tmp_path / 'nowhere'} does not exist" in nothing.stderr
    assert not (tmp_path / "nowhere").exists()
    assert "holds no study" in called("work", tmp_path, "--show").stderr
    prepare(levels_study, JobControl(), lambda _message: None)
    with pytest.raises(UserError, match="kept elsewhere"):
        keep_tasks_on(levels_study.out, "postgresql://anna@localhost/team")
    with pytest.raises(UserError, match="password"):
        keep_tasks_on(tmp_path / "new", "postgresql://anna:secret@localhost/team")
    unknown = called("work", levels_study.out, "--cluster", "cloud")
    assert "there is no cluster 'cloud'" in unknown.stderr
    options = ("--cluster", "local", "--slurm", "partitoin=cpu")
    if find_spec("submitit"):
        odd = called("work", levels_study.out, *options)
        assert odd.returncode == 1
        assert "partitoin=cpu is no option of sbatch" in odd.stderr.replace("\n", " ")
    levels_study.benchmarks[0].write_text("left\tright\tscore\na\tb\t1\n", "utf-8")
    changed = called("work", levels_study.out)
    assert changed.returncode == 1
    assert "not the same here" in changed.stderr.replace("\n", " ")
    (levels_study.out / "tasks-server.json").write_text("{", "utf-8")
    damaged = called("work", levels_study.out)
    assert damaged.returncode == 1
    assert "is damaged" in damaged.stderr


def test_a_cluster_that_runs_here_takes_all_tasks(levels_study: AskedStudy) -> None:
    pytest.importorskip("submitit")
    prepare(levels_study, JobControl(), lambda _message: None)
    done = called("work", levels_study.out, "--workers", 2, "--cluster", "local", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["counts"]["done"] == 5
    assert len(answer["jobs"]) == 2
