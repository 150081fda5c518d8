"""What is compiled on its own, and what the window needs, may be absent: the rest goes on."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toy_workspace import VECTORS

PROGRAM = str(Path(sys.executable).with_name("termexplorer"))
QUERY = ("rank", "neighbours", "disease", "--ontology", "1", "--encoder", str(VECTORS), "--json")


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(toy, tmp_path / "workspace"))


def run(
    workspace: Path, *words: str, without: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command where a package cannot be imported, in its children too."""
    blocked = workspace.parent / "blocked"
    blocked.mkdir(exist_ok=True)
    line = f"import sys; sys.modules.update(dict.fromkeys({without.split()!r}))\n"
    (blocked / "sitecustomize.py").write_text(line, "utf-8")
    blocking = os.environ | {"PYTHONPATH": str(blocked)} | environment
    return subprocess.run(
        [PROGRAM, *words, "--workspace", str(workspace)],
        env=blocking, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_without_hnswlib_all_vectors_are_searched(workspace: Path) -> None:
    indexes = list((workspace / "vectors").glob("*.hnsw"))
    assert indexes
    usual = json.loads(run(workspace, *QUERY).stdout)
    done = run(workspace, *QUERY, without="hnswlib")
    assert done.returncode == 0, done.stderr
    assert [row["name"] for row in json.loads(done.stdout)["ranking"]] == [
        row["name"] for row in usual["ranking"]
    ]
    assert all(index.exists() for index in indexes), "for when it is there again"


def test_without_fasttext_its_files_are_read_and_its_training_is_refused(
    workspace: Path, tmp_path: Path
) -> None:
    done = run(workspace, "vectors", "train", "--ontology", "1", without="fasttext")
    assert done.returncode == 1
    assert "pip install fasttext" in done.stderr
    assert "ppmi" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    import fasttext

    (tmp_path / "text.txt").write_text("viral pneumonia of the lung\n" * 50, "utf-8")
    model = fasttext.train_unsupervised(
        str(tmp_path / "text.txt"), dim=10, epoch=1, bucket=100, thread=11, verbose=0
    )
    model.save_model(str(tmp_path / "model.bin"))
    done = run(workspace, "vectors", "add", str(tmp_path / "model.bin"), without="fasttext")
    assert done.returncode == 0, done.stderr


def test_without_the_window_commands_work_and_the_window_names_its_extra(
    workspace: Path, tmp_path: Path
) -> None:
    qt = "PySide6 pyqtgraph"
    for words in (("search", "disease"), QUERY, ("levels", "--ontology", "1"), ("doctor",)):
        done = run(workspace, *words, without=qt)
        assert done.returncode == 0, done.stderr
    project = ("project", "--ontology", "1", "--encoder", str(VECTORS), "--method", "pca", "--out")
    for words in ((*project, str(tmp_path / "map.png")), ()):
        done = run(workspace, *words, without=qt, QT_QPA_PLATFORM="offscreen")
        assert done.returncode == 1
        assert "pip install 'termexplorer[gui]'" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert run(workspace, *project, str(tmp_path / "map.csv"), without=qt).returncode == 0
