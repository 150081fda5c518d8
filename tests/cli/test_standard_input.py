"""`-` in place of a file: names, pairs, ratings, tables and mappings on standard input."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from toy_ontology import toy_obo
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError

# packs, with which answers are kept; a folder of data; a place that is written to
NOT_TEXT = {
    "judge file",
    "study serve packs",
    "bench data",
    "bench keep",
    "bench transformer",
    "board data",
    "board transformer",
    "replicate data",
    "work folder",
    "workspace move target",
}


def list_parameters(command: Any, words: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield from list_parameters(inner, f"{words} {name}".strip())
    if not hasattr(command, "commands"):
        for parameter in command.params:
            yield f"{words} {parameter.name}", parameter


def run(workspace: Path, text: str, *words: str) -> Any:
    return CliRunner().invoke(app, [*words, "--workspace", str(workspace)], input=text)


def test_every_file_that_is_read_can_come_on_standard_input() -> None:
    for name, parameter in list_parameters(get_command(app)):
        is_read = "pathlib" in repr(vars(parameter)) and parameter.callback is None
        if is_read and parameter.name != "workspace":
            assert ("standard input" in (parameter.help or "")) == (name not in NOT_TEXT), name


def test_names_are_read_as_from_a_file(toy: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("viral lung tumour\nsome heart injury\n", "utf-8")
    words = ["rank", "neighbours", "--encoder", "1", "--ontology", "1", "--json", "--from"]
    piped = run(toy, names.read_text("utf-8"), *words, "-")
    assert piped.stdout == run(toy, "", *words, str(names)).stdout
    assert "viral lung tumour" in piped.stdout


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        (toy_obo(), ("import", "-"), "377 concepts"),
        ("id,name\nT:1,one\nT:2,two\n", ("import", "-", "--terminology", "t"), "2 concepts"),
        (
            "item\ta\tb\n" + "".join(f"{n}\tyes\t{'no' if n % 2 else 'yes'}\n" for n in range(12)),
            ("study", "agreement", "--ratings", "-"),
            "12 items, 2 raters (a, b)",
        ),
        (
            "left\tright\tlabel\n" + "".join(f"l{n}\tr{n}\t{n % 2}\n" for n in range(12)),
            ("study", "new", "--pairs", "-", "--title", "T", "--annotator", "A", "--each", "2"),
            "study 1: 4 pairs",
        ),
        (
            "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
            "A:1\tskos:exactMatch\tB:1\tsemapv:LexicalMatching\n",
            ("suggestion", "import", "-"),
            "list 1: 1 suggestion",
        ),
    ],
    ids=["obo", "table", "ratings", "pairs", "mappings"],
)
def test_what_comes_is_told_by_what_it_holds(
    tmp_path: Path, text: str, words: tuple[str, ...], sentence: str
) -> None:
    done = run(tmp_path / "workspace", text, *words)
    assert done.exit_code == 0, (done.output, done.exception)
    assert sentence in done.stdout


def test_verdicts_come_back_by_a_pipe(tmp_path: Path) -> None:
    workspace, out = tmp_path / "workspace", tmp_path / "v.csv"
    mapping = "A:1\tskos:exactMatch\tB:1\tsemapv:ManualMappingCuration\tAnna\n"
    titles = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tauthor_label\n"
    assert run(workspace, titles + mapping, "suggestion", "import", "-").exit_code == 0
    assert run(workspace, "", "verdicts", "export", "--out", str(out)).exit_code == 0
    done = run(tmp_path / "other", out.read_text("utf-8"), "verdicts", "import", "-")
    assert "1 verdict, 1 of them new" in done.stdout


def test_it_is_read_once_and_not_empty(toy: Path) -> None:
    words = ("evaluate", "normalisation", "--ontology", "1", "--encoder", "1", "--corpus", "-")
    twice = run(toy, "1|t|lung disease\n", *words, "--training", "-")
    assert isinstance(twice.exception, UserError)
    assert "once" in str(twice.exception)
    nothing = run(toy, " \n", *words)
    assert isinstance(nothing.exception, UserError)
    assert "nothing came on standard input" in str(nothing.exception)
