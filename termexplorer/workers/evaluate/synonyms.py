"""Rankings of the names of a concept: synonym retrieval ([CG] 5.1), coverage at k ([BNE] 4.1)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.runs import find_split, run_behind
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.concept_data import (
    RULE,
    ConceptSet,
    build_concept_set,
    read_concept_set,
)
from termexplorer.workers.data.synonym_choice import EVERY_CONCEPT
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.task_data import Ints, TaskContext, TaskData
from termexplorer.workers.process import kept_texts

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult

# why names are left out, by the filters of `trainer.text.name_filters`
_WHY = {
    "unknown words": kept_texts.UNKNOWN_WORDS,
    "metatags": kept_texts.METATAG_ALONE,
    "tokens": kept_texts.MANY_TOKENS,
    "several classes": kept_texts.OF_SEVERAL,
}


def synonym_tasks(context: TaskContext) -> Iterator[TaskData]:
    """Training names among themselves, test names among them, zero-shot ones among themselves.

    Raises:
        UserError: nothing says which names, or none of them has a synonym.
    """
    from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT

    data, split_id = _read_concepts(context)
    train, test, aside = (np.flatnonzero(data.parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    for variant, mentions, candidates in (
        ("train", train, train),
        ("test", test, train),
        ("zero-shot", aside, aside),
    ):
        yield _make_retrieval(context, data, split_id, variant, mentions, candidates)


def _make_retrieval(
    context: TaskContext,
    data: ConceptSet,
    split_id: int,
    variant: str,
    mentions: Ints,
    candidates: Ints,
) -> TaskData:
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking

    labels = data.labels

    def result(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, labels.names)
        return similarity_ranking(labels, scores, mentions, candidates, **context.options)

    return TaskData(
        task=f"synonyms, {variant}",
        title=kept_texts.OF_SYNONYMS.fill(
            split=_split_text(data, split_id), count=len(mentions), names=len(candidates)
        ),
        data_hash=data.data_hash,
        result=result,
        mentions=[labels.names[mention] for mention in mentions],
        notes=[
            Message(kept_texts.NAMES_LEFT_OUT, count=count, why=_describe_filter(why, data))
            for why, count in data.removed.items()
            if count
        ],
        split_id=split_id,
    )


def _describe_filter(why: str, data: ConceptSet) -> Message:
    """Return why names were left out."""
    if why in _WHY:
        return Message(_WHY[why])
    return Message(kept_texts.NO_CODE, groups=data.choice.groups)


def coverage_tasks(context: TaskContext) -> Iterator[TaskData]:
    """All names of a split of concepts, each among the others.

    Raises:
        UserError: nothing says which names, or none of them has a synonym.
    """
    from termexplorer.trainer.data.splits import UNUSED
    from termexplorer.trainer.evaluation.coverage import coverage_at_k

    data, split_id = _read_concepts(context)
    names = np.flatnonzero(data.parts != UNUSED)

    def result(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, data.labels.names)
        return coverage_at_k(data.labels, scores, names, **context.options)

    yield TaskData(
        task="coverage",
        title=Message(kept_texts.OF_COVERAGE, names=len(names), split=_split_text(data, split_id)),
        data_hash=data.data_hash,
        result=result,
        mentions=[data.labels.names[name] for name in names],
        split_id=split_id,
    )


def _split_text(data: ConceptSet, split_id: int) -> Message:
    """Which split, and which sets where they are not those of all concepts."""
    if data.choice == EVERY_CONCEPT:
        return Message(kept_texts.OF_SPLIT, id=split_id)
    return Message(kept_texts.OF_SPLIT_SETS, id=split_id, sets=data.choice.title)


def _read_concepts(context: TaskContext) -> tuple[ConceptSet, int]:
    request, store = context.request, context.store
    if request.split_id is not None:
        return read_concept_set(store, request.split_id), request.split_id
    split_id = _trained_with(request, store)
    if split_id is not None:
        return read_concept_set(store, split_id), split_id
    ontology_id = request.ontology_id or _trained_on(request, store)
    if ontology_id is None:
        raise UserError(tr("{task} needs names: say which with --ontology", task=request.task))
    return build_concept_set(store, ontology_id, request.seed)


def _trained_with(request: EvaluationRequest, store: Store) -> int | None:
    """The split of the first encoder that was trained on synonym sets, of the ontology if named."""
    with store.reading() as connection:
        for encoder_id in request.encoder_ids:
            run = run_behind(connection, encoder_id)
            split = find_split(connection, run.split_id) if run and run.split_id else None
            if split and split.rule.startswith(RULE):
                same = request.ontology_id in (None, split.release_id)
                return run.split_id if run and same else None
    return None


def _trained_on(request: EvaluationRequest, store: Store) -> int | None:
    with store.reading() as connection:
        for encoder_id in request.encoder_ids:
            run = run_behind(connection, encoder_id)
            if run is not None:
                return run.release_id
    return None
