"""What is asked of an evaluation is refused before anything is computed."""

from collections.abc import Sequence

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.store.encoders.runs import find_split
from termexplorer.texts import tr
from termexplorer.trainer.measures import NAMES as MEASURES
from termexplorer.workers.evaluate.messages import LINKED, TASKS, EvaluationRequest
from termexplorer.workspace import Workspace


def check_task(task: str, tasks: Sequence[str]) -> None:
    """Refuses a task that is none of some.

    Raises:
        UserError: it is none of them.
    """
    if task not in tasks:
        raise UserError(
            tr(
                "there is no task {task}; choose one of {tasks}",
                task=task,
                tasks=", ".join(tasks),
            )
        )


def check_evaluation(workspace: Workspace, request: EvaluationRequest) -> None:
    """Refuses what cannot be evaluated, or would be of other names than were asked for.

    Raises:
        UserError: there is no such task, measure or split, the ontology has no levels that the task
            is of, or the split is of another ontology.
    """
    check_task(request.task, TASKS)
    if request.measure not in MEASURES:
        raise UserError(
            tr(
                "there is no measure {measure}; choose one of {measures}",
                measure=request.measure,
                measures=", ".join(MEASURES),
            )
        )
    if request.training is not None and request.training == request.corpus:
        raise UserError(
            tr(
                "{file} is the corpus itself, of which every mention would be known; name another "
                "file for --training",
                file=request.training,
            )
        )
    if request.task in LINKED and request.split_id is None and request.ontology_id is not None:
        ontology = find_ontology(workspace, str(request.ontology_id))
        if not ontology.is_a:
            raise UserError(
                tr(
                    "{ontology} has no is-a links, and so no levels; choose another ontology or "
                    "task",
                    ontology=ontology.label,
                )
            )
    if request.split_id is not None:
        with workspace.store.reading() as connection:
            split = find_split(connection, request.split_id)
        if split is None:
            raise UserError(
                tr(
                    "there is no split {split_id}; `termexplorer run list` lists those of runs",
                    split_id=request.split_id,
                )
            )
        if request.ontology_id not in (None, split.release_id):
            raise UserError(
                tr(
                    "split {split_id} is of ontology {own}, not of {ontology_id}; leave out one "
                    "of the two",
                    split_id=request.split_id,
                    own=split.release_id,
                    ontology_id=request.ontology_id,
                )
            )
