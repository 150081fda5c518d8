"""README and docs: short where they begin, and nothing in them that is not there."""

import re
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from termexplorer.cli.commands import app

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "resources/docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
COMMAND = re.compile(r"^termexplorer ([a-z][a-z -]*?)(?= --| [^a-z]|$)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    links = LINK.findall(page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_can_be_read_in_a_few_minutes() -> None:
    text = README.read_text("utf-8")
    assert len(text.encode()) <= 12_000
    assert text.count("\n") <= 180


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
