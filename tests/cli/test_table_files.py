"""`--out` of the commands that print tables: a file of what is printed, of the type it names."""

import csv
import inspect
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pyarrow import parquet
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.cli.table_files import TABLE_COMMANDS
from termexplorer.errors import UserError
from termexplorer.exporters.tables import ENDINGS


@pytest.fixture
def workspace(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(toy, tmp_path_factory.mktemp("copied") / "workspace"))


# groups, and commands that print no table though others of their module do
WITHOUT_TABLE = {
    "encoder", "encoder export", "encoder remove", "encoder rename", "encoder show", "evaluation",
    "evaluation rename", "map", "map rename", "backup", "backup remove", "ontology",
    "ontology remove", "ontology show", "rank", "run", "run remove", "run rename", "run show",
    "workspace", "workspace compact", "workspace move", "workspace restore", "study", "suggest",
    "suggestion", "suggestion import", "suggestion remove", "team", "team admit", "team check",
    "team init", "team join", "team leave", "team open", "team sync", "train", "verdicts",
    "verdicts import", "work",
}  # fmt: skip


def run(workspace: Path, *words: str) -> Any:
    return CliRunner().invoke(app, [*words, "--workspace", str(workspace)])


def commands_below(command: Any, path: str) -> "list[tuple[str, Any]]":
    commands = [(path, command)]
    if isinstance(command, TyperGroup):
        for name in command.list_commands(None):  # type: ignore[arg-type]
            inner = command.get_command(None, name)  # type: ignore[arg-type]
            commands += commands_below(inner, f"{path} {name}".strip())
    return commands


def test_each_command_that_prints_a_table_can_write_a_file() -> None:
    without, known = [], set()
    for path, command in commands_below(get_command(app), ""):
        known.add(path)
        options = {option for parameter in command.params for option in parameter.opts}
        called = command.callback and inspect.unwrap(command.callback)
        module = inspect.getsource(inspect.getmodule(called)) if called else ""  # type: ignore[arg-type]
        if "print_table(" in module and "--out" not in options:
            without.append(path)
    assert known > TABLE_COMMANDS
    assert {entry for entry in without if entry and entry not in WITHOUT_TABLE} == set()


def test_every_table_can_be_of_every_type() -> None:
    for path, command in commands_below(get_command(app), ""):
        for parameter in command.params:
            if "--out" in parameter.opts and ".csv" in (parameter.help or ""):
                printed = parameter.help.partition("picture")[0]
                assert all(ending in printed for ending in ENDINGS), path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".json"])
def test_a_file_has_the_rows_that_are_printed(workspace: Path, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"found{ending}"
    done = run(workspace, "encoder", "list", "--out", str(path))
    assert done.exit_code == 0, done.output
    printed = json.loads(run(workspace, "encoder", "list", "--json").stdout)["encoders"]
    ids = [entry["encoder"] for entry in printed]
    assert len(ids) > 3
    assert read_ids(path) == ids
    assert "found" in done.output


def read_ids(path: Path) -> list[int]:
    match path.suffix:
        case ".json":
            return [entry["encoder"] for entry in json.loads(path.read_text("utf-8"))["encoders"]]
        case ".jsonl":
            return [json.loads(line)["encoder"] for line in path.read_text("utf-8").splitlines()]
        case ".xlsx":
            _, *cells = load_workbook(path).worksheets[0].iter_rows(values_only=True)
            return [int(str(row[0])) for row in cells]
        case ".parquet":
            return list(parquet.read_table(path).column("encoder").to_pylist())
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    return [int(row["encoder"]) for row in rows]


def test_the_table_is_printed_as_without_a_file(workspace: Path, tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    plain = run(workspace, "ontology", "list").stdout
    printed = run(workspace, "ontology", "list", "-o", str(path)).stdout
    assert printed.startswith(plain)
    assert "1 row" in printed.removeprefix(plain)


def test_rankings_of_several_encoders_are_one_table_that_names_them(
    workspace: Path, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    words = [
        "rank",
        "neighbours",
        "heart",
        "--ontology",
        "1",
        "--encoder",
        "1",
        "--encoder",
        "5",
        "--top",
        "3",
        "--out",
    ]
    done = run(workspace, *words, str(path))
    assert done.exit_code == 0, done.output + repr(done.exception)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    printed = json.loads(run(workspace, *words[:-1], "--json").stdout)["ranking"]
    assert [(row["rank"], row["name"]) for row in rows] == [(r["rank"], r["name"]) for r in printed]
    assert {row["query"] for row in rows} == {"heart"}
    encoders = {row["encoder"] for row in rows}
    assert len(encoders) == len({row["encoder"] for row in printed})
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.jsonl"]


def test_figures_are_numbers_in_a_file(workspace: Path, tmp_path: Path) -> None:
    words = ["--ontology", "1", "--encoder", "1", "--encoder", "5", "--out"]
    asked = {
        "compare": ["compare", "--task", "hypernyms", "--level", "1", "--top", "3"],
        "evaluate": ["evaluate", "hypernyms"],
    }
    for name, command in asked.items():
        done = run(workspace, *command, *words, str(tmp_path / f"{name}.jsonl"))
        assert done.exit_code == 0, done.output + repr(done.exception)
    rows = {
        path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in tmp_path.iterdir()
    }
    encoder, names = rows["compare"][0], rows["compare-3"]
    assert (encoder["encoder"], encoder["encoder title"]) == (1, "TF-IDF #1")
    for key in ("median rank", "rbo with #5", "seen"):
        assert isinstance(encoder[key], float), key
    assert all(isinstance(row["rank #5"], float) and row["loss"] >= 0 for row in names)
    figure = rows["evaluate"][0]
    assert figure["MRR low"] <= figure["MRR"] <= figure["MRR high"]
    assert isinstance(figure["n"], int)


def test_further_tables_have_files_of_their_own(workspace: Path, tmp_path: Path) -> None:
    words = [
        "compare",
        "--task",
        "hypernyms",
        "--level",
        "2",
        "--ontology",
        "1",
        "--encoder",
        "1",
        "--encoder",
        "5",
    ]
    done = run(workspace, *words, "--out", str(tmp_path / "c.csv"))
    assert done.exit_code == 0, done.output + repr(done.exception)
    assert {"c.csv", "c-2.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_a_file_that_cannot_be_is_refused_before_any_work(workspace: Path, tmp_path: Path) -> None:
    for name, message in (("o.docx", ".csv"), ("gone/o.csv", "gone")):
        done = run(workspace, "ontology", "list", "--out", str(tmp_path / name))
        assert isinstance(done.exception, UserError)
        assert message in str(done.exception)
        assert done.stdout == ""
    done = run(workspace, "ontology", "list", "--json", "--out", str(tmp_path / "o.csv"))
    assert done.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_no_row_makes_no_file_and_that_is_said(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "ontology", "list", "--out", str(tmp_path / "o.csv"))
    if done.exit_code == 0:
        assert "not written" in done.stdout
    assert not (tmp_path / "o.csv").exists()
