"""All names ranked for all others as tasks: one process's bytes, whoever is killed."""

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from program import called
from team_servers import started_cluster
from toy_workspace import LEXICAL, VECTORS, import_synonyms, opened_copy

from termexplorer.bench.team.cluster import OWNER
from termexplorer.replicate.work.worker import open_tasks
from termexplorer.services.team.passwords import VARIABLE
from termexplorer.store.releases.corpus import release_labels, release_names
from termexplorer.trainer.search.all_pairs import RoundedRows, count_block_rows
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workspace import Workspace

_PROGRAM = "from termexplorer.cli.main import run; run()"
K, TASK_ROWS, TASK_COLUMNS = 6, 100, 64


@pytest.fixture(scope="module")
def folder(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the toy ontology (1), a dictionary (2), and vectors of the first."""
    with opened_copy(toy, tmp_path_factory.mktemp("all-pairs")) as workspace:
        import_synonyms(workspace, workspace.folder.parent)
    return workspace.folder


@pytest.fixture(scope="module")
def words(folder: Path) -> list[str]:
    """The command that ranks the names of the dictionary for those of the toy ontology."""
    asked = ["rank", "all", "--workspace", folder, "--ontology", 1, "--to", 2]
    sizes = ["--task-rows", TASK_ROWS, "--task-columns", TASK_COLUMNS]
    return [*map(str, (*asked, "--encoder", VECTORS, "--k", K, *sizes))]


@pytest.fixture(scope="module")
def ranked(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which one process has ranked all."""
    out = tmp_path_factory.mktemp("ranked") / "alone"
    done = called(*words, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def read_files(out: Path) -> dict[str, bytes]:
    """The table and all parts, by name."""
    return {path.name: path.read_bytes() for path in (out / "ranking.tsv", *out.glob("parts/*"))}


def read_names(workspace: Workspace, release_id: int) -> tuple[list[str], list[str], RoundedRows]:
    """Names, the CURIEs of their concepts, and their vectors in 8 bits."""
    with workspace.store.reading() as connection:
        names = release_names(connection, release_id)
        labels = release_labels(connection, release_id)
    vectors = Encoders(workspace.folder, workspace.store).encode_unit(VECTORS, names.texts)
    curies = [labels[concept_id][0] for concept_id in names.concept_ids.tolist()]
    return list(names.texts), curies, RoundedRows.of(vectors)


def list_expected(folder: Path, sides: tuple[int, int], k: int) -> Iterator[tuple[Any, ...]]:
    """The rows of the table by a whole table of cosines."""
    with closing(Workspace(folder)) as workspace:
        (names, curies, left), (other_names, other_curies, right) = (
            read_names(workspace, side) for side in sides
        )
    (rows, inverse), (columns, lengths) = (
        table.read_rows(np.arange(table.shape[0])) for table in (left, right)
    )
    products = (rows.astype(np.int64) @ columns.astype(np.int64).T).astype(np.float32)
    cosines = products * lengths * inverse[:, None]
    for index in np.flatnonzero(inverse).tolist():
        nearest = np.argsort(-cosines[index], kind="stable")
        if sides[0] == sides[1]:
            nearest = nearest[nearest != index]
        for rank, other in enumerate(nearest[:k].tolist(), 1):
            similarity = float(cosines[index, other])
            yield (
                names[index],
                curies[index],
                rank,
                similarity,
                other_curies[other],
                other_names[other],
            )


def read_table(path: Path) -> list[tuple[Any, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t")
    assert header == ["query", "query concept", "rank", "similarity", "concept", "name"]
    return [(*row[:2], int(row[2]), float(row[3]), *row[4:]) for row in rows]


def test_the_table_has_the_nearest_of_a_naive_computation(folder: Path, ranked: Path) -> None:
    assert len(list(ranked.glob("parts/*.npy"))) > 4
    assert read_table(ranked / "ranking.tsv") == list(list_expected(folder, (1, 2), K))


def test_no_name_finds_itself_in_its_own_ontology(folder: Path, tmp_path: Path) -> None:
    asked = ("rank", "all", "--workspace", folder, "--ontology", 2, "--encoder", VECTORS)
    done = called(*asked, "--k", 1_000, "--out", tmp_path, "--task-rows", 50, "--json")
    assert done.returncode == 0, done.stderr
    expected = list(list_expected(folder, (2, 2), 1_000))
    assert read_table(tmp_path / "ranking.tsv") == expected
    answer = json.loads(done.stdout)
    assert answer["rows"] == len(expected)
    assert answer["names"] + answer["unknown"] == answer["plan"]["rows"]


def test_killed_workers_come_to_the_bytes_of_one_process(
    words: list[str], ranked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "shared"
    prepared = called(*words, "--out", out, "--prepare")
    assert prepared.returncode == 0, prepared.stderr
    assert "termexplorer work" in prepared.stdout
    work = [sys.executable, "-c", _PROGRAM, "work", str(out), "--lease", "2"]
    worker = subprocess.Popen(work, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with closing(open_tasks(out)) as table:
        while not (counts := table.count_tasks()).taken + counts.done:
            assert worker.poll() is None
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    joined = called("work", out, "--workers", 2, "--lease", 2)
    assert joined.returncode == 0, joined.stderr
    finished = called(*words, "--out", out)
    assert finished.returncode == 0, finished.stderr
    assert read_files(out) == read_files(ranked)


def test_a_server_keeps_the_tasks(words: list[str], ranked: Path, tmp_path: Path) -> None:
    out = tmp_path / "shared"
    with started_cluster() as cluster:
        environment = {**os.environ, VARIABLE: cluster.password}
        address = cluster.address(OWNER, "postgres")
        for asked in ([*words, "--out", out, "--database", address, "--prepare"], ["work", out]):
            program = [sys.executable, "-c", _PROGRAM, *map(str, asked)]
            done = subprocess.run(program, capture_output=True, text=True, env=environment)
            assert done.returncode == 0, done.stderr
    parts = {name: content for name, content in read_files(ranked).items() if name[0] != "r"}
    assert {path.name: path.read_bytes() for path in out.glob("parts/*")} == parts
    assert not (out / "tasks.sqlite").exists()


def test_parts_that_are_damaged_or_gone_are_made_anew(words: list[str], tmp_path: Path) -> None:
    done = called(*words, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    before = read_files(tmp_path)
    damaged, gone, *_ = sorted(tmp_path.glob("parts/*.npy"))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    gone.unlink()
    again = called(*words, "--out", tmp_path)
    assert again.returncode == 0, again.stderr
    assert read_files(tmp_path) == before


def test_the_plan_counts_what_is_done(folder: Path, words: list[str]) -> None:
    with closing(Workspace(folder)) as workspace:
        rows, columns = (len(read_names(workspace, side)[0]) for side in (1, 2))
        with workspace.store.reading() as connection:
            query = "SELECT dimension FROM encoder WHERE id = ?"
            width = connection.exec_driver_sql(query, (VECTORS,)).scalar_one()
    done = called(*words, "--plan", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    tasks = [
        (min(TASK_ROWS, rows - row), min(TASK_COLUMNS, columns - column))
        for row in range(0, rows, TASK_ROWS)
        for column in range(0, columns, TASK_COLUMNS)
    ]
    block_rows, block_columns = count_block_rows("cpu")
    blocks = sum(
        len(range(0, task[0], block_rows)) * len(range(0, task[1], block_columns)) for task in tasks
    )
    assert (plan["rows"], plan["columns"], plan["width"]) == (rows, columns, width)
    assert (plan["tasks"], plan["blocks"]) == (len(tasks), blocks)
    assert plan["operations"] == sum(2 * width * a * b for a, b in tasks)
    assert plan["device"].startswith("cpu")
    assert plan["seconds"] > 0
    printed = called(*words, "--plan").stdout
    assert f"{rows:,} by {columns:,} names" in printed
    assert "for one worker, as measured now" in printed


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (("--encoder", LEXICAL), "it has no vectors to rank all names by"),
        (("--encoder", 99), "there is no encoder 99"),
        (("--to", "nowhere"), "nowhere"),
        (("--k", K + 1), "holds a study of other data or settings"),
        (("--table", "here.xlsx"), "name the file .tsv, .csv or .jsonl"),
    ],
)
def test_what_cannot_be_ranked_is_told(
    words: list[str], ranked: Path, changed: tuple[str, object], sentence: str
) -> None:
    before = read_files(ranked)
    refused = called(*words, "--out", ranked, *changed)
    assert refused.returncode == 1
    assert sentence in refused.stderr.replace("\n", " ")
    assert "Traceback" not in refused.stderr
    assert read_files(ranked) == before


def test_a_folder_is_needed_to_rank(words: list[str]) -> None:
    refused = called(*words)
    assert refused.returncode == 1
    assert "give --out DIR" in refused.stderr


def test_a_worker_refuses_other_vectors(folder: Path, words: list[str], tmp_path: Path) -> None:
    out = tmp_path / "shared"
    assert called(*words, "--out", out, "--prepare").returncode == 0
    with closing(open_tasks(out)) as table:
        study = table.find_study()
    assert study is not None
    stored = Path(study.request["left"])
    content = stored.read_bytes()
    try:
        stored.write_bytes(content[:-1] + b"x")
        refused = called("work", out)
        assert "not the same here" in refused.stderr.replace("\n", " ")
        stored.unlink()
        missing = called("work", out)
        assert "the vectors are not there" in missing.stderr.replace("\n", " ")
        assert (refused.returncode, missing.returncode) == (1, 1)
    finally:
        stored.write_bytes(content)
