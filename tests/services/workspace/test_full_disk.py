"""A workspace on a disk without any room: it is read, and what makes room does so."""

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from small_disks import fill, small_disk
from toy_workspace import TRAINED, VECTORS, quiet

from termexplorer.errors import DiskFullError, UserError
from termexplorer.services.encoders.encoders import list_encoders, remove_encoder
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.train.runs import delete_run, list_runs
from termexplorer.services.workspace.backups import backups, make_backup, remove_backup
from termexplorer.services.workspace.check import check_workspace
from termexplorer.services.workspace.removal import remove_ontology
from termexplorer.services.workspace.room import compact_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_SIZE = 8 * 2**20


@pytest.fixture
def full(trained: Path, tmp_path: Path) -> Iterator[Path]:
    """A workspace with a run on a disk that is full."""
    with small_disk(tmp_path / "disk", _SIZE) as disk:
        shutil.copytree(trained, disk / "workspace")
        fill(disk)
        yield disk / "workspace"


def test_a_full_disk_is_read_from(full: Path) -> None:
    with closing(Workspace(full)) as workspace:
        assert workspace.read_only
        assert list_ontologies(workspace)
        assert check_workspace(workspace, JobControl()).faults == ()
        with pytest.raises(DiskFullError, match="make room"), workspace.store.writing():
            pass


def test_a_run_is_removed_from_a_full_disk(full: Path) -> None:
    with closing(Workspace(full)) as workspace:
        delete_run(workspace, 1)
        assert list_runs(workspace) == []
        assert not workspace.read_only


def test_vectors_are_removed_from_a_full_disk(toy: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", _SIZE) as disk:
        shutil.copytree(toy, disk / "workspace")
        fill(disk)
        with closing(Workspace(disk / "workspace")) as workspace:
            remove_encoder(workspace, VECTORS)
            assert VECTORS not in [encoder.id for encoder in list_encoders(workspace)]


def test_vectors_that_cannot_be_removed_keep_their_files(full: Path) -> None:
    before = sorted(full.rglob("vectors/**/*"))
    with closing(Workspace(full)) as workspace:
        for encoder_id, why in ((TRAINED, "came of run 1"), (VECTORS, "is the input of")):
            with pytest.raises(UserError, match=why):
                remove_encoder(workspace, encoder_id)
    assert sorted(full.rglob("vectors/**/*")) == before


def test_an_ontology_is_removed_from_a_full_disk(full: Path) -> None:
    with closing(Workspace(full)) as workspace:
        remove_ontology(workspace, 1, JobControl(), quiet)
        assert list_ontologies(workspace) == []
        assert check_workspace(workspace, JobControl(), quick=True).faults == ()
    before = (full / "workspace.sqlite").stat().st_size
    (full.parent / "filler").unlink()
    fill(full.parent, leave=before // 2)  # no room for a copy of it
    compact_workspace(full)
    assert (full / "workspace.sqlite").stat().st_size < before


def test_backups_are_removed_from_a_full_disk(trained: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", _SIZE) as disk:
        folder = disk / "workspace"
        shutil.copytree(trained, folder)
        with closing(Workspace(folder)) as workspace:
            backup = make_backup(workspace)
        fill(disk)
        for name in ("x.sqlite", f"../{backup.parent.name}/{backup.name}", str(backup)):
            with pytest.raises(UserError, match="there is no backup"):
                remove_backup(folder, name)
        assert remove_backup(folder, backup.name) > 0
        assert backups(folder) == []
        with closing(Workspace(folder)) as workspace:
            assert not workspace.read_only


def test_nothing_is_written_past_a_limit_of_the_system(trained: Path, tmp_path: Path) -> None:
    """As a disk quota keeps people from writing who may not mount disks."""
    folder = tmp_path / "workspace"
    shutil.copytree(trained, folder)
    program = "from termexplorer.cli.main import run; run()"
    words = [sys.executable, "-c", program, "--workspace", str(folder)]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*words, *more],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        )

    read = run("ontology", "list")
    assert (read.returncode, "toy" in read.stdout) == (0, True), read.stderr
    written = run("encoder", "rename", str(VECTORS), "another")
    assert written.returncode == 1
    assert "termexplorer:" in written.stderr
    assert len(written.stderr.splitlines()) == 1
