"""The level that commands take where none is named, and levels that nothing can be learned on."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lopsided_ontology import write_lopsided
from toy_workspace import LEXICAL, make_imported
from typer.testing import CliRunner

from termexplorer.errors import UserError


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose first level is one class of nearly all names."""
    folder = tmp_path_factory.mktemp("lopsided")
    return make_imported(folder, write_lopsided(folder))


@pytest.fixture
def called(lopsided: Path, tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Run a command on a copy; returns what it prints, and what it says beside that."""
    from termexplorer.cli.commands import app

    folder = shutil.copytree(lopsided, tmp_path / "workspace")

    def call(*words: object) -> tuple[str, str]:
        done = CliRunner().invoke(app, [*map(str, words), "--workspace", str(folder)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.stdout, done.stderr

    return call


def test_hypernyms_are_ranked_on_the_level_that_suits(
    called: Callable[..., tuple[str, str]],
) -> None:
    asked = ("rank", "hypernyms", "mild heart pain", "--ontology", 1, "--encoder", LEXICAL)
    printed, warning = called(*asked, "--json")
    assert json.loads(printed)["ranking"][0]["name"] == "abnormality of the heart"
    assert not warning
    printed, warning = called(*asked, "--level", 1, "--json")
    assert {row["name"] for row in json.loads(printed)["ranking"]} == {"abnormality", "inheritance"}
    assert "99%" in warning
    assert "level 2" in warning


def test_misplaced_concepts_and_comparisons_take_it_too(
    called: Callable[..., tuple[str, str]],
) -> None:
    printed, warning = called(
        "suggest", "misplaced", "--ontology", 1, "--encoder", LEXICAL, "--json"
    )
    assert json.loads(printed)["classes"] == 13  # one has nothing below it
    assert "one-sided" not in warning
    both = ("--encoder", LEXICAL, "--encoder", LEXICAL + 1)
    printed, _ = called("compare", "--task", "neighbours", "--ontology", 1, *both, "--json")
    assert json.loads(printed)["level"] == 2


def test_a_level_of_one_class_is_not_trained_on(called: Callable[..., tuple[str, str]]) -> None:
    with pytest.raises(UserError, match=r"level 1 has one class.*level 2"):
        called("train", "dan", "--ontology", 1, "--level", 1, "--vectors", LEXICAL)
