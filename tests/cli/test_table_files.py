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


@pytest.fixture
def workspace(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(toy, tmp_path_factory.mktemp("copied") / "workspace"))


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
        source = inspect.getsource(inspect.unwrap(command.callback)) if command.callback else ""
        if "print_table(" in source and "--out" not in options:
            without.append(path)
    assert known > TABLE_COMMANDS
    # what it tells of an import of verdicts is a list of refused lines
    assert without == ["verdicts import"]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".json"])
def test_a_file_has_the_rows_that_are_printed(workspace: Path, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"found{ending}"
    done = run(workspace, "vectors", "list", "--out", str(path))
    assert done.exit_code == 0, done.output
    answer = json.loads(run(workspace, "vectors", "list", "--json").stdout)["encoders"]
    ids = [encoder["id"] for encoder in answer]
    assert len(ids) > 3
    assert read_ids(path) == ids
    assert "found" in done.output


def read_ids(path: Path) -> list[int]:
    match path.suffix:
        case ".json":
            return [encoder["id"] for encoder in json.loads(path.read_text("utf-8"))["encoders"]]
        case ".jsonl":
            return [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]
        case ".xlsx":
            _, *cells = load_workbook(path).worksheets[0].iter_rows(values_only=True)
            return [int(str(row[0])) for row in cells]
        case ".parquet":
            return list(parquet.read_table(path).column("id").to_pylist())
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    return [int(row["id"]) for row in rows]


def test_the_table_is_printed_as_without_a_file(workspace: Path, tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    plain = run(workspace, "ontologies").stdout
    output = run(workspace, "ontologies", "-o", str(path)).stdout
    assert output.startswith(plain)
    assert "1 row" in output.removeprefix(plain)


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
    answer = json.loads(run(workspace, *words[:-1], "--json").stdout)["rows"]
    assert [(row["rank"], row["name"]) for row in rows] == [(r["rank"], r["name"]) for r in answer]
    assert {row["query"] for row in rows} == {"heart"}
    encoders = {row["encoder"] for row in rows}
    assert len(encoders) == len({row["encoder"] for row in answer})
    assert [file.name for file in tmp_path.iterdir()] == ["r.jsonl"]


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
        done = run(workspace, "ontologies", "--out", str(tmp_path / name))
        assert isinstance(done.exception, UserError)
        assert message in str(done.exception)
        assert done.stdout == ""
    done = run(workspace, "ontologies", "--json", "--out", str(tmp_path / "o.csv"))
    assert done.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_no_row_makes_no_file_and_that_is_said(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "ontologies", "--out", str(tmp_path / "o.csv"))
    if done.exit_code == 0:
        assert "not written" in done.stdout
    assert not (tmp_path / "o.csv").exists()
