"""Rows of a workspace that name files elsewhere, and links that lead out of it."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import Query, Ranker, RankingRequest, RankingScope, Task
from termexplorer.services.encoders.encoders import remove_encoder
from termexplorer.services.encoders.export import export_encoder
from termexplorer.services.encoders.vectors import prepare
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.map.projection import ProjectionRequest, project
from termexplorer.services.pairs.folders import usual_folder
from termexplorer.services.pairs.sets import PairPlan, make_pair_sets
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train.runs import delete_run
from termexplorer.services.train.training import train_run
from termexplorer.services.workspace.backups import backups, make_backup, restore_backup
from termexplorer.services.workspace.check import check_workspace
from termexplorer.services.workspace.removal import remove_ontology
from termexplorer.services.workspace.room import compact_workspace, move_workspace
from termexplorer.store.kept_paths import locate_kept
from termexplorer.workers.data.counted_graph import counted_graph
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

HOSTILE = ("../../victim", "{victim}", "vectors/../../victim", "vectors", "", ".", "~/victim",
           "vectors/", "/", "vectors//etc", "C:\\victim", "..\\..\\victim", "vectors/..\\victim",
           "vectors/con", "vectors/nul.npy", "vectors/a:b", "vectors/a\0b", "vectors/a\n",
           "vectors/trailing.", "runs/1/best/deeper", "backups/x", "workspace.sqlite",
           "vectors/ａ")  # fmt: skip
TABLES = ("encoder", "vectors", "vector_index", "projection", "ranks")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "victim"
    folder.mkdir()
    (folder / "precious.txt").write_text("precious")
    return folder


def untouched(victim: Path) -> bool:
    return {path.name: path.read_text() for path in victim.iterdir()} == {
        "precious.txt": "precious"
    }


def point(workspace: Workspace, path: str, *tables: str) -> None:
    with closing(sqlite3.connect(workspace.store.path)) as connection, connection:
        for table in tables:
            connection.execute(f"UPDATE {table} SET path = ? WHERE path != ''", (path,))


def refusals(*attempts: Callable[[], object]) -> list[str]:
    seen = []
    for attempt in attempts:
        with pytest.raises(UserError) as error:
            attempt()
        seen.append(str(error.value))
    return seen


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_is_no_plain_name_in_its_folder_is_refused(
    tmp_path: Path, victim: Path, path: str
) -> None:
    with pytest.raises(UserError, match="nothing there was touched"):
        locate_kept(tmp_path / "workspace", path.replace("{victim}", str(victim)))


def test_paths_that_are_written_are_found_also_as_windows_writes_them(tmp_path: Path) -> None:
    assert locate_kept(tmp_path, "runs/3/best") == tmp_path / "runs" / "3" / "best"
    assert locate_kept(tmp_path, "runs\\3\\best") == tmp_path / "runs" / "3" / "best"
    assert locate_kept(tmp_path, "maps/5-1-0a.npy") == tmp_path / "maps" / "5-1-0a.npy"


def test_nothing_that_a_row_names_elsewhere_is_removed(with_run: Workspace, victim: Path) -> None:
    with with_run.store.reading() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM vectors").fetchone()
    point(with_run, "../victim", *TABLES)
    messages = refusals(
        lambda: remove_ontology(with_run, 1, JobControl(), quiet),
        lambda: delete_run(with_run, 1),
    )
    assert all("../victim" in message for message in messages)
    with with_run.store.reading() as connection:  # the rows are all there
        assert connection.exec_driver_sql("SELECT count(*) FROM vectors").fetchone() == before
    assert untouched(victim)


def test_an_encoder_whose_files_lie_elsewhere_is_not_removed(
    workspace: Workspace, victim: Path
) -> None:
    point(workspace, "../../workspace/../victim", *TABLES)
    refusals(lambda: remove_encoder(workspace, VECTORS))
    assert untouched(victim)


def test_nothing_that_a_row_names_elsewhere_is_read(
    with_run: Workspace, victim: Path, tmp_path: Path
) -> None:
    shutil.copytree(with_run.folder / "vectors", victim / "vectors")
    with with_run.store.reading() as connection:
        query = "SELECT path FROM vectors WHERE encoder_id = ?"
        vectors = connection.exec_driver_sql(query, (VECTORS,)).fetchone()
    assert vectors is not None
    point(with_run, f"../victim/{vectors[0]}", *TABLES)  # the same bytes, but elsewhere
    among = RankingScope((1,))
    with closing(Ranker(with_run.folder)) as ranker:
        for encoder_id in (LEXICAL, VECTORS, TRAINED):
            request = RankingRequest(
                Query("lung tumour"), Task.NEIGHBOURS, (encoder_id,), among, top=3
            )
            with pytest.raises(UserError, match="no folder of the workspace"):
                ranker.rank(request)
    messages = refusals(
        lambda: prepare(with_run, VECTORS, 1, JobControl(), quiet),
        lambda: export_encoder(
            with_run, VECTORS, tmp_path / "out", False, JobControl(), quiet),
        lambda: project(with_run, ProjectionRequest(
            with_run.folder, 1, TRAINED, method="pca"), JobControl(), quiet),
    )  # fmt: skip
    assert ["no folder of the workspace" in message for message in messages] == [True] * 3


def test_a_check_names_every_row_that_leads_out(with_run: Workspace, victim: Path) -> None:
    point(with_run, "../victim", "encoder", "vectors", "vector_index")
    faults = check_workspace(with_run, JobControl()).faults
    assert {fault.where for fault in faults if fault.kind == "outside"} == {"../victim"}
    assert len([fault for fault in faults if fault.kind == "outside"]) > 4
    assert untouched(victim)


def test_compacting_and_moving_follow_no_link(
    workspace: Workspace, victim: Path, tmp_path: Path
) -> None:
    point(workspace, "../victim", "vectors")
    link = workspace.folder / "maps" / "7-1-aa.npy"
    link.symlink_to(victim)
    inner = workspace.folder / "maps" / "8-1-aa.npy"
    inner.symlink_to(victim / "precious.txt")
    gone = workspace.folder / "maps" / "9-1-aa.npy"
    gone.symlink_to(victim / "nothing")
    workspace.close()
    compact_workspace(workspace.folder)
    move_workspace(workspace.folder, tmp_path / "moved")
    assert untouched(victim)


@pytest.mark.parametrize("name", ["vectors", "runs", "backups", "levels", "window.ini"])
def test_a_workspace_with_a_part_elsewhere_is_not_opened(
    empty: Workspace, victim: Path, name: str
) -> None:
    empty.close()
    entry = empty.folder / name
    if entry.is_dir():
        entry.rmdir()
    entry.symlink_to(victim)
    with pytest.raises(UserError, match="leads out of the workspace"):
        Workspace(empty.folder)
    assert untouched(victim)


def test_a_link_among_the_files_of_an_encoder_is_not_opened(
    workspace: Workspace, victim: Path
) -> None:
    with workspace.store.reading() as connection:
        query = "SELECT path FROM encoder WHERE id = ?"
        row = connection.exec_driver_sql(query, (VECTORS,)).fetchone()
    assert row is not None
    array = next((workspace.folder / row[0]).glob("*.npy"))
    array.rename(victim / array.name)
    array.symlink_to(victim / array.name)  # whatever its hash says
    faults = check_workspace(workspace, JobControl()).faults
    assert [fault.kind for fault in faults] == ["outside"]


def test_backups_that_are_links_are_not_offered(empty: Workspace, victim: Path) -> None:
    backup = make_backup(empty)
    empty.close()
    moved = backup.rename(victim / backup.name)
    backup.symlink_to(moved)
    assert backups(empty.folder) == []
    with pytest.raises(UserError, match="there is no backup"):
        restore_backup(empty.folder, backup.name)


def test_locks_that_are_links_make_no_file_elsewhere(empty: Workspace, victim: Path) -> None:
    (empty.folder / "runs" / "1.lock").symlink_to(victim / "made")
    empty.close()
    with pytest.raises(UserError, match="is a link"):
        compact_workspace(empty.folder)
    assert untouched(victim)


def test_a_run_writes_nothing_where_a_link_leads(workspace: Workspace, victim: Path) -> None:
    request = RunRequest(
        "few-shot", "quick", 1, VECTORS, LevelChoice(level=1), SplitRule("few-shot"), {}
    )
    run_id = add_run(workspace, request)
    (workspace.folder / "runs" / str(run_id)).symlink_to(victim)
    with pytest.raises(UserError, match="no folder of the workspace"):
        train_run(workspace, run_id, JobControl(), quiet)
    assert untouched(victim)


def test_pair_sets_are_written_nowhere_that_a_link_leads(
    workspace: Workspace, victim: Path
) -> None:
    ontology, plan = find_ontology(workspace, "1"), PairPlan()
    folder = usual_folder(workspace, ontology, plan)
    folder.parent.mkdir()
    folder.symlink_to(victim)
    with pytest.raises(UserError, match="is a link"):
        make_pair_sets(workspace, ontology, plan, folder, JobControl(), quiet)
    assert untouched(victim)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["window.ini", "verdicts-head.json", "vectors"])
def test_a_workspace_with_a_pipe_in_it_is_not_opened(empty: Workspace, name: str) -> None:
    empty.close()
    entry = empty.folder / name
    entry.rmdir() if entry.is_dir() else entry.unlink(missing_ok=True)
    os.mkfifo(entry)  # whoever reads it waits for ever
    with pytest.raises(UserError, match="neither a file nor a folder"):
        Workspace(empty.folder)
    entry.unlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_links_of_a_release_are_read_from_no_pipe(workspace: Workspace) -> None:
    path = workspace.folder / "levels" / "1.npz"
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert counted_graph(workspace, find_ontology(workspace, "1")).names.sum()
    assert path.is_file()
