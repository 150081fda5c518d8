"""Every command: listed without being imported, with examples that it takes as they stand."""

import ast
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.command_help import SHORT_OPTIONS
from termexplorer.cli.command_table import COMMANDS, RENAMED
from termexplorer.cli.commands import app
from termexplorer.cli.examples import EXAMPLES
from termexplorer.places import WORKSPACE_VARIABLE
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.workspace import Workspace

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "resources/docs").rglob("*.md")),
    *sorted((ROOT / "resources/studies").glob("*.md")),
]


def leaves(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in getattr(group, "commands", {}).items():
        yield from leaves(command, (*words, name))
    if not hasattr(group, "commands"):
        yield " ".join(words), group


ALL = dict(leaves(get_command(app)))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace without ontologies, where the built-in encoder is looked up."""
    folder = tmp_path_factory.mktemp("empty") / "workspace"
    with closing(Workspace(folder)) as workspace:
        ensure_built_in(workspace)
    return folder


def parse(words: list[str]) -> None:
    """Have the command take its words, and run nothing."""
    command: Any = get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
        words = command.complete_words(words) if hasattr(command, "complete_words") else words
    if not hasattr(command, "commands"):
        command.make_context("command", words)
    else:
        assert not words


def shown_in_the_docs() -> list[str]:
    lines = [
        line.partition("   #")[0].partition("  #")[0].rstrip()
        for page in PAGES
        for line in page.read_text("utf-8").replace("\\\n", " ").splitlines()
    ]
    return sorted({line for line in lines if line.startswith("termexplorer ")})


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    command: Any = COMMANDS[name].load_command(name)
    assert command.help.split("\n\n")[0].replace("\n", " ") == COMMANDS[name].help


def test_every_command_has_an_example() -> None:
    assert set(ALL) == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_taken_as_they_stand(
    name: str, tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(empty))
    assert EXAMPLES[name]
    for example in EXAMPLES[name]:
        assert example.startswith(name)
        parse(shlex.split(example))
    done = CliRunner().invoke(app, [*name.split(), "-h"], terminal_width=200)
    assert f"termexplorer {name}" in done.stdout.partition("Options")[2]


@pytest.mark.parametrize("line", shown_in_the_docs())
def test_commands_of_the_docs_are_taken_as_they_stand(
    line: str, tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(empty))
    parse(shlex.split(line)[1:])


def test_the_usual_options_have_short_forms_everywhere() -> None:
    for name, command in ALL.items():
        for parameter in command.params:
            for option in SHORT_OPTIONS.keys() & set(parameter.opts):
                assert SHORT_OPTIONS[option] in parameter.opts, name


def test_a_short_option_is_the_long_one(toy: Path) -> None:
    short = CliRunner().invoke(
        app, ["search", "disease", "-O", "1", "-n", "2", "-j", "-w", str(toy)]
    )
    words = ["--ontology", "1", "--limit", "2", "--json", "--workspace", str(toy)]
    assert short.stdout == CliRunner().invoke(app, ["search", "disease", *words]).stdout
    assert '"hits"' in short.stdout


def test_the_version_is_told() -> None:
    for option in ("--version", "-V"):
        assert (
            CliRunner().invoke(app, [option]).stdout == f"termexplorer {version('termexplorer')}\n"
        )


def test_a_slip_is_told_the_nearest_command() -> None:
    done = CliRunner().invoke(app, ["serach", "x"])
    assert done.exit_code == 2
    assert "'search'" in done.stderr


def completed(words: str, number: int) -> list[str]:
    asked = {
        "_TERMEXPLORER_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(number)
    }  # fmt: skip
    program = str(Path(sys.executable).with_name("termexplorer"))
    done = subprocess.run(
        [program], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_shell_completes_commands() -> None:
    assert completed("termexplorer ev", 1) == ["evaluate", "evaluation"]
    assert completed("termexplorer study adj", 2) == ["adjudicate"]


HEAVY = ("sqlalchemy", "numpy", "torch", "PySide6")


def imported_by(*words: str) -> list[str]:
    """Which heavy packages a command brings in, in a process of its own."""
    called = ["termexplorer", *words]
    code = (
        f"import sys; from termexplorer.cli.main import run; sys.argv = {called}\n"
        "try: run()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return list(ast.literal_eval(done.stdout.splitlines()[-1]))


def test_a_list_of_commands_imports_none() -> None:
    assert imported_by("-h") == []


def test_a_search_waits_for_no_heavy_package(toy: Path) -> None:
    for words in (("disease",), ("no such name",), ("lung", "--ontology", "1", "--json")):
        assert imported_by("search", *words, "--workspace", str(toy)) == []


def test_judging_by_itself_takes_short_options() -> None:
    program = str(Path(sys.executable).with_name("termexplorer"))
    done = subprocess.run([program, "judge", "-h"], capture_output=True, text=True, check=True)
    assert "-w" in done.stdout.split()
    assert EXAMPLES["judge"][0] in done.stdout


def test_without_a_display_the_window_is_refused(tmp_path: Path) -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("QT_QPA_PLATFORM", None)
    program = str(Path(sys.executable).with_name("termexplorer"))
    done = subprocess.run(
        [program, "--workspace", str(tmp_path / "ws")],
        env=bare, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("termexplorer: there is no display here")
    assert not (tmp_path / "ws").exists()


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Path:
    """A copy: a list of encoders brings the built-in one with it."""
    return Path(shutil.copytree(toy, tmp_path / "workspace"))


def test_old_words_work_and_name_the_new_ones(workspace: Path) -> None:
    options = ["--workspace", str(workspace)]
    for old, new in RENAMED.items():
        command: Any = get_command(app)
        for word in new:
            command = command.commands[word]
        asked = [*old, "--help"] if len(old) > 1 else list(old)
        done = CliRunner().invoke(app, [*asked, *options] if len(old) == 1 else asked)
        assert done.exit_code == 0, done.output
        assert done.stderr.startswith(f"`termexplorer {' '.join(old)}` is now ")
        assert f"`termexplorer {' '.join(new)}`" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert "is now" not in done.stdout


def test_old_words_are_answered_as_the_new_ones(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace))  # which the program sets itself
    options = ["--json", "--workspace", str(workspace)]
    for old, new in (
        (["ontologies"], ["ontology", "list"]),
        (["vectors", "list"], ["encoder", "list"]),
    ):
        printed = CliRunner().invoke(app, [*old, *options]).stdout
        assert printed == CliRunner().invoke(app, [*new, *options]).stdout
    named = CliRunner().invoke(
        app, [*options[1:], "runs", "--json"]
    )  # behind options of all commands
    assert named.stdout == '{"runs": []}\n'


def test_nouns_are_listed_shown_exported_and_removed_by_the_same_words() -> None:
    nouns = [name for name in COMMANDS if any(words.startswith(f"{name} list") for words in ALL)]
    assert {"ontology", "encoder", "run", "map", "evaluation", "suggestion", "study"} <= set(nouns)
    other_words = {"status", "delete", "print", "write", "all", "lists", "names"}
    for words in ALL:
        if words.split()[0] in nouns:
            assert words.split()[1] not in other_words, words


def test_a_shell_that_asks_what_follows_old_words_gets_no_note() -> None:
    assert completed("termexplorer runs sh", 2) == []
