"""Rankings on the levels of a hierarchy: similar names, and hypernyms ([HLS] 4.3)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.runs import find_split, run_behind, run_of_split
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.concept_data import RULE
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import SplitRule, build_level_set, split_sets
from termexplorer.workers.data.level_sets import LISTS, LevelSet
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.task_data import Ints, TaskContext, TaskData
from termexplorer.workers.process import kept_texts

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult


def level_tasks(context: TaskContext) -> Iterator[TaskData]:
    """Each level on which names of the split have classes; then lists that were classes besides.

    A level of one class is not measured: whatever is ranked there is right.

    Raises:
        UserError: nothing says which split, it is not there, or no level has two classes.
    """
    from termexplorer.trainer.data.splits import TEST

    request = context.request
    split_id, choice, lists = _find_split(request, context.store)
    deepest = max(choice.depth, choice.level)
    levels = range(1, deepest + 1)
    choices = [choice if level == choice.level else choice.whole(level) for level in levels]
    sets = list(split_sets(context.store, split_id, choices, lists))
    learned = next((data for chosen, data in sets if chosen == choice), None)
    tested = [(chosen.level, data) for chosen, data in sets if len(data.places(TEST))]
    measured = [(level, data) for level, data in tested if len(data.class_ids) > 1]
    if tested and not measured:
        raise UserError(
            tr(
                "every level down to {deepest} has one class, so that whatever is ranked is right; "
                "choose another root, or train on a deeper level",
                deepest=deepest,
            )
        )
    notes = [*_tell_levels(split_id, deepest, dict(tested), dict(measured))]
    for level, data in measured:
        yield _make_task(context, data, level, split_id, notes)
    if request.task == "ranking" and learned and len(learned.places(TEST, of_lists=True)):
        yield _of_lists(context, learned, split_id)


def _tell_levels(
    split_id: int, deepest: int, tested: Collection[int], measured: Collection[int]
) -> Iterator[Message]:
    """Why these levels are measured, and why others are not."""
    yield Message(
        kept_texts.LEVELS_MEASURED,
        levels=", ".join(map(str, measured)),
        split=split_id,
        deepest=deepest,
    )
    if of_one := [level for level in tested if level not in measured]:
        yield Message(kept_texts.LEVELS_OF_ONE, levels=", ".join(map(str, of_one)))
    if untested := [level for level in range(1, deepest + 1) if level not in tested]:
        yield Message(kept_texts.LEVELS_UNTESTED, levels=", ".join(map(str, untested)))


def _make_task(
    context: TaskContext, data: LevelSet, level: int, split_id: int, notes: Sequence[Message]
) -> TaskData:
    from termexplorer.trainer.data.splits import TEST, TRAIN
    from termexplorer.trainer.evaluation.hypernyms import hypernym_detection

    labels = data.labels
    mentions, candidates = data.places(TEST), data.places(TRAIN)

    def hypernyms(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, labels.names, data.level_names)
        return hypernym_detection(labels, scores, mentions, data.level_classes, **context.options)

    task = context.request.task
    return TaskData(
        task=task,
        title=(kept_texts.OF_CLASS if len(data.class_ids) == 1 else kept_texts.OF_LEVEL).fill(
            classes=len(data.class_ids),
            count=len(mentions),
            names=len(candidates),
            split=split_id,
        ),
        data_hash=data.data_hash,
        result=_make_ranking(context, data, mentions, candidates)
        if task == "ranking"
        else hypernyms,
        mentions=[labels.names[mention] for mention in mentions],
        notes=[*notes, *(() if task == "ranking" else _warn_of_learned(context, data.level_names))],
        level=level,
        split_id=split_id,
    )


def _warn_of_learned(context: TaskContext, ranked: Sequence[str]) -> Iterator[Message]:
    """Which encoders know the names that are ranked from training, which [HLS] rules out."""
    for encoder_id, share in context.seen(ranked).items():
        label, count = context.encoders.info(encoder_id).kept_label, round(share * len(ranked))
        yield Message(kept_texts.RANKED_LEARNED, label=label, count=count, names=len(ranked))


def _of_lists(context: TaskContext, data: LevelSet, split_id: int) -> TaskData:
    from termexplorer.trainer.data.splits import TEST, TRAIN

    mentions, candidates = data.places(TEST, of_lists=True), np.flatnonzero(data.parts == TRAIN)
    titles = ", ".join(name_list.title for name_list in data.lists)
    return TaskData(
        task=LISTS,
        title=kept_texts.OF_LISTS.fill(
            titles=titles, count=len(mentions), names=len(candidates), split=split_id
        ),
        data_hash=data.data_hash,
        result=_make_ranking(context, data, mentions, candidates),
        mentions=[data.labels.names[mention] for mention in mentions],
        split_id=split_id,
    )


def _make_ranking(
    context: TaskContext, data: LevelSet, mentions: Ints, candidates: Ints
) -> "Callable[[int], TaskResult]":
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking

    def ranking(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, data.labels.names)
        return similarity_ranking(data.labels, scores, mentions, candidates, **context.options)

    return ranking


def _find_split(
    request: EvaluationRequest, store: Store
) -> tuple[int, LevelChoice, tuple[ListClass, ...]]:
    """The split to evaluate on, how its levels are made, and the lists that are classes besides."""
    split_id = request.split_id
    with store.reading() as connection:
        if split_id is None:
            for encoder_id in request.encoder_ids:
                run = run_behind(connection, encoder_id)
                split = None if run is None else find_split(connection, run.split_id or 0)
                if run and split and not split.rule.startswith(RULE):
                    same = request.ontology_id in (None, split.release_id)
                    split_id = run.split_id if same else None
                    break
        run = None if split_id is None else run_of_split(connection, split_id)
    if run is not None and split_id is not None and run.request["choice"]:
        asked = run.request
        return split_id, LevelChoice.read(asked["choice"]), ListClass.read_all(asked)
    if split_id is not None:
        raise UserError(
            tr(
                "split {split_id} is of no run on a level that is still there, which says how "
                "levels are made; name that of another run, or an --ontology alone",
                split_id=split_id,
            )
        )
    if request.ontology_id is None:
        raise UserError(tr("name an encoder trained on a level, a --split, or an --ontology"))
    choice = LevelChoice()
    rule = SplitRule("dan", seed=request.seed)
    try:
        return build_level_set(store, request.ontology_id, choice, rule)[1], choice, ()
    except UserError as error:
        raise UserError(
            tr(
                "{why}: names are held out below level {depth}; train on it with a smaller "
                "depth, then evaluate on that run's split",
                why=error.why,
                depth=choice.depth,
            )
        ) from error
