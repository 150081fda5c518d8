"""The child that evaluates: each task on its data for all encoders, then each two compared."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.encoders.evaluations import Evaluated, describe_data
from termexplorer.store.encoders.runs import FigureInfo, find_split
from termexplorer.store.releases.ontologies import ontology
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.encoders.keeping_encoders import BlockEncoders
from termexplorer.workers.evaluate.categories import category_tasks
from termexplorer.workers.evaluate.differences import differences_of
from termexplorer.workers.evaluate.levels import level_tasks
from termexplorer.workers.evaluate.mentions import normalisation_tasks, retrieval_tasks
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.pair_sets import pair_set_results
from termexplorer.workers.evaluate.relatedness import relatedness_results
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.evaluate.synonyms import coverage_tasks, synonym_tasks
from termexplorer.workers.evaluate.task_data import TaskContext, TaskData
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult

_TASKS: Mapping[str, Callable[[TaskContext], Iterator[TaskData]]] = {
    "ranking": level_tasks,
    "hypernyms": level_tasks,
    "synonyms": synonym_tasks,
    "coverage": coverage_tasks,
    "retrieval": retrieval_tasks,
    "normalisation": normalisation_tasks,
    "categories": category_tasks,
}
_PAIR_TASKS: Mapping[str, Callable[[TaskContext, EvaluationSteps], Iterator[Evaluated]]] = {
    "relatedness": relatedness_results,
    "pairs": pair_set_results,
}


def run_evaluation(request: EvaluationRequest, channel: Channel) -> tuple[Evaluated, ...]:
    """Figures of all encoders on all data of a task.

    Raises:
        UserError: something that the task needs is not there or cannot be read.
    """
    ranked = [request.ontology_id] if request.ontology_id and request.task in _TASKS else []
    with opened(request.workspace, request.encoder_ids, channel, ranked) as opening:
        store, encoders, steps = opening
        on_pairs = _PAIR_TASKS.get(request.task)
        blocks = BlockEncoders(request.workspace, store, steps.encoding)
        asked = blocks if on_pairs else encoders  # of pairs, all terms at once: none need be kept
        context = TaskContext(request, store, asked, steps.tick, steps.row, steps.announce)
        return tuple(on_pairs(context, steps) if on_pairs else _rank_tasks(context, steps))


def _rank_tasks(context: TaskContext, steps: EvaluationSteps) -> Iterator[Evaluated]:
    steps.say(tr("Reading what is measured on"))
    tasks = list(_TASKS[context.request.task](context))
    if not tasks:
        raise UserError(tr("no name of this split is held out for test; choose another split"))
    steps.plan(len(context.request.encoder_ids), len(tasks))
    results: list[dict[int, TaskResult]] = [{} for _ in tasks]
    of_encoders: dict[TaskData, list[Message]] = {task: [] for task in tasks}
    for encoder_id in context.request.encoder_ids:
        label = context.encoders.info(encoder_id).label
        for task, result in zip(tasks, results, strict=True):
            steps.begin(f"{label}, {describe_data(task.title, task.level)}", len(task.mentions))
            result[encoder_id] = task.result(encoder_id)
            if steps.is_rounded:
                label_kept = context.encoders.info(encoder_id).kept_label
                of_encoders[task].append(Message(kept_texts.EIGHT_BIT, label=label_kept))
            of_encoders[task].extend(_tell_unknown(context, task, encoder_id))
    for task, result in zip(tasks, results, strict=True):
        steps.say(tr("Comparing encoders: {what}", what=describe_data(task.title, task.level)))
        yield _evaluate_results(context, task, result, of_encoders[task])


def _tell_unknown(context: TaskContext, task: TaskData, encoder_id: int) -> Iterator[Message]:
    """What is to be known of mentions that an encoder has no vector for."""
    texts = {*(task.texts or task.mentions)}
    if count := context.unknown(encoder_id, texts):
        label = context.encoders.info(encoder_id).kept_label
        yield Message(kept_texts.NO_VECTOR, label=label, count=count, texts=len(texts))


def _not_counted(task: TaskData, results: "Mapping[int, TaskResult]") -> Iterator[Message]:
    """How many mentions do not count, which are the same for all encoders."""
    count = len(task.mentions) - next(iter(results.values())).figures[0].n
    if count:
        yield Message(task.not_counted, count=count, mentions=len(task.mentions))


def _full_title(context: TaskContext, task: TaskData) -> Message:
    """What the data are, with the ontology where a split or the task tells it."""
    with context.store.reading() as connection:
        split = None if task.split_id is None else find_split(connection, task.split_id)
        release = ontology(connection, split.release_id if split else task.ontology_id or 0)
    if release is None:
        return task.title
    return Message(kept_texts.OF_ONTOLOGY, ontology=release.label, data=task.title)


def _evaluate_results(
    context: TaskContext,
    task: TaskData,
    results: "Mapping[int, TaskResult]",
    of_encoders: Sequence[Message],
) -> Evaluated:
    primary = next(iter(results.values())).figures[0].metric
    return Evaluated(
        task=task.task,
        title=_full_title(context, task),
        data_hash=task.data_hash,
        metric=primary,
        figures=tuple(
            FigureInfo(encoder_id, task.task, task.data_hash, f.metric, f.value, f.low, f.high, f.n)
            for encoder_id, result in results.items()
            for f in result.figures
            if f.n
        ),
        differences=differences_of(results, primary, context.request.seed, context.tick),
        seen=context.seen(task.mentions),
        notes=(*task.notes, *_not_counted(task, results), *of_encoders),
        level=task.level,
        split_id=task.split_id,
        items=len(task.mentions),
    )
