"""The command `study merge`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.studies.merge_results import AnswersChoice, Merged


def merge_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="What annotators sent back.")
    ],
    accept: Annotated[
        bool,
        typer.Option(
            "--accept",
            help="Where it is in doubt whose answers they are: have these count in place of what "
            "is here.",
        ),
    ] = False,
    add: Annotated[
        bool, typer.Option("--add", help="Have both count; of one pair the later answer.")
    ] = False,
    reject: Annotated[
        bool, typer.Option("--reject", help="Keep the file, and have what is here count.")
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Add annotators' answers to the log: all files or none, in any order, as often as you like."""
    chosen = {
        AnswersChoice.ACCEPT: accept, AnswersChoice.ADD: add, AnswersChoice.REJECT: reject,
    }  # fmt: skip
    choices = [choice for choice, wanted in chosen.items() if wanted]
    if len(choices) > 1:
        raise UserError("--accept, --add and --reject exclude each other; name one of them")
    with opened(workspace) as opened_workspace:
        merged = merge_answers(opened_workspace, files, choices[0] if choices else None)
    if json:
        print_json({"files": [name_fields(outcome) for outcome in merged]})
    else:
        _print_merged(merged)


def _print_merged(merged: list[Merged]) -> None:
    columns = ("file", "study", "annotator", "rows", "new rows", "signed")
    rows = [
        (m.file, m.study_id, m.annotator, m.rows, m.new_rows, format_fingerprint(m.key) or m.signed)
        for m in merged
    ]
    print_table(columns, rows)
    for warning in {merged_file.unsaved for merged_file in merged if merged_file.unsaved}:
        print_line(warning)
    for outcome in merged:
        for remark in _list_remarks(outcome):
            print_line(f"{outcome.annotator}: {remark}")


def _list_remarks(merged: Merged) -> Iterator[str]:
    if merged.choice:
        yield f"{merged.choice}; `termexplorer study keys {merged.study_id}` tells of the file"
    if merged.curated:
        yield count_text(
            merged.curated, "row is a verdict on a suggestion", "rows are verdicts on suggestions"
        )
    yield from merged.list_remarks()
