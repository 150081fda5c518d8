"""README and docs: short where they begin, and nothing in them that is not there."""

import ast
import re
import runpy
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.commands import app

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [
    README,
    *sorted((ROOT / "resources/docs").rglob("*.md")),
    *sorted((ROOT / "resources/studies").glob("*.md")),
    *sorted((ROOT / ".github").rglob("*.md")),
]
DEVELOPMENT = sorted((ROOT / "resources/docs/development").rglob("*.md"))
PLACE = re.compile(r"`([\w./]+\.(?:py|md|toml|sh|svg))`(?:: ((?:`[a-z_]+`(?:, | and )?)+))?")
LIBRARY = ROOT / "resources/docs/reference/library.md"
TOPS = ("packaging", "termexplorer", "tests", "trainer")
LAYERS = ("cli", "exporters", "importers", "services", "store", "taxonomy", "views", "workers")
ERRORS = ROOT / "resources/docs/errors.md"
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
EXTRAS = re.compile(r"'\.\[([a-z,]+)\]'")
COMMAND = re.compile(r"^termexplorer ([a-z][a-z -]*?)(?= --| [^a-z]|$)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    links = LINK.findall(page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_threat_model_names_tests_that_are_there() -> None:
    text = (ROOT / "resources/docs/development/threat-model.md").read_text("utf-8")
    names = re.findall(r"`(tests/[^`]+)`", text)
    assert names
    assert [name for name in names if not (ROOT / name).is_file()] == []


def test_the_readme_can_be_read_in_a_few_minutes() -> None:
    text = README.read_text("utf-8")
    assert len(text.encode()) <= 12_000
    assert text.count("\n") <= 180


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_extras_are_installed_from_the_folder_and_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shown = {name for match in EXTRAS.findall(text) for name in match.split(",")}
    assert shown <= set(project["optional-dependencies"])
    for extra in ("team", "serve", "cluster", "large"):
        assert f"termexplorer[{extra}]" not in text  # it is on no package index


def known(words: list[str]) -> list[str]:
    """The words that name a command, from the first on."""
    command, names = get_command(app), []
    for word in words:
        commands = getattr(command, "commands", {})
        if word not in commands:
            break
        command = commands[word]
        names.append(word)
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_shown_are_there(page: Path) -> None:
    shown = {tuple(match.split()[:2]) for match in COMMAND.findall(page.read_text("utf-8"))}
    for words in shown:
        names = known(list(words))
        assert names, words
        assert CliRunner().invoke(app, [*names, "--help"]).exit_code == 0


@pytest.fixture(scope="module")
def site_pages() -> dict[str, Any]:
    """The functions of `packaging/site_pages.py`."""
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        return runpy.run_path(str(ROOT / "packaging/site_pages.py"))
    finally:
        sys.path.pop(0)


def test_links_of_all_pages_lead_to_pages_of_the_site(site_pages: dict[str, Any]) -> None:
    for path in site_pages["list_sources"]():
        if path.suffix == ".md":
            assert "](" not in path.read_text("utf-8") or site_pages["turn_links"](
                path.read_text("utf-8"), path
            )


def test_a_link_that_leads_nowhere_is_refused(site_pages: dict[str, Any]) -> None:
    page = ROOT / "resources/docs/python.md"
    assert (
        site_pages["turn_links"]("[a](../studies/README.md#x)", page) == "[a](studies/README.md#x)"
    )
    with pytest.raises(SystemExit, match=r"gone\.md"):
        site_pages["turn_links"]("[a](gone.md)", page)


def test_the_reference_of_the_library_names_what_is_there() -> None:
    names = re.findall(r"^::: ([\w.]+)\.(\w+)$", LIBRARY.read_text("utf-8"), re.MULTILINE)
    assert names
    for module, name in names:
        assert getattr(import_module(module), name).__doc__, name


def test_each_command_has_a_page_with_its_options(
    site_pages: dict[str, Any], tmp_path: Path
) -> None:
    names = site_pages["make_command_pages"](tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(names)
    page = (tmp_path / "rank.md").read_text("utf-8")
    assert "## rank neighbours" in page
    assert "| `--encoder`, `-e` | ID |" in page
    assert "<" not in page


def describe_constant(node: ast.AST) -> str | None:
    """A text of the code, with an ellipsis where something is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{[^}]*\}", "…", node.value)
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return "".join(map(str, parts))
    return None


def test_errors_of_the_index_are_those_of_the_program() -> None:
    rows = ERRORS.read_text("utf-8").splitlines()
    cells = [match for row in rows if (match := re.match(r"\| (`+ ?)(.+?)( ?`+) \| ", row))]
    shown = {cell[2].removesuffix("…").rstrip() for cell in cells}
    folders = ("cli", "importers", "services", "store", "workers")
    files = [file for folder in folders for file in (ROOT / "termexplorer" / folder).rglob("*.py")]
    files += (ROOT / "trainer").rglob("*.py")
    texts = [
        text
        for file in files
        if "Error" in (code := file.read_text("utf-8")) or "mark(" in code
        for node in ast.walk(ast.parse(code))
        if (text := describe_constant(node)) and len(text) > 15
    ]
    assert len(shown) > 30
    assert [
        shown_text for shown_text in shown if not any(shown_text in text for text in texts)
    ] == []


def locate_place(name: str) -> Path:
    """Where a file lies that a page for developers names, from the root or below the program."""
    return next(
        (path for path in (ROOT / name, ROOT / "termexplorer" / name) if path.exists()), ROOT
    )


@pytest.mark.parametrize("page", DEVELOPMENT, ids=lambda page: page.stem)
def test_files_and_functions_that_developers_are_sent_to_are_there(page: Path) -> None:
    for name, functions in PLACE.findall(page.read_text("utf-8")):
        is_pattern = re.search(r"\b(NAME|KEY|SUBJECT|XX)", name)
        if is_pattern or name.split("/")[0] not in (*TOPS, *LAYERS):
            continue
        file = locate_place(name)
        assert file.is_file(), name
        for function in re.findall(r"`(\w+)`", functions):
            assert re.search(rf"^ *def {function}\(", file.read_text("utf-8"), re.M), (
                name,
                function,
            )


def test_the_page_on_the_library_has_the_example_of_the_readme() -> None:
    """That one is run in tests/trainer/corpora/test_notebook.py."""
    pages = (README, ROOT / "resources/docs/python.md")
    examples = [re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S) for page in pages]
    assert len(examples[0]) == 1
    assert examples[0] == examples[1]
