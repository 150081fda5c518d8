"""Commands about evaluations that are kept: `evaluation list`, `evaluation rename`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.services.evaluate.evaluation import Evaluated, list_evaluations
from termexplorer.services.train.renaming import rename_evaluation

_ID_LETTERS = 8  # of a data hash: enough to tell the data of a workspace apart

app = typer.Typer(help="List the evaluations that are kept, or rename one.")


@app.command("list")
def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the evaluations that are kept."""
    with opened(workspace) as opened_workspace:
        stored_evaluations = list_evaluations(opened_workspace)
    if json:
        print_json(
            {"evaluations": [_evaluation_object(evaluation) for evaluation in stored_evaluations]}
        )
        return
    rows = [
        (
            _short_id(evaluation),
            evaluation.task,
            evaluation.name or evaluation.data,
            _count_encoders(evaluation),
        )
        for evaluation in stored_evaluations
    ]
    print_table(("evaluation", "task", "title", "encoders"), rows)


@app.command()
def rename(
    evaluation_id: Annotated[
        str, typer.Argument(metavar="ID", help="As `evaluation list` has it.")
    ],
    name: Annotated[
        str, typer.Argument(help='What it is to be called; "" for what its data are called.')
    ],
    task: Annotated[
        str, typer.Option(help="Its task, where several were measured on the same data.")
    ] = "",
    workspace: WorkspaceOption = None,
) -> None:
    """Give an evaluation a name of your own."""
    with opened(workspace) as opened_workspace:
        evaluation = _find_evaluation(list_evaluations(opened_workspace), evaluation_id, task)
        rename_evaluation(opened_workspace, evaluation, name)
        renamed = _find_evaluation(
            list_evaluations(opened_workspace), evaluation_id, evaluation.task
        )
    print_line(f"evaluation {_short_id(renamed)} is now {renamed.name or renamed.data}")


def _find_evaluation(
    stored_evaluations: Sequence[Evaluated], evaluation_id: str, task: str
) -> Evaluated:
    """Return the evaluation of an id.

    Raises:
        UserError: there is none, or several tasks have it.
    """
    fitting = [
        evaluation
        for evaluation in stored_evaluations
        if evaluation_id
        and evaluation.data_hash.startswith(evaluation_id)
        and task in ("", evaluation.task)
    ]
    if not fitting:
        raise UserError(
            f"there is no evaluation {evaluation_id}{f' of {task}' if task else ''}; "
            "`termexplorer evaluation list` lists them with their ids"
        )
    if len(fitting) > 1:
        tasks = ", ".join(f"'{evaluation.task}'" for evaluation in fitting)
        raise UserError(
            f"evaluation {evaluation_id} is of several tasks: add --task, one of {tasks}"
        )
    return fitting[0]


def _short_id(evaluated: Evaluated) -> str:
    return evaluated.data_hash[:_ID_LETTERS]


def _count_encoders(evaluated: Evaluated) -> int:
    return len({figure.encoder_id for figure in evaluated.figures})


def _evaluation_object(evaluated: Evaluated) -> dict[str, object]:
    return {
        "evaluation": _short_id(evaluated),
        "task": evaluated.task,
        "title": evaluated.name,
        "data": evaluated.data,
        "data_hash": evaluated.data_hash,
        "encoders": sorted({figure.encoder_id for figure in evaluated.figures}),
    }
