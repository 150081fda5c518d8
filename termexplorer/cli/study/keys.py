"""The command `study keys`."""

from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import number_cell, print_json, print_line, print_table
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.set_aside import StudyKeys, list_study_keys
from termexplorer.services.studies.studies import choose_studies


def keys_command(
    study_id: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="Of a study; else all are told.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Tell the keys that packs and answers were signed with, and the answers in doubt."""
    with opened(workspace) as opened_workspace:
        studies = choose_studies(opened_workspace, study_id)
        study_keys = [list_study_keys(opened_workspace, study) for study in studies]
    if json:
        print_json({"studies": [_keys_object(entry) for entry in study_keys]})
        return
    if not study_keys:
        print_line("There are no studies yet.")
    for keys_of_study in study_keys:
        _print_keys(keys_of_study)


def _print_keys(keys: StudyKeys) -> None:
    print_line(f"study {keys.study_id}, {keys.title}")
    if keys.keys:
        shown = [
            (
                key.annotator or "author, of packs",
                format_fingerprint(key.key),
                key.seen_at[:10],
                number_cell(key.trusted, "trusted" if key.trusted else "refused"),
            )
            for key in keys.keys
        ]
        print_table(("annotator", "key", "seen at", "trusted"), shown)
    else:
        print_line("nothing was signed so far")
    if keys.files:
        files = [
            (
                file.annotator,
                format_fingerprint(file.key) or "–",
                file.rows,
                file.doubt,
                file.choice or "in doubt",
                str(path),
            )
            for file, path in keys.files
        ]
        print_table(("annotator", "key", "rows", "doubt", "choice", "file"), files)


def _keys_object(keys: StudyKeys) -> dict[str, object]:
    return {
        "study": keys.study_id,
        "title": keys.title,
        "keys": [name_fields(key) for key in keys.keys],
        "files": [name_fields(file) | {"file": str(path)} for file, path in keys.files],
    }
