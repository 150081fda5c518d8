"""Writes the reference of commands: a page of Markdown for each, from the commands themselves."""

from pathlib import Path
from typing import Any

from termexplorer.cli.command_table import COMMANDS
from termexplorer.cli.examples import EXAMPLES

COMPLETION = ("install_completion", "show_completion")  # options that each group has


def make_command_pages(folder: Path) -> list[str]:
    """Write a page for each command at the top, and return their names in order."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in COMMANDS.items():
        command = entry.load_command(name)
        blocks = describe_command(command, name, 1)
        (folder / f"{name}.md").write_text("\n\n".join(blocks) + "\n", "utf-8")
    return list(COMMANDS)


def describe_command(command: Any, words: str, depth: int) -> list[str]:
    """Return its blocks of Markdown, from the heading to the examples, then inner commands'."""
    shown = [one for one in command.params if not one.hidden and one.name not in COMPLETION]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    options = [one for one in shown if one.param_type_name == "option"]
    inner = getattr(command, "commands", {})
    blocks = [f"{'#' * depth} {words}", clean_help(command.help)]
    blocks.append(f"```text\n{describe_usage(words, arguments, bool(inner))}\n```")
    if arguments:
        rows = [f"| `{one.name}` | {escape_cell(one.help)} |" for one in arguments]
        blocks.append("\n".join(["| argument | |", "|---|---|", *rows]))
    if options:
        rows = [describe_option(one) for one in options]
        blocks.append("\n".join(["| option | value | |", "|---|---|---|", *rows]))
    examples = [f"termexplorer {example}" for example in EXAMPLES.get(words, ())]
    if examples:
        blocks.append("\n".join(["```sh", *examples, "```"]))
    for name, part in inner.items():
        blocks += describe_command(part, f"{words} {name}", depth + 1)
    return blocks


def describe_usage(words: str, arguments: list[Any], has_inner: bool) -> str:
    """Return the line of usage."""
    names = [one.name if one.required else f"[{one.name}]" for one in arguments]
    return " ".join(
        ["termexplorer", words, *(["COMMAND"] if has_inner else []), "[OPTIONS]", *names]
    )


def describe_option(option: Any) -> str:
    """Return the row of one option: its forms, what it takes, what it means."""
    forms = ", ".join(f"`{form}`" for form in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else option.metavar or option.display_type(None).strip("<>")
    notes = [option.help or ""]
    if option.required:
        notes.append("Required.")
    if option.default not in (None, "") and not option.is_flag and not callable(option.default):
        notes.append(f"Default: `{option.default}`.")
    return f"| {forms} | {escape_cell(value)} | {escape_cell(' '.join(notes))} |"


def clean_help(text: str | None) -> str:
    """Return a help's text as Markdown."""
    return (text or "").replace("\b\n", "").replace("<", "&lt;").strip()


def escape_cell(text: str | None) -> str:
    """Return a text that stays within the cell of a table."""
    return " ".join(clean_help(text).split()).replace("|", "\\|")
