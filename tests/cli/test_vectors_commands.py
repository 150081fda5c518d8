"""Vectors by command: trained by every method, made of others, shown and removed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_workspace import TRAINED, VECTORS, opened_copy
from typer.testing import CliRunner, Result

from termexplorer.cli.commands import app
from termexplorer.errors import UserError


class Commands:
    """The commands on one workspace, in this process."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(app, [*words, "--workspace", str(self._workspace)])

    def json(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def commands(trained: Path, tmp_path: Path) -> Commands:
    with opened_copy(trained, tmp_path) as workspace:
        return Commands(workspace.folder)


def test_vectors_are_trained_by_a_method_and_shown(commands: Commands, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("a viral lung tumour was seen\n" * 5, encoding="utf-8")
    answer = commands.json(
        "vectors", "train", "--ontology", "toy", "--method", "sgs.c", "--text", str(text),
        *("--dimension", "6", "--epochs", "1", "--min-count", "2"),
    )  # fmt: skip
    assert (answer["kind"], answer["method"], answer["dimension"]) == ("untrained", "skipgrams", 6)
    asked = {"method": "sgs.c", "texts": [str(text)], "names_in_text": 5, "min_count": 2}
    assert {name: answer["parameters"][name] for name in asked} == asked
    card = commands.json("encoder", "show", str(answer["encoder"]))
    assert (card["parameters"]["ontology"], card["parameters"]["names_in_text"]) == (1, 5)
    lines = commands.run("encoder", "show", str(answer["encoder"])).stdout.splitlines()
    assert {"method: sgs.c", "names in text: 5", "min count: 2"} <= set(lines)
    rows = commands.json(
        "rank", "neighbours", "viral lung tumour", "--encoder", str(answer["encoder"]),
        *("--ontology", "toy", "--top", "3"),
    )["ranking"]  # fmt: skip
    assert [row["rank"] for row in rows] == [1, 2, 3]


def test_a_seed_is_kept_where_it_holds_and_said_to_be_void_where_threads_differ(
    commands: Commands,
) -> None:
    words = ("vectors", "train", "--ontology", "toy", "--dimension", "3", "--epochs", "1")
    words = (*words, "--min-count", "1", "--seed", "7")
    answer = commands.json(*words, "--method", "ppmi")
    assert answer["parameters"]["seed"] == 7
    assert "seed 7" in answer["title"]
    assert "void" not in commands.run(*words, "--method", "ppmi").stderr
    assert "void" in commands.run(*words, "--method", "fasttext").stderr


def test_rows_that_repeat_a_name_are_told(commands: Commands, tmp_path: Path) -> None:
    matrix, names = tmp_path / "mine.npy", tmp_path / "rows.txt"
    np.save(matrix, np.eye(4))
    names.write_text("heart\nHEART\nlung\nHeart\n", encoding="utf-8")
    done = commands.run("vectors", "add", str(matrix), "--names", str(names))
    message = "2 rows are left out, as earlier ones have their names"
    assert done.stdout.splitlines()[-2:] == ["mine matrix is encoder 7, 4 dimensions", message]
    lines = commands.run("encoder", "show", "7").stdout.splitlines()
    assert "repeats left out: 2" in lines
    names.write_text("heart\nliver\nlung\nhip\n", encoding="utf-8")
    done = commands.run("vectors", "add", str(matrix), "--names", str(names))
    assert done.stdout.splitlines()[-1] == "mine matrix (2) is encoder 8, 4 dimensions"


def test_each_method_is_told_with_its_use(commands: Commands) -> None:
    shown = " ".join(commands.run("vectors", "train", "--help").stdout.split())
    for name in ("fasttext:", "sgw:", "sgs:", "sgs.c:", "bigrams:"):
        assert name in shown


def test_word_movers_distance_is_made_ranked_and_removed(commands: Commands) -> None:
    answer = commands.json("vectors", "word-movers", "--encoder", str(VECTORS))
    assert (answer["kind"], answer["method"], answer["made_of"]) == (
        "lexical", "word_movers", [VECTORS],
    )  # fmt: skip
    encoder_option = str(answer["encoder"])
    rows = commands.json(
        "rank", "hypernyms", "viral lung tumour", "--encoder", encoder_option,
        *("--ontology", "toy", "--level", "2", "--top", "1"),
    )["ranking"]  # fmt: skip
    assert [row["name"] for row in rows] == ["lung tumour"]
    table = commands.run("encoder", "list").stdout
    assert f"#{VECTORS}" in table
    assert commands.run("encoder", "remove", encoder_option).exit_code == 1  # nobody says yes
    assert commands.run("encoder", "remove", encoder_option, "--yes").exit_code == 0
    refused = commands.run("vectors", "word-movers", "--encoder", str(TRAINED))
    assert isinstance(refused.exception, Exception)
    assert "vectors of whole names alone" in str(refused.exception)


def test_a_blend_is_asked_for_one_way(commands: Commands) -> None:
    both = ("--weight", "1", "--ontology", "toy")
    assert commands.run("vectors", "blend", "--encoder", str(VECTORS), *both).exit_code == 2
    blended = commands.json("vectors", "blend", "--encoder", str(TRAINED), "--weight", "1")
    rows = commands.json(
        "rank", "hypernyms", "viral lung tumour", "--encoder", str(blended["encoder"])
    )
    assert {row["ontology"] for row in rows["ranking"]} == {1}  # as the run beneath was trained


def test_an_encoder_is_exported(commands: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = commands.run("encoder", "export", str(TRAINED), str(folder))
    assert (done.exit_code, done.stdout) == (0, f'trainer.load("{folder}")\n')
    again = commands.run("encoder", "export", str(TRAINED), str(folder))
    assert isinstance(again.exception, UserError)
    assert "is there already and not empty" in str(again.exception)
