"""Encoders by title, in every command that takes one."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from toy_workspace import VECTORS
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.command_help import ENCODERS
from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import rename_encoder
from termexplorer.workspace import Workspace


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(toy, tmp_path / "workspace"))
    with closing(Workspace(folder)) as opened_workspace:
        rename_encoder(opened_workspace, VECTORS, "Made by hand")
    return folder


def run(workspace: Path, *words: str) -> Any:
    done = CliRunner().invoke(app, [*words, "--json", "--workspace", str(workspace)])
    if isinstance(done.exception, UserError):
        raise done.exception
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_a_title_is_as_good_as_an_id(workspace: Path) -> None:
    def rank(*encoders: str) -> Any:
        chosen = [word for encoder in encoders for word in ("--encoder", encoder)]
        return run(workspace, "rank", "neighbours", "disease", "--ontology", "1", *chosen)

    by_id = rank("1", str(VECTORS))
    assert {row["encoder"] for row in by_id["ranking"]} == {1, VECTORS}
    assert rank("tf-idf", "made by hand") == by_id
    assert rank("TF-IDF #1", f"Made by hand #{VECTORS}") == by_id
    shown = run(workspace, "encoder", "show", str(VECTORS))
    assert run(workspace, "encoder", "show", "Made by hand") == shown


def test_a_title_that_is_not_there_is_told_with_those_that_are(workspace: Path) -> None:
    with pytest.raises(UserError, match=r"no encoder is called “wiki”.*TF-IDF #1.*Made by hand #5"):
        run(workspace, "encoder", "show", "wiki")


def test_titles_are_looked_up_when_all_else_is_right(tmp_path: Path) -> None:
    words = ["rank", "neighbours", "disease", "--ontology", "1", "--encoder", "wiki"]
    done = CliRunner().invoke(app, [*words, "--top", "few", "--workspace", str(tmp_path)])
    assert done.exit_code == 2
    assert "--top" in done.stderr
    with pytest.raises(UserError, match="no workspace"):
        run(tmp_path, *words)


def test_a_title_of_two_is_refused_with_their_ids(workspace: Path) -> None:
    with closing(Workspace(workspace)) as opened_workspace:
        rename_encoder(opened_workspace, VECTORS, "TF-IDF")
    with pytest.raises(UserError, match=r"TF-IDF #1 or TF-IDF #5; give the id"):
        run(workspace, "encoder", "show", "tf-idf")


def test_every_option_for_an_encoder_takes_titles() -> None:
    """No command has a parameter that is an encoder, and is not known as one."""

    def parameters(command: Any, words: str) -> Any:
        for name, inner in getattr(command, "commands", {}).items():
            yield from parameters(inner, f"{words} {name}")
        yield from ((words, option) for option in command.params)

    for words, parameter in parameters(get_command(app), ""):
        help_ = f"{parameter.name} {getattr(parameter, 'help', '')}".casefold()
        if "encoder" in help_ and "id" in (parameter.metavar or "").casefold():
            assert "process_value" in vars(parameter), (words, parameter.name)
        if parameter.name in ENCODERS and parameter.metavar != "ID":  # a folder or a file
            assert "process_value" not in vars(parameter), (words, parameter.name)
