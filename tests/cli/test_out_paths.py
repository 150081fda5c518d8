"""Where commands write is checked before they do anything else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.files import check_output_file, check_output_folder
from termexplorer.workspace import Workspace

OUTPUTS = {"--out", "--couples", "--html"}
READ = {
    "benchmarks", "checks", "corpus", "data", "file", "files", "folder", "from_file",
    "glossary",
    "guidelines", "mappings", "matcher", "names", "packs", "pairs", "pubtator", "ratings", "source",
    "text", "training", "transformer", "workspace",
}  # fmt: skip
MOVED = {"target"}  # where a workspace goes: refused by the move itself, at its start


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*words, name))
    if not hasattr(group, "commands"):
        yield " ".join(words), group


ALL = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", ALL)
def test_every_command_checks_where_it_writes(name: str) -> None:
    outputs = [p for p in ALL[name].params if OUTPUTS.intersection(p.opts)]
    assert all(output.callback is not None for output in outputs)


@pytest.mark.parametrize(
    "words",
    [
        ("suggest", "misplaced", "--ontology", "1", "--encoder", "1", "--level", "1"),
        ("diff", "1", "2"),
        ("verdicts", "export"),
        ("suggestion", "export", "1"),
    ],
)
def test_a_bad_place_is_refused_before_any_work(words: tuple[str, ...], tmp_path: Path) -> None:
    new_workspace = tmp_path / "ws"
    out = ("--workspace", str(new_workspace), "--out")
    for bad in (tmp_path / "out.txt", tmp_path / "nowhere" / "out.csv", tmp_path):
        result = CliRunner().invoke(app, [*words, *out, str(bad)])
        assert isinstance(result.exception, UserError)
        assert str(bad) in str(result.exception)
    assert not new_workspace.exists(), "nothing was begun"


def test_every_path_of_a_command_is_read_or_checked_before_any_work() -> None:
    unchecked = {
        parameter.name
        for command in ALL.values()
        for parameter in command.params
        if "pathlib" in repr(vars(parameter)) and parameter.callback is None
    }
    assert unchecked - READ == MOVED


def test_nothing_but_backups_and_pair_sets_goes_into_a_workspace(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "ws")
    workspace.close()
    folder = workspace.folder
    (folder / "backups" / "old.sqlite").write_text("")
    for name in (
        "workspace.sqlite", "window.ini", "vectors/1.npy", "window.lock", "precision.json",
        "table.csv", "backups/old.sqlite", "runs/pairs.tsv",
    ):  # fmt: skip
        with pytest.raises(UserError, match="belongs to the workspace"):
            check_output_file(folder / name)
    for reserved in (folder, folder / "vectors", folder / "pairs", folder / "backups" / "new"):
        with pytest.raises(UserError, match="workspace"):
            check_output_folder(reserved)
    check_output_file(folder / "backups" / "new.sqlite")
    check_output_folder(folder / "pair_sets" / "own")


def test_a_folder_can_be_new_and_a_file_is_none(tmp_path: Path) -> None:
    check_output_folder(tmp_path / "new" / "newer")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file"):
        check_output_folder(tmp_path / "file")
    with pytest.raises(UserError, match="cannot be written"):
        check_output_file(Path("/proc/out.csv"))
