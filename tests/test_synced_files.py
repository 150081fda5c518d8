"""Files and folders outlive a power cut as soon as the program says that they are there."""

import errno
import os
import sys
from pathlib import Path

import pytest

from termexplorer.bench.faults.durable_tree import DurableTree
from termexplorer.files import atomic_write
from termexplorer.services.workspace.room import move_workspace
from termexplorer.trainer.files.folders import replacing
from termexplorer.workspace import Workspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/fd")


def test_a_file_that_was_not_synced_is_gone_and_one_that_was_is_there(tmp_path: Path) -> None:
    with DurableTree(tmp_path) as tree:
        (tmp_path / "never").write_bytes(b"x")
        with (tmp_path / "content").open("wb") as file:
            file.write(b"y")
            file.flush()
            os.fsync(file.fileno())
        assert tree.files() == {}  # its name is not on the disk
        folder = os.open(tmp_path, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        assert tree.files() == {"content": b"y"}


def test_a_written_file_is_on_the_disk_and_never_half(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(b"before")
    seen: list[dict[str, bytes]] = []
    tree = DurableTree(tmp_path, lambda: seen.append(tree.files()))
    with tree, atomic_write(path) as fresh:
        fresh.write_bytes(b"after")
    assert tree.files() == {"answers.json": b"after"}
    assert all(files["answers.json"] == b"before" for files in seen[:1])


def test_a_finished_folder_is_on_the_disk(tmp_path: Path) -> None:
    with DurableTree(tmp_path) as tree, replacing(tmp_path / "encoder", {"kind": "toy"}) as part:
        (part / "weights.npy").write_bytes(b"w")
    files = tree.files()
    assert files["encoder/weights.npy"] == b"w"
    assert b"toy" in files["encoder/meta.json"]


def test_a_workspace_is_on_the_other_disk_before_it_is_removed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "here", tmp_path / "there" / "moved"
    Workspace(source).close()
    (source / "vectors" / "1.npy").write_bytes(b"v" * 100)
    store = (source / "workspace.sqlite").read_bytes()
    monkeypatch.setattr(Path, "rename", _refuse_between_disks)
    seen: list[dict[str, bytes]] = []
    tree = DurableTree(tmp_path, lambda: seen.append(tree.files()))
    with tree:
        move_workspace(source, target)
    whole = {"vectors/1.npy": b"v" * 100, "workspace.sqlite": store}
    for files in (*seen, tree.files()):
        assert any(
            all(files.get(f"{folder}/{name}") == content for name, content in whole.items())
            for folder in ("here", "there/moved")
        )
    assert not source.exists()


def _refuse_between_disks(path: Path, target: Path) -> None:
    raise OSError(errno.EXDEV, "Invalid cross-device link", str(path), None, str(target))
