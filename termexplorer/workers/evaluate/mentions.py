"""Mentions in text and the concepts that they mean ([BNE] 4.2 and 4.3)."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.kept_messages import join_messages
from termexplorer.store.releases.ontologies import ontology
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.concept_data import NoSynonymsError, concept_names, further_ids
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.sparse_weight import fitted_weight
from termexplorer.workers.evaluate.task_data import TaskContext, TaskData
from termexplorer.workers.process import kept_texts

ALONE, SPARSE = "normalisation", "sparse"
WITH_SPARSE = f"{ALONE}, {SPARSE}"  # task: each encoder with the lexical part

if TYPE_CHECKING:
    from termexplorer.trainer.corpora.pubtator import Mention
    from termexplorer.trainer.corpora.queries import Queries
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.text.names import LabelledNames


def normalisation_tasks(context: TaskContext) -> Iterator[TaskData]:
    """The mentions of a corpus among all names of an ontology, by encoders alone, then with TF-IDF.

    Raises:
        UserError: corpus or ontology are missing, or cannot be read.
    """
    from termexplorer.trainer.evaluation.normalisation import normalisation
    from termexplorer.trainer.evaluation.sparse import with_sparse as added

    queries, names = _read_queries(context)
    title, data_hash = _task_title(context, queries, names), _hash_queries(queries, names)
    mentions = [mention.text for mention in queries.mentions]

    def scores(encoder_id: int) -> "Scores":
        return context.scores(encoder_id, queries.texts, names.names)

    def measured(of: "Scores") -> "TaskResult":
        return normalisation(queries, names, of, **context.options)

    def task(
        name: str, result: "Callable[[int], TaskResult]", notes: Sequence[Message]
    ) -> TaskData:
        return TaskData(name, title, data_hash, result, mentions, notes, texts=queries.texts)

    missing = Message(kept_texts.NO_CONCEPT, count=int(queries.unknown().sum()))
    alone = cache(lambda encoder_id: measured(scores(encoder_id)))
    yield task(ALONE, alone, [missing])
    if any(_can_be_added_to(context, encoder_id) for encoder_id in context.request.encoder_ids):
        notes = [missing]
        sparse = cache(partial(scores, LEXICAL))  # the same beside every encoder

        def with_sparse(encoder_id: int) -> "TaskResult":
            weight = _fit_weight(context, encoder_id, notes)
            if weight is None:
                return alone(encoder_id)
            return measured(added(scores(encoder_id), sparse(), weight))

        yield task(WITH_SPARSE, with_sparse, notes)


def _can_be_added_to(context: TaskContext, encoder_id: int) -> bool:
    """Whether an encoder has no lexical part yet."""
    info = context.encoders.info(encoder_id)
    return info.has_vectors and not info.is_blended


def _fit_weight(context: TaskContext, encoder_id: int, notes: list[Message]) -> float | None:
    """The weight of TF-IDF beside an encoder, told in the notes.

    None for one that is lexical, or has such a part, or that no weight can be fitted for.
    """
    request, label = context.request, context.encoders.info(encoder_id).kept_label
    if not _can_be_added_to(context, encoder_id):
        notes.append(Message(kept_texts.AS_IT_IS, label=label))
        return None
    assert request.ontology_id is not None  # noqa: S101 - `_read_queries` has looked
    try:
        fitted = fitted_weight(
            context.store,
            context.encoders,
            encoder_id,
            request.ontology_id,
            request.seed,
            begin=lambda _weight, _mentions: None,
            tick=context.tick,
            row=context.tick,
        )
    except NoSynonymsError:
        notes.append(Message(kept_texts.NO_WEIGHT, label=label))
        return None
    notes.append(
        kept_texts.SPARSE_WEIGHT.fill(label=label, weight=fitted.weight, count=fitted.mentions)
    )
    return fitted.weight


def retrieval_tasks(context: TaskContext) -> Iterator[TaskData]:
    """The names of the 20 best concepts by BM25 for each mention, ranked.

    Raises:
        UserError: corpus or ontology are missing, or cannot be read.
    """
    from termexplorer.trainer.evaluation.candidates import bm25_candidates, candidate_ranking
    from termexplorer.trainer.text.names import LabelledNames

    queries, names = _read_queries(context)
    has_gold = queries.gold >= 0
    mentions = LabelledNames(
        tuple(mention.text for mention in queries.mentions),
        names.classes,
        queries.gold_mention[has_gold],
        queries.gold[has_gold],
    )
    candidates = bm25_candidates(names, mentions.names, **context.options)

    def result(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, mentions.names, names.names)
        return candidate_ranking(names, mentions, scores, candidates, **context.options)

    yield TaskData(
        task="retrieval",
        title=Message(kept_texts.BY_BM25, title=_task_title(context, queries, names)),
        data_hash=_hash_queries(queries, names),
        result=result,
        mentions=mentions.names,
    )


def _read_queries(context: TaskContext) -> "tuple[Queries, LabelledNames]":
    from termexplorer.trainer.corpora.dictionary import Dictionary
    from termexplorer.trainer.corpora.pubtator import read_pubtator
    from termexplorer.trainer.corpora.queries import MentionPreparation, prepare_queries

    request = context.request
    if request.corpus is None or request.ontology_id is None:
        raise UserError(
            tr("{task} needs a PubTator file (--corpus) and an --ontology", task=request.task)
        )
    names, _ = concept_names(context.store, request.ontology_id)
    training = tuple(read_pubtator(request.training)) if request.training else ()
    preparation = MentionPreparation(
        abbreviations=request.abbreviations,
        composites=request.composites,
        training=training,
        kinds=request.kinds or None,
    )
    dictionary = Dictionary(names, further_ids(context.store, request.ontology_id, names))
    queries = prepare_queries(read_pubtator(request.corpus), dictionary, preparation)
    if len(queries.mentions) and queries.unknown().all():
        raise of_other_ids([request.corpus.name], queries.mentions)
    return queries, names


def of_other_ids(corpora: Sequence[str], mentions: "Iterable[Mention]") -> UserError:
    """What is wrong where no mention is of a concept of the ontology."""
    theirs = (concept for mention in mentions for concept in mention.concepts)
    return UserError(
        tr(
            "no mention in {corpora} is of a concept of the ontology: none of their ids, such as "
            "{theirs}, is in it; name an ontology that has them",
            corpora=", ".join(corpora),
            theirs=next(theirs, "–"),
        )
    )


def _task_title(context: TaskContext, queries: "Queries", names: "LabelledNames") -> Message:
    request = context.request
    assert request.corpus is not None  # noqa: S101 - `_read_queries` has read it
    assert request.ontology_id is not None  # noqa: S101 - and looked at this
    with context.store.reading() as connection:
        release = ontology(connection, request.ontology_id)
    assert release is not None  # noqa: S101 - its names were read
    return kept_texts.OF_MENTIONS.fill(
        corpus=request.corpus.name,
        count=len(queries.mentions),
        names=len(names.names),
        how=join_messages([release.label, *sorted(request.kinds), *_unusual_options(request)]),
    )


def _unusual_options(request: EvaluationRequest) -> Iterator[Message]:
    """How mentions are prepared, where that is not as usual."""
    if not request.abbreviations:
        yield Message(kept_texts.ABBREVIATIONS)
    if not request.composites:
        yield Message(kept_texts.COMPOSITES)
    if request.training:
        yield Message(kept_texts.MATCHED)


def _hash_queries(queries: "Queries", names: "LabelledNames") -> str:
    digest = hashlib.sha256(repr((queries.mentions, queries.texts)).encode())
    for array in (queries.mention, queries.text, queries.answer, queries.gold):
        digest.update(array.tobytes())
    digest.update(repr((names.names, names.classes)).encode())
    return digest.hexdigest()
