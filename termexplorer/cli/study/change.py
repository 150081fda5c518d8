"""The commands `study rename`, `study add-annotator` and `study remove`."""

from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, StudyArgument, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.studies.changes import (
    add_annotator,
    inspect_study_removal,
    remove_study,
    rename_study,
)


def rename_command(
    study_id: StudyArgument,
    title: Annotated[str, typer.Option(help="The new one.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Give a study another title; packs keep the one that they were made with."""
    with opened(workspace) as opened_workspace:
        stored_title = rename_study(opened_workspace, study_id, title)
    if json:
        print_json({"study": study_id, "title": stored_title})
    else:
        print_line(f"study {study_id} is called {stored_title}")


def add_annotator_command(
    study_id: StudyArgument,
    annotator: Annotated[str, typer.Option(metavar="NAME", help="Who judges from now on.")],
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="All of the study, whatever the others judge.")
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Have somebody else judge in a study; the packs of the others stay as they are.

    They get the pairs that all others judge; where there are none, as many as the others, those
    first that the fewest judge.
    """
    with opened(workspace) as opened_workspace:
        questions = add_annotator(opened_workspace, study_id, annotator, all_pairs=all_pairs)
    if json:
        print_json({"study": study_id, "annotator": annotator, "questions": questions})
        return
    print_line(
        f"{annotator} is asked {count_text(questions, 'question', 'questions')} in study {study_id}"
    )
    print_line(f"`termexplorer study export {study_id} --annotator NAME --out FILE` makes a pack.")


def remove_command(
    study_id: StudyArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Remove a study; the log keeps all that was said in it, and a backup is made before."""
    with opened(workspace) as opened_workspace:
        removal = inspect_study_removal(opened_workspace, study_id)
        print_line(f"With study {study_id} go:")
        for line in removal.goes:
            print_line(f"  {line}")
        print_line(removal.stays)
        if not yes:
            typer.confirm("Remove all this?", abort=True, err=True)
        without_backup = remove_study(opened_workspace, study_id)
    if without_backup:
        print_line(without_backup)
    print_line(f"study {study_id} is removed")
