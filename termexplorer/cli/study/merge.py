"""The command `study merge`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.services.studies.answers import merge_answers


def merge_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="What annotators sent back.")
    ],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Add annotators' answers to the log: all files or none, in any order, as often as you like."""
    with opened(workspace) as place:
        merged = merge_answers(place, files)
    if json:
        print_json({"files": [asdict(each) for each in merged]})
        return
    columns = ("file", "study", "annotator", "rows", "new")
    print_table(columns, [(m.file, m.study_id, m.annotator, m.rows, m.new_rows) for m in merged])
    for told in {each.unsaved for each in merged if each.unsaved}:
        print_line(told)
    for each in merged:
        if each.curated:
            verdicts = count_text(
                each.curated, "row is a verdict on a suggestion", "rows are verdicts on suggestions"
            )
            print_line(f"{each.annotator}: {verdicts}")
        for pair in each.differing:
            print_line(
                f"{each.annotator} answered “{pair.subject}” and “{pair.object}” twice: "
                f"{pair.earlier}, then {pair.later}, which counts"
            )
