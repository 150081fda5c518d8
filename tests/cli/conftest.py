from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from termexplorer.workspace import Workspace


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., str]:
    """Runs a command on a new workspace and returns what it prints."""
    from termexplorer.cli.commands import app  # not all tests need the whole program

    Workspace(tmp_path / "workspace").close()

    def called(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--workspace", str(tmp_path / "workspace")])
        if done.exception is not None:
            raise done.exception
        return done.stdout

    return called
