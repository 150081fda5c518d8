"""Commands on a workspace that lies where nothing can be written."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from program import called
from small_disks import read_only_view
from toy_workspace import TRAINED

from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, give_verdict, now
from termexplorer.workspace import Workspace

Command = Callable[..., str]


@pytest.fixture
def on_read_only_medium(trained: Path, tmp_path: Path) -> Iterator[Command]:
    """Runs a command on a workspace with a run and a verdict, and returns what it prints."""
    folder = tmp_path / "workspace"
    shutil.copytree(trained, folder)
    with closing(Workspace(folder)) as workspace:
        about, at = VerdictSubject("skos:exactMatch", "TOY:1", "TOY:2"), now()
        give_verdict(workspace, Judge("Anna"), about, Answer("correct", "", at, at))
    with read_only_view(folder, tmp_path / "medium") as medium:

        def run(*words: str, code: int = 0) -> str:
            done = called("--workspace", medium, *words)
            assert done.returncode == code, done.stderr
            return done.stdout + done.stderr

        yield run


@pytest.mark.parametrize(
    "words",
    [
        ("ontology", "list"),
        ("search", "liver"),
        ("search", "livr diseese"),
        ("levels", "--ontology", "1"),
        ("run", "list"),
        ("run", "show", "1"),
        ("encoder", "list"),
        ("encoder", "show", str(TRAINED)),
        ("rank", "neighbours", "liver disease", "--encoder", str(TRAINED)),
        ("rank", "hypernyms", "liver disease", "--encoder", str(TRAINED), "--level", "1"),
        ("study", "show"),
        ("suggestion", "list"),
        ("verdicts", "check"),
        ("backup", "list"),
        ("workspace", "check"),
    ],
    ids=" ".join,
)
def test_a_read_only_workspace_is_read(
    on_read_only_medium: Command, words: tuple[str, ...]
) -> None:
    assert on_read_only_medium(*words)


def test_a_read_only_workspace_is_exported(on_read_only_medium: Command, tmp_path: Path) -> None:
    verdicts, copy = tmp_path / "verdicts.csv", tmp_path / "copy.sqlite"
    on_read_only_medium("verdicts", "export", "--out", str(verdicts))
    assert "Anna" in verdicts.read_text("utf-8")
    on_read_only_medium("workspace", "backup", "--out", str(copy))
    assert copy.stat().st_size
    on_read_only_medium("encoder", "export", str(TRAINED), str(tmp_path / "encoder"))
    assert (tmp_path / "encoder").is_dir()


def test_the_doctor_comes_to_a_read_only_workspace(on_read_only_medium: Command) -> None:
    answer = json.loads(on_read_only_medium("doctor", "--json"))
    assert (answer["sync"], answer["health"]["faults"]) == (None, [])


@pytest.mark.parametrize(
    "words",
    [
        ("encoder", "rename", str(TRAINED), "another"),
        ("run", "remove", "1", "--yes"),
        ("ontology", "remove", "1", "--yes"),
        ("workspace", "compact"),
    ],
    ids=" ".join,
)
def test_a_read_only_workspace_is_not_changed(
    on_read_only_medium: Command, words: tuple[str, ...]
) -> None:
    output = on_read_only_medium(*words, code=1)
    assert len(output.strip().splitlines()[-1:]) == 1
    assert "bug" not in output


def test_rights_alone_make_a_workspace_read_only(trained: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the super-user may write whatever a folder's rights are")
    folder = tmp_path / "workspace"
    shutil.copytree(trained, folder)
    for path in (folder / "workspace.sqlite", folder):
        path.chmod(0o500)
    try:
        done = called("--workspace", folder, "search", "liver")
    finally:
        folder.chmod(0o700)
    assert done.returncode == 0, done.stderr
